/**
 * Checks if a set's targets exist and are unchanged: each, or a sample of stated size, gets two small requests (files
 * are looked up), and references are compared with the answers.
 */
import type { CallContext } from "#core/byte-source.ts";
import type { CheckPart } from "#core/check/check.ts";
import type { TargetProbe, TargetReport } from "#core/check/target-probe.ts";
import { type ChunkPlace, finding, type Finding, WHOLE_SET } from "#core/findings/finding.ts";
import type { RuleCoverage } from "#core/open-set.ts";
import { LENGTH_BIG, LENGTH_WHOLE, TARGET_NATIVE } from "#core/table/reference-table.ts";
import type { EngineSet } from "#engine/engine-set.ts";
import { eachAtOnce } from "#engine/kept.ts";
import { startPace } from "#engine/pace.ts";
import { Ledger } from "#engine/rules/ledger.ts";
import { chunkOfRow } from "#engine/rules/rule.ts";
import { eachBlock } from "#engine/table/array-index.ts";
import { lengthOf } from "#engine/table/batch.ts";
import { targetIdOf } from "#engine/table/target-ranges.ts";
import { commonSize, possibleLengths, type StoredSize } from "../stored-size.ts";
import { type AskedTargets, askTargets, type JudgedTarget, withoutProbe } from "./ask-targets.ts";
import { causeFindings } from "./cause-findings.ts";
import { chooseTargets, type SourcesRequest } from "./choose-targets.ts";
import { askUnknown, hiddenAbsence, storeFindings, type Unknown, withUnknown } from "./host-findings.ts";
import { cause, type Cause, isHarmless, judgeTarget, knownSize } from "./judge-target.ts";
import { targetRows, type TargetRows, targetText } from "./target-rows.ts";

export interface CheckedSources extends CheckPart {
  /** Those that were asked; of very many those of which there is something to say. */
  readonly reports: readonly TargetReport[];
}

export async function checkSources(
  set: EngineSet,
  request: SourcesRequest,
  context: CallContext,
): Promise<CheckedSources> {
  const { isHere = false, origin } = request;
  const rows = await targetRows(set.index, context);
  const { ids, of } = await chooseTargets(set, rows, request, context);
  const written = request.written ?? (isHere ? undefined : await writtenAt(set, context));
  const seen = await askTargets({ set, rows, written, origin }, ids, context);
  const unknown: Unknown = isHere ? new Map() : await askUnknown(set, seen.judged, origin, context);
  const asked = { ...seen, judged: withUnknown(seen.judged, unknown) };
  const faults = await rowFaults(set, rows, asked, context);
  const judged = withPastEnds(set, rows, asked, ids, faults);
  const ledger = new Ledger(set);
  const faulty = judged.filter(({ causes }) => causes.length > 0);
  const explain = (array: string, ordinal: number) => ledger.explain(array, ordinal);
  const unread = await causeFindings(set, rows, faulty, asked.alike, explain, context);
  const whole = wholeFindings(set, rows, faults, asked);
  const areAway = isHere && set.targets.base.kind !== "file";
  const objects = areAway ? NO_OBJECTS : await checkObjects(set, request, context);
  const hosts = isHere ? [] : await storeFindings(set, origin, context);
  const absence = hiddenAbsence(asked.judged, unknown, origin);
  for (const found of [...unread, ...whole, ...asked.stale, ...objects.findings, ...absence, ...hosts])
    ledger.note(found);
  ledger.explainAll([...whole, ...objects.findings]);
  const sampled = ids.length < of && !isHere ? ids.length : 0;
  const wrong = new Set(faults.whole.map(({ id }) => id));
  return {
    findings: ledger.findings(),
    rules: [{ rule: "sources", unit: "targets", of, lookedAt: ids.length, sampled }, ...objects.rules],
    explained: ledger.explained(),
    targets: {
      of: of + objects.of,
      asked: asked.asked + objects.asked,
      answered: asked.answered + objects.sound,
      unrecorded: asked.undated,
      ...(asked.unfit > 0 && { unfit: asked.unfit }),
    },
    reports: judged.map((one) => reportOf(one, rows, faults, wrong)),
  };
}

/** Time of the document, from the address that the set came from. */
async function writtenAt(set: EngineSet, context: CallContext): Promise<number | undefined> {
  if (set.url === undefined || set.repository !== undefined || set.resolveKey !== undefined) return undefined;
  const resolution = { kind: "url", url: set.url, steps: [] } as const;
  const { lastModified } = await set.targets.probe(resolution, { furthest: undefined }, context);
  const time = Date.parse(lastModified ?? "");
  return Number.isNaN(time) ? undefined : time;
}

function reportOf(one: JudgedTarget, rows: TargetRows, faults: RowFaults, wrong: ReadonlySet<number>): TargetReport {
  const { id, target, resolution, probe, causes } = one;
  return {
    target: id === rows.nullId ? null : target,
    resolution,
    references: rows.references[id] ?? 0,
    whole: rows.whole[id] ?? 0,
    end: rows.end[id] ?? 0,
    ...(probe === undefined ? {} : { probe }),
    pastEnd: faults.past[id] ?? 0,
    isSound: probe !== undefined && causes.every(isHarmless) && !wrong.has(id),
    codes: causes.map(({ code }) => code),
  };
}

// References against what their targets turned out to be: one pass over the rows of targets that were asked.

interface RowFaults {
  /** Numbers of ranges that reach past a target's end, by target id, and the offset of the first of them. */
  readonly past: Float64Array;
  readonly offsets: ReadonlyMap<number, number>;
  /** Rows of whole files that are no chunk, or too short for one. */
  readonly whole: readonly WholeRow[];
}

interface WholeRow {
  readonly row: number;
  readonly id: number;
  readonly stored: StoredSize;
}

const MAX_WHOLE = 1000;

async function rowFaults(
  set: EngineSet,
  rows: TargetRows,
  known: Pick<AskedTargets, "sizes" | "formats">,
  context: CallContext,
): Promise<RowFaults> {
  const { index, table } = set;
  const { sizes } = known;
  const past = new Float64Array(sizes.length);
  const offsets = new Map<number, number>();
  const whole: WholeRow[] = [];
  const isBadWhole = wholeJudge(set, rows, known);
  const pace = startPace(context, "Comparing references with their targets", table.rows);
  await eachBlock(table, pace, ({ target, offset, length, array }, first, count) => {
    for (let i = 0; i < count; i += 1) {
      const id = targetIdOf(index, target[i] as number, rows.nullId);
      if (id < 0) continue;
      const size = sizes[id] as number;
      if (size === Infinity) continue;
      const raw = length[i] as number;
      if (raw === LENGTH_WHOLE) {
        if (whole.length >= MAX_WHOLE) continue;
        const stored = isBadWhole(id, array[i] as number);
        if (stored !== undefined) whole.push({ row: first + i, id, stored });
        continue;
      }
      const bytes = raw < LENGTH_BIG ? raw : lengthOf(table, first + i, target[i] as number, raw);
      if (bytes === 0 || (offset[i] as number) + bytes <= size) continue;
      if (past[id] === 0) offsets.set(id, offset[i] as number);
      (past[id] as number) += 1;
    }
  });
  return { past, offsets, whole };
}

// Ranges that reach past the end of a target: one is a wrong reference, several are a target that was cut.

/** Targets that were asked, and among them those of which nothing but ranges past their ends is to be said. */
function withPastEnds(
  set: EngineSet,
  rows: TargetRows,
  { judged, sizes }: AskedTargets,
  ids: readonly number[],
  faults: RowFaults,
): readonly JudgedTarget[] {
  const known = new Set(judged.map(({ id }) => id));
  const others = ids
    .filter((id) => faults.past[id] !== 0 && !known.has(id))
    .map((id) => withoutProbe({ set, rows }, id, sizes[id] ?? 0));
  return [...judged, ...others]
    .toSorted((a, b) => a.id - b.id)
    .map((one) => {
      const past = one.causes.every(isHarmless) ? pastEnd(one, rows, faults) : undefined;
      return past === undefined ? one : { ...one, causes: [past, ...one.causes] };
    });
}

/** No cut file, and no neighbouring chunk, explains an offset so far behind the end. */
const FAR = 2;

function pastEnd({ id, probe }: JudgedTarget, rows: TargetRows, { past, offsets }: RowFaults): Cause | undefined {
  const size = probe && knownSize(probe);
  const end = rows.end[id] ?? 0;
  if (size === undefined) {
    if (probe?.lacks === undefined) return undefined;
    return cause("range-past-end", { end, size }, String(id), { kind: "past", size: end - 1 });
  }
  const number = past[id] ?? 0;
  if (number === 0) return undefined;
  const reach = { kind: "past", size } as const;
  if (number > 1) {
    const ranges = (rows.references[id] ?? 0) - (rows.whole[id] ?? 0);
    return cause("target-too-short", { size, past: number, ranges, end }, "", reach);
  }
  const offset = offsets.get(id) ?? 0;
  if (offset >= FAR * size) return cause("offset-beyond-target", { offset, size }, String(id), reach);
  return cause("range-past-end", { end, size }, String(id), reach);
}

// References to whole targets that are no chunk.

/** Judges whole targets that cannot be the chunk, by the size that chunks of the array have. */
function wholeJudge(
  { table, hierarchy }: EngineSet,
  { references, whole }: TargetRows,
  { sizes: ends, formats }: Pick<AskedTargets, "sizes" | "formats">,
): (id: number, array: number) => StoredSize | undefined {
  const sizes = table.arrays.map(({ path }) => {
    const node = hierarchy.nodes.get(path);
    // References of sharded arrays may be to shards.
    return node?.kind !== "array" || node.metadata.sharding !== undefined ? undefined : commonSize(node.metadata);
  });
  return (id, array) => {
    const stored = sizes[array];
    const [size, format] = [ends[id] as number, formats[id]];
    if (stored === undefined) return undefined;
    const [, most] = possibleLengths(stored);
    const isExact = stored.compressor === undefined;
    if (isExact && size < most) return stored;
    const parts = (references[id] ?? 0) - (whole[id] ?? 0);
    // One other reference may be to the same chunk.
    const isOfParts = parts > 0 && (size > stored.plain + stored.checksums || (parts > 1 && !isExact));
    return size > most || isOfParts || format !== undefined ? stored : undefined;
  };
}

function wholeFindings(
  { table, index }: EngineSet,
  rows: TargetRows,
  faults: RowFaults,
  { sizes, formats }: AskedTargets,
): readonly Finding[] {
  return faults.whole.flatMap(({ row, id, stored }) => {
    const [size, format] = [sizes[id] ?? 0, formats[id]];
    const chunk = chunkOfRow(table, row);
    const target = targetText(index, rows, id) ?? "null";
    const place = { kind: "target", target, ...(chunk === undefined ? {} : { chunk }) } as const;
    const { plain, checksums, compressor } = stored;
    const [exact, end] = [compressor === undefined, plain + checksums];
    const parts = (rows.references[id] ?? 0) - (rows.whole[id] ?? 0);
    if (exact && size < end) return finding("range-past-end", place, { end, size });
    return finding("whole-file-for-chunk", place, { size, chunk: plain, parts, format, exact });
  });
}

// Objects of the set's own store: their sizes where they are known, and a sample asked for where they are not.

interface CheckedObjects {
  readonly findings: readonly Finding[];
  readonly rules: readonly RuleCoverage[];
  /** Objects that chunks lie in, as far as they are targets of their own; how many were asked, and are as they should. */
  readonly of: number;
  readonly asked: number;
  readonly sound: number;
}

const NO_OBJECTS: CheckedObjects = { findings: [], rules: [], of: 0, asked: 0, sound: 0 };

/** If each object is a chunk, sizes are known since the set was opened (`chunkLengths`, a rule without network). */
export async function checkObjects(
  set: EngineSet,
  { limit }: Pick<SourcesRequest, "limit">,
  context: CallContext,
): Promise<CheckedObjects> {
  if (set.nativePlace === undefined || set.resolveKey === undefined) return NO_OBJECTS;
  const { objects, of } = await someObjects(set, limit, context);
  if (of === 0) return NO_OBJECTS;
  const findings: Finding[] = [];
  let done = 0;
  await eachAtOnce(objects, AT_ONCE, async ([key, object]) => {
    findings.push(...(await askObject(set, key, object, context)));
    context.report({ label: "Asking chunk files", done: (done += 1), total: objects.size, unit: "requests" });
  });
  const wrong = new Set(findings.map(({ place }) => (place.kind === "target" ? place.target : "")));
  const lookedAt = objects.size;
  const rules = [{ rule: "chunk-files", unit: "chunks", of, lookedAt, sampled: lookedAt < of ? lookedAt : 0 } as const];
  return { findings, rules, of, asked: lookedAt, sound: lookedAt - wrong.size };
}

const AT_ONCE = 32;
const MAX_CHUNKS = 100;

interface NativeObject {
  /** Bytes that it must have. */
  end: number;
  /** True if one chunk is all of it, as far as is known: else it may rightly be longer. */
  isWhole: boolean;
  readonly chunks: ChunkPlace[];
}

/** Several chunks may lie in one object; of so many rows that not all are looked at, evenly many. */
async function someObjects({ table, nativePlace }: EngineSet, limit: number, context: CallContext) {
  const pace = startPace(context, "Looking at chunk files", table.rows);
  let count = 0;
  await eachBlock(table, pace, ({ target }, _first, rows) => {
    for (let i = 0; i < rows; i += 1) count += Number(target[i] === TARGET_NATIVE);
  });
  const step = Math.max(1, count / limit);
  const objects = new Map<string, NativeObject>();
  let [seen, wanted] = [0, 0];
  await eachBlock(table, pace, ({ target, array }, first, rows) => {
    for (let i = 0; i < rows; i += 1) {
      if (target[i] !== TARGET_NATIVE || seen++ < wanted) continue;
      wanted += step;
      const place = nativePlace?.(table.arrays[array[i] as number]?.path ?? "", { row: first + i });
      if (place === undefined) continue;
      const known = objects.get(place.key);
      const object = known ?? { end: 0, isWhole: place.range.offset === 0, chunks: [] };
      if (known === undefined) objects.set(place.key, object);
      else object.isWhole = false;
      object.end = Math.max(object.end, place.range.offset + place.range.length);
      const chunk = chunkOfRow(table, first + i);
      if (chunk !== undefined && object.chunks.length < MAX_CHUNKS) object.chunks.push(chunk);
    }
  });
  return { objects, of: step > 1 ? count : objects.size };
}

async function askObject(
  set: EngineSet,
  key: string,
  { end, isWhole, chunks }: NativeObject,
  context: CallContext,
): Promise<readonly Finding[]> {
  const at = (target: string) => {
    const places = chunks.map((chunk) => ({ kind: "target", target, chunk }) as const);
    const [place = { kind: "target", target } as const] = places;
    return { place, ...(places.length > 1 ? { places } : {}), count: Math.max(1, places.length) };
  };
  const resolution = set.resolveKey?.(key);
  if (resolution === undefined || resolution.kind === "unresolved")
    return [{ ...finding("native-object-missing", WHOLE_SET, { status: undefined }), ...at(key) }];
  const range = { offset: 0, length: end };
  const probe = await set.targets.probe(
    resolution,
    { furthest: end > 0 ? range : undefined, needsSize: true },
    context,
  );
  // Findings about a server name its addresses: the same of all objects is one cause.
  const isOfObject = ({ code, facts }: Finding) => code === "native-object-missing" || facts["end"] === end;
  return objectFindings(probe, end, isWhole).map((found) => ({ ...found, ...at(isOfObject(found) ? key : probe.url) }));
}

function objectFindings(probe: TargetProbe, end: number, isWhole: boolean): readonly Finding[] {
  const place = { kind: "target", target: probe.url } as const;
  if (probe.status === 404 || probe.status === 410 || probe.failure?.code === "file-not-given")
    return [finding("native-object-missing", place, { status: probe.status })];
  const outline = { isFile: false, mayBeGzip: true, near: undefined, written: undefined, origin: undefined };
  const causes = judgeTarget(probe, { ...outline, end: 0 });
  const [first] = causes;
  if (first !== undefined) return [{ code: first.code, place, facts: first.facts, count: 1 }];
  const size = knownSize(probe);
  if (size === undefined || size === end || (size > end && (!isWhole || end === 0))) return [];
  return [finding(size < end ? "native-object-short" : "native-object-long", place, { size, end })];
}
