// Compiled, never run: the declared types as a consumer without DOM and Node types sees them.
import {
  Engine,
  Redactor,
  ResponseStream,
  ThroughlineError,
  assemblePrompt,
  Conversation,
  explain,
  type ConversationState,
  type Explanation,
  type PromptChange,
  type RunningTurn,
  digest,
  init,
  readResponse,
  recoveryText,
  redact,
  renderPrompt,
  responseRows,
  resolveContinuity,
  rules,
  sqliteRules,
  sqliteSchema,
  storageKey,
  version,
} from "throughline";
import type {
  Answer,
  Batch,
  CheckpointRow,
  Committed,
  EngineOptions,
  Finding,
  IngestReport,
  NeutralPart,
  MergedResponse,
  NeutralPrompt,
  HeldThinking,
  ProviderResponse,
  Query,
  RedactionStream,
  StreamState,
  RenderedPrompt,
  ResolvedContinuity,
  SessionRow,
  SqlDriver,
  SqlStatement,
  Storage,
  StoredRow,
} from "throughline";
import * as inline from "throughline/inline";
import { runStorageConformance } from "throughline/conformance";
import type { ConformanceReport } from "throughline/conformance";
import { runConsole, unwrittenAnswer } from "throughline/console";
import type { ConsoleAnswer } from "throughline/console";
import { createEngine, createHost, ingestFile, sqliteDriver, systemClock, systemEntropy } from "throughline-node";

/** Only compiles when both types are the same. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
function same<T extends true>(): T | undefined {
  return undefined;
}
/** `any` is the one type that 0 & any is assignable from. */
type IsAny<T> = 0 extends 1 & T ? true : false;

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

// A storage may be synchronous, asynchronous or a class, and may answer with JSON text.
const inSync: Storage = {
  commit: (batch: Batch): Committed => ({ repeated: batch.ops.length === 0 }),
  read: (query: Query): Answer => (query.read === "batch" ? { batch: false } : { session: null }),
};
class InText implements Storage {
  async commit(batch: Batch): Promise<string> {
    return JSON.stringify(batch.id);
  }
  async read(): Promise<string> {
    return "{}";
  }
}
// @ts-expect-error a storage has both methods
const half: Storage = { commit: () => ({}) };
// @ts-expect-error an answer has one of the known keys
const wrongAnswer: Storage = { commit: () => ({}), read: () => ({ found: [] }) };
// @ts-expect-error a commit gives an answer
const noAnswer: Storage = { commit: () => undefined, read: () => ({ batch: true }) };

/** Every operation and query is told by one key, and each case has its own fields. */
function look(batch: Batch, query: Query): string | number | undefined {
  for (const op of batch.ops) {
    switch (op.op) {
      case "put_session":
        return op.session.version;
      case "insert_row":
        return op.row.round?.index;
      case "insert_part":
        return op.part.body.type === "tool_call" && "json" in op.part.body.arguments ? op.part.body.arguments.json : op.part.index;
      case "set_live":
        return op.live ? op.row : undefined;
      case "insert_boundary":
        return op.boundary.anchor;
      case "insert_checkpoint":
        return op.checkpoint.digest;
      case "delete_checkpoint":
        return op.checkpoint;
      case "put_pending":
        return op.pending.draft.note?.text ?? op.pending.version;
      case "delete_pending":
        return op.version;
      case "put_delivery":
        return op.delivery.delivered_at;
      case "delete_delivery":
        return op.receiver.key;
      case "delete_session":
        return op.session.key;
      default:
        return op satisfies never;
    }
  }
  switch (query.read) {
    case "batch":
    case "checkpoint":
      return query.id;
    case "sessions":
      return query.after?.storage_key ?? query.limit;
    case "rows":
      return query.from?.created_at;
    case "checkpoints":
      return query.session?.key;
    case "session":
    case "row_index":
    case "boundary":
    case "checkpoint_heads":
    case "pending":
      return query.session.agent;
    case "due":
      return query.until;
    case "delivery":
      return query.receiver.key;
    case "expired":
      return query.before;
    case "tally":
      return query.table;
    case "bodies":
      return query.after?.third;
    default:
      return query satisfies never;
  }
}

const options: EngineOptions = {
  storage: new InText(),
  clock: () => new Date(),
  entropy: () => new Uint8Array(16),
  redaction: { mode: "paranoid", exact: ["correct-horse-battery"] },
  continuity: { recoveryBudgetChars: 3000 },
};
// @ts-expect-error options are in JavaScript's style
const snake: EngineOptions = { recovery_window_ms: 3000 };
// @ts-expect-error a clock gives a time
const noClock: EngineOptions = { clock: () => undefined };

async function work(log: Uint8Array, chunks: AsyncIterable<Uint8Array>): Promise<string> {
  using engine = new Engine(options);
  const session = { harness: "my-harness", key: "s1" };
  const [effect] = await engine.submitPrompt(session, "hello", { project: "/home/ada/app" });
  if (effect?.effect === "row_stored") effect.row.toUpperCase();
  // @ts-expect-error a session has a key
  await engine.submitPrompt({ harness: "my-harness" }, "hello");
  const taken = await engine.takeCheckpoint(session, "pre_compaction", { context: "half way" });
  const reason: "nothing_new" | "queued" | "disabled" | "cleared" | null = taken.reason;
  const { counted } = await engine.record(session, [{ prompt: "go on" }, { query: "where" }], { at: new Date() });
  // @ts-expect-error an activity is one of three
  await engine.record(session, [{ note: "x" }]);
  const deadline: number | null = await engine.nextDeadline();
  const { written, failed } = await engine.tick();
  if (reason === "queued" && counted && deadline !== null && failed === null) await engine.checkpoint(written[0] ?? "");
  const offer = await engine.offer(session, { project: "/home/ada/app" });
  if (offer.found) await engine.delivered(session, offer.checkpoint);
  const { options: inForce }: ResolvedContinuity = resolveContinuity({ promptInterval: 5 });
  const interval: number = inForce.promptInterval + engine.continuity.options.promptInterval;
  await engine.clear({ ...session, key: `${interval}` });
  // @ts-expect-error there are five triggers
  await engine.takeCheckpoint(session, "compaction");
  const report: IngestReport = await engine.ingest(log, { key: "3f2c" });
  await engine.ingest(chunks);
  await engine.ingest("text");
  // @ts-expect-error a log is text, bytes or chunks
  await engine.ingest(7);
  let cursor = (await engine.sessions({ limit: 10 })).next;
  while (cursor) cursor = (await engine.sessions({ cursor })).next;
  const listed = await engine.checkpoints(session);
  const row: CheckpointRow = await engine.checkpoint(listed[0]?.id ?? "");
  const body: string = await engine.prompt(session, { format: "anthropic", request: { model: "m", tools: [] } });
  const prompt: NeutralPrompt = await engine.promptObject(session, { request: '{"model":"m"}' });
  // @ts-expect-error the object is neutral: a provider's form is text
  await engine.promptObject(session, { format: "anthropic" });
  const recovered = await engine.recover({ project: "/home/ada/app", budget: 500 });
  // @ts-expect-error there is a checkpoint only where something was found
  await engine.checkpoint(recovered.checkpoint);
  const told = recovered.found ? (await engine.checkpoint(recovered.checkpoint)).digest : recovered.text;
  return [taken.id, report.session, row.seq, body, ...prompt.messages.flatMap(({ parts }) => parts.map(shown)), told].join();
}

function shown(part: NeutralPart): string {
  switch (part.type) {
    case "tool_result":
      return "text" in part ? part.text : part.parts.map(shown).join();
    case "tool_call":
      return `${part.name} ${JSON.stringify(part.arguments)}`;
    case "image":
    case "document":
      return part.source.value;
    default:
      return part.text;
  }
}

function scrub(input: string): Finding[] {
  using redactor = new Redactor({ mode: "report_only" });
  const { text: scrubbed, findings } = redactor.inspect(redact(input));
  const [rule] = rules();
  // @ts-expect-error a finding never has the value
  findings[0]?.value;
  return [...findings, ...redactor.report(scrubbed + (rule?.description ?? ""))];
}

function pure(row: CheckpointRow, rows: readonly StoredRow[]): string {
  const { left_out: left } = recoveryText(row, { lastActivity: row.created_at, ended: true, budget: 200 });
  const prompt = assemblePrompt({ rows, request: { system: ["Be brief."] } }, { format: "anthropic", cacheMarkers: false });
  return digest(row) + digest(JSON.stringify(row)) + prompt + left.prompts + storageKey(row.session);
}

function kept(rows: readonly StoredRow[], turn: RunningTurn): Explanation {
  using conversation = new Conversation({ rows, turn, contexts: { memory: "m" }, retention: { tools: "1h" } });
  const before = conversation.prompt();
  const change: PromptChange = conversation.putAll(rows);
  // @ts-expect-error an edit has one of the known names
  if (change.edit === "something else") conversation.free();
  const { stable_len: length, diagnostics }: ConversationState = conversation.state();
  const bytes: Uint8Array = conversation.promptBytes({ format: "anthropic" });
  return explain(before, conversation.prompt(), { prices: { cached: length, uncached: bytes.length + diagnostics.length } });
}

function answered(rows: readonly StoredRow[], prompt: NeutralPrompt): readonly StoredRow[] {
  const rendered: RenderedPrompt = JSON.parse(renderPrompt({ rows }, { format: "openai-responses", cacheKey: "k", inlineSystem: ["n"] }));
  using stream = new ResponseStream("openai-responses");
  stream.push({ type: "response.created", response: {} });
  const { response, is_complete }: MergedResponse = JSON.parse(stream.merged());
  const read: ProviderResponse = JSON.parse(readResponse("openai-responses", response, { renamedTools: rendered.renamed_tools }));
  const [held]: HeldThinking[] = read.held;
  using conversation = new Conversation({ rows, held: { a: read.held } });
  conversation.hold("a", held === undefined ? [] : [held]);
  // @ts-expect-error held thinking has its data
  conversation.hold("a", [{ block: 0, pieces: ["hm"] }]);
  // @ts-expect-error a neutral prompt is no request to a provider
  renderPrompt({ rows }, { format: "neutral" });
  // @ts-expect-error the prompt that was answered is needed
  responseRows("gemini", response, { at: 0, ids: ["a"] });
  return is_complete && read.context_tokens !== null ? JSON.parse(responseRows("gemini", "{}", { prompt, at: 0, ids: ["a"] })) : [];
}

const onNode: Engine = createEngine({ clock: systemClock(), entropy: systemEntropy(), storage: inSync });
const fromFile: Promise<IngestReport> = ingestFile(onNode, "session.jsonl", { agent: "coder" });

same<Same<typeof inline.Engine, typeof Engine>>();
same<Same<typeof inline.init, typeof init>>();
same<Same<inline.IngestReport, IngestReport>>();
same<Same<Parameters<typeof redact>, [text: string]>>();
same<Same<ReturnType<Engine["promptObject"]>, Promise<NeutralPrompt>>>();
same<Same<IsAny<ReturnType<Engine["ingest"]>>, false>>();
same<Same<IsAny<SessionRow["counts"]["user"]>, false>>();

export { answered, describe, fromBytes, fromFile, half, loaded, look, noAnswer, noClock, pure, scrub, snake, text, work, wrongAnswer };

// A driver may be synchronous or not; engines take it beside a storage's place.
const driver: SqlDriver = {
  transaction: (already: SqlStatement, statements: SqlStatement[]) => ({ repeated: already.rows === statements.length }),
  query: async (statement) => [statement.params, ["text", 1, 1n, null]],
};
async function overSql(): Promise<void> {
  await using engine = new Engine({ driver });
  using file = sqliteDriver("store.db", { wait: 100, library: "node:sqlite" });
  const rows: (string | number | null)[][] = file.query({ sql: sqliteSchema().pragmas, params: [], rows: null, what: "" });
  const journal: "wal" | "delete" = sqliteRules.journal(rows.length);
  const host: Engine = createHost({ store: file, wait: 1, clock: systemClock(), continuity: { recoveryBudgetChars: 300 } });
  await host.close();
  // @ts-expect-error a store is needed
  createHost({});
  // @ts-expect-error there is no such library
  sqliteDriver("store.db", { library: "sqlite3" });
  const report: ConformanceReport = await runStorageConformance(() => driver, { seed: journal, reopens: true });
  const why: string | undefined = report.cases[0]?.why;
  const answer: ConsoleAnswer = await runConsole(["rules", why ?? ""], {
    variable: () => undefined,
    home: () => undefined,
    write: () => undefined,
    open: () => file,
    facts: () => undefined,
    file: () => ({ next: () => undefined }),
    clock: systemClock(),
    entropy: systemEntropy(),
  });
  const other: number = (await unwrittenAnswer([], new Error(answer.stderr))).exit;
  void [other, engine];
}
void overSql;

// A redactor's streams, with and without the platform's.
function scrubInChunks(redactor: Redactor, chunk: Uint8Array): StreamState {
  const stream: RedactionStream = redactor.stream();
  const clean: Uint8Array = stream.push(chunk);
  // @ts-expect-error a stream takes bytes
  stream.push("text");
  const same: Uint8Array = redactor.redactBytes(chunk);
  const pair: { readable: ReadableStream<string>; writable: WritableStream<string> } = redactor.textStream();
  const lines: number[] = stream.takeFindings().map((finding) => finding.line + clean.length + same.length);
  // @ts-expect-error places in a stream are in bytes alone
  stream.takeFindings()[0]?.utf16_offset;
  return redactor.resume(stream.state(), chunk).from > lines.length && pair ? stream.state() : stream.state();
}
const strict = new Redactor({
  tagKey: new Uint8Array(16),
  mark: "<{kind}>",
  allow: { values: ["hunter2"], keys: ["users.*.password"], rules: ["assignment"] },
  keys: { strong: ["acme_code"], weak: [] },
  rules: [{ id: "acme-token", keywords: ["acme_"], alphabet: "alnum", min: 20 }],
  pii: true,
  decodeDepth: 1,
});
// @ts-expect-error an alphabet has a name
new Redactor({ rules: [{ id: "a-b", keywords: ["ab"], alphabet: "letters", min: 4 }] });
scrubInChunks(strict, new Uint8Array(1));
