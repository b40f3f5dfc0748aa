/** Text that was typed or pasted where a URL is expected. */
import { withoutToken } from "#core/words/without-secrets.ts";

export type TypedAddress =
  | { readonly kind: "empty" }
  | { readonly kind: "url"; readonly url: string }
  /** A path of a computer's own file system: a page cannot read it. */
  | { readonly kind: "path"; readonly name: string }
  /** The document itself instead of its address. */
  | { readonly kind: "json"; readonly text: string }
  /** Looks like a host without `https://`. */
  | { readonly kind: "no-scheme"; readonly suggestion: string }
  /** Neither a host nor a file: no part of an address. */
  | { readonly kind: "word"; readonly text: string };

const PATH = /^(?:[a-z]:[\\/]|\\\\|\/(?!\/)|~\/|file:)/i;
const SCHEME = /^[a-z][a-z0-9+.-]*:(?!\d)/i;
const HOST_FIRST = /^(?:[a-z0-9-]+\.)+[a-z]{2,}(?::\d+)?\//i;
/** Names of files, which may lie beside the page. */
const FILE = /\.(?:json|zarr|parq|parquet|icechunk|zip|gz|zst|zstd|br)$/i;
const HOST_WITH_PORT = /^(?:localhost|\d[\d.]*|\[[0-9a-f:]+\])(?::\d+)?\//i;

/**
 * Addresses without a scheme that are not a host are taken relative to `page`, the page's own address. A page that a
 * server on this computer gives reads its files, too.
 */
export function readAddress(typed: string, page: string): TypedAddress {
  const base = withoutToken(page);
  const text = unquoted(typed.trim());
  if (text === "") return { kind: "empty" };
  if (/^[{[]/.test(text) && !/^\[[0-9a-f:]+\]/i.test(text)) return { kind: "json", text };
  if (base !== page && /^(?:\/(?!\/)|file:)/i.test(text))
    return { kind: "url", url: text.replace(/^(?=\/)/, "file://") };
  if (PATH.test(text)) return { kind: "path", name: lastPart(text) };
  if (text.startsWith("//")) return { kind: "no-scheme", suggestion: `https:${text}` };
  if (HOST_WITH_PORT.test(text)) return { kind: "no-scheme", suggestion: `http://${text}` };
  if (HOST_FIRST.test(text)) return { kind: "no-scheme", suggestion: `https://${text}` };
  if (SCHEME.test(text)) return { kind: "url", url: text };
  if (!text.includes("/") && !FILE.test(text)) {
    const isHost = HOST_FIRST.test(`${text}/`);
    return isHost ? { kind: "no-scheme", suggestion: `https://${text}` } : { kind: "word", text };
  }
  return URL.canParse(text, base) ? { kind: "url", url: new URL(text, base).href } : { kind: "url", url: text };
}

/** Paths are often copied with quotes around them ("Copy as path"). */
const unquoted = (text: string): string => (/^(["']).*\1$/s.test(text) ? text.slice(1, -1).trim() : text);

const lastPart = (path: string): string => path.split(/[\\/]/).findLast((part) => part !== "") ?? path;
