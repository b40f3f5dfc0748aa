/**
 * Targets and chunks that are checked unasked: a few targets, and the chunks that deserve it most, if all of it is
 * cheap.
 */
import type { CallContext } from "#core/byte-source.ts";
import type { CheckPart, Glance } from "#core/check/check.ts";
import { gridOf, ordinalOf } from "#core/metadata/chunk-grid.ts";
import { MOST_DOUBTFUL } from "#core/plane/plane-budget.ts";
import { chunkIn, type Finding } from "#core/findings/finding.ts";
import type { EngineSet } from "../engine-set.ts";
import type { ChunkDecoder } from "../chunk/chunk-decoder.ts";
import type { Session } from "../sessions.ts";
import { blockOf, ordinalOfRow } from "../table/batch.ts";
import { eachWindow, type RangeWindow, targetRanges } from "../table/target-ranges.ts";
import { targetCount } from "../table/tally.ts";
import { witnessed } from "./further-checks.ts";
import { checkSources } from "./sources/check-sources.ts";
import { decodeKeeping } from "./values/profile/decode-keeping.ts";
import { valuesCost } from "./values/values-cost.ts";

/** Targets; two small requests each. */
const MOST_TARGETS = 4;

export async function glanceAt(
  session: Session,
  references: CheckPart,
  decoder: ChunkDecoder,
  context: CallContext,
): Promise<Omit<Glance, "requests">> {
  const found = await suspectsRead(session, references, decoder, context);
  if (session.checks.witness === undefined) await witnessed(session, { decoder, isPaid: false }, context);
  return found;
}

async function suspectsRead(
  { set, checks }: Session,
  references: CheckPart,
  decoder: ChunkDecoder,
  context: CallContext,
): Promise<Omit<Glance, "requests">> {
  const there = targetCount(set.tally);
  const asks = there > 0 && there <= MOST_TARGETS && checks.sources === undefined;
  if (asks) checks.sources = await checkSources(set, { limit: MOST_TARGETS }, context);
  const targets = asks ? there : 0;
  if (checks.values !== undefined) return { targets, chunks: 0, bytes: 0 };
  const only = await suspects(set, [...references.findings, ...(checks.sources?.findings ?? [])], context);
  if (only.size === 0) return { targets, chunks: 0, bytes: 0 };
  const { bytes, ofUnknownLength } = await valuesCost(set, { chunks: "all", only }, context);
  if (bytes > MOST_DOUBTFUL || ofUnknownLength > 0) return { targets, chunks: 0, bytes: 0 };
  checks.values = await decodeKeeping({ set, checks }, { chunks: "all", only, decoder }, context);
  return { targets, ...(checks.values.read ?? { chunks: 0, bytes: 0 }) };
}

// Chunks that deserve a look before all others: those that a rule has doubts about, and those behind which a file has
// bytes that nothing refers to, though most chunks of their array lie close: their reference may be cut short.

/** Ordinals of chunks, by array. */
type Suspects = ReadonlyMap<string, ReadonlySet<number>>;

/** Most of each kind. */
const MAX_OF_KIND = 12;
/** Sets with more are not searched unasked. */
const MAX_ROWS = 2_000_000;
/** A gap larger than so many times the range is no cut. */
const FAR = 8;
/** Share of the ranges of an array behind which there is a gap, above which gaps are a habit of the file. */
const HABIT = 0.2;

export async function suspects(set: EngineSet, findings: readonly Finding[], context: CallContext): Promise<Suspects> {
  const found = new Map<string, Set<number>>();
  let named = 0;
  for (const { place, places = [place] } of findings) {
    for (const one of places.slice(0, 3)) {
      const chunk = chunkIn(one);
      if (chunk === undefined || named >= MAX_OF_KIND) continue;
      const node = set.hierarchy.nodes.get(chunk.array);
      if (node?.kind !== "array") continue;
      const { shape, chunks } = node.metadata;
      named += Number(add(found, chunk.array, ordinalOf(gridOf(shape, chunks), chunk.coordinates)));
    }
  }
  if (set.table.rows <= MAX_ROWS) await addGaps(set, found, context);
  return found;
}

function add(found: Map<string, Set<number>>, array: string, ordinal: number | undefined): boolean {
  if (ordinal === undefined || ordinal < 0 || found.get(array)?.has(ordinal) === true) return false;
  found.set(array, (found.get(array) ?? new Set()).add(ordinal));
  return true;
}

interface Gap {
  readonly row: number;
  readonly array: number;
  /** Share of the range. */
  readonly share: number;
}

async function addGaps({ index, table }: EngineSet, found: Map<string, Set<number>>, context: CallContext) {
  const gaps: Gap[] = [];
  const ranges = new Map<number, number>();
  const see = (window: RangeWindow): void => gapsIn(window, table, ranges, gaps);
  await eachWindow(await targetRanges(index, context), see, context);
  const byArray = new Map<number, number>();
  for (const { array } of gaps) byArray.set(array, (byArray.get(array) ?? 0) + 1);
  const telling = gaps.filter(({ array }) => (byArray.get(array) ?? 0) <= 2 + HABIT * (ranges.get(array) ?? 0));
  let added = 0;
  for (const { row, array } of telling.toSorted((a, b) => b.share - a.share)) {
    if (added >= MAX_OF_KIND) return;
    added += Number(add(found, table.arrays[array]?.path ?? "", ordinalOfRow(table, row)));
  }
}

/** Gaps between neighbours of one array in a file. */
function gapsIn(window: RangeWindow, table: EngineSet["table"], ranges: Map<number, number>, gaps: Gap[]): void {
  const { targets, base, offsets, lengths } = window;
  const { rows, starts, ends } = window.ranges;
  const arrayOf = (row: number): number => blockOf(table, row).array[row & 0xffff] as number;
  for (let target = targets[0]; target < targets[1]; target += 1) {
    const to = (ends[target] as number) - base;
    for (let at = (starts[target] as number) - base; at + 1 < to; at += 1) {
      const row = rows[base + at] as number;
      const array = arrayOf(row);
      if (lengths[at] === 0 || array !== arrayOf(rows[base + at + 1] as number)) continue;
      ranges.set(array, (ranges.get(array) ?? 0) + 1);
      const length = lengths[at] as number;
      const gap = (offsets[at + 1] as number) - (offsets[at] as number) - length;
      if (gap > 0 && gap <= length * FAR && gaps.length < 10_000) gaps.push({ row, array, share: gap / length });
    }
  }
}
