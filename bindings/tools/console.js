// Entry for Node programs that are a command line: words in, an answer out.
import { tools } from "./load-node.js";

export async function runConsole(words, program) {
  return (await tools()).runConsole(words, program);
}

export async function unwrittenAnswer(words, cause) {
  return (await tools()).unwrittenAnswer(words, cause?.code, `${cause?.message ?? cause}`);
}
