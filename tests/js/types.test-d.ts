// Compiled, never run: the declared types as a consumer without DOM and Node types sees them.
import { ThroughlineError, init, version } from "throughline";

const loaded: Promise<void> = init();
const fromBytes: Promise<void> = init(new Uint8Array(8));
const text: string = version();

function describe(error: unknown): string {
  if (!(error instanceof ThroughlineError)) return "other";
  const base: Error = error;
  const path: string | undefined = error.path;
  // @ts-expect-error details are unknown until they are looked at
  error.details.version;
  // @ts-expect-error a code does not change
  error.code = "other";
  return `${base.message} ${error.code} ${path ?? ""}`;
}

// @ts-expect-error version takes no argument
version(1);

export { describe, fromBytes, loaded, text };
