/** JSON text of the few values that are not plain columns: metadata documents and bad references. */
import { toBase64 } from "../../core/fill-bytes.ts";
import type { Reference } from "../../core/reference.ts";
import type { Version1Renderer } from "../../core/version1.ts";
import { itemsOf } from "./json-bytes.ts";
import type { MetadataEntry } from "./reference-set.ts";

/**
 * JSON text of a bad reference; `undefined` where it is not kept whole, or is not JSON. `renderer`: where URLs are to be
 * rendered, as fsspec renders those of bad references too; `undefined` too where that fails.
 */
export function badText(written: string, renderer: Version1Renderer | undefined): string | undefined {
  if (!isWhole(written)) return undefined;
  return renderer?.hasTemplates === true && written.includes("{{") ? rendered(written, renderer) : written;
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
  if (!written.startsWith("[")) return written;
  const bytes = new TextEncoder().encode(written);
  const decoder = new TextDecoder();
  const [first, ...rest] = itemsOf(bytes, 0, bytes.length).map(([from, to]) =>
    decoder.decode(bytes.subarray(from, to)),
  );
  if (first === undefined || !first.startsWith('"')) return written;
  const url = renderer.url(JSON.parse(first) as string);
  return url.kind === "url" ? `[${[JSON.stringify(url.url), ...rest].join(",")}]` : undefined;
}

/** `asWritten`: with the URL before rendering. */
export function metadataText(
  { value, written, gen }: MetadataEntry,
  asWritten: boolean,
  renderer: Version1Renderer | undefined,
): string | undefined {
  if (value.kind === "bad") return badText(value.written, asWritten || gen !== undefined ? undefined : renderer);
  return referenceText(asWritten && written !== undefined && "target" in value ? { ...value, target: written } : value);
}

function referenceText(value: Reference): string | undefined {
  switch (value.kind) {
    case "inline":
      return inlineText(value.bytes);
    case "whole":
      return JSON.stringify([value.target]);
    case "range":
      return JSON.stringify([value.target, value.offset, value.length]);
    case "bad":
    case "missing":
    case "native":
      return undefined;
  }
}

function inlineText(bytes: Uint8Array<ArrayBuffer>): string {
  const text = asText(bytes);
  if (text !== undefined && !text.startsWith("base64:")) return JSON.stringify(text);
  return `"base64:${toBase64(bytes)}"`;
}

function asText(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
