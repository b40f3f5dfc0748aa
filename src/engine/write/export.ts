/**
 * Writes an open set for the page: a document, compressed or not, or Parquet or Icechunk as an archive or into a folder. All of it
 * streams into parts of a Blob, which browsers keep outside the script's memory, so that a large set is not held there
 * twice.
 */
import type { CallContext } from "#core/byte-source.ts";
import { failure, WHOLE_SET } from "#core/findings/finding.ts";
import type { ExportCompression, Exported, ExportForm, ExportPlan, ExportRequest, ExportWish } from "#core/studio.ts";
import { keepsText } from "#core/studio.ts";
import { writeReferences, type ReferenceWriting } from "#formats/kerchunk-json/write.ts";
import { folderWriter, zipWriter } from "#io/write-zip.ts";
import { type DocumentSet, type EngineSet, isDocument } from "../engine-set.ts";
import { startPace } from "../pace.ts";
import { PARQUET_SNIPPET, referenceSnippet } from "../open/reference-snippet.ts";
import { writeNotes } from "./notes.ts";
import { sourcePaths } from "./relative-targets.ts";
import { writableSet } from "./writable.ts";
import { planJson } from "./write-json.ts";
import { parquetFiles, planParquet, RECORD_SIZE } from "./write-parquet.ts";

type Piece = Uint8Array<ArrayBuffer>;

/** Bytes of a part of the Blob: as long as it is being filled it lies in the script's memory. */
const PART = 8 << 20;

const TYPES: Readonly<Record<ExportCompression, string>> = { none: "application/json", gzip: "application/gzip" };

/**
 * Plan of an export: its parts, and what is left out or written differently. `text`: the whole document as typed, which
 * `version1` writes as it is; without it, and if the set's document is not kept as text, the document is written from
 * the table.
 *
 * @throws RefscopeError as `writableSet` does, and `export-impossible`
 */
export async function planExport(set: EngineSet, wish: ExportWish, context: CallContext) {
  const { form, text, sources } = wish;
  if (isKept(set, wish)) return asEdited(set, text);
  if (form === "icechunk") {
    const { icechunkForm } = await import("./icechunk/files.ts");
    return icechunkForm(set, { prefix: sources || undefined }, context);
  }
  const writable = await writableSet(set, { sources }, context);
  const { table } = writable;
  if (form !== "parquet") return { ...planJson(writable, form), table };
  const plan = { ...planParquet(writable), table };
  if (plan.arrays.size === 0) throw failure("export-impossible", WHOLE_SET, { why: "nothing" });
  return { ...plan, files: () => parquetFiles(plan, RECORD_SIZE, context) };
}

const isKept = (set: EngineSet, wish: Pick<ExportWish, "form" | "sources">): set is DocumentSet =>
  isDocument(set) && keepsText(set.format.version, wish);

/** Plan for the page: findings, Python that opens the file, paths of sources. Throws as `planExport` does. */
export async function exportPlan(set: EngineSet, wish: ExportWish, context: CallContext): Promise<ExportPlan> {
  const plan = await planExport(set, wish, context);
  const { findings, table } = plan;
  const { form, compression } = wish;
  const before = sourcePaths(set.table.targets, true);
  const [from = ""] = before;
  const { targets } = set.table;
  const at = Array.from({ length: targets.count }, (_, id) => id).findIndex((id) => targets.text(id) === from);
  const to = at < 0 || table.targets.count <= at ? from : table.targets.text(at);
  const hasTemplates = form === "version1" && (!isKept(set, wish) || set.format.hasTemplates === true);
  const exported = {
    ...set,
    table,
    url: undefined,
    name: exportName(set.name, form, compression),
    format: { ...set.format, hasTemplates },
    targets: { ...set.targets, base: { kind: "file", path: "" } as const },
  };
  if ("containers" in plan) {
    const { openingLines } = await import("./icechunk/opening-lines.ts");
    const lines = openingLines(exportName(set.name, form, compression), plan);
    return {
      findings,
      ...lines,
      paths: { count: before.size, becomeUrls: set.targets.base.kind === "url", example: [from, to] },
    };
  }
  const python = referenceSnippet(exported, undefined, {
    ...(form === "parquet" ? PARQUET_SNIPPET : {}),
    isUnsaved: false,
  });
  const becomeUrls = set.targets.base.kind === "url" && !isKept(set, { form });
  return { findings, python, paths: { count: before.size, becomeUrls, example: [from, to] } };
}

/** Progress is in rows. Throws as `planExport` does; an `AbortError` when the call is aborted. */
export async function exportSet(set: EngineSet, request: ExportRequest, context: CallContext): Promise<Exported> {
  const { form, compression, folder } = request;
  const plan = await planExport(set, request, context);
  const name = exportName(set.name, form, compression);
  if ("files" in plan) return writeFiles(plan.files(), name, folder, context);
  const { writing } = plan;
  const blob = await intoBlob(writing, compression, context);
  return { blob, name, files: 1, references: writing.written(), bytes: blob.size, leftOut: writing.leftOut() };
}

/** A set too large for a text has none: then what was typed is a part of the document only. */
function asEdited(set: DocumentSet, typed: string | undefined) {
  const { document, documentText, origins, renderer, table } = set;
  const notes = writeNotes();
  notes.relative(sourcePaths(table.targets, false).size);
  const writing =
    documentText === undefined
      ? writeReferences({ ...document, origins, renderer, table }, "version1")
      : writeText(typed ?? documentText, set.keys);
  return { writing, findings: notes.list(), table };
}

async function writeFiles(
  all: ReturnType<typeof parquetFiles>,
  name: string,
  chosen: FileSystemDirectoryHandle | undefined,
  context: CallContext,
): Promise<Exported> {
  const parts = blobParts();
  const into =
    chosen === undefined ? await zipWriter(name, (piece) => parts.add(piece)) : await folderWriter(chosen, name);
  if (into === undefined) throw failure("export-impossible", WHOLE_SET, { why: "taken" });
  let [files, references, bytes] = [0, 0, 0];
  try {
    for await (const file of all) {
      context.signal.throwIfAborted();
      if (!(await into.add(file.path, file.bytes))) throw failure("export-impossible", WHOLE_SET, { why: "archive" });
      [files, references, bytes] = [files + 1, references + file.references, bytes + file.bytes.length];
    }
  } catch (error) {
    await into.remove().catch(() => undefined);
    throw error;
  }
  const done = { files, references, leftOut: 0 };
  if (chosen !== undefined) return { blob: undefined, name, bytes, ...done };
  into.end();
  const blob = parts.whole("application/zip");
  return { blob, name: `${name}.zip`, bytes: blob.size, ...done };
}

/** A typed text counts as one key until all of it is written. */
function writeText(text: string, keys: number): ReferenceWriting {
  const encoded = new TextEncoder().encode(text);
  let done = 0;
  return {
    pieces: (function* pieces() {
      yield encoded;
      done = keys;
    })(),
    total: keys,
    done: () => done,
    written: () => done,
    leftOut: () => 0,
    unwritable: () => 0,
  };
}

async function intoBlob(
  writing: ReferenceWriting,
  compression: ExportCompression,
  context: CallContext,
): Promise<Blob> {
  const parts = blobParts();
  const reader = compressed(streamOf(writing, context), compression).getReader();
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) parts.add(read.value);
  } catch (error) {
    await reader.cancel(error).catch(() => undefined);
    // The compressor may say in its own words that it was broken off.
    context.signal.throwIfAborted();
    throw error;
  }
  return parts.whole(TYPES[compression]);
}

function streamOf(writing: ReferenceWriting, context: CallContext): ReadableStream<Piece> {
  const pace = startPace(context, "Writing references", writing.total);
  return new ReadableStream<Piece>(
    {
      async pull(controller) {
        context.signal.throwIfAborted();
        await pace.yieldIfDue(writing.done());
        const { value, done } = writing.pieces.next();
        if (done === true) controller.close();
        else controller.enqueue(value);
      },
      cancel() {
        writing.pieces.return();
      },
    },
    { highWaterMark: 1 },
  );
}

function compressed(plain: ReadableStream<Piece>, compression: ExportCompression): ReadableStream<Piece> {
  // It takes any buffer and gives new ones, which its type does not say.
  const gzip = () => new CompressionStream("gzip") as unknown as ReadableWritablePair<Piece, Piece>;
  return compression === "none" ? plain : plain.pipeThrough(gzip());
}

function blobParts() {
  const full: Blob[] = [];
  let pieces: Piece[] = [];
  let bytes = 0;
  const end = (): void => {
    full.push(new Blob(pieces));
    pieces = [];
    bytes = 0;
  };
  return {
    add(piece: Piece): void {
      pieces.push(piece);
      bytes += piece.length;
      if (bytes >= PART) end();
    },
    whole(type: string): Blob {
      end();
      return new Blob(full, { type });
    },
  };
}

const FORM_NAMES: Readonly<Record<ExportForm, string>> = { version0: "v0", version1: "v1", "version1-flat": "v1-flat" };
const ENDINGS: Readonly<Record<ExportCompression, string>> = { none: "", gzip: ".gz" };

/** `name.v0.json.gz`, `name.parq`: the set's name without folder and ending, as any file system takes it. */
export function exportName(name: string, form: ExportWish["form"], compression: ExportCompression): string {
  const base = name
    .replace(/^.*[/\\](?=[^/\\])/, "")
    .replace(/\.(?:gz|gzip|zst|zstd|zip)$/i, "")
    .replace(/\.(?:json|parq|parquet|icechunk)$/i, "")
    .replace(/\.v[01](?:-flat)?$/, "")
    .replaceAll(/[^\p{L}\p{N}._ ()+-]+/gu, "-")
    .replace(/^[.\s-]+/, "")
    .slice(0, 100);
  const end =
    form === "parquet" ? "parq" : form === "icechunk" ? form : `${FORM_NAMES[form]}.json${ENDINGS[compression]}`;
  return `${base === "" ? "references" : base}.${end}`;
}
