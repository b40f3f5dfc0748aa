/**
 * Writes a reference set as a Kerchunk JSON document, Version 0 or 1 (kerchunk, "References specification"), in pieces:
 * there is never a text of the whole. What is written is read as the same set, its keys in the same order.
 */
import type { ExportForm } from "../../core/studio.ts";
import { blockOf, placeOf } from "./columns.ts";
import type { WriteSource } from "./kerchunk-document.ts";
import type { MetadataEntry } from "./reference-set.ts";
import { JsonBytes } from "./write-bytes.ts";
import { rowWriter, type RowWriter } from "./write-rows.ts";
import { badText, metadataText } from "./write-values.ts";

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
  /** Bad references of which it is not kept what they are, and keys that mean something else in Version 0. */
  leftOut(): number;
}

interface Writing {
  readonly source: WriteSource;
  readonly form: ExportForm;
  /** Keys of gen are left to gen. */
  readonly keepsGen: boolean;
  readonly out: JsonBytes;
  readonly rows: RowWriter;
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
  const rows = rowWriter(table, out, { url: (id) => (asWritten ? targets.written(id) : targets.text(id)), bad });
  const isKept = ({ gen, overrides }: MetadataEntry): boolean => gen === undefined || overrides === true;
  return {
    source,
    form,
    keepsGen,
    out,
    rows,
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
  const member = (name: "templates" | "gen"): string => (kept[name] === undefined ? "" : `"${name}":${kept[name]},`);
  return `{"version":1,${member("templates")}${member("gen")}"refs":{`;
}

function writeRow(writing: Writing, row: number): void {
  const { rows } = writing;
  const isFirst = writing.written === 0;
  writing.done += 1;
  if (cannotBeKey(writing, row)) return;
  if (isReplacedByGen(writing, row)) writePlaceholder(writing, row, isFirst);
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

const isReplacedByGen = ({ keepsGen, source }: Writing, row: number): boolean =>
  keepsGen && source.origins.genOrdinal(row) !== undefined;

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
  out.text(`${writing.written === 0 ? "" : ","}${JSON.stringify(entry.key)}:${text}`);
  writing.written += 1;
}

const ownText = ({ form, source }: Writing, entry: MetadataEntry): string | undefined =>
  metadataText(entry, form === "version1", source.renderer);

function metadataPlaceholder(entry: MetadataEntry): string {
  const text = metadataText(entry, false, undefined);
  return text === undefined || text.includes("{{") ? '""' : text;
}
