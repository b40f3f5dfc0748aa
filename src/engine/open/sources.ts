/** From what the user gave (a URL, files, a text) to the document to read and the files beside it. */
import type { ByteSource, CallContext } from "../../core/byte-source.ts";
import { failure, RefscopeError, targetAt } from "../../core/findings/finding.ts";
import type { Locations } from "../../core/location.ts";
import { decompressed } from "../../io/decompress.ts";
import { bytesSource } from "../../io/file.ts";
import type { LocalFiles } from "../../io/local-files.ts";
import { resolveTarget, type BaseLocation } from "../../io/resolve.ts";
import { shownTarget } from "../../core/words/shown-target.ts";
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

export function urlDocument(url: string, locations: Locations, network: Network): DocumentSource {
  // Its own base: an address that the user typed may be private.
  const resolution = resolveTarget(url, { kind: "url", url }, locations, undefined);
  if (resolution.kind === "unresolved") throw new RefscopeError(resolution.finding);
  if (resolution.kind === "file") throw new TypeError("A file was found where none were given.");
  if (resolution.kind !== "url")
    throw failure("target-scheme-unsupported", targetAt(shownTarget(url)), schemeOf(resolution));
  return {
    document: openSources({ ...network, ...locations, files: undefined }).sourceFor(resolution),
    name: lastPart(resolution.url),
    url,
    base: { kind: "url", url: resolution.url },
    files: undefined,
    path: undefined,
  };
}

/** References may lie in such a place; the document itself is opened by its own address. */
const schemeOf = ({ kind }: { readonly kind: "data" | "member" }) => ({ scheme: kind === "data" ? "data" : "zip" });

export function textDocument(text: string, name: string): DocumentSource {
  const document = bytesSource(new TextEncoder().encode(text), name);
  return { document, name, url: undefined, base: { kind: "text" }, files: undefined, path: undefined };
}

/** A choice of a file and a choice inside it are joined by a line feed, which no path has. */
export const splitChoice = (choice: string): readonly [string, string | undefined] => {
  const at = choice.indexOf("\n");
  return at < 0 ? [choice, undefined] : [choice.slice(0, at), choice.slice(at + 1) || undefined];
};

/** A document among files, and the choice inside it, as the one id that `splitChoice` takes apart again. */
export function joinChoice(source: SetSource, inner: string): string {
  return source.path === undefined ? inner : `${source.path}\n${inner}`;
}

export function documentIn(files: LocalFiles, path: string): DocumentSource {
  const document = files.source(path);
  if (document === undefined) throw failure("file-not-given", targetAt(path), {});
  return { document, name: lastPart(path), url: undefined, base: { kind: "file", path }, files, path };
}

/** The first bytes, decompressed. */
export async function headOf(document: ByteSource, limit: number, context: CallContext): Promise<Uint8Array> {
  const length = Math.min(limit, document.size ?? limit);
  const { bytes } = await document.read({ offset: 0, length }, context);
  if (!isCompressed(bytes)) return bytes;
  const plain = await decompressed(await document.stream(context), context);
  const reader = plain.stream.body.getReader();
  try {
    const { value } = await reader.read();
    return value?.subarray(0, limit) ?? new Uint8Array(0);
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
