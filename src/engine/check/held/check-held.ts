/**
 * A set held against its source files: each file's own index is read (of many, a sample of stated size), and references,
 * metadata and coordinates are compared with what it says. What is right is said too: it is the only proof there is.
 */
import type { CallContext } from "#core/byte-source.ts";
import type { CheckPart } from "#core/check/check.ts";
import { type ChunkPlace, type Finding, type Place, nodeAt } from "#core/findings/fact.ts";
import { type Code, type FactsOf, finding } from "#core/findings/finding.ts";
import { ExtentCounter } from "#core/findings/cause.ts";
import { coordinatesOf, gridOf, ordinalOf } from "#core/metadata/chunk-grid.ts";
import type { SourceArray } from "#core/source-file.ts";
import type { EngineSet } from "#engine/engine-set.ts";
import { lastPart } from "#engine/chunk/sources.ts";
import { entryOf } from "#engine/table/array-index.ts";
import { Ledger } from "#engine/rules/ledger.ts";
import { valuesInFile, heldFiles, type HeldFile, type HeldRow } from "./held-files.ts";
import { codecName, metadataDifferences } from "./hold-metadata.ts";
import { stepFindings } from "./hold-steps.ts";
import { holdArray, type HeldArray, type HeldFault } from "./hold-references.ts";

export interface HeldRequest {
  /** Files whose index is read at most. */
  readonly limit: number;
  /** Only files at hand. */
  readonly isHere?: boolean | undefined;
  /** Earlier findings: the chunks that they name have their cause. */
  readonly before?: readonly CheckPart[];
  /** Gets the files that were indexed, for others that ask them. */
  readonly onFiles?: (files: readonly HeldFile[]) => void;
}

export async function checkHeld(set: EngineSet, request: HeldRequest, context: CallContext): Promise<CheckPart> {
  const { files, findings, of } = await heldFiles(set, request, context);
  request.onFiles?.(files);
  const { before = [] } = request;
  const known = new Ledger(
    set,
    before.flatMap(({ explained }) => explained ?? []),
  );
  const ledger = new Ledger(set);
  for (const part of before) known.explainAll(part.findings.filter(({ code }) => code !== "chunks-missing"));
  for (const found of findings) ledger.note(found);
  const byArray = new Map<string, HeldArray[]>();
  for (const held of files) {
    for (const [id, rows] of held.rows) {
      const node = set.hierarchy.nodes.get(set.table.arrays[id]?.path ?? "");
      if (node?.kind !== "array" || node.metadata.sharding !== undefined || rows.length === 0) continue;
      const array = holdArray(held, node, rows);
      if (array === undefined) continue;
      byArray.set(node.path, [...(byArray.get(node.path) ?? []), array]);
    }
  }
  const whole: (readonly HeldArray[])[] = [];
  // Coordinates of which nothing more is said.
  const steps = new Set<string>();
  for (const [path, all] of byArray) {
    const arrays = withExchanged(all);
    keepRight(set, arrays);
    noteFaults(arrays, known, ledger);
    if (arrays.some(({ held }) => held.file.isArranged)) continue;
    await noteUnnamed(set, path, arrays, ledger, context);
    if (noteMetadata(path, arrays, ledger)) steps.add(path);
    if (!notePartial(path, arrays, ledger)) whole.push(arrays);
  }
  for (const arrays of whole) for await (const found of stepFindings(set, arrays, steps, context)) ledger.note(found);
  await noteExtents(set, files, byArray, ledger, context);
  // A file of which no array is meant says nothing of the set.
  const lookedAt = new Set([...byArray.values()].flat().map(({ held }) => held.id)).size;
  return {
    findings: ledger.findings(),
    rules: [{ rule: "files", unit: "targets", of, lookedAt, sampled: lookedAt < of ? lookedAt : 0 }],
    explained: ledger.explained(),
  };
}

/** Chunks of two files in each other's place: where the rest of each file is says where they belong. */
function withExchanged(arrays: readonly HeldArray[]): readonly HeldArray[] {
  const belongs = new Map<number, number>();
  for (const { strays } of arrays) for (const [row, place] of strays) belongs.set(row.ordinal, place);
  const isExchanged = ([row, place]: readonly [HeldRow, number]) => belongs.get(place) === row.ordinal;
  return arrays.map((array) => {
    const found = [...array.strays].filter(isExchanged);
    const faults = found.map(([row]) => [row, { kind: "other", array: array.own.path } as const] as const);
    return found.length === 0 ? array : { ...array, faults: new Map([...array.faults, ...faults]) };
  });
}

// References: those of one array with one fault are one finding.

interface FaultGroup {
  readonly first: HeldArray;
  readonly row: HeldRow;
  readonly fault: HeldFault;
  readonly files: Set<number>;
  readonly places: Place[];
  readonly extent: ExtentCounter;
  chunks: number;
  isOne: boolean;
}

const MOST_PLACES = 100;

/** For fixes: what the files' own indexes have in place of wrong references. */
function keepRight({ met }: EngineSet, arrays: readonly HeldArray[]): void {
  for (const { held, own, right, faults } of arrays) {
    for (const [{ offset, length }, range] of right) met.indexed.set(`${held.target} ${offset} ${length}`, range);
    for (const [{ offset, length }, fault] of faults) {
      if (fault.kind !== "unfiltered") continue;
      const used = (own.declared?.filters ?? own.filters).filter((_, at) => ((fault.skipped >>> at) & 1) === 0);
      met.unfiltered.set(`${held.target} ${offset} ${length}`, used);
    }
  }
}

function noteFaults(arrays: readonly HeldArray[], known: Ledger, ledger: Ledger): void {
  const groups = new Map<string, FaultGroup>();
  for (const array of arrays) {
    const { held, node, faults } = array;
    const grid = gridOf(node.metadata.shape, node.metadata.chunks);
    const isOther = isOtherFile(array);
    for (const [row, fault] of faults) {
      // If most of a file's references are wrong, earlier causes of a few of them do not matter.
      if (!isOther && !known.isOpen(node.path, row.ordinal)) continue;
      const name = faultName(fault, isOther);
      const group = groups.get(name) ?? newGroup(array, row, fault);
      groups.set(name, group);
      const chunk = { kind: "chunk", array: node.path, coordinates: coordinatesOf(grid, row.ordinal) } as const;
      const place = { kind: "target", target: held.target, chunk } as const;
      group.chunks += 1;
      group.files.add(held.id);
      group.isOne &&= JSON.stringify(fault) === JSON.stringify(group.fault);
      if (group.places.length < MOST_PLACES) group.places.push(place);
      group.extent.add({ code: "", place, facts: {}, count: 1 });
      ledger.explain(node.path, row.ordinal);
    }
  }
  for (const group of groups.values()) ledger.note(faultFinding(group, arrays));
}

/**
 * True if most references to a file are wrong, as in a file that was rewritten; a few wrong ones are single mistakes.
 */
const isOtherFile = ({ faults, rows }: HeldArray): boolean =>
  faults.size > 1 && 2 * [...faults.values()].filter(({ kind }) => kind === "moved").length >= rows.length;

function faultName(fault: HeldFault, isOther: boolean): string {
  if (fault.kind === "unfiltered") return `unfiltered ${fault.skipped}`;
  return fault.kind === "moved" && !isOther ? `moved ${fault.by}` : fault.kind;
}

const newGroup = (first: HeldArray, row: HeldRow, fault: HeldFault): FaultGroup => ({
  first,
  row,
  fault,
  files: new Set(),
  places: [],
  extent: new ExtentCounter(),
  chunks: 0,
  isOne: true,
});

function faultFinding(group: FaultGroup, arrays: readonly HeldArray[]): Finding {
  const { first, row, fault, files, places, chunks, isOne } = group;
  const { held, own } = first;
  const where = { file: lastPart(held.target), files: files.size, of: arrays.length };
  const among = arrays.reduce((sum, one) => sum + (files.has(one.held.id) ? one.rows.length : 0), 0);
  const made = <C extends Code>(code: C, facts: FactsOf<C>): Finding => {
    const extent = group.extent.extent();
    const place = places[0] as Place;
    return { ...finding(code, place, facts, chunks), places, ...(extent === undefined ? {} : { extent }) };
  };
  switch (fault.kind) {
    case "moved":
      return made("held-chunks-moved", {
        ...where,
        chunks,
        among,
        by: isOne ? fault.by : undefined,
        isOther: isOtherFile(first),
      });
    case "length":
      return made("held-length-differs", { ...where, chunks, length: row.length, has: fault.has });
    case "other":
      return made("held-chunk-other", { ...where, chunks, array: fault.array });
    case "none": {
      const { chunk } = places[0] as Extract<Place, { kind: "target" }>;
      return made("held-chunk-none", { ...where, chunks, has: own.shape.join(" × "), chunk: chunk?.coordinates ?? [] });
    }
    case "unfiltered": {
      const filters = (own.declared?.filters ?? own.filters)
        .filter((_, at) => ((fault.skipped >>> at) & 1) === 1)
        .map(codecName);
      return made("held-filters-skipped", { ...where, chunks, filters, mask: fault.skipped });
    }
  }
}

/** Chunks of files that have others in the set, where the set has none. */
async function noteUnnamed(
  set: EngineSet,
  path: string,
  arrays: readonly HeldArray[],
  ledger: Ledger,
  context: CallContext,
) {
  const lacking = arrays.filter(({ unnamed, rows, faults }) => unnamed.length > 0 && rows.length > faults.size);
  const id = set.index.arrayIds.get(path);
  if (lacking.length === 0 || id === undefined) return;
  const index = await set.index.arrayIndex(id, context);
  const places: ChunkPlace[] = [];
  const files = new Set<HeldArray>();
  let chunks = 0;
  for (const array of lacking) {
    const { own, node, origin, unnamed } = array;
    const [ownGrid, grid] = [gridOf(own.shape, own.chunks), gridOf(node.metadata.shape, node.metadata.chunks)];
    for (const ordinal of unnamed) {
      const coordinates = coordinatesOf(ownGrid, ordinal).map((one, axis) => one + (origin[axis] ?? 0));
      const there = ordinalOf(grid, coordinates);
      if (there === undefined || (index.rows[entryOf(index, there)] ?? 0) !== 0) continue;
      chunks += 1;
      files.add(array);
      if (places.length < MOST_PLACES) places.push({ kind: "chunk", array: path, coordinates });
      ledger.explain(path, there);
    }
  }
  const [first] = files;
  if (first === undefined) return;
  const facts = { file: lastPart(first.held.target), files: files.size, of: arrays.length, chunks };
  ledger.note({ ...finding("held-chunk-unnamed", places[0] as Place, facts, chunks), places });
}

// Metadata and lengths, across files.

function noteMetadata(path: string, arrays: readonly HeldArray[], ledger: Ledger): boolean {
  const groups = new Map<string, { readonly found: FactsOf<"held-metadata-differs">; readonly targets: string[] }>();
  for (const array of arrays) {
    for (const { member, a: set, b: has } of metadataDifferences(array)) {
      const name = `${member} ${has}`;
      const file = lastPart(array.held.target);
      const group = groups.get(name) ?? { found: { member, set, has, file, files: 0, of: arrays.length }, targets: [] };
      groups.set(name, group);
      group.targets.push(array.held.target);
    }
  }
  const isTold = new Set<string>();
  for (const { found } of [...groups.values()].toSorted((one, other) => other.targets.length - one.targets.length)) {
    // The most frequent value of a field that differs from file to file is reported.
    if (isTold.has(found.member)) continue;
    isTold.add(found.member);
    const files = [...groups.values()].reduce(
      (sum, one) => sum + (one.found.member === found.member ? one.targets.length : 0),
      0,
    );
    ledger.note(finding("held-metadata-differs", nodeAt(path), { ...found, files }));
  }
  return isTold.size > 0;
}

function notePartial(path: string, arrays: readonly HeldArray[], ledger: Ledger): boolean {
  const [some] = arrays;
  if (some === undefined || arrays.length < 2) return false;
  const { metadata } = some.node;
  const grid = gridOf(metadata.shape, metadata.chunks);
  for (const axis of grid.keys()) {
    const inOrder = arrays.toSorted((one, other) => (one.origin[axis] ?? 0) - (other.origin[axis] ?? 0));
    for (const [at, { own, origin, held }] of inOrder.entries()) {
      const next = inOrder.slice(at + 1).find((one) => (one.origin[axis] ?? 0) > (origin[axis] ?? 0));
      const [length, chunk] = [own.shape[axis] ?? 0, own.chunks[axis] ?? 1];
      if (next === undefined || length % chunk === 0) continue;
      const dimension = metadata.dimensionNames?.[axis] ?? `dimension ${axis}`;
      const late = chunk - (length % chunk);
      const facts = {
        file: lastPart(held.target),
        files: 1,
        of: arrays.length,
        dimension,
        length,
        chunk,
        late,
        next: lastPart(next.held.target),
      };
      ledger.note(finding("held-partial-chunk", nodeAt(path), facts));
      ledger.explain(path, "grid");
      return true;
    }
  }
  return false;
}

// Coordinates of which the set has one, and the files more.

async function noteExtents(
  set: EngineSet,
  files: readonly HeldFile[],
  byArray: ReadonlyMap<string, readonly HeldArray[]>,
  ledger: Ledger,
  context: CallContext,
): Promise<void> {
  if (files.length < 2) return;
  for (const node of set.hierarchy.nodes.values()) {
    if (node.kind !== "array" || node.metadata.shape.length !== 1 || node.metadata.dimensionNames?.[0] !== node.name)
      continue;
    if ((byArray.get(node.path)?.length ?? 0) > 1) continue;
    const owner = byArray.get(node.path)?.[0]?.held ?? files[0];
    const own = owner && coordinateIn(owner, node.path);
    if (owner === undefined || own === undefined || own.shape[0] !== node.metadata.shape[0]) continue;
    const first = await valuesInFile(owner, own, context);
    if (first === undefined) continue;
    const others: { readonly held: HeldFile; readonly values: Float64Array }[] = [];
    for (const held of files) {
      const array = held === owner ? undefined : coordinateIn(held, node.path);
      const values = array && (await valuesInFile(held, array, context));
      if (values !== undefined && !isClose(values, first)) others.push({ held, values });
    }
    const [other] = others;
    if (other === undefined) continue;
    const units = own.attributes.get("units");
    const facts = {
      file: lastPart(other.held.target),
      files: others.length,
      of: files.length,
      coordinate: node.name,
      set: `${first[0]}`,
      has: `${other.values[0]}`,
      shift: shiftWords(first, other.values, units),
    };
    ledger.note(finding("held-extent-differs", nodeAt(node.path), facts));
  }
}

/** The coordinate has a dimension of its own: lists by message are in the order of the file. */
const coordinateIn = ({ file }: HeldFile, path: string): SourceArray | undefined =>
  file.arrays.find((one) => one.path === path && one.dimensions[0] === path);

function isClose(one: Float64Array, other: Float64Array): boolean {
  if (one.length !== other.length) return false;
  const step = Math.abs((one[1] ?? 0) - (one[0] ?? 0)) || Math.abs(one[0] ?? 1) || 1;
  return one.every((value, at) => Math.abs(value - (other[at] as number)) <= 1e-3 * step || Number.isNaN(value));
}

function shiftWords(first: Float64Array, other: Float64Array, units: string | undefined): string {
  const [from, to, step] = [first[0] ?? 0, other[0] ?? 0, (first[1] ?? 0) - (first[0] ?? 0)];
  const unit = units === undefined ? "" : ` ${units.replaceAll('"', "")}`;
  const cells = step === 0 ? 0 : Math.round((to - from) / step);
  const by = `shifted by ${Number((to - from).toPrecision(6))}${unit}`;
  return cells === 0 ? `with other values` : `${by}, ${Math.abs(cells)} cells`;
}
