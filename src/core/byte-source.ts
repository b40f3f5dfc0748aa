import type { Finding } from "./findings/finding.ts";

/** Bytes in memory that is not shared between threads. */
export type Bytes = Uint8Array<ArrayBuffer>;

/** Context of every long call: a signal that reaches down to the request, and a place to report progress. */
export interface CallContext {
  readonly signal: AbortSignal;
  readonly report: (progress: Progress) => void;
  /** Most bytes of an object that is read whole: a larger one is `response-too-large` as soon as its size shows. */
  readonly most?: number;
}

export interface Progress {
  /** "Reading references", "Fetching metadata", … */
  readonly label: string;
  /** Progress in `unit`; `total` is absent if unknown. */
  readonly done: number;
  readonly total?: number;
  readonly unit: "bytes" | "chunks" | "requests" | "rows" | "files";
}

export interface ByteRange {
  readonly offset: number;
  readonly length: number;
}

/** Ranges of one source at most `gap` bytes apart are one request of at most `most` bytes. */
export interface Merge {
  readonly gap: number;
  readonly most: number;
}

/** Merging of ranges as this page does it. */
export const OWN_MERGE: Merge = { gap: 64 * 1024, most: 16 * 1024 ** 2 };

export interface Merged<T> {
  readonly start: number;
  readonly end: number;
  readonly items: readonly T[];
}

/** Merges ranges in order of offset. */
export function mergedRanges<T>(
  items: readonly T[],
  rangeOf: (item: T) => ByteRange,
  { gap, most }: Merge,
): readonly Merged<T>[] {
  const groups: { readonly start: number; end: number; readonly items: T[] }[] = [];
  const ranges = items.map((item) => ({ item, ...rangeOf(item) })).toSorted((a, b) => a.offset - b.offset);
  for (const { item, offset, length } of ranges) {
    const last = groups.at(-1);
    const end = Math.max(last?.end ?? 0, offset + length);
    if (last !== undefined && offset - last.end <= gap && end - last.start <= most) {
      last.end = end;
      last.items.push(item);
    } else groups.push({ start: offset, end: offset + length, items: [item] });
  }
  return groups;
}

/** A request to a server or file, and its answer. All sizes in bytes, times in milliseconds. */
export interface RequestReport {
  readonly url: string;
  readonly range?: ByteRange;
  /** Attempts made, the successful one included. */
  readonly attempts: number;
  /** HTTP status; absent for local files and where no answer came. */
  readonly status?: number;
  /** True if a range was requested and a 206 of the right length came back; absent if no range was requested. */
  readonly rangeHonoured?: boolean;
  readonly bytesExpected?: number;
  readonly bytesReceived: number;
  /** Size of the whole target, where it could be learnt. */
  readonly targetSize?: number;
  readonly lastModified?: string;
  /** ETag as the server writes it, if readable. */
  readonly etag?: string;
  /** Origin of the answer, if a redirect led elsewhere; without its query. */
  readonly redirectedTo?: string;
  /** The server of this page, on this computer, asked for it. */
  readonly relayed?: true;
  readonly milliseconds: number;
  /** Reads that this one request served; `range` and the byte counts are then those of the whole request. Absent = 1. */
  readonly readsServed?: number;
  /** The rest of the request was still arriving when this read had its bytes. */
  readonly underWay?: true;
}

export interface ReadBytes {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly request: RequestReport;
  readonly findings: readonly Finding[];
}

/**
 * Bytes somewhere: at a URL, in a dropped file, in a pasted text. `read` throws a `RefscopeError` whose fields
 * say what came back instead; a short answer is an error too (`short-read`), never padded.
 */
export interface ByteSource {
  /** URL or file name, for messages. */
  readonly name: string;
  /** Size where it is known without asking. */
  readonly size: number | undefined;
  read(range: ByteRange | undefined, context: CallContext): Promise<ReadBytes>;
  /** Parts of a range in one request, where that can be done better than by reading the range and cutting it. */
  readonly readParts?: ReadParts;
  /** All bytes in order, as they arrive. `size` is that of the stream, where known (absent for encoded answers). */
  stream(context: CallContext): Promise<ByteStream>;
}

/**
 * `parts` lie in `range`, in order of their offsets. Each is given once, by its number, in a buffer of its own: as soon as
 * it is known to be right, if need be when the request ends. Throws as `read` does; what was given before was right.
 */
export type ReadParts = (
  range: ByteRange,
  parts: readonly ByteRange[],
  context: CallContext,
  give: (part: number, read: ReadBytes) => void,
) => Promise<void>;

export interface ByteStream {
  readonly body: ReadableStream<Uint8Array<ArrayBuffer>>;
  readonly size: number | undefined;
  /**
   * Size that the server declares when `size` cannot be known; wrong if it compresses on the way. Good for a progress
   * bar only.
   */
  readonly sizeHint?: number;
  /** Origin of the answer, as in a `RequestReport`. */
  readonly redirectedTo?: string;
}

// Locations of targets: the user's rules, and how a target was resolved.

/** "Read `s3://bucket/` from `https://mirror.example/`": the longest matching `from` wins. */
export interface RewriteRule {
  readonly from: string;
  readonly to: string;
}

/** Request headers for one URL prefix. In memory only: never stored, linked, logged or exported. */
export interface Credential {
  readonly prefix: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
}

/** Addresses that are fetched by way of this computer, whatever their scheme is. */
export interface Relays {
  /** The address of what is asked for by this one, itself but for files that lie elsewhere; `undefined` for any other. */
  readonly placeOf: (url: string) => string | undefined;
  /** The URL of a target that no page can fetch, as references write it: a path, or an address of another scheme. */
  readonly asItIs: (target: string) => string | undefined;
}

export interface Locations {
  readonly rewrites: readonly RewriteRule[];
  readonly credentials: readonly Credential[];
  /** Target that a null URL in a reference means (fsspec's `target`). */
  readonly target: string | undefined;
  /** AWS region for `s3://` targets; without it the global endpoint is used. */
  readonly region: string | undefined;
  /** A set from a public address may read loopback and private addresses. */
  readonly allowPrivate: boolean;
  /** Given by the process, not by the user. */
  readonly relays?: Relays | undefined;
}

export const NO_LOCATIONS: Omit<Locations, "relays"> = {
  rewrites: [],
  credentials: [],
  target: undefined,
  region: undefined,
  allowPrivate: false,
};

export interface ResolvedUrl {
  readonly kind: "url";
  readonly url: string;
  readonly steps: readonly string[];
}

export interface ResolvedFile {
  readonly kind: "file";
  readonly path: string;
  readonly steps: readonly string[];
  /** Only the end of the path as written was found. */
  readonly byName?: true;
}

/** How a target as written became something that can be read, step by step. */
export type Resolution =
  | ResolvedUrl
  | ResolvedFile
  /** A `data:` URL: the target's own text holds its bytes (RFC 2397). */
  | { readonly kind: "data"; readonly url: string; readonly steps: readonly string[] }
  /** A file in a zip archive. */
  | {
      readonly kind: "member";
      readonly archive: ResolvedUrl | ResolvedFile;
      /** Path in the archive. */
      readonly path: string;
      readonly steps: readonly string[];
    }
  | {
      readonly kind: "unresolved";
      readonly finding: Finding;
      /** Words that stand for its host where targets are counted: `relative paths`. */
      readonly host?: string;
      readonly steps: readonly string[];
    };

/** Address requested: the URL, the path of a file, or an archive and the file in it (as fsspec chains them). */
export function addressOf(resolution: Exclude<Resolution, { readonly kind: "unresolved" }>): string;
export function addressOf(resolution: Resolution): string | undefined;
export function addressOf(resolution: Resolution): string | undefined {
  if (resolution.kind === "unresolved") return undefined;
  if (resolution.kind === "member") return `zip://${resolution.path}::${addressOf(resolution.archive)}`;
  return resolution.kind === "file" ? resolution.path : resolution.url;
}

/** The host that is asked, as an origin; `undefined` where none is. */
export function originOf(resolution: Resolution): string | undefined {
  if (resolution.kind === "member") return originOf(resolution.archive);
  if (resolution.kind !== "url") return undefined;
  const { protocol, host } = new URL(resolution.url);
  return protocol === "file:" ? undefined : `${protocol}//${host}`;
}

/** Place of a target for counting: an origin, or words for one. `undefined` if it cannot be read. */
export function hostOfResolution(resolution: Resolution): string | undefined {
  if (resolution.kind === "unresolved") return undefined;
  return resolution.kind === "data" ? "data: URLs" : (originOf(resolution) ?? "local files");
}

/** The file that was found by its name alone. */
export function fileByName(resolution: Resolution): string | undefined {
  if (resolution.kind === "member") return fileByName(resolution.archive);
  return resolution.kind === "file" && resolution.byName === true ? resolution.path : undefined;
}

export const hostOfUrl = (text: string): string => (URL.canParse(text) ? new URL(text).host : "");
