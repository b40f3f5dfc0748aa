/**
 * Lists the direct contents of a folder: of a bucket (S3 and compatible servers, Google Cloud Storage, Azure Blob
 * Storage), or of a server with an index page. Names come from strangers: those that do not lie in the folder are left
 * out.
 */
import { parseXml, XmlElement } from "@rgrove/parse-xml";
import { attempt } from "#core/basics.ts";
import type { CallContext } from "#core/byte-source.ts";
import { withoutEntities } from "#core/check/web-page.ts";
import { isAbort, RefscopeError } from "#core/findings/finding.ts";
import { decodedPart, encodedPart } from "../url-path.ts";
import { type HttpOptions, httpSource } from "./http.ts";

export interface Listing {
  /** Names, with their sizes in bytes where these are said. */
  readonly files: ReadonlyMap<string, number | undefined>;
  readonly folders: ReadonlySet<string>;
  /** There are more. */
  readonly isCut: boolean;
  /** An index page without any name that begins with a dot: most servers leave these out. */
  readonly hidesDots?: true;
}

/**
 * `folder`: its URL (in a store: its key), `/` at its end. `start`: what names begin with. `undefined` where it is not
 * listed.
 */
export type ListFolder = (folder: string, start: string, context: CallContext) => Promise<Listing | undefined>;

export const MOST_LISTED = 10_000;
const MOST_PAGES = 100;
const LARGEST_PAGE = 16 * 1024 ** 2;

/** For folders of one place: all are listed as the first was. */
export function folderLister(options: HttpOptions): ListFolder {
  let known: number | undefined;
  return async (folder, start, context) => {
    for (const [at, way] of waysTo(new URL(folder)).entries()) {
      const listing = at === (known ?? at) ? await listBy(way, start, options, context) : undefined;
      if (listing !== undefined) known = at;
      if (listing !== undefined) return listing;
    }
    return undefined;
  };
}

interface Way {
  readonly url: string;
  /** Common beginning of all keys in the folder. */
  readonly prefix: string;
  /** The parameter that asks for what comes next; absent where nothing can be asked for. */
  readonly next?: string;
}

interface Page {
  /** Those of folders end with `/`. */
  readonly keys: readonly (readonly [key: string, size?: unknown])[];
  readonly next: string;
  readonly isCut?: boolean;
}

function waysTo({ href, protocol, host, hostname, pathname, search }: URL): readonly Way[] {
  // URLs outside the web (core/relay.ts) have no `origin`.
  const origin = `${protocol}//${host}`;
  const [bucket = ""] = pathname.slice(1).split("/");
  const [whole, below] = [1, bucket.length + 2].map((from) => decodedPart(pathname.slice(from))) as [string, string];
  // A signature may be one for listing, too.
  const asking = (path: string, query: string) => `${origin}/${path}?${query}${search.replace("?", "&")}`;
  if (hostname.endsWith(".blob.core.windows.net"))
    return [{ url: asking(bucket, "restype=container&comp=list"), prefix: below, next: "marker" }];
  const s3 = (path: string, prefix: string): Way => {
    return { url: asking(path, "list-type=2"), prefix, next: "continuation-token" };
  };
  // Google's XML API answers as S3 does, and lets the same pages read it as the objects.
  const named = /\.s3[.-]|\.storage\.googleapis\.com$/.test(hostname) ? [s3("", whole)] : [s3(bucket, below)];
  if (/\.(?:amazonaws\.com(?:\.cn)?|googleapis\.com)$/.test(hostname)) return named;
  return [...named, { url: href, prefix: "" }];
}

/** `undefined` where the first page does not come. */
async function listBy(way: Way, start: string, options: HttpOptions, context: CallContext) {
  const files = new Map<string, number | undefined>();
  const folders = new Set<string>();
  const asked = new Set<string>();
  for (let next = ""; ;) {
    const done = files.size + folders.size;
    const report = () => context.report({ label: "Listing files", done, unit: "rows" });
    const page = await pageOf(way, start, next, options, { ...context, report });
    if (page === undefined && asked.size === 0) return undefined;
    for (const [key, size] of page?.keys ?? []) {
      const name = key.startsWith(way.prefix + start) ? key.slice(way.prefix.length).replace(/\/$/, "") : "";
      // Skips deeper keys and names that no address can have.
      if (/^\.{0,2}$|\//.test(name) || encodedPart(name) === undefined) continue;
      if (key.endsWith("/")) folders.add(name);
      else files.set(name, /^\d{1,15}$/.test(String(size)) ? Number(size) : undefined);
    }
    asked.add(next);
    next = page?.next ?? "";
    const hidesDots = way.next === undefined && ![...files.keys(), ...folders].some((name) => name.startsWith("."));
    if (page !== undefined && next === "")
      return { files, folders, isCut: page.isCut === true, ...(hidesDots && { hidesDots }) };
    // Asked for once more, a page would come again without end.
    const isLong = asked.size >= MOST_PAGES || files.size + folders.size >= MOST_LISTED;
    if (isLong || asked.has(next)) return { files, folders, isCut: true };
  }
}

async function pageOf(way: Way, start: string, next: string, options: HttpOptions, context: CallContext) {
  const url = new URL(way.url);
  if (way.next !== undefined) {
    const query = { prefix: way.prefix + start, delimiter: "/", [way.next]: next };
    for (const [name, value] of Object.entries(query)) if (value !== "") url.searchParams.set(name, value);
    url.search = url.search.replaceAll("+", "%20");
  }
  // Most servers do not list: that is not asked twice.
  const http = next === "" ? { ...options, attempts: 1 } : options;
  try {
    const { bytes } = await httpSource(url.href, http).read(undefined, { ...context, most: LARGEST_PAGE });
    const text = new TextDecoder().decode(bytes);
    return way.next === undefined ? fromIndex(text, way.url) : fromXml(text);
  } catch (error) {
    if (isAbort(error) || !(error instanceof RefscopeError)) throw error;
    return undefined;
  }
}

/** Azure has names of its own. */
function fromXml(written: string): Page | undefined {
  // Whatever throws, XML that is nested too deep as well, is no listing.
  const root = attempt(() => parseXml(written).root);
  if (root?.name !== "ListBucketResult" && root?.name !== "EnumerationResults") return undefined;
  const below = (element: XmlElement, ...names: readonly string[]) =>
    element.children.filter((one): one is XmlElement => one instanceof XmlElement && names.includes(one.name));
  const text = (element: XmlElement, ...names: readonly string[]) => below(element, ...names)[0]?.text ?? "";
  const entries = below(below(root, "Blobs")[0] ?? root, "Contents", "Blob", "CommonPrefixes", "BlobPrefix");
  const size = (one: XmlElement) => text(below(one, "Properties")[0] ?? one, "Size", "Content-Length");
  return {
    keys: entries.map((one) => [text(one, "Key", "Name", "Prefix"), size(one)]),
    next: text(root, "NextContinuationToken", "NextMarker"),
    isCut: text(root, "IsTruncated") === "true",
  };
}

/**
 * Titles of index pages: Apache, nginx, lighttpd; Python, Tomcat; Jetty; serve; Express. Links of the others: caddy and
 * rclone; IIS.
 */
const INDEX_PAGE =
  /<title>\s*(?:Index of|Directory listing for|Directory:|Files within|Listing directory)\s|href="\?sort=namedirfirst&|>\[To Parent Directory\]</i;

/** Any other page links to what its author likes. */
function fromIndex(written: string, folder: string): Page | undefined {
  if (!INDEX_PAGE.test(written)) return undefined;
  const links = [...written.matchAll(/<a\s[^<>]{0,500}?href\s*=\s*["']([^"'<>]{1,2000})["']/gi)];
  const urls = links.flatMap(([, href = ""]) => attempt(() => [new URL(withoutEntities(href), folder)], []));
  const [place = ""] = folder.split("?");
  const inside = urls.filter(({ href, search }) => href.startsWith(place) && search === "");
  return { keys: inside.map(({ href }) => [decodedPart(href.slice(place.length))]), next: "" };
}
