/** From what was scanned to the reference table, and again when grids become known later. */
import { nodePathOf } from "#core/metadata/hierarchy-path.ts";
import { chunkKey, coordinatesOf } from "#core/metadata/chunk-grid.ts";
import { withConsolidated } from "#core/metadata/consolidated-metadata.ts";
import { FindingLog } from "#core/findings/finding-log.ts";
import { failure, finding, type Finding, keyAt as placeAtKey, WHOLE_SET } from "#core/findings/finding.ts";
import type { MetadataDocument } from "#core/metadata/array-metadata.ts";
import {
  type BadReference,
  type ColumnBlock,
  FIRST_SPECIAL_TARGET,
  type InlinePool,
  type ReferenceTable,
  STRAY_CODES,
  type StrayKey,
  type TargetDictionary,
} from "#core/table/reference-table.ts";
import { blockOf, eachBlock, placeOf } from "./columns.ts";
import { removeDuplicates } from "./duplicates.ts";
import { gridOfMetadata, gridOfMetadataV3 } from "./grid.ts";
import { decodeString, decodeText } from "./json-bytes.ts";
import { rowOrigins, type RowOrigins } from "./origins.ts";
import type { MetadataRepeats, ReferenceSet } from "./reference-set.ts";
import { newRow, type Removal } from "./document.ts";
import type { RenderedSet, RenderedTargets } from "./render-set.ts";
import { repeatFindings } from "./repeat-findings.ts";
import { keyAt, pathAt, reasonAt, restText, settle, type StrayList, type Unsettled } from "./resolve-pending-keys.ts";
import type { PendingKeys, RawTargets } from "./scan-wasm.ts";
import { type Grid } from "./slots.ts";
import { ESCAPED_SLASH, NOT_ASCII, OTHER_ESCAPE, PLAIN_SLASH, spellingOf } from "./target-spelling.ts";

/** More stray keys than this are hardly strays: the document is of another kind, or lacks its metadata. */
const MAX_STRAYS = 3_000_000;

/** Parts from which a table is made; kept with it, so that grids can be given later. */
interface Parts extends Omit<Unsettled, "pending"> {
  readonly inline: InlinePool;
  readonly targets: TargetFacts;
  readonly bad: Map<number, BadReference>;
  readonly bigLengths: Map<number, number>;
  readonly heldBytes: () => number;
  readonly rendered: RenderedSet | undefined;
  /** One for each time that repeated keys were removed. */
  readonly removals: readonly Removal[];
}

export interface FinishedTable {
  readonly table: ReferenceTable;
  readonly origins: RowOrigins;
  /** Number that a row of the table before has in this one: of one whose key was repeated that of the next. */
  newRow(row: number): number;
  readonly findings: readonly Finding[];
}

const PARTS = new WeakMap<ReferenceTable, { readonly parts: Parts; readonly strays: StrayList }>();

/** The table of a set that was read to its end. The set's scanner must not be used after. */
export function finishTable(
  set: ReferenceSet,
  rendered?: RenderedSet,
): FinishedTable & { readonly targets: TargetFacts } {
  learnConsolidated(set);
  const output = set.scanner.output();
  const rendering = rendered && { targets: rendered.targets, genFrom: rendered.gen.firstRow };
  const targets = targetDictionary(output.targets, output.blocks, output.rows, rendering);
  const parts: Parts = {
    rows: output.rows,
    blocks: output.blocks,
    slots: set.slots,
    inline: output.inline,
    targets,
    bad: set.bad,
    bigLengths: set.bigLengths,
    wideOrdinals: new Map(),
    heldBytes: () => output.byteLength() + targets.byteLength,
    rendered,
    removals: [],
  };
  return { ...build(parts, output.pending, set.repeats), targets };
}

/**
 * A table in which the arrays of `grids` (by path) have these grids: their stray keys become chunks of them, where they
 * fit. For arrays whose metadata are references themselves and had to be fetched. The table given is used up: it shares
 * its columns with the new one.
 */
export function resolveGrids(table: ReferenceTable, grids: ReadonlyMap<string, Grid>): FinishedTable {
  const kept = PARTS.get(table);
  if (kept === undefined) {
    return { table, origins: rowOrigins(undefined, [], table.rows), newRow: (row) => row, findings: [] };
  }
  for (const slot of kept.parts.slots.all) slot.awaited = false;
  for (const [path, grid] of grids) {
    const slot = kept.parts.slots.all[kept.parts.slots.obtain(path)];
    if (slot === undefined || slot.final !== undefined) continue;
    slot.final = grid;
    slot.scanned = grid;
  }
  return build(kept.parts, kept.strays.keys);
}

function build(parts: Parts, pending: PendingKeys, repeats?: MetadataRepeats): FinishedTable {
  const settled = settle({ ...parts, pending });
  refuseStrays(parts, settled);
  const gen = parts.rendered?.gen;
  const before = rowOrigins(gen, parts.removals, parts.rows);
  const {
    rows,
    strays,
    removal,
    repeats: rowRepeats,
  } = removeDuplicates({ ...parts, strays: settled }, before.refsRows);
  const removals = removal === undefined || gen === undefined ? parts.removals : [...parts.removals, removal];
  const kept = { ...parts, rows, blocks: parts.blocks.slice(0, Math.ceil(rows / 65_536)), removals };
  const findings = new FindingLog();
  noteStrays(kept, strays, findings);
  findings.addAll(
    repeatFindings({
      rows: rowRepeats,
      metadata: repeats,
      keyOf: (row) => keyOfRow(kept, strays, row),
      genOrdinal: (row) => before.genOrdinal(row),
      renderer: parts.rendered?.renderer,
    }),
  );
  const table = tableOf(kept, strays);
  PARTS.set(table, { parts: kept, strays });
  const moved = (row: number) => (removal === undefined ? row : newRow(removal.removed, row));
  return { table, origins: rowOrigins(gen, removals, rows), newRow: moved, findings: findings.list() };
}

function tableOf(parts: Parts, strays: StrayList): ReferenceTable {
  let list: readonly StrayKey[] | undefined;
  return {
    rows: parts.rows,
    blocks: parts.blocks,
    arrays: parts.slots.all.map(({ path, final }) => ({
      path,
      grid: final?.grid,
      separator: final?.separator ?? ".",
    })),
    targets: parts.targets.dictionary,
    inline: parts.inline,
    bigLengths: parts.bigLengths,
    wideOrdinals: parts.wideOrdinals,
    bad: parts.bad,
    /** Made when first asked for: a set whose grids are awaited may have millions for a while. */
    get strays() {
      list ??= strayKeys(parts, strays);
      return list;
    },
    get byteLength() {
      const maps = parts.bad.size * 200 + (parts.bigLengths.size + parts.wideOrdinals.size) * 40;
      return parts.heldBytes() + maps + strays.keys.allocated;
    },
  };
}

function strayKeys(parts: Parts, strays: StrayList): readonly StrayKey[] {
  const list: StrayKey[] = [];
  eachText(strays.keys, (row, rest) => {
    const key = keyAt(pathAt(parts.blocks, parts.slots, row), rest);
    list.push({ row, key, reason: reasonAt(strays, list.length) });
  });
  return list;
}

function refuseStrays(parts: Parts, strays: StrayList): void {
  if (strays.keys.count <= MAX_STRAYS || parts.slots.all.some((slot) => slot.awaited)) return;
  throw failure("too-many-stray-keys", WHOLE_SET, { strays: strays.keys.count, limit: MAX_STRAYS });
}

/** One finding for each array and reason, with the first key and the count. */
function noteStrays(parts: Parts, strays: StrayList, findings: FindingLog): void {
  const groups = new Map<
    number,
    { code: (typeof STRAY_CODES)[keyof typeof STRAY_CODES]; key: string; count: number }
  >();
  let index = 0;
  strays.keys.forEach((row, rest) => {
    const code = strays.reasons[index] ?? 0;
    const reason = reasonAt(strays, index++);
    const { array } = blockOf(parts.blocks, row);
    const id = array[placeOf(row)] ?? 0;
    const slot = parts.slots.all[id];
    // An array whose grid could not be read has a finding of its own.
    if (slot?.awaited === true || reason === "grid-unread") return;
    const name = 65_536 * code + id;
    const group = groups.get(name);
    if (group !== undefined) group.count += 1;
    else groups.set(name, { count: 1, code: STRAY_CODES[reason], key: keyAt(slot?.path, restText(rest)) });
  });
  for (const { code, key, count } of groups.values()) findings.add(finding(code, placeAtKey(key), {}, count));
}

function keyOfRow(parts: Parts, strays: StrayList, row: number): string | undefined {
  const block = blockOf(parts.blocks, row);
  const slot = parts.slots.all[block.array[placeOf(row)] ?? 0];
  const ordinal = parts.wideOrdinals.get(row) ?? block.ordinal[placeOf(row)] ?? 0;
  let stray: string | undefined;
  strays.keys.forEach((at, rest) => {
    if (at === row) stray = keyAt(slot?.path, restText(rest));
  });
  if (stray !== undefined || slot?.final === undefined) return stray;
  return chunkKey(slot.path, coordinatesOf(slot.final.grid, ordinal), slot.final.separator);
}

// Kept keys as text, many at once: one by one, decoding costs more than all else that is done with them.

/** Bytes decoded at once. */
const BATCH = 1 << 15;

/** Each key's row and text, in order. */
function eachText(keys: PendingKeys, visit: (row: number, text: string) => void): void {
  const bytes = new Uint8Array(BATCH);
  let rows: number[] = [];
  let ends: number[] = [];
  let used = 0;
  const flush = (): void => {
    const { text } = decodeText(bytes.subarray(0, used));
    // Else some are not ASCII: where one ends in the text is not known.
    const isAscii = text.length === used;
    let from = 0;
    for (const [index, row] of rows.entries()) {
      const to = ends[index] ?? 0;
      visit(row, isAscii ? text.slice(from, to) : restText(bytes.subarray(from, to)));
      from = to;
    }
    [rows, ends, used] = [[], [], 0];
  };
  keys.forEach((row, rest) => {
    if (used + rest.length > BATCH) flush();
    if (rest.length > BATCH) return visit(row, restText(rest));
    bytes.set(rest, used);
    used += rest.length;
    rows.push(row);
    ends.push(used);
  });
  flush();
}

// Grids of arrays that only consolidated metadata describe: their chunks are chunks like any.

const MAY_CONSOLIDATE = /(?:^|\/)(?:\.zmetadata|zarr\.json)$/;

/** After the last member of the set. What is wrong with the documents is said where the hierarchy is built. */
function learnConsolidated({ metadata, slots }: ReferenceSet): void {
  const documents = new Map<string, MetadataDocument>();
  for (const { key, value } of metadata.values()) {
    if (value.kind !== "inline" || !MAY_CONSOLIDATE.test(key)) continue;
    documents.set(key, { key, text: decodeText(value.bytes).text });
  }
  if (documents.size === 0) return;
  for (const { key, text } of withConsolidated(documents).documents.values()) {
    if (metadata.has(key) || text === undefined) continue;
    const grid = key.endsWith(".zarray") ? gridOfMetadata(text) : gridOfConsolidatedV3(key, text);
    const slot = grid === undefined ? undefined : slots.all[slots.obtain(nodePathOf(key))];
    if (slot !== undefined) slot.final ??= grid;
  }
}

function gridOfConsolidatedV3(key: string, text: string) {
  const grid = key.endsWith("zarr.json") ? gridOfMetadataV3(text) : undefined;
  return grid === "unread" ? undefined : grid;
}

// The dictionary of target URLs, from the raw JSON texts that the scanner distinguished.

interface TargetFacts {
  readonly dictionary: TargetDictionary;
  readonly invalidUtf8: string | undefined;
  /** Bytes held beside the scanner's pool. */
  readonly byteLength: number;
}

/** Result of rendering the targets: absent for documents without templates and gen. */
interface Rendering {
  readonly targets: RenderedTargets;
  /** First row that `gen` made. */
  readonly genFrom: number;
}

/**
 * Each URL once: where one is spelled in two ways ("a/b" and "a\/b"), the columns are made to use one id. Ids are those of
 * the URLs as written; of rendered ones the text is another's.
 */
function targetDictionary(raw: RawTargets, blocks: readonly ColumnBlock[], rows: number, rendering?: Rendering) {
  const spelling = spellings(raw);
  const { invalidUtf8 } = spelling;
  const decoded = (id: number): string => decodeString(raw.raw(id)).text;
  const dictionary = rendering === undefined ? plain(raw, decoded) : rendered(raw, blocks, rows, rendering);
  if (!spelling.mixed) return { invalidUtf8, dictionary, byteLength: 0 };
  const merged = merge(dictionary);
  if (merged.ids === undefined) return { invalidUtf8, dictionary, byteLength: 0 };
  useIds(blocks, rows, merged.ids);
  const byteLength = merged.texts.reduce((sum, one) => sum + 2 * one.length + 16, 0);
  return { invalidUtf8, dictionary: merged.dictionary, byteLength };
}

const plain = (raw: RawTargets, text: (id: number) => string): TargetDictionary => ({
  count: raw.count,
  text,
  written: text,
  raw: (id) => raw.raw(id),
});

/**
 * The ids of `refs` are those of written URLs. A row of `gen` has the id of its very text, which may be that of a URL in
 * `refs` that represents another text: such a row gets a new id. Where it is what one in `refs` was rendered to, it
 * gets the id of that one.
 */
function rendered(
  raw: RawTargets,
  blocks: readonly ColumnBlock[],
  rows: number,
  { targets: { texts, before, after }, genFrom }: Rendering,
): TargetDictionary {
  const decoded = (id: number): string => decodeString(raw.raw(id)).text;
  const literals: number[] = [];
  if (texts.size > 0 && genFrom < rows) {
    const ids = new Map<number, number>();
    for (const [written, text] of texts) if (text >= before) ids.set(text, written);
    eachBlock(blocks, rows, ({ target }, firstRow, used) => {
      for (let i = Math.max(0, genFrom - firstRow); i < used; i += 1) {
        const id = target[i] as number;
        if (id >= after) continue;
        if (texts.has(id) && !ids.has(id)) ids.set(id, raw.count + literals.push(id) - 1);
        target[i] = ids.get(id) ?? id;
      }
    });
  }
  const rawId = (id: number): number => literals[id - raw.count] ?? id;
  const textId = (id: number): number => (id < raw.count ? (texts.get(id) ?? id) : rawId(id));
  return {
    count: raw.count + literals.length,
    text: (id) => decoded(textId(id)),
    written: (id) => decoded(rawId(id)),
    raw: (id) => raw.raw(textId(id)),
  };
}

function useIds(blocks: readonly ColumnBlock[], rows: number, ids: Uint32Array): void {
  eachBlock(blocks, rows, ({ target }, _firstRow, used) => {
    for (let i = 0; i < used; i += 1) {
      const id = target[i] ?? 0;
      if (id < FIRST_SPECIAL_TARGET) target[i] = ids[id] ?? id;
    }
  });
}

function spellings(raw: RawTargets) {
  let all = 0;
  let invalidUtf8: string | undefined;
  raw.forEach((bytes, from, to) => {
    const flags = spellingOf(bytes, from, to);
    all |= flags;
    if ((flags & NOT_ASCII) === 0 || invalidUtf8 !== undefined) return;
    const { text, valid } = decodeString(bytes.subarray(from, to));
    if (!valid) invalidUtf8 = text;
  });
  const both = PLAIN_SLASH | ESCAPED_SLASH;
  return { mixed: (all & OTHER_ESCAPE) !== 0 || (all & both) === both, invalidUtf8 };
}

/** One id for what is the same, as written and as rendered; `ids` is absent where nothing is. */
function merge(dictionary: TargetDictionary) {
  const { count } = dictionary;
  const ids = new Uint32Array(count);
  const texts: string[] = [];
  const origins = new Map<number, string>();
  const known = new Map<string, number>();
  const knownRendered = new Map<string, number>();
  for (let id = 0; id < count; id += 1) {
    const [one, origin] = [dictionary.text(id), dictionary.written(id)];
    const names = one === origin ? known : knownRendered;
    const name = one === origin ? one : `${one.length} ${one}${origin}`;
    const at = names.get(name) ?? texts.push(one) - 1;
    ids[id] = at;
    names.set(name, at);
    if (one !== origin) origins.set(at, origin);
  }
  const merged: TargetDictionary = {
    count: texts.length,
    text: (id) => texts[id] ?? "",
    written: (id) => origins.get(id) ?? texts[id] ?? "",
  };
  return { ids: texts.length === count ? undefined : ids, texts, dictionary: merged };
}
