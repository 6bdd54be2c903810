// `npm run preview`: builds the package and the page, and serves it on localhost. `--build` only builds;
// `--port N` asks for a port.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setup } from "../../../tests/tasks/setup.mjs";
import { Problem, bold, main, step } from "../../../tests/tasks/terminal.mjs";

const PAGE = join(import.meta.dirname, "..");
const configFile = join(PAGE, "vite.config.mjs");

await main(async () => {
  const port = portOf(process.argv);
  await setup(["wasm", "npm"]);
  await step("build the npm package", ["npm", "run", "--silent", "build"]);
  // After setup: in a fresh checkout it is not there before.
  const vite = await import("vite");
  await vite.build({ configFile, logLevel: "warn" });
  console.log("the page is built: bindings/preview/dist");
  if (process.argv.includes("--build")) return;
  const server = await vite.preview({ configFile, logLevel: "warn", preview: { port, headers: headers() } });
  console.log(`${bold(server.resolvedUrls.local[0])} shows it; Ctrl+C ends`);
});

function portOf(words) {
  const at = words.indexOf("--port");
  if (at < 0) return 4173;
  const port = Number(words[at + 1]);
  if (Number.isInteger(port) && port > 0 && port < 65536) return port;
  throw new Problem(`--port needs a number from 1 to 65535, not ${words[at + 1] ?? "nothing"}`);
}

/** The policy of the page, as headers too: some of it holds only there. */
function headers() {
  const [, policy] = /http-equiv="Content-Security-Policy"\s+content="([^"]+)"/.exec(readFileSync(join(PAGE, "index.html"), "utf8"));
  return { "Content-Security-Policy": `${policy}; frame-ancestors 'none'`, "X-Content-Type-Options": "nosniff" };
}
