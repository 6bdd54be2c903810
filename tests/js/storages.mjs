// Storages that tests put in front of, or in place of, a sound one.

/** Lets every call wait for a random while, and notes how many run at once. */
export function slow(storage, random) {
  const seen = { writes: 0, mostWrites: 0 };
  const pause = () => new Promise((resolve) => setTimeout(resolve, random() * 4));
  return {
    seen,
    async commit(batch) {
      seen.writes += 1;
      seen.mostWrites = Math.max(seen.mostWrites, seen.writes);
      await pause();
      const answer = await storage.commit(batch);
      await pause();
      seen.writes -= 1;
      return answer;
    },
    async read(query) {
      await pause();
      return storage.read(query);
    },
  };
}

/** Keeps the JSON text of everything that is handed over. */
export function recorded(storage) {
  const received = [];
  return {
    received,
    commit(batch) {
      received.push(JSON.stringify(batch));
      return storage.commit(batch);
    },
    read(query) {
      received.push(JSON.stringify(query));
      return storage.read(query);
    },
  };
}

/** Random numbers in [0, 1) from a seed, so that a failing run can be repeated. */
export function randomFrom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** A clock that goes on by a second with each look. */
export function steadyClock(start = Date.UTC(2026, 2, 10, 9)) {
  let now = start;
  return () => (now += 1000);
}
