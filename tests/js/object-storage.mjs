// A storage in plain JavaScript: the contract of `Storage` in one file. It keeps everything in memory,
// and stores what a database would store, JSON text. What it does by looking at everything (sessions of a
// project, checkpoints of a session) a database does with an index.
import { storageKey } from "throughline";

/** @returns {import("throughline").Storage & { everything(): string }} */
export function objectStorage() {
  const batches = new Set();
  const sessions = new Map();
  const checkpoints = new Map();

  return {
    /** Written whole or not at all: when one operation is refused, those before it are taken back. */
    async commit(batch) {
      if (batches.has(batch.id)) return { repeated: true };
      for (const { session, is } of batch.preconditions) {
        const version = sessions.get(nameOf(session))?.version ?? 0;
        if (version !== is) throw conflict(`the session is at version ${version}, not ${is}`);
      }
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
        default:
          throw new Error(`unknown query ${query.read}`);
      }
    },

    /** All that was ever handed over and is kept, for tests that look for secrets in it. */
    everything() {
      const kept = [...sessions.values()].flatMap(({ body, rows, boundaries }) => [
        body,
        ...[...rows.values()].flatMap(({ head, parts }) => [head, ...parts.values()]),
        ...boundaries.values(),
      ]);
      return [...sessions.keys(), ...kept, ...checkpoints.values()].join("\n");
    },
  };

  /** Applies one operation, and gives what takes it back. */
  function apply(op) {
    switch (op.op) {
      case "put_session": {
        const name = nameOf(op.session.id);
        const before = sessions.get(name);
        const place = before ?? { rows: new Map(), boundaries: new Map() };
        sessions.set(name, { ...place, version: op.session.version, body: JSON.stringify(op.session) });
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
      default:
        throw new Error(`unknown operation ${op.op}`);
    }
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
