// A day with hooks, from the first start to a second terminal: what is injected each time. What both hosts say
// is the text of host-native/docs/a-day-with-hooks.md; `UPDATE=1 node --test tests/js/hook-day.test.mjs` writes it anew.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { root } from "../tasks/terminal.mjs";
import { hosts, names } from "./hosts.mjs";
import { Harness } from "./hooking.mjs";
import { bare } from "./sqlite-libraries.mjs";

const DOCUMENT = join(root, "host-native", "docs", "a-day-with-hooks.md");
const folders = [];
after(() => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })));

const HEAD = `# A day with hooks

What \`throughline hook\` hands to the agent over a day with Claude Code, event by event. This page is written and
checked by \`tests/js/hook-day.test.mjs\`, which plays the day on both executables with a clock of its own.

`;

/** Writes down what goes on. */
class Diary {
  constructor() {
    this.text = HEAD;
  }

  tells(one, title, said) {
    assert.deepEqual({ exit: said.exit, stderr: said.stderr }, { exit: 0, stderr: "" }, title);
    const time = one.now().slice(11, 16);
    this.text += `**${time}** ${title}\n\n`;
    this.text += said.stdout ? `\`\`\`text\n${said.text}\n\`\`\`\n\n` : "Nothing is injected.\n\n";
  }

  notes(text) {
    this.text += `${text}\n\n`;
  }
}

const TASKS = ["read the issue", "sketch the parser", "write the lexer", "add error recovery", "ask a sub-agent for the grammar", "wire it up", "run the tests", "fix the off-by-one", "name things better", "write the docs"];
const task = (number) => `${TASKS[(number - 1) % TASKS.length]} (${number})`;

/** One turn: a prompt, an answer, and the end of the turn. */
function turn(one, prompt) {
  one.seconds += 60;
  const said = one.hook("UserPromptSubmit", { prompt, prompt_id: `${one.session}-${prompt}` });
  one.write([one.typed(prompt), ...one.edited(`/work/app/src/part${one.count % 7}.rs`), one.said(`Done: ${prompt}.`)]);
  const stop = one.hook("Stop", { stop_hook_active: false });
  for (const { exit, stderr, stdout } of [said, stop]) assert.deepEqual({ exit, stderr, stdout }, { exit: 0, stderr: "", stdout: "" });
}

function turns(one, from, to) {
  for (let number = from; number <= to; number += 1) turn(one, task(number));
}

/** Kills a hook with SIGKILL while it waits for the store. */
async function killed(one, prompt) {
  const lock = bare(one.store);
  lock.exec("BEGIN IMMEDIATE");
  const [file, ...words] = hosts[one.host];
  const child = spawn(file, [...words, "hook", "--now", one.now()], { env: { ...process.env, THROUGHLINE_HOME: one.home }, stdio: ["pipe", "ignore", "ignore"] });
  child.stdin.end(JSON.stringify(one.event("UserPromptSubmit", { prompt, prompt_id: "killed" })));
  const gone = new Promise((resolve) => child.on("close", (_, signal) => resolve(signal)));
  setTimeout(() => child.kill("SIGKILL"), one.host === "native" ? 150 : 350);
  assert.equal(await gone, "SIGKILL");
  lock.exec("ROLLBACK");
  lock.close();
}

async function day(host) {
  const diary = new Diary();
  const one = new Harness(host, { session: "a1a1a1a1-morning" });
  folders.push(one.folder);
  diary.tells(one, "A new session starts in `/work/app`, on an empty store (`SessionStart`, `startup`).", one.hook("SessionStart", { source: "startup" }));
  turns(one, 1, 15);
  const path = join(one.folder, "logs", one.session, "subagents", "agent-7.jsonl");
  const agent = one.beside(one.session);
  [agent.count, agent.seconds] = [1_000, one.seconds];
  agent.write([agent.typed("find the grammar"), agent.said("It is in docs/grammar.md.")], { path });
  const of = { agent_id: "7", agent_type: "Explore", agent_transcript_path: path };
  diary.tells(one, "Fifteen prompts later a sub-agent ends (`SubagentStop`). Its log is read beside the conversation.", one.hook("SubagentStop", of));
  assert.deepEqual(one.checkpoints(), ["periodic"]);
  diary.notes("After the tenth prompt a periodic checkpoint was written; nobody had to be told.");
  one.seconds += 30;
  diary.tells(one, "The context is full (`PreCompact`, `auto`): a checkpoint is taken before it is gone.", one.hook("PreCompact", { trigger: "auto" }));
  const boundary = { ...one.record("system", undefined), subtype: "compact_boundary", content: "Conversation compacted", compactMetadata: { trigger: "auto" } };
  delete boundary.message;
  one.write([boundary, one.typed("The parser is half done.", { isCompactSummary: true })]);
  one.hook("PostCompact", { trigger: "auto", compact_summary: "The parser is half done." });
  diary.tells(one, "It goes on behind the compaction (`SessionStart`, `compact`).", one.hook("SessionStart", { source: "compact" }));
  turns(one, 16, 20);
  one.seconds += 60;
  await killed(one, "a prompt that nobody took");
  diary.notes(`**${one.now().slice(11, 16)}** A hook is killed with \`kill -9\` while it waits for the store. What it was about to write is not there, and nothing else is lost.`);
  turns(one, 21, 25);
  one.seconds += 60;
  const two = one.beside("b2b2b2b2-terminal");
  two.seconds = one.seconds;
  diary.tells(two, "A second terminal is opened in the same project (`SessionStart`, `startup`).", two.hook("SessionStart", { source: "startup" }));
  turn(two, "review the error messages");
  two.seconds += 60;
  diary.tells(two, "It is closed again (`SessionEnd`, `prompt_input_exit`).", two.hook("SessionEnd", { reason: "prompt_input_exit" }));
  one.seconds = two.seconds;
  turns(one, 26, 30);
  one.seconds += 60;
  diary.tells(one, "After thirty prompts the first session ends (`SessionEnd`, `prompt_input_exit`).", one.hook("SessionEnd", { reason: "prompt_input_exit" }));
  assert.equal(one.newest().total_prompts, 30);
  one.seconds += 600;
  diary.tells(one, "It is resumed (`SessionStart`, `resume`): the conversation itself is there.", one.hook("SessionStart", { source: "resume" }));
  turn(one, "one more thing");
  one.seconds += 60;
  diary.tells(one, "`/clear` (`SessionEnd`, `clear`): what it held is not recovered any more.", one.hook("SessionEnd", { reason: "clear" }));
  assert.deepEqual(one.checkpoints(), []);
  const three = one.beside("c3c3c3c3-cleared");
  three.seconds = one.seconds;
  diary.tells(three, "A session starts in its place (`SessionStart`, `clear`).", three.hook("SessionStart", { source: "clear" }));
  turn(three, "start over with the printer");
  three.seconds += 60;
  diary.tells(three, "And ends (`SessionEnd`, `logout`).", three.hook("SessionEnd", { reason: "logout" }));
  const four = one.beside("d4d4d4d4-evening");
  four.seconds = three.seconds + 3_600;
  diary.tells(four, "An hour later a new session starts (`SessionStart`, `startup`).", four.hook("SessionStart", { source: "startup" }));
  four.seconds += 10;
  diary.tells(four, "The same start once more: nothing is injected twice.", four.hook("SessionStart", { source: "startup" }));
  assert.deepEqual(one.spool(), []);
  const ask = (key) => one.ask("sessions").find(({ session }) => session === key);
  assert.deepEqual([ask(one.session).messages, ask(two.session).messages], [31 + 2 * 31, 1 + 2], "every message is stored once");
  return `${diary.text.trimEnd()}\n`;
}

for (const host of names) {
  test(`a day with hooks, ${host}`, async () => {
    const said = await day(host);
    if (process.env.UPDATE) writeFileSync(DOCUMENT, said);
    assert.equal(said, readFileSync(DOCUMENT, "utf8"));
  });
}
