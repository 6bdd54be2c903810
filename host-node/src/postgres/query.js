// Statements of the core as `pg` takes them.
import { postgresRules } from "throughline";

/** By the text of the core, the one for PostgreSQL and the name under which connections keep it prepared. */
const prepared = new Map();

const INT8 = 20;
const INT4 = 23;
const types = { getTypeParser: (type) => (type === INT8 || type === INT4 ? whole : String) };

/** The core writes a fixed few texts: all of them stay prepared. */
export function query({ sql, params }) {
  let known = prepared.get(sql);
  if (!known) prepared.set(sql, (known = { name: `throughline-${prepared.size}`, text: postgresRules.translate(sql) }));
  return { ...known, values: params, rowMode: "array", types };
}

/**
 * The answers to several queries in order, or the first error; the queries are sent at once where the connection
 * is made for it.
 */
export async function answers(client, queries) {
  const results = [];
  if (!client.pipeline) {
    for (const query of queries) results.push(await client.query(query));
    return results;
  }
  for (const { value, reason } of await Promise.allSettled(queries.map((query) => client.query(query)))) {
    if (reason) throw reason;
    results.push(value);
  }
  return results;
}

function whole(text) {
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : BigInt(text);
}
