// `npm run bench [-- WORDS]`: the criterion benches; the words go to them, such as a name to choose by.
import { setup } from "./setup.mjs";
import { bold, main, run } from "./terminal.mjs";

await main(async () => {
  await setup(["rust"]);
  console.log(bold("── benches"));
  const words = process.argv.slice(2);
  const command = ["cargo", "bench", "--locked", "-p", "throughline-benches"];
  const { status } = await run(words.length > 0 ? [...command, "--", ...words] : command, {
    onText: (text) => process.stdout.write(text),
  });
  return status;
});
