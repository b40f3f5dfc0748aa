/**
 * Writes a reference set as a Kerchunk JSON document, Version 0 or 1 (kerchunk, "References specification"), in pieces:
 * there is never a text of the whole. What is written is read as the same set, its keys in the same order.
 */
import { portableJson } from "#core/json/portable-json.ts";
import { pythonJsonText } from "#core/json/python-json.ts";
import { chunkKey, coordinatesOf } from "#core/metadata/chunk-grid.ts";
import { toBase64 } from "#core/values/fill-bytes.ts";
import {
  LENGTH_BIG,
  LENGTH_WHOLE,
  ORDINAL_WIDE,
  type ReferenceTable,
  TARGET_BAD,
  TARGET_INLINE,
  TARGET_NULL,
} from "#core/table/reference-table.ts";
import type { Reference } from "#core/table/reference.ts";
import type { ExportForm } from "#core/studio.ts";
import type { Version1Renderer } from "#core/table/version1.ts";
import { blockOf, placeOf } from "./columns.ts";
import { decodeString, decodeText, itemTexts } from "./json-bytes.ts";
import type { WriteSource } from "./interpret.ts";
import type { MetadataEntry } from "./reference-set.ts";

// JSON bytes in pieces of a megabyte, written without making a string a row.

/** Bytes of a piece; only a value that is longer makes a longer one. */
const PIECE = 1 << 20;

const ZERO = 48;
const encoder = new TextEncoder();

class JsonBytes {
  #bytes = new Uint8Array(PIECE);
  #used = 0;
  #ready: Uint8Array<ArrayBuffer>[] = [];

  /** True if a full piece can be taken. */
  get hasPiece(): boolean {
    return this.#ready.length > 0;
  }

  /** Full pieces, in order; they are the caller's from then on. */
  take(): readonly Uint8Array<ArrayBuffer>[] {
    const pieces = this.#ready;
    this.#ready = [];
    return pieces;
  }

  /** Full pieces and what has been begun. */
  takeAll(): readonly Uint8Array<ArrayBuffer>[] {
    if (this.#used > 0) this.#endPiece(PIECE);
    return this.take();
  }

  text(text: string): void {
    this.bytes(encoder.encode(text));
  }

  bytes(source: Uint8Array): void {
    const { length } = source;
    this.#room(length);
    const bytes = this.#bytes;
    const at = this.#used;
    // For the short ones a loop is faster than the call.
    if (length < 32) for (let i = 0; i < length; i += 1) bytes[at + i] = source[i] as number;
    else bytes.set(source, at);
    this.#used = at + length;
  }

  byte(byte: number): void {
    this.#room(1);
    this.#bytes[this.#used] = byte;
    this.#used += 1;
  }

  /** A safe integer that is not negative, in decimal digits. */
  digits(value: number): void {
    this.#room(16);
    if (value < 1e9) return this.#small(value, digitsOf(value));
    const high = Math.floor(value / 1e9);
    this.#small(high, digitsOf(high));
    this.#small(value - high * 1e9, 9);
  }

  /** `value` below 2^31. */
  #small(value: number, count: number): void {
    const bytes = this.#bytes;
    let rest = value | 0;
    for (let at = this.#used + count - 1; at >= this.#used; at -= 1) {
      const tens = (rest / 10) | 0;
      bytes[at] = ZERO + rest - tens * 10;
      rest = tens;
    }
    this.#used += count;
  }

  #room(length: number): void {
    if (this.#used + length > this.#bytes.length) this.#endPiece(Math.max(PIECE, length));
  }

  #endPiece(next: number): void {
    if (this.#used > 0) this.#ready.push(this.#bytes.subarray(0, this.#used));
    this.#bytes = new Uint8Array(next);
    this.#used = 0;
  }
}

function digitsOf(value: number): number {
  if (value < 1e4) return value < 100 ? (value < 10 ? 1 : 2) : value < 1000 ? 3 : 4;
  if (value < 1e7) return value < 1e5 ? 5 : value < 1e6 ? 6 : 7;
  return value < 1e8 ? 8 : 9;
}

// Rows of a table as members of a JSON object. Keys are made from the ordinals, digit by digit; the beginning of keys
// is encoded once per array, a URL once while rows next to each other share it.

interface RowTexts {
  /** The URL to be written for a target id. */
  url(id: number): string;
  /** JSON text of a bad reference; `undefined` where it cannot be written. */
  bad(row: number): string | undefined;
}

type RowWriter = ReturnType<typeof rowWriter>;

const COMMA = 44;
const CLOSE = 93;
const QUOTE = 34;
const END_OF_KEY = encoder.encode('":');
const NULL_LIST = encoder.encode('":[null');

function rowWriter(table: ReferenceTable, out: JsonBytes, texts: RowTexts) {
  const keys = keyWriter(table, out);
  const urls = urlCache((id) => encoder.encode(`":[${pythonJsonText(texts.url(id))}`));
  const inline = (offset: number, length: number): void => {
    out.bytes(END_OF_KEY);
    out.byte(QUOTE);
    const raw = table.inline.slice(offset, length);
    if (raw.every((byte) => byte < 128)) out.bytes(raw);
    else out.text(pythonJsonText(decodeString(raw).text).slice(1, -1));
    out.byte(QUOTE);
  };
  const numbers = (row: number, offset: number, length: number): void => {
    out.byte(COMMA);
    out.digits(offset);
    out.byte(COMMA);
    out.digits(length === LENGTH_BIG ? (table.bigLengths.get(row) ?? length) : length);
  };
  const writeAs = (row: number, isFirst: boolean, value: string): void => {
    keys.begin(row, isFirst);
    out.bytes(END_OF_KEY);
    out.text(value);
  };
  return {
    keyOf: (row: number): string => keys.keyOf(row),
    /** Writes like `write`, with a value of the caller's. */
    writeAs,
    /** Writes `"key":value`, after a comma where it is not the first. False, and nothing written, where it cannot be. */
    write(row: number, isFirst: boolean): boolean {
      const block = blockOf(table.blocks, row);
      const at = placeOf(row);
      const target = block.target[at] as number;
      if (target === TARGET_BAD) {
        const value = texts.bad(row);
        if (value !== undefined) writeAs(row, isFirst, value);
        return value !== undefined;
      }
      keys.begin(row, isFirst);
      const [offset, length] = [block.offset[at] as number, block.length[at] as number];
      if (target === TARGET_INLINE) inline(offset, length);
      else {
        out.bytes(target === TARGET_NULL ? NULL_LIST : urls(target));
        if (length !== LENGTH_WHOLE) numbers(row, offset, length);
        out.byte(CLOSE);
      }
      return true;
    },
  };
}

/** `begin` writes the key with its opening quote, without the closing one. */
function keyWriter(table: ReferenceTable, out: JsonBytes) {
  const arrays = table.arrays.map(({ path, grid, separator }) => ({
    prefix: encoder.encode(
      (path === "" ? '"' : pythonJsonText(`${path}/`).slice(0, -1)) + (separator.length === 2 ? separator : ""),
    ),
    grid,
    separator: separator.charCodeAt(separator.length - 1),
    scalar: pythonJsonText(chunkKey(path, [], separator)).slice(0, -1),
    coordinates: new Float64Array(grid?.length ?? 0),
  }));
  const strays = new Map(table.strays.map(({ row, key }) => [row, key]));
  const ordinalOf = (row: number): number => {
    const ordinal = blockOf(table.blocks, row).ordinal[placeOf(row)] as number;
    return ordinal === ORDINAL_WIDE ? (table.wideOrdinals.get(row) ?? ordinal) : ordinal;
  };
  const slotOf = (row: number): number => blockOf(table.blocks, row).array[placeOf(row)] as number;
  return {
    begin(row: number, isFirst: boolean): void {
      if (!isFirst) out.byte(COMMA);
      const stray = strays.size === 0 ? undefined : strays.get(row);
      const array = stray === undefined ? arrays[slotOf(row)] : undefined;
      if (array?.grid === undefined) return out.text(pythonJsonText(stray ?? "").slice(0, -1));
      if (array.grid.length === 0) return out.text(array.scalar);
      out.bytes(array.prefix);
      writeName(out, array.grid, array.coordinates, array.separator, ordinalOf(row));
    },
    keyOf(row: number): string {
      const slot = table.arrays[slotOf(row)];
      const coordinates = (): number[] => coordinatesOf(slot?.grid ?? [], ordinalOf(row));
      return strays.get(row) ?? chunkKey(slot?.path ?? "", coordinates(), slot?.separator ?? ".");
    },
  };
}

/** Writes the name that `chunkName` gives for the ordinal's coordinates. */
function writeName(
  out: JsonBytes,
  grid: readonly number[],
  coordinates: Float64Array,
  separator: number,
  ordinal: number,
): void {
  let rest = ordinal;
  for (let dimension = grid.length - 1; dimension > 0; dimension -= 1) {
    const count = grid[dimension] as number;
    const above = Math.floor(rest / count);
    coordinates[dimension] = rest - above * count;
    rest = above;
  }
  out.digits(rest);
  for (let dimension = 1; dimension < grid.length; dimension += 1) {
    out.byte(separator);
    out.digits(coordinates[dimension] as number);
  }
}

/** A power of two. Sets with a target a chunk must not keep them all: these are some ten megabytes. */
const KEPT_URLS = 65_536;

function urlCache(encode: (id: number) => Uint8Array): (id: number) => Uint8Array {
  const ids: number[] = [];
  const kept: Uint8Array[] = [];
  return (id) => {
    const place = id & (KEPT_URLS - 1);
    const known = kept[place];
    if (known !== undefined && ids[place] === id) return known;
    const encoded = encode(id);
    ids[place] = id;
    kept[place] = encoded;
    return encoded;
  };
}

// JSON text of the few values that are not plain columns: metadata documents and bad references.

/**
 * JSON text of a bad reference; `undefined` where it is not kept whole, or is not JSON. `renderer`: where URLs are to be
 * rendered, as fsspec renders those of bad references too; `undefined` too where that fails.
 */
function badText(written: string, renderer: Version1Renderer | undefined): string | undefined {
  if (!isWhole(written)) return undefined;
  const isTemplate = renderer?.hasTemplates === true && written.includes("{{");
  return isTemplate ? rendered(written, renderer) : portableJson(written);
}

/** Written texts are cut at 500 bytes: of lists, objects and texts the end is missed then, of numbers it is not. */
function isWhole(written: string): boolean {
  try {
    const value: unknown = JSON.parse(written);
    return typeof value !== "number" || written.length < 500;
  } catch {
    return false;
  }
}

function rendered(written: string, renderer: Version1Renderer): string | undefined {
  const [first, ...rest] = itemTexts(written);
  if (first === undefined || !first.startsWith('"')) return portableJson(written);
  const url = renderer.url(JSON.parse(first) as string);
  return url.kind === "url" ? portableJson(`[${[JSON.stringify(url.url), ...rest].join(",")}]`) : undefined;
}

/** `asWritten`: with the URL before rendering. */
function metadataText(
  { value, written, gen }: MetadataEntry,
  asWritten: boolean,
  renderer: Version1Renderer | undefined,
): string | undefined {
  if (value.kind === "bad") return badText(value.written, asWritten || gen !== undefined ? undefined : renderer);
  return referenceText(asWritten && written !== undefined && "target" in value ? { ...value, target: written } : value);
}

function referenceText(value: Reference): string | undefined {
  if (value.kind === "inline") return inlineText(value.bytes);
  if (value.kind === "whole") return portableJson(JSON.stringify([value.target]));
  return value.kind === "range" ? portableJson(JSON.stringify([value.target, value.offset, value.length])) : undefined;
}

function inlineText(bytes: Uint8Array<ArrayBuffer>): string {
  const { text, valid } = decodeText(bytes);
  return valid && !text.startsWith("base64:") ? pythonJsonText(text) : `"base64:${toBase64(bytes)}"`;
}

export interface ReferenceWriting {
  /**
   * The document, to be taken once. `version0` and `version1-flat` have every reference as readers see it; `version1`
   * has templates, gen and URLs as written, and leaves to gen what gen makes.
   */
  readonly pieces: Generator<Uint8Array<ArrayBuffer>, void, undefined>;
  /** Keys to be written, metadata included; those left out count. */
  readonly total: number;
  /** Keys dealt with so far. */
  done(): number;
  written(): number;
  /** Bad references whose details are not kept, and keys that mean something else in Version 0. */
  leftOut(): number;
  /** Those of them that are bad, known before. */
  unwritable(): number;
}

interface Writing {
  readonly source: WriteSource;
  readonly form: ExportForm;
  /** Keys of gen are left to gen. */
  readonly keepsGen: boolean;
  readonly out: JsonBytes;
  readonly rows: RowWriter;
  readonly texts: RowTexts;
  /** With the URLs as rendered; only where gen is kept. */
  readonly made: RowWriter | undefined;
  /** Rows to be written. */
  readonly rowCount: number;
  readonly metadata: readonly MetadataEntry[];
  done: number;
  written: number;
}

export function writeReferences(source: WriteSource, form: ExportForm): ReferenceWriting {
  const writing = newWriting(source, form);
  return {
    pieces: pieces(writing),
    total: writing.rowCount + writing.metadata.length,
    done: () => writing.done,
    written: () => writing.written,
    leftOut: () => writing.done - writing.written,
    unwritable: () => [...source.table.bad.keys()].filter((row) => writing.texts.bad(row) === undefined).length,
  };
}

function newWriting(source: WriteSource, form: ExportForm): Writing {
  const { table, origins, renderer } = source;
  const asWritten = form === "version1";
  const keepsGen = asWritten && source.gen !== undefined;
  const out = new JsonBytes();
  const { targets } = table;
  const bad = (row: number): string | undefined => {
    const { written } = table.bad.get(row) ?? { written: "" };
    const isRendered = asWritten || origins.genOrdinal(row) !== undefined;
    return badText(written, isRendered ? undefined : renderer);
  };
  const texts: RowTexts = { url: (id) => (asWritten ? targets.written(id) : targets.text(id)), bad };
  const isKept = ({ gen, overrides }: MetadataEntry): boolean => gen === undefined || overrides === true;
  return {
    source,
    form,
    keepsGen,
    out,
    rows: rowWriter(table, out, texts),
    texts,
    made: keepsGen ? rowWriter(table, out, { url: (id) => targets.text(id), bad }) : undefined,
    rowCount: keepsGen ? origins.refsRows : table.rows,
    metadata: keepsGen ? source.metadata.filter(isKept) : source.metadata,
    done: 0,
    written: 0,
  };
}

function* pieces(writing: Writing): Generator<Uint8Array<ArrayBuffer>, void, undefined> {
  const { out, form, rowCount } = writing;
  out.text(opening(writing));
  let row = 0;
  for (const entry of writing.metadata) {
    for (const end = Math.min(entry.row, rowCount); row < end; row += 1) {
      writeRow(writing, row);
      if (out.hasPiece) yield* out.take();
    }
    writeMetadata(writing, entry);
    if (out.hasPiece) yield* out.take();
  }
  for (; row < rowCount; row += 1) {
    writeRow(writing, row);
    if (out.hasPiece) yield* out.take();
  }
  out.text(form === "version0" ? "}" : "}}");
  yield* out.takeAll();
}

function opening({ form, source: { templates, gen } }: Writing): string {
  if (form === "version0") return "{";
  const kept = form === "version1" ? { templates, gen } : { templates: undefined, gen: undefined };
  const member = (name: "templates" | "gen"): string =>
    kept[name] === undefined ? "" : `"${name}":${portableJson(kept[name])},`;
  return `{"version":1,${member("templates")}${member("gen")}"refs":{`;
}

function writeRow(writing: Writing, row: number): void {
  const { rows } = writing;
  const isFirst = writing.written === 0;
  writing.done += 1;
  if (cannotBeKey(writing, row)) return;
  if (writing.keepsGen && writing.source.origins.genOrdinal(row) !== undefined) writePlaceholder(writing, row, isFirst);
  else if (!rows.write(row, isFirst)) return;
  writing.written += 1;
}

/**
 * At the top level of Version 0 these mean something else to readers (fsspec, implementations/reference.py,
 * `_process_references` and `_process_references0`). They can only be stray keys, which belong to no array.
 */
const TAKEN_KEYS = new Set(["version", "zarr_consolidated_format"]);

function cannotBeKey({ form, source, rows }: Writing, row: number): boolean {
  if (form !== "version0" || source.version === 0 || source.table.strays.length === 0) return false;
  const { array } = blockOf(source.table.blocks, row);
  return (array[placeOf(row)] as number) >= source.table.arrays.length && TAKEN_KEYS.has(rows.keyOf(row));
}

/**
 * A key of `refs` whose value gen replaces: only its place counts. It gets what gen makes, for readers that know no
 * gen, unless that looks like a template and would be rendered.
 */
function writePlaceholder({ source: { table }, rows, made }: Writing, row: number, isFirst: boolean): void {
  const id = blockOf(table.blocks, row).target[placeOf(row)] as number;
  const isPlain = id < table.targets.count && !table.targets.text(id).includes("{{");
  if (!isPlain || made?.write(row, isFirst) !== true) rows.writeAs(row, isFirst, '""');
}

function writeMetadata(writing: Writing, entry: MetadataEntry): void {
  const { out, keepsGen } = writing;
  writing.done += 1;
  const text = keepsGen && entry.gen !== undefined ? metadataPlaceholder(entry) : ownText(writing, entry);
  if (text === undefined) return;
  out.text(`${writing.written === 0 ? "" : ","}${pythonJsonText(entry.key)}:${text}`);
  writing.written += 1;
}

const ownText = ({ form, source }: Writing, entry: MetadataEntry): string | undefined =>
  metadataText(entry, form === "version1", source.renderer);

function metadataPlaceholder(entry: MetadataEntry): string {
  const text = metadataText(entry, false, undefined);
  return text === undefined || text.includes("{{") ? '""' : text;
}
