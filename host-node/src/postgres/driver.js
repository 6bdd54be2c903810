// The driver of PostgreSQL: it runs the statements that the core writes.
import { setTimeout as sleep } from "node:timers/promises";
import { postgresRules, ThroughlineError } from "throughline";
import { answers, query } from "./query.js";
import { Course } from "./course.js";
import { isPool, poolOf } from "./library.js";

/** How long a lock, or a server that went away, is waited for, in milliseconds. */
const WAIT = 10_000;
const CONNECTIONS = 4;
/** How many statements are on their way at once. */
const IN_FLIGHT = 128;

export function postgresDriver(place, { wait = WAIT, connections = CONNECTIONS, lazy = false } = {}) {
  whole("wait", wait, 0, 0x7fff_ffff);
  whole("connections", connections, 1, 1000);
  if (isPool(place)) return new PostgresDriver({ pool: place, own: false, wait, lazy, shown: "the pool" });
  const address = typeof place?.shown === "string" ? place : postgresRules.address(`${place?.href ?? place}`, process.env);
  return new PostgresDriver({ pool: poolOf(address, wait, connections), own: true, wait, lazy, shown: address.shown });
}

function whole(name, value, least, most) {
  if (Number.isInteger(value) && value >= least && value <= most) return;
  const accepted = `accepted: a whole number from ${least} to ${most}`;
  throw new ThroughlineError(`\`${name}\` is ${value}; ${accepted}`, "argument_invalid", name);
}

class PostgresDriver {
  #pool;
  #own;
  #wait;
  #lazy;
  #shown;
  /** The schema that the database of a connection had when it was looked at; 0 when it is empty. */
  #schemas = new WeakMap();

  constructor({ pool, own, wait, lazy, shown }) {
    this.#pool = pool;
    this.#own = own;
    this.#wait = wait;
    this.#lazy = lazy;
    this.#shown = shown;
  }

  get address() {
    return this.#shown;
  }

  async open() {
    await this.#work("opening", (client) => (this.#lazy ? undefined : this.#upgrade(client)));
  }

  async transaction(already, statements, locks) {
    const { lock } = postgresRules.texts();
    const all = [...locks.map((name) => ({ sql: lock, params: [name], rows: null })), ...statements];
    let wasNew = false;
    return this.#work("connecting", async (client, course) => {
      course.moment = "writing";
      await this.#upgrade(client);
      const first = all.slice(0, IN_FLIGHT);
      const [, { rowCount }, ...changed] = await answers(client, [
        { text: postgresRules.begin(this.#wait) },
        query(already),
        ...first.map(query),
      ]);
      if (rowCount === 0) {
        await client.query("ROLLBACK");
        // It was new to an attempt of this call, so this call committed it.
        return { repeated: !wasNew };
      }
      // Its id was free: no earlier attempt was committed.
      wasNew = true;
      course.unsettled = false;
      let conflict = conflictIn(first, changed);
      for (let at = IN_FLIGHT; at < all.length && !conflict; at += IN_FLIGHT) {
        const some = all.slice(at, at + IN_FLIGHT);
        conflict = conflictIn(some, await answers(client, some.map(query)));
      }
      if (conflict) {
        await client.query("ROLLBACK");
        return () => {
          throw new ThroughlineError(conflict.what, "conflict");
        };
      }
      course.moment = "committing";
      await client.query("COMMIT");
      return { repeated: false };
    });
  }

  query(statement) {
    return this.#work("reading", async (client) => {
      // A store that is not there yet holds nothing; another host may have made it meanwhile.
      if (this.#schemas.get(client) === 0) await this.#look(client);
      return this.#schemas.get(client) === 0 ? [] : (await client.query(query(statement))).rows;
    });
  }

  /** What the database says of the store, for `doctor`; undefined while there is none. */
  async facts() {
    const { mark, size } = postgresRules.texts();
    const ask = (sql) => this.query({ sql, params: [] });
    const marks = await ask(mark);
    if (marks.length === 0) return undefined;
    const [[bytes]] = await ask(size);
    return { schema: postgresRules.found(marks), bytes };
  }

  async close() {
    const pool = this.#pool;
    this.#pool = undefined;
    if (this.#own) await pool?.end();
  }

  [Symbol.asyncDispose]() {
    return this.close();
  }

  /** Does some work on a connection, again while the core says so; a function that it gives is called at the end. */
  async #work(moment, work) {
    const course = new Course(this.#wait);
    for (;;) {
      course.moment = moment;
      try {
        const done = await this.#onConnection((client) => work(client, course));
        return typeof done === "function" ? done() : done;
      } catch (error) {
        await sleep(course.next(error));
      }
    }
  }

  async #onConnection(work) {
    if (!this.#pool) {
      const why = `${this.#shown} was closed`;
      throw new ThroughlineError(`the storage is not available: ${why}`, "storage_unavailable", undefined, { why });
    }
    const client = await this.#pool.connect();
    // What goes wrong is said by the queries.
    client.on("error", ignore);
    let failure = new Error("the work did not end");
    try {
      if (!this.#schemas.has(client)) await this.#look(client);
      const done = await work(client);
      failure = undefined;
      return done;
    } finally {
      client.off("error", ignore);
      // One on which something failed is closed, and its transaction with it.
      client.release(failure);
    }
  }

  /** Judges the database. One that is ours is brought to this version at once, as a file is. */
  async #look(client) {
    this.#schemas.set(client, await schemaOf(client));
    if (this.#schemas.get(client) > 0) await this.#upgrade(client);
  }

  /** Makes or changes the tables, when they are not as this version has them. */
  async #upgrade(client) {
    const { schema, upgradeLock } = postgresRules.texts();
    if (this.#schemas.get(client) === schema) return;
    await client.query("BEGIN");
    await client.query(upgradeLock);
    const found = await schemaOf(client);
    if (found < schema) await client.query(postgresRules.upgrade(found));
    await client.query("COMMIT");
    this.#schemas.set(client, schema);
  }
}

async function schemaOf(client) {
  const { look, mark } = postgresRules.texts();
  const ask = async (sql) => (await client.query(query({ sql, params: [] }))).rows;
  return postgresRules.judge(await ask(look)) ? postgresRules.found(await ask(mark)) : 0;
}

/** The first statement that changed another number of rows than it must. */
function conflictIn(statements, results) {
  return statements.find(({ rows }, index) => rows !== null && results[index].rowCount !== rows);
}

function ignore() {}
