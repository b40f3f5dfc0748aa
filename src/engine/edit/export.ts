/**
 * Writes an open set to a file: Version 0 or 1, compressed or not. The document streams into parts of a Blob, which
 * browsers keep outside the script's memory, so that a large set is not held there twice.
 */
import type { CallContext } from "../../core/byte-source.ts";
import { type Facts, failure, WHOLE_SET } from "../../core/findings/finding.ts";
import type { ExportCompression, Exported, ExportForm, ExportRequest } from "../../core/studio.ts";
import { writeReferences, type ReferenceWriting } from "../../formats/kerchunk-json/index.ts";
import type { DocumentSet } from "../engine-set.ts";
import { startPace } from "../pace.ts";

type Piece = Uint8Array<ArrayBuffer>;

/** Bytes of a part of the Blob: as long as it is being filled it lies in the script's memory. */
const PART = 8 << 20;

const TYPES: Readonly<Record<ExportCompression, string>> = {
  none: "application/json",
  gzip: "application/gzip",
};

/**
 * `text`: the whole document as typed, which `version1` writes as it is; without it, and where the set's document is not
 * kept as text, the document is written from the table. Progress is in rows.
 *
 * @throws RefscopeError `export-refused` and `export-incomplete` for forms without templates and gen, where there is no
 *   true one; an `AbortError` when the call is aborted
 */
export async function exportSet(
  set: DocumentSet,
  { form, compression, text }: Omit<ExportRequest, "set">,
  context: CallContext,
): Promise<Exported> {
  if (form !== "version1") refuseUntrue(set);
  const typed = form === "version1" && set.format.version === 1 ? wholeText(set, text) : undefined;
  const { origins, renderer, table } = set;
  const writing =
    typed === undefined
      ? writeReferences({ ...set.document, origins, renderer, table }, form)
      : writeText(typed, set.keys);
  const blob = await intoBlob(writing, compression, context);
  return {
    blob,
    name: exportName(set.name, form, compression),
    references: writing.written(),
    bytes: blob.size,
    leftOut: writing.leftOut(),
  };
}

/** A set too large for a text has none: then what was typed is a part of the document only. */
const wholeText = ({ documentText }: DocumentSet, text: string | undefined): string | undefined =>
  documentText === undefined ? undefined : (text ?? documentText);

/** Where there is no true form without templates and gen. */
export function refuseUntrue({ refused, findings, renderer }: DocumentSet): void {
  if (refused !== undefined) {
    const cause = findings.find(({ facts }) => facts["raises"] !== undefined);
    throw failure("export-refused", WHOLE_SET, { cause });
  }
  if (renderer?.isIncomplete !== true) return;
  const cause = findings.find(({ place, facts }) => {
    const isOfDocument = place.kind === "gen" || facts["member"] === "gen" || facts["member"] === "templates";
    return isOfDocument && stopsRendering(facts);
  });
  throw failure("export-incomplete", WHOLE_SET, { cause });
}

const stopsRendering = (facts: Facts): boolean => facts["raises"] !== undefined || facts["limit"] !== undefined;

/** What is typed is taken as one key until all of it is written. */
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

/** `name.v0.json.gz`: the set's name without folder and ending, as any file system takes it. */
export function exportName(name: string, form: ExportForm, compression: ExportCompression): string {
  const base = name
    .replace(/^.*[/\\](?=[^/\\])/, "")
    .replace(/\.(?:gz|gzip|zst|zstd)$/i, "")
    .replace(/\.json$/i, "")
    .replace(/\.v[01](?:-flat)?$/, "")
    .replaceAll(/[^\p{L}\p{N}._ ()+-]+/gu, "-")
    .replace(/^[.\s-]+/, "")
    .slice(0, 100);
  return `${base === "" ? "references" : base}.${FORM_NAMES[form]}.json${ENDINGS[compression]}`;
}
