/** Source files of a set, indexed by their own metadata: what references are held against. */
import type { ByteSource, CallContext } from "#core/byte-source.ts";
import { type Code, type Finding, findingOfError, isAbort } from "#core/findings/finding.ts";
import { targetAt } from "#core/findings/fact.ts";
import type { SourceArray, SourceFile } from "#core/source-file.ts";
import type { EngineSet } from "#engine/engine-set.ts";
import { eachAtOnce } from "#engine/kept.ts";
import { indexFile } from "#engine/open/data-file/open-data-file.ts";
import { columnsAt, lengthOf, ordinalOfRow } from "#engine/table/batch.ts";
import { targetRanges, type TargetRanges } from "#engine/table/target-ranges.ts";
import { knownSize } from "../sources/judge-target.ts";
import { parsed } from "#core/json/parse-json.ts";
import { coordinatesOf, gridOf } from "#core/metadata/chunk-grid.ts";
import { parseDataTypeV2 } from "#core/metadata/parse-data-type.ts";
import { decodeValues, float64Of } from "#core/values/values.ts";
import { undoFilters } from "#codecs/pipeline.ts";

export interface HeldFile {
  readonly id: number;
  readonly target: string;
  readonly file: SourceFile;
  readonly source: ByteSource;
  /** Values of its coordinates, each read once. */
  readonly values: Map<SourceArray, Promise<Float64Array | undefined>>;
  /** References to it, by the array of the set. */
  readonly rows: ReadonlyMap<number, readonly HeldRow[]>;
  /** Arrays of the file, by the offset of each of their chunks. */
  readonly owners: ReadonlyMap<number, SourceArray>;
}

/** A reference: bytes, and the chunk's ordinal in the grid of its array in the set. */
export interface HeldRow {
  readonly row: number;
  readonly ordinal: number;
  readonly offset: number;
  readonly length: number;
}

export interface HeldFiles {
  readonly files: readonly HeldFile[];
  /** Reasons why files could not be read, at their targets. */
  readonly findings: readonly Finding[];
  /** Targets that references have ranges of. */
  readonly of: number;
}

const isOfItsEnd: ReadonlySet<string> = new Set<Code>(["data-file-cut", "data-file-longer"]);

/** References to one file that are looked at; of more the first. */
const MOST_ROWS = 500_000;
const AT_ONCE = 4;

/** The first, the last, and evenly many between them: `limit` at most. */
export async function heldFiles(
  set: EngineSet,
  { limit, isHere = false }: { readonly limit: number; readonly isHere?: boolean | undefined },
  context: CallContext,
): Promise<HeldFiles> {
  const ranges = await targetRanges(set.index, context);
  const named: number[] = [];
  for (let id = 0; id < ranges.nullId; id += 1)
    if ((ranges.ends[id] as number) > (ranges.starts[id] as number) && (!isHere || isFile(set, id))) named.push(id);
  const chosen = named.length <= limit ? named : spread(named, limit);
  const files: HeldFile[] = [];
  const findings: Finding[] = [];
  let done = 0;
  const [label, total] = ["Reading source files' own metadata", chosen.length];
  await eachAtOnce(chosen, AT_ONCE, async (id) => {
    const read = await readFile(set, ranges, id, context);
    if (read !== undefined && "code" in read) findings.push(read);
    else if (read !== undefined) {
      files.push(read);
      findings.push(...read.file.findings.filter(({ code }) => isOfItsEnd.has(code)));
    }
    context.report({ label, done: (done += 1), total, unit: "requests" });
  });
  return { files: files.toSorted((one, other) => one.id - other.id), findings, of: named.length };
}

const isFile = ({ targets, table }: EngineSet, id: number): boolean =>
  targets.resolve(table.targets.text(id)).kind === "file";

function spread(ids: readonly number[], limit: number): readonly number[] {
  const at = (place: number): number => ids[Math.round((place * (ids.length - 1)) / Math.max(1, limit - 1))] as number;
  return [...new Set(Array.from({ length: limit }, (_, place) => at(place)))];
}

/** `undefined` where it is not there, which others say, or of no format that has an index. */
async function readFile(set: EngineSet, ranges: TargetRanges, id: number, context: CallContext) {
  const target = set.table.targets.text(id);
  const resolution = set.targets.resolve(target);
  if (resolution.kind !== "url" && resolution.kind !== "file") return undefined;
  try {
    const probe = await set.targets.probe(resolution, { furthest: undefined, needsSize: true }, context);
    const size = knownSize(probe);
    if (size === undefined || probe.failure !== undefined) return undefined;
    const source: ByteSource = {
      name: target,
      size,
      read: (range, own) => set.targets.read(resolution, range, own),
      stream: () => Promise.reject(new TypeError("A source file is read by ranges.")),
    };
    const { file } = await indexFile(source, resolution.kind === "url", context);
    return { id, target, file, source, values: new Map(), rows: rowsOf(set, ranges, id), owners: ownersOf(file) };
  } catch (error) {
    if (isAbort(error)) throw error;
    const found = findingOfError(error);
    // Findings of other files than data files are dropped; failed requests are reported by the check of sources.
    const isData = found.code.startsWith("data-file") && found.facts["structure"] !== "superblock";
    return isData ? { ...found, place: targetAt(target) } : undefined;
  }
}

function rowsOf({ table }: EngineSet, { starts, ends, rows }: TargetRanges, id: number) {
  const byArray = new Map<number, HeldRow[]>();
  const [first, last] = [starts[id] as number, Math.min(ends[id] as number, (starts[id] as number) + MOST_ROWS)];
  for (let place = first; place < last; place += 1) {
    const row = rows[place] as number;
    const { array, target, offset, length } = columnsAt(table, row);
    const ordinal = ordinalOfRow(table, row);
    const list = byArray.get(array) ?? [];
    byArray.set(array, list);
    if (ordinal >= 0) list.push({ row, ordinal, offset, length: lengthOf(table, row, target, length) });
  }
  return byArray;
}

function ownersOf({ arrays }: SourceFile): ReadonlyMap<number, SourceArray> {
  const owners = new Map<number, SourceArray>();
  for (const array of arrays)
    for (let at = 0; at < array.references.count; at += 1) owners.set(array.references.offset[at] as number, array);
  return owners;
}

/**
 * The file's array that an array of the set is made of: the one that most of its references hit, else that of its
 * name.
 */
export function fileArrayOf(
  { file, owners }: Pick<HeldFile, "file" | "owners">,
  path: string,
  rows: readonly HeldRow[],
): SourceArray | undefined {
  const votes = new Map<SourceArray, number>();
  for (const { offset } of rows.slice(0, 10_000)) {
    const owner = owners.get(offset);
    if (owner !== undefined) votes.set(owner, (votes.get(owner) ?? 0) + 1);
  }
  const [best] = [...votes].toSorted(([, one], [, other]) => other - one);
  if (best !== undefined && best[1] * 2 > Math.min(rows.length, 10_000)) return best[0];
  const name = path.slice(path.lastIndexOf("/") + 1);
  const same = file.arrays.filter((one) => one.path === path || one.path.slice(one.path.lastIndexOf("/") + 1) === name);
  return same.find((one) => one.path === path) ?? (same.length === 1 ? same[0] : undefined);
}

// Values of small arrays as a source file has them: its coordinates.

const MAX_ELEMENTS = 200_000;
/** Chunks of an array that are read for this. */
const MAX_CHUNKS = 2000;

const NUMBER = /^[<>|](?:[iu][1248]|f[248])$/;

/** Values of an array of one dimension, or a single number. `undefined` where it is too long, of no numbers, or has chunks that are not there. */
export function valuesInFile(
  { source, values }: Pick<HeldFile, "source" | "values">,
  array: SourceArray,
  context: CallContext,
): Promise<Float64Array | undefined> {
  const read = values.get(array) ?? readValues(source, array, context);
  values.set(array, read);
  return read;
}

async function readValues(source: ByteSource, array: SourceArray, context: CallContext) {
  const type = parsed(array.dtype);
  if (typeof type !== "string" || !NUMBER.test(type)) return undefined;
  const dataType = parseDataTypeV2(type);
  const values = await placedElements<number>(source, array, NaN, context, (stored, count) => {
    const whole = Math.min(count, Math.floor(stored.length / dataType.itemSize));
    const bytes = stored.slice(0, whole * dataType.itemSize);
    const { numbers } = decodeValues(bytes, { dataType, chunks: [whole], order: "C" });
    return numbers === undefined ? undefined : float64Of(numbers);
  });
  return values && Float64Array.from(values);
}

/** Texts of an array, empty where they are not ASCII, if they have a fixed number of bytes or are in one JSON list; otherwise `undefined`. */
export function textsInFile(
  { source }: Pick<HeldFile, "source">,
  array: SourceArray,
  context: CallContext,
): Promise<readonly string[] | undefined> {
  const [, bytes] = /^"\|S(\d{1,4})"$/.exec(array.dtype) ?? [];
  // JSON lists end with their type and shape, and need no codec.
  const plain = bytes === undefined ? { ...array, filters: [] } : array;
  return placedElements(source, plain, "", context, (stored, count) => {
    const own = (at: number) => decodedText(stored.subarray(at * Number(bytes), (at + 1) * Number(bytes)));
    // Letters of other sets are written in other ways.
    const plainText = (_: unknown, at: number) => (/^[ -[\]-~]*$/.test(own(at)) ? own(at) : "");
    if (bytes !== undefined) return Array.from({ length: count }, plainText);
    const list = parsed(decodedText(stored));
    const texts = Array.isArray(list) ? list.slice(0, count) : [1];
    return texts.every((one) => typeof one === "string") ? texts : undefined;
  });
}

const decodedText = (bytes: Uint8Array): string => new TextDecoder().decode(bytes).replace(/\0+$/, "");

const elementCount = (lengths: readonly number[]): number => lengths.reduce((product, length) => product * length, 1);

/** Elements in C order, from chunks as they decode; `undefined` where there are too many, or none. */
async function placedElements<T>(
  source: ByteSource,
  { shape, chunks, filters, references, inline }: SourceArray,
  absent: T,
  context: CallContext,
  decode: (stored: Uint8Array, count: number) => ArrayLike<T> | undefined,
): Promise<T[] | undefined> {
  const [length, count] = [elementCount(shape), elementCount(chunks)];
  const isFew = length <= MAX_ELEMENTS && count <= 2 * MAX_ELEMENTS && references.count <= MAX_CHUNKS;
  if (!isFew || shape.length > 2 || references.count + inline.size === 0) return undefined;
  const all = Array.from({ length }, () => absent);
  const grid = gridOf(shape, chunks);
  const put = async (ordinal: number, stored: Uint8Array): Promise<void> => {
    const from = coordinatesOf(grid, ordinal);
    // A contiguous array is one chunk, and may end early.
    const elements = decode(await undoFilters(filters, stored), count) ?? [];
    for (let at = 0; at < Math.min(count, elements.length); at += 1) {
      let [rest, place, stride] = [at, 0, 1];
      for (let axis = shape.length - 1; axis >= 0; axis -= 1) {
        const inside = rest % (chunks[axis] as number);
        const where = (from[axis] as number) * (chunks[axis] as number) + inside;
        rest = (rest - inside) / (chunks[axis] as number);
        place = where < (shape[axis] as number) ? place + where * stride : NaN;
        stride *= shape[axis] as number;
      }
      if (!Number.isNaN(place)) all[place] = elements[at] as T;
    }
  };
  for (let at = 0; at < references.count; at += 1) {
    const range = { offset: references.offset[at] as number, length: references.length[at] as number };
    await put(references.ordinal[at] as number, (await source.read(range, context)).bytes);
  }
  for (const [ordinal, bytes] of inline) await put(ordinal, bytes);
  return all;
}
