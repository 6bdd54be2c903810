// The library `pg`, where it is installed.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { ThroughlineError } from "throughline";

const require = createRequire(import.meta.url);

/** Whether something is a pool of `pg`. */
export function isPool(value) {
  return typeof value?.connect === "function" && typeof value.end === "function";
}

/** A pool of connections of our own, none of which is made yet. */
export function poolOf(address, wait, connections) {
  const { Client, Pool } = library();
  const pool = new Pool({
    Client: quiet(Client),
    host: address.host,
    port: address.port,
    user: address.user,
    password: address.password ?? undefined,
    database: address.database,
    options: address.options ?? undefined,
    application_name: address.application,
    // Who can wait for no lock cannot wait for a server that does not answer either.
    connectionTimeoutMillis: Math.min(address.connectMillis, Math.max(wait, 1_000)),
    keepAlive: true,
    keepAliveInitialDelayMillis: Math.max(wait, 1000),
    ssl: address.tls && { rejectUnauthorized: true, ca: certificates(address.rootCertificates) },
    max: connections,
    allowExitOnIdle: true,
    pipeline: true,
  });
  // A connection that is lost while nobody uses it is replaced when it is needed.
  pool.on("error", () => {});
  return pool;
}

/** A server may end a connection in the same breath in which it makes it, before anybody listens. */
function quiet(Client) {
  return class extends Client {
    constructor(options) {
      super(options);
      this.on("error", () => {});
    }

    /** A connection that failed on this side, for want of a password, would stay open until the server gives up. */
    connect(callback) {
      return super.connect((error) => {
        if (error) this.connection.stream.destroy();
        callback(error);
      });
    }
  };
}

function certificates(file) {
  if (file === null) return undefined;
  try {
    return readFileSync(file);
  } catch (error) {
    const why = `the root certificates cannot be read (${error.code})`;
    throw new ThroughlineError(`the storage is not available: ${why}`, "storage_unavailable", undefined, { why });
  }
}

function library() {
  try {
    return require("pg");
  } catch (error) {
    const why = `no PostgreSQL library: install pg (${String(error?.message ?? error).split("\n", 1)[0]})`;
    throw new ThroughlineError(`the storage is not available: ${why}`, "storage_unavailable", undefined, { why });
  }
}
