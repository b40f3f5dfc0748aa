/** What is looked at unasked: a few targets, and the chunks that deserve it most, where all of it costs little. */
import type { CallContext } from "../../core/byte-source.ts";
import type { CheckPart, Glance } from "../../core/check.ts";
import type { ChunkDecoder } from "../many/chunk-decoder.ts";
import type { Session } from "../sessions.ts";
import { targetCount } from "../table/tally.ts";
import { checkSources } from "./sources/check-sources.ts";
import { suspects } from "./suspects.ts";
import { decodeKeeping } from "./values/profile/decode-keeping.ts";
import { valuesCost } from "./values/values-cost.ts";

/** Targets; two small requests each. */
const MOST_TARGETS = 4;
/** Stored bytes of doubtful chunks. */
const MOST_BYTES = 4 * 1024 ** 2;

export async function glanceAt(
  { set, checks }: Session,
  references: CheckPart,
  decoder: ChunkDecoder,
  context: CallContext,
): Promise<Glance> {
  const there = targetCount(set.tally);
  const asks = there > 0 && there <= MOST_TARGETS && checks.sources === undefined;
  if (asks) checks.sources = await checkSources(set, { limit: MOST_TARGETS }, context);
  const targets = asks ? there : 0;
  if (checks.values !== undefined) return { targets, chunks: 0, bytes: 0 };
  const only = await suspects(set, [...references.findings, ...(checks.sources?.findings ?? [])], context);
  if (only.size === 0) return { targets, chunks: 0, bytes: 0 };
  const { chunks, bytes, ofUnknownLength } = await valuesCost(set, { chunks: "all", only }, context);
  if (bytes > MOST_BYTES || ofUnknownLength > 0) return { targets, chunks: 0, bytes: 0 };
  checks.values = await decodeKeeping({ set, checks }, { chunks: "all", only, decoder }, context);
  return { targets, chunks, bytes };
}
