// Compiled, never run: compaction as a consumer's types see it.
import { Engine, foldConversation, resolveOptions } from "throughline";
import type { CompactOutcome, CompactionReport, Effect, ResolvedOptions, StoredRow, SummarizeCall } from "throughline";

const resolved: ResolvedOptions = resolveOptions({
  session: { token_checkpoint_threshold: "60000", checkpoint_function_id: null },
  agent: { agent_options: { checkpoint: { max_tokens: 7 } }, traits: [{ id: "t", checkpoint: false }] },
  config: "{}",
});
const origin: string | undefined = resolved.origins["max_tokens"];
// @ts-expect-error there is no such layer
resolveOptions({ persisted: {} });

async function compact(engine: Engine, rows: readonly StoredRow[]): Promise<string> {
  const session = { harness: "h", key: "k" };
  const outcome: CompactOutcome = await engine.compact(session, {
    cause: "step",
    reported: { contextTokens: 120_000 },
    layers: { session: { checkpoint_function_id: "host:checkpoint" } },
    bindings: [{ id: "b", priority: 1, options: { strict: true } }],
    summarize: async (call: SummarizeCall) => ({ text: call.input.slice(0, call.maxTokens), truncated: false }),
    fallback: true,
    request: { model: null },
    contexts: { memory: "likes tabs" },
    turn: rows[0] ? { opening: rows[0] } : null,
    toolsAsGiven: true,
    window: { tokens: 200_000, maxOutput: 8000 },
    countTokens: (texts) => texts.map((text) => text.length),
  });
  await engine.requestCompaction(session);
  await engine.setCompactionConfig(session, { enabled: false });
  // @ts-expect-error the host's configuration is read from the store alone
  await engine.compact(session, { layers: { config: {} } });
  // @ts-expect-error a window has both sizes
  await engine.compact(session, { window: { tokens: 1 } });
  switch (outcome.outcome) {
    case "compacted":
    case "planned": {
      const report: CompactionReport = outcome;
      return report.checkpoint_id ?? report.diagnostics.map(({ code }) => code).join();
    }
    case "send_whole":
      return outcome.error.code;
    case "not_due":
      return foldConversation({ rows }, { maxTokens: outcome.tokens ?? 1 });
    default:
      return outcome satisfies never;
  }
}

const boundaryOf = (effect: Effect): string => (effect.effect === "compacted" ? effect.boundary : "");

export { boundaryOf, compact, origin };
