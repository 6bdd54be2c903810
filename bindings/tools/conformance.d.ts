import type { SqlDriver } from "../driver.js";
import type { Storage } from "../storage.js";

/** How the suite runs. */
export interface ConformanceOptions {
  /** Any text that this store was not tested with before; a used store serves again under another. */
  seed?: string | undefined;
  /** Whether what was committed is there when the function opens the store again; then that is tested too. */
  reopens?: boolean | undefined;
  /** Whether several handles on one store may be open at once; then that is tested too. */
  shares?: boolean | undefined;
  /** Whether it answers the queries `tally` and `bodies`; then that is tested too. */
  inspects?: boolean | undefined;
}

/** One case of the suite. */
export interface ConformanceCase {
  /** What it tests, such as `commit` or `batch_ids`. */
  capability: string;
  /** What holds when it passes. */
  name: string;
  /** Whether every storage must pass it. */
  required: boolean;
  outcome: "passed" | "failed" | "skipped";
  /** What was found, of a case that failed. */
  why?: string;
}

/** How the suite went. */
export interface ConformanceReport {
  /** Whether no case failed. */
  conforms: boolean;
  /** All cases, in the order in which they ran. */
  cases: ConformanceCase[];
}

type Place = Storage | SqlDriver;

/**
 * Runs the storage conformance suite: the one that the storages of this project pass. It writes sessions of
 * its own, so the store should be one for tests.
 *
 * @param storage A storage or an SQL driver, or a function that opens one.
 */
export function runStorageConformance(
  storage: Place | (() => Place | Promise<Place>),
  options?: ConformanceOptions,
): Promise<ConformanceReport>;
