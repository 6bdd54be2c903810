import type { Engine, EngineOptions, IngestOptions, IngestReport } from "throughline";

/** A clock that gives the system's time, in milliseconds since 1970. */
export function systemClock(): () => number;

/** Entropy from the system's generator: 16 bytes a call. */
export function systemEntropy(): () => Uint8Array;

/**
 * An engine with Node's clock and entropy, unless the options bring others; `storage` is in memory when
 * absent.
 *
 * @throws {ThroughlineError} As the constructor of `Engine`.
 */
export function createEngine(options?: EngineOptions): Engine;

/**
 * Reads the log of a harness from a file (a path or a `file:` URL), piece by piece: a long log never stands in
 * memory as a whole.
 * `key` is the file's name without its extension, unless the options say otherwise.
 *
 * Rejected as `Engine.ingest`; with `source_failed` when the file cannot be read, and the error of Node as
 * its `cause`.
 */
export function ingestFile(engine: Engine, file: string | { readonly href: string }, options?: IngestOptions): Promise<IngestReport>;
