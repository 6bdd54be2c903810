// A harness that runs hooks: its events and its transcripts, as Claude Code writes them.
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { call } from "./hosts.mjs";

/** A place with a home folder for the command and a project, and one session in it. */
export class Harness {
  constructor(host, { folder = mkdtempSync(join(tmpdir(), "throughline-hook-")), session = "5b1f0c52-aaaa", home } = {}) {
    this.host = host;
    this.folder = folder;
    this.home = home ?? join(folder, "home");
    this.session = session;
    this.log = join(folder, "logs", `${session}.jsonl`);
    this.project = "/work/app";
    this.seconds = 0;
    this.last = null;
  }

  /** Another session in the same project, over the same store. */
  beside(session, { host = this.host } = {}) {
    return new Harness(host, { folder: this.folder, session, home: this.home });
  }

  get store() {
    return join(this.home, "throughline.db");
  }

  now(seconds = this.seconds) {
    return new Date(Date.UTC(2026, 2, 2, 9, 0, seconds)).toISOString();
  }

  event(name, rest = {}) {
    const common = { session_id: this.session, transcript_path: this.log, cwd: this.project, permission_mode: "default" };
    return { ...common, hook_event_name: name, ...rest };
  }

  /** Runs the hook on an event, or on any text: `{exit, stdout, stderr, text}`. */
  hook(name, rest, options = {}) {
    const event = typeof name === "string" && rest !== undefined ? this.event(name, rest) : name;
    const input = typeof event === "string" || Buffer.isBuffer(event) ? event : JSON.stringify(event);
    const words = ["hook", "--now", this.now()];
    const said = call(this.host, words, { ...options, env: { THROUGHLINE_HOME: this.home, ...options.env }, input });
    const stdout = said.stdout.toString();
    return { ...said, stdout, text: stdout && JSON.parse(stdout).hookSpecificOutput?.additionalContext };
  }

  /** What another command says, as JSON. */
  ask(...words) {
    const said = call(this.host, [...words, "--json", "--now", this.now()], { env: { THROUGHLINE_HOME: this.home } });
    if (said.exit > 1) throw new Error(said.stderr);
    return JSON.parse(said.stdout);
  }

  checkpoints() {
    return this.ask("checkpoints", this.session).map(({ trigger }) => trigger);
  }

  /** The newest checkpoint. */
  newest() {
    return this.ask("show", this.ask("checkpoints", this.session)[0].id);
  }

  row() {
    return this.ask("sessions").find(({ session }) => session === this.session);
  }

  spool() {
    const folder = join(this.home, "spool");
    const files = existsSync(folder) ? readdirSync(folder, { recursive: true }) : [];
    return files.map((name) => join(folder, name)).filter((path) => statSync(path).isFile());
  }

  /** Adds records to a transcript. */
  write(records, { path = this.log, end = "\n" } = {}) {
    mkdirSync(dirname(path), { recursive: true });
    appendFileSync(path, records.map((record) => JSON.stringify(record)).join("\n") + end);
  }

  record(type, message, rest = {}) {
    const uuid = `${this.session}-${(this.count = (this.count ?? 0) + 1)}`;
    const common = { parentUuid: this.last, sessionId: this.session, cwd: this.project, timestamp: this.now() };
    this.last = uuid;
    return { type, uuid, isSidechain: false, ...common, message, ...rest };
  }

  typed(text, rest) {
    return this.record("user", { role: "user", content: text }, rest);
  }

  said(text, rest) {
    return this.answer([{ type: "text", text }], rest);
  }

  /** A call that edits a file, with its result. */
  edited(path) {
    const id = `toolu_${this.session}_${this.count}`;
    return [
      this.answer([{ type: "tool_use", id, name: "Edit", input: { file_path: path, old_string: "a", new_string: "b" } }]),
      this.record("user", { role: "user", content: [{ type: "tool_result", tool_use_id: id, content: "done" }] }),
    ];
  }

  answer(content, rest) {
    const id = `msg_${this.session}_${this.count ?? 0}`;
    return this.record("assistant", { id, role: "assistant", model: "claude-test-1", content, stop_reason: "end_turn" }, rest);
  }
}
