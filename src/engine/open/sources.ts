/** From what the user gave (a URL, files, a text) to the document to read and the files that stand beside it. */
import type { ByteSource, CallContext } from "../../core/byte-source.ts";
import { failure, failureOf } from "../../core/findings/failure.ts";
import { targetAt, WHOLE_SET } from "../../core/findings/place.ts";
import type { Locations } from "../../core/location.ts";
import type { OpenSource, SetChoice } from "../../core/open-set.ts";
import { detectKerchunkJson } from "../../formats/kerchunk-json/index.ts";
import { decompressed } from "../../io/decompress.ts";
import { bytesSource } from "../../io/file.ts";
import { droppedFiles, type LocalFiles } from "../../io/local-files.ts";
import { resolveTarget, type BaseLocation } from "../../io/resolve.ts";
import { openSources } from "../../io/sources.ts";
import type { Network } from "./target-reader.ts";

/** What is read from its beginning to its end. */
export type StreamedDocument = Pick<ByteSource, "stream">;

export interface SetSource {
  readonly document: StreamedDocument;
  readonly name: string;
  readonly url: string | undefined;
  /** What relative targets are relative to. */
  readonly base: BaseLocation;
  /** Files given together with the document, and the document itself: it may be a target too. */
  readonly files: LocalFiles | undefined;
  /** Path of the document in `files`. */
  readonly path: string | undefined;
}

export interface DocumentSource extends SetSource {
  readonly document: ByteSource;
}

export type Located =
  | { readonly kind: "document"; readonly source: DocumentSource; readonly innerChoice: string | undefined }
  | { readonly kind: "choose"; readonly title: string; readonly choices: readonly SetChoice[] };

/**
 * Finds the reference document. Of several files the only one that looks like a reference set is taken; where several
 * do, the user chooses. A choice of a file and a choice inside it are joined by a line feed, which no path has.
 */
export async function locateDocument(
  source: OpenSource,
  locations: Locations,
  choice: string | undefined,
  network: Network,
  context: CallContext,
): Promise<Located> {
  switch (source.kind) {
    case "url":
      return { kind: "document", source: urlDocument(source.url.trim(), locations, network), innerChoice: choice };
    case "text":
      return { kind: "document", source: textDocument(source.text, source.name), innerChoice: choice };
    case "files":
      return fileDocument(droppedFiles(source.files), choice, context);
  }
}

export function urlDocument(url: string, locations: Locations, network: Network): DocumentSource {
  // Its own base: an address that the user typed may be private.
  const resolution = resolveTarget(url, { kind: "url", url }, locations, undefined);
  if (resolution.kind === "unresolved") throw failureOf(resolution.finding);
  if (resolution.kind === "file") throw new TypeError("A file was found where none were given.");
  return {
    document: openSources({ ...network, ...locations, files: undefined }).sourceFor(resolution),
    name: lastPart(resolution.url),
    url,
    base: { kind: "url", url: resolution.url },
    files: undefined,
    path: undefined,
  };
}

export function textDocument(text: string, name: string): DocumentSource {
  const document = bytesSource(new TextEncoder().encode(text), name);
  return { document, name, url: undefined, base: { kind: "text" }, files: undefined, path: undefined };
}

async function fileDocument(files: LocalFiles, choice: string | undefined, context: CallContext): Promise<Located> {
  const [chosen, innerChoice] = choice === undefined ? [] : splitChoice(choice);
  if (chosen !== undefined) return { kind: "document", source: documentIn(files, chosen), innerChoice };
  const candidates = await referenceFiles(files, context);
  const [first] = candidates;
  if (first === undefined) {
    const facts = { among: "files", files: files.list.length, wanted: "Kerchunk JSON" } as const;
    throw failure("no-reference-set", WHOLE_SET, facts);
  }
  if (candidates.length === 1) return { kind: "document", source: documentIn(files, first), innerChoice: undefined };
  const choices = candidates.map((path) => ({ id: `${path}\n`, label: path, detail: sizeText(files.source(path)) }));
  return { kind: "choose", title: `${candidates.length} of these files look like reference sets`, choices };
}

export const splitChoice = (choice: string): readonly [string, string | undefined] => {
  const at = choice.indexOf("\n");
  return at < 0 ? [choice, undefined] : [choice.slice(0, at), choice.slice(at + 1) || undefined];
};

/** A document among files, and the choice inside it, as the one id that `locateDocument` takes apart again. */
export function joinChoice(source: SetSource, inner: string): string {
  return source.path === undefined ? inner : `${source.path}\n${inner}`;
}

export function documentIn(files: LocalFiles, path: string): DocumentSource {
  const document = files.source(path);
  if (document === undefined) throw failure("file-not-given", targetAt(path), {});
  return { document, name: lastPart(path), url: undefined, base: { kind: "file", path }, files, path };
}

/**
 * Files whose first bytes (decompressed) look like a reference document; those that surely do, if any. `among`: those
 * that are in no store.
 */
export async function referenceFiles(
  files: LocalFiles,
  context: CallContext,
  among: readonly string[] = files.list,
): Promise<readonly string[]> {
  const maybe: string[] = [];
  const sure: string[] = [];
  const isLone = files.list.length === 1;
  const worthALook = among.filter((path) => isLone || MAY_BE_DOCUMENT.test(path));
  for (const path of worthALook.slice(0, MAX_LOOKED_AT)) {
    const document = files.source(path);
    if (document === undefined) continue;
    const verdict = detectKerchunkJson(await headOf(document, context), path);
    if (verdict === "yes") sure.push(path);
    else if (verdict === "maybe") maybe.push(path);
  }
  if (sure.length > 0) return sure;
  // A lone file is read whatever it looks like: the format says best what it is instead. One beside a store is not alone:
  // it is a target.
  return maybe.length > 0 || !isLone ? maybe : among;
}

/** By name, so that a folder of a million chunks is not read: JSON, compressed JSON, or no ending at all. */
const MAY_BE_DOCUMENT = /\.(?:json|jsonl|zjson|ref|refs|kerchunk|lindi|gz|gzip|zst|zstd|txt)$|(?:^|\/)[^./]+$/i;
const MAX_LOOKED_AT = 2000;
const HEAD_BYTES = 65_536;

async function headOf(document: ByteSource, context: CallContext): Promise<Uint8Array> {
  const length = Math.min(HEAD_BYTES, document.size ?? HEAD_BYTES);
  const { bytes } = await document.read({ offset: 0, length }, context);
  if (!isCompressed(bytes)) return bytes;
  const plain = await decompressed(await document.stream(context), context);
  const reader = plain.stream.body.getReader();
  try {
    const { value } = await reader.read();
    return value?.subarray(0, HEAD_BYTES) ?? new Uint8Array(0);
  } catch {
    return bytes; // Damaged: reading it whole will say how.
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

const isCompressed = (bytes: Uint8Array) =>
  (bytes[0] === 0x1f && bytes[1] === 0x8b) || (bytes[0] === 0x28 && bytes[1] === 0xb5);

export const sizeText = (source: ByteSource | undefined) =>
  source?.size === undefined ? "" : `${source.size.toLocaleString("en")} bytes`;

export function lastPart(path: string): string {
  const bare = path.replace(/[?#].*$/s, "").replace(/\/+$/, "");
  return bare.slice(bare.lastIndexOf("/") + 1) || path;
}
