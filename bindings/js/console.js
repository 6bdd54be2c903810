// Entry for Node programs that are a command line: words in, an answer out.
import "./node.js";
import { core } from "./core.js";

export async function runConsole(words, program) {
  return core().runConsole(words, program);
}

export function unwrittenAnswer(words, cause) {
  return core().unwrittenAnswer(words, cause?.code, `${cause?.message ?? cause}`);
}
