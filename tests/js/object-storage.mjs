// A storage in plain JavaScript: the contract of `Storage` in one file. It keeps everything in memory,
// and stores what a database would store, JSON text. What it does by looking at everything (sessions of a
// project, checkpoints of a session) a database does with an index.
import { storageKey } from "throughline";

/** @returns {import("throughline").Storage & { everything(): string }} */
export function objectStorage() {
  const batches = new Set();
  const sessions = new Map();
  const checkpoints = new Map();
  const deliveries = new Map();

  return {
    /** Written whole or not at all: when one operation is refused, those before it are taken back. */
    async commit(batch) {
      if (batches.has(batch.id)) return { repeated: true };
      for (const precondition of batch.preconditions) check(precondition);
      const undo = [];
      try {
        for (const op of batch.ops) undo.push(apply(op));
      } catch (error) {
        for (const takeBack of undo.reverse()) takeBack();
        throw error;
      }
      batches.add(batch.id);
      return { repeated: false };
    },

    async read(query) {
      switch (query.read) {
        case "batch":
          return { batch: batches.has(query.id) };
        case "session":
          return { session: parse(sessions.get(nameOf(query.session))?.body) };
        case "sessions":
          return { sessions: listSessions(query) };
        case "rows":
          return { rows: listRows(query) };
        case "row_index":
          return { row_index: rowsOf(query.session).map(summary) };
        case "boundary":
          return { boundary: boundaryInForce(query.session) };
        case "checkpoint":
          return { checkpoints: [checkpoints.get(query.id)].filter(Boolean).map(parse) };
        case "checkpoints":
          return { checkpoints: listCheckpoints(query) };
        case "checkpoint_heads":
          return { checkpoint_heads: checkpointsOf(query.session).sort((a, b) => a.seq - b.seq).map(headOf) };
        case "pending":
          return { pending: parse(sessions.get(nameOf(query.session))?.pending) };
        case "due":
          return { due: listDue(query) };
        case "delivery":
          return { delivery: parse(deliveries.get(deliveryName(query))) };
        case "expired":
          return { expired: listExpired(query).slice(0, query.limit) };
        case "tally": {
          const bodies = bodiesOf(query.table);
          return { tally: { rows: bodies.length, bytes: Buffer.byteLength(bodies.map(({ text }) => text).join("")) } };
        }
        case "bodies":
          return { bodies: listBodies(query) };
        default:
          throw new Error(`unknown query ${query.read}`);
      }
    },

    /** All that was ever handed over and is kept, for tests that look for secrets in it. */
    everything() {
      const kept = [...sessions.values()].flatMap(({ body, pending = "", rows, boundaries }) => [
        body,
        pending,
        ...[...rows.values()].flatMap(({ head, parts }) => [head, ...parts.values()]),
        ...boundaries.values(),
      ]);
      return [...sessions.keys(), ...kept, ...checkpoints.values()].join("\n");
    },
  };

  function check({ if: what, session, is, at }) {
    const { version = 0, clearedAt } = sessions.get(nameOf(session)) ?? {};
    if (what === "session_version") {
      if (version !== is) throw conflict(`the session is at version ${version}, not ${is}`);
    } else if (what !== "not_cleared") {
      throw new Error(`unknown precondition ${what}`);
    } else if (clearedAt !== undefined && orderKey(at) <= orderKey(clearedAt)) {
      throw conflict(`the session was cleared at ${clearedAt}`);
    }
  }

  /** Applies one operation, and gives what takes it back. */
  function apply(op) {
    switch (op.op) {
      case "put_session": {
        const name = nameOf(op.session.id);
        const before = sessions.get(name);
        const place = before ?? { id: op.session.id, rows: new Map(), boundaries: new Map() };
        const { version, cleared_at: clearedAt } = op.session;
        sessions.set(name, { ...place, version, clearedAt, body: JSON.stringify(op.session) });
        return () => (before ? sessions.set(name, before) : sessions.delete(name));
      }
      case "insert_row": {
        const { live, ...head } = op.row;
        const { rows } = sessionOf(op.session);
        const kept = { head: JSON.stringify(head), place: placeOf(op.row), live, parts: new Map() };
        return insert(rows, op.row.id, kept, `row ${op.row.id}`);
      }
      case "insert_part": {
        const { parts } = rowOf(op.session, op.part.row);
        return insert(parts, op.part.index, JSON.stringify(op.part), `part ${op.part.index}`);
      }
      case "set_live": {
        const row = rowOf(op.session, op.row);
        const before = row.live;
        row.live = op.live;
        return () => (row.live = before);
      }
      case "insert_boundary": {
        const { boundaries } = sessionOf(op.session);
        const id = op.boundary.checkpoint_id;
        if ([...boundaries.values()].some((kept) => parse(kept).checkpoint_id === id)) {
          throw conflict(`boundary ${id} is there already`);
        }
        return insert(boundaries, op.boundary.seq, JSON.stringify(op.boundary), `boundary ${op.boundary.seq}`);
      }
      case "insert_checkpoint": {
        const { id, seq, session } = op.checkpoint;
        sessionOf(session);
        if (checkpointsOf(session).some((kept) => kept.seq === seq)) {
          throw conflict(`checkpoint ${seq} of the session is there already`);
        }
        return insert(checkpoints, id, JSON.stringify(op.checkpoint), `checkpoint ${id}`);
      }
      case "delete_checkpoint": {
        const kept = parse(checkpoints.get(op.checkpoint));
        if (!kept || nameOf(kept.session) !== nameOf(op.session)) throw conflict(`there is no checkpoint ${op.checkpoint}`);
        return removeAll([
          [checkpoints, op.checkpoint],
          ...deliveriesWhere(({ checkpoint }) => checkpoint === op.checkpoint),
        ]);
      }
      case "put_pending": {
        const session = sessionOf(op.pending.draft.session);
        const before = session.pending;
        followsOn(parse(before), op.pending);
        session.pending = JSON.stringify(op.pending);
        return () => (sessionOf(op.pending.draft.session).pending = before);
      }
      case "delete_pending": {
        const session = sessionOf(op.session);
        const before = session.pending;
        const { id, version } = parse(before) ?? {};
        if (id !== op.id || version !== op.version) throw conflict(`draft ${op.id} is not at version ${op.version}`);
        session.pending = undefined;
        return () => (sessionOf(op.session).pending = before);
      }
      case "put_delivery": {
        const name = deliveryName(op.delivery);
        if (!checkpoints.has(op.delivery.checkpoint)) throw conflict(`there is no checkpoint ${op.delivery.checkpoint}`);
        const before = deliveries.get(name);
        followsOn(parse(before), op.delivery);
        deliveries.set(name, JSON.stringify(op.delivery));
        return () => (before ? deliveries.set(name, before) : deliveries.delete(name));
      }
      case "delete_delivery":
        return removeAll([[deliveries, deliveryName(op)]]);
      case "delete_session": {
        sessionOf(op.session);
        const ids = checkpointsOf(op.session).map(({ id }) => id);
        const told = ({ receiver, checkpoint }) => ids.includes(checkpoint) || nameOf(receiver) === nameOf(op.session);
        return removeAll([
          [sessions, nameOf(op.session)],
          ...ids.map((id) => [checkpoints, id]),
          ...deliveriesWhere(told),
        ]);
      }
      default:
        throw new Error(`unknown operation ${op.op}`);
    }
  }

  /** The delivery records of which something holds, each with the map that it stands in. */
  function deliveriesWhere(holds) {
    return [...deliveries].filter(([, body]) => holds(parse(body))).map(([name]) => [deliveries, name]);
  }

  function listDue({ until, limit }) {
    const place = ({ due_at, session }) => [orderKey(due_at), storageKey(session)];
    return [...sessions.values()]
      .filter(({ pending }) => pending !== undefined)
      .map(({ id, pending }) => ({ due_at: parse(pending).due_at, session: id }))
      .filter(({ due_at }) => orderKey(due_at) <= orderKey(until))
      .sort((a, b) => compare(place(a), place(b)))
      .slice(0, limit);
  }

  function listExpired({ kind, before }) {
    const old = (at) => orderKey(at) < orderKey(before);
    const all = [...sessions.values()];
    switch (kind) {
      case "checkpoint":
        return [...checkpoints.values()]
          .map(parse)
          .filter(({ created_at }) => old(created_at))
          .map(({ id, session }) => ({ session, checkpoint: id }));
      case "draft":
        return all
          .filter(({ pending }) => pending && old(parse(pending).draft.created_at))
          .map(({ id: session }) => ({ session }));
      case "state":
        return all
          .map(({ body }) => parse(body))
          .filter(({ continuity, last_activity }) => holdsAnything(continuity) && old(last_activity))
          .map(({ id: session }) => ({ session }));
      default:
        return [...deliveries.values()]
          .map(parse)
          .filter(({ offered_at }) => old(offered_at))
          .map(({ receiver: session, checkpoint }) => ({ session, checkpoint }));
    }
  }

  /** Every body of a table with its key. */
  function bodiesOf(table) {
    const body = (first, second, third, text) => ({ key: { first, second, third }, text });
    if (table === "checkpoints") return [...checkpoints].map(([id, text]) => body(id, "", 0, text));
    if (table === "deliveries") {
      return [...deliveries.values()].map(parse).map((of) => body(storageKey(of.receiver), of.checkpoint, 0, ""));
    }
    return [...sessions.values()].flatMap(({ id, body: own, rows, boundaries, pending }) => {
      const session = storageKey(id);
      const each = [...rows];
      switch (table) {
        case "sessions":
          return [body(session, "", 0, own)];
        case "messages":
          return each.map(([row, { head }]) => body(session, row, 0, head));
        case "parts":
          return each.flatMap(([row, { parts }]) => [...parts].map(([index, part]) => body(session, row, index, part)));
        case "boundaries":
          return [...boundaries].map(([seq, boundary]) => body(session, "", seq, boundary));
        default:
          return pending === undefined ? [] : [body(session, "", 0, pending)];
      }
    });
  }

  function listBodies({ table, after, limit }) {
    const order = (a, b) =>
      compareText(a.first, b.first) || compareText(a.second, b.second) || a.third - b.third;
    return bodiesOf(table)
      .filter(({ key }) => !after || order(key, after) > 0)
      .sort((a, b) => order(a.key, b.key))
      .slice(0, limit);
  }

  function sessionOf(id) {
    const session = sessions.get(nameOf(id));
    if (!session) throw conflict(`there is no session ${nameOf(id)}`);
    return session;
  }

  function rowOf(id, row) {
    const kept = sessionOf(id).rows.get(row);
    if (!kept) throw conflict(`there is no row ${row}`);
    return kept;
  }

  /** The rows of a session in the order of their places. */
  function rowsOf(id) {
    const rows = [...(sessions.get(nameOf(id))?.rows.values() ?? [])];
    return rows.sort((a, b) => compare(a.place, b.place));
  }

  function listRows({ session, from }) {
    const start = from && placeOf(from);
    return rowsOf(session)
      .filter(({ live, place }) => live && (!start || compare(place, start) >= 0))
      .map(stored)
      .filter(({ row }) => !row.sidechain);
  }

  function boundaryInForce(id) {
    const session = sessions.get(nameOf(id));
    const newestFirst = [...(session?.boundaries.values() ?? [])].map(parse).sort((a, b) => b.seq - a.seq);
    return newestFirst.find(({ anchor }) => session.rows.get(anchor)?.live ?? true) ?? null;
  }

  function checkpointsOf(id) {
    const name = nameOf(id);
    return [...checkpoints.values()].map(parse).filter(({ session }) => nameOf(session) === name);
  }

  function listCheckpoints({ session, limit }) {
    const newestFirst = session
      ? checkpointsOf(session).sort((a, b) => b.seq - a.seq)
      : [...checkpoints.values()].map(parse).sort((a, b) => -compare(placeOf(a), placeOf(b)));
    return newestFirst.slice(0, limit);
  }

  function listSessions({ key, project_hash: project, after, limit }) {
    const place = ({ last_activity, id }) => [orderKey(last_activity), storageKey(id)];
    const end = after && [orderKey(after.last_activity), after.storage_key];
    return [...sessions.values()]
      .map(({ body }) => parse(body))
      .filter(({ id, project_hash }) => (key ?? id.key) === id.key && (project ?? project_hash) === project_hash)
      .filter((row) => !end || compare(place(row), end) < 0)
      .sort((a, b) => -compare(place(a), place(b)))
      .slice(0, limit);
  }
}

function stored({ head, live, parts }) {
  const byIndex = [...parts].sort(([a], [b]) => a - b);
  return { row: { ...parse(head), live }, parts: byIndex.map(([, part]) => parse(part)) };
}

function summary({ head, live, parts }) {
  const { id, kind, created_at } = parse(head);
  return { id, kind, created_at, live, parts: parts.size };
}

/** The versions of a value count by one, under one id. */
function followsOn(before, next) {
  const same = !before || before.id === next.id;
  if (next.version !== (before?.version ?? 0) + 1 || !same) throw conflict("it is not at the version before");
}

/** Removes entries of maps, and gives what puts them in again. */
function removeAll(entries) {
  const removed = entries.filter(([map, key]) => map.has(key)).map(([map, key]) => [map, key, map.get(key)]);
  for (const [map, key] of removed) map.delete(key);
  return () => removed.forEach(([map, key, value]) => map.set(key, value));
}

/** Whether a continuity state holds anything that may grow old. */
function holdsAnything({ prompts_since, recent_prompts, memory_queries, remembers }) {
  return prompts_since > 0 || [recent_prompts, memory_queries, remembers].some((list) => list.length > 0);
}

function headOf({ id, seq, trigger, created_at }) {
  return { id, seq, trigger, created_at };
}

function deliveryName({ receiver, checkpoint }) {
  return [nameOf(receiver), checkpoint].join("\n");
}

/** Puts a value where none may be yet, and gives what takes it out again. */
function insert(map, key, value, name) {
  if (map.has(key)) throw conflict(`${name} is there already`);
  map.set(key, value);
  return () => map.delete(key);
}

/** The `code` tells the engine that nothing was written, and that it may plan again. */
function conflict(message) {
  return Object.assign(new Error(message), { code: "conflict" });
}

function parse(text) {
  return text === undefined ? null : JSON.parse(text);
}

/** One text for the three parts of an identity; they hold no control characters. */
function nameOf({ harness, agent, key }) {
  return [harness, agent, key].join("\n");
}

function placeOf({ created_at, id }) {
  return [orderKey(created_at), id];
}

/** Instants have 0 to 9 digits of fraction; with all nine they sort as text. */
function orderKey(instant) {
  const [seconds, fraction = ""] = instant.slice(0, -1).split(".");
  return `${seconds}.${fraction.padEnd(9, "0")}`;
}

function compare([a, idOfA], [b, idOfB]) {
  return a === b ? compareText(idOfA, idOfB) : a < b ? -1 : 1;
}

/** As UTF-8 bytes; JavaScript itself compares UTF-16 units, which differ beyond U+FFFF. */
function compareText(a, b) {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
