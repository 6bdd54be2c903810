// A PostgreSQL server of one test file's own: in a folder that goes with it, at a port of this machine.
import { spawnSync } from "node:child_process";
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

const PLACE = "/usr/lib/postgresql";
/** With characters that an address writes otherwise. */
const password = "p@ss/word?";

/** The reason for which there is no server, or false; in CI there must be one. */
export const missing = programs() === undefined && `no PostgreSQL under ${PLACE} (Debian: apt-get install postgresql)`;
if (missing && process.env.CI) throw new Error("PostgreSQL is missing, and CI must not go without");

/** The folder of the newest installed version's programs. */
function programs() {
  const versions = existsSync(PLACE) ? readdirSync(PLACE).sort((a, b) => b - a) : [];
  return versions.map((version) => join(PLACE, version, "bin")).find((bin) => ["initdb", "psql"].every((name) => existsSync(join(bin, name))));
}

/** A port that is free now. */
function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

/** `durable`: the server waits for the disk, as one that is used does. */
export async function startServer({ durable = false } = {}) {
  const folder = mkdtempSync(join(tmpdir(), "throughline-pg-"));
  const asRoot = process.getuid() === 0;
  const port = await freePort();
  const data = join(folder, "data");

  /** A server keeps the output of the program that starts it open, so it goes to a file. */
  const run = (program, args, input) => {
    const command = [join(programs(), program), ...args];
    const [file, ...rest] = asRoot ? ["runuser", "-u", "postgres", "--", ...command] : command;
    const log = join(folder, `${program}.out`);
    const out = openSync(log, "w");
    const { status } = spawnSync(file, rest, { cwd: folder, input, stdio: [input === undefined ? "ignore" : "pipe", out, out] });
    closeSync(out);
    const said = readFileSync(log, "utf8");
    if (status !== 0) throw new Error(`${program} ended with ${status}: ${said}`);
    return said;
  };
  // The server refuses to run as root.
  if (asRoot) spawnSync("chown", ["postgres", folder]);
  const word = join(folder, "password");
  writeFileSync(word, password);
  const begin = () => run("pg_ctl", ["-D", data, "-w", "-l", join(folder, "log"), "-o", `-k ${folder} -p ${port} -c listen_addresses=127.0.0.1 -c fsync=${durable ? "on" : "off"}`, "start"]);
  const end = (mode) => run("pg_ctl", ["-D", data, "-m", mode, "-w", "stop"]);
  const auth = ["--auth-local=trust", "--auth-host=scram-sha-256", `--pwfile=${word}`];
  run("initdb", ["-D", data, "-U", "postgres", "--no-sync", "-E", "UTF8", "--locale=C.UTF-8", ...auth]);
  begin();

  const askIn = (database, script) =>
    run("psql", ["-h", folder, "-p", `${port}`, "-U", "postgres", "-d", database, "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-f", "-"], script);
  const address = (database, at = port) => `postgres://postgres:${encodeURIComponent(password)}@127.0.0.1:${at}/${database}`;
  return {
    port,
    folder,
    askIn,
    address,
    begin,
    end,
    /** Starts it again with a certificate of its own making, whose file is given; null where there is no openssl. */
    encrypt() {
      const [key, certificate] = [join(data, "server.key"), join(data, "server.crt")];
      const made = spawnSync("openssl", [
        ...["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"],
        ...["-subj", "/CN=throughline", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", certificate],
      ]);
      if (made.status !== 0) return null;
      if (asRoot) spawnSync("chown", ["postgres", key, certificate]);
      spawnSync("chmod", ["600", key]);
      askIn("postgres", "ALTER SYSTEM SET ssl = on;");
      end("fast");
      begin();
      return certificate;
    },
    /** Makes a database, and gives its address. */
    database(name) {
      askIn("postgres", `CREATE DATABASE ${name};`);
      return address(name);
    },
    stop() {
      try {
        end("immediate");
      } catch {
        // It was stopped before.
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
