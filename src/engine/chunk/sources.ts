/** From what the user gave (a URL, files, a text) to the document to read and the files beside it. */
import { hostOfResolution } from "#core/byte-source.ts";
import type { ByteRange, ByteSource, CallContext, Locations, ReadBytes, Resolution } from "#core/byte-source.ts";
import { factsOfFailure, failure, RefscopeError, targetAt } from "#core/findings/finding.ts";
import { coalesced } from "#io/http/coalesce.ts";
import { head, httpSource } from "#io/http/http.ts";
import { decompressed } from "#io/decompress.ts";
import { bytesSource } from "#io/file.ts";
import type { LocalFiles } from "#io/local-files.ts";
import { allowsPrivate, type BaseLocation, resolveTarget } from "#io/resolve.ts";
import { shownTarget } from "#core/words.ts";
import { withoutSecrets } from "#core/words/without-secrets.ts";
import { GIVES_NOTHING, openSources, type Resolved, type SourceOptions, type Sources } from "#io/sources.ts";
import type { TargetProbe } from "#core/check/target-probe.ts";
import type { ProbeWish } from "#io/http/probe-target.ts";
import { requestLog, type RequestLog } from "#io/http/request-log.ts";

/** A document that is read from its beginning to its end. */
export type StreamedDocument = Pick<ByteSource, "stream">;

export interface SetSource {
  readonly document: StreamedDocument;
  readonly name: string;
  readonly url: string | undefined;
  /** Base of relative targets. */
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
  // Its own base: an address that the user typed may be private. Of another scheme it is a URL already.
  const isAsItIs = !/^https?:/i.test(url) && locations.relays?.placeOf(url) !== undefined;
  const resolution: Resolution = isAsItIs
    ? { kind: "url", url, steps: [] }
    : resolveTarget(url, { kind: "url", url }, locations, undefined);
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
  const url = files.urlOf?.(path);
  if (url !== undefined)
    return { document, name: path, url, base: { kind: "url", url }, files: undefined, path: undefined };
  return { document, name: lastPart(path), url, base: { kind: "file", path }, files, path };
}

/** The first bytes, decompressed. */
export async function headOf(document: ByteSource, limit: number, context: CallContext): Promise<Uint8Array> {
  const length = Math.min(limit, document.size ?? limit);
  const { bytes } = await document.read({ offset: 0, length }, context).catch((error: unknown) => {
    // The document has fewer.
    const { received = 0 } = factsOfFailure(error, "short-read") ?? {};
    if (received <= 0) throw error;
    return document.read({ offset: 0, length: received }, context);
  });
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

/** An archive's size locates its directory; servers rarely send it with a range. */
export async function sized(
  { document, base }: DocumentSource,
  {
    locations,
    network,
    context,
  }: { readonly locations: Locations; readonly network: Network; readonly context: CallContext },
): Promise<ByteSource> {
  if (document.size !== undefined || base.kind !== "url") return document;
  const { credentials, allowPrivate, relays } = locations;
  const http = { ...network.http, credentials, allowPrivate, relays };
  const answer = await head(base.url, http, context).catch(() => undefined);
  if (answer?.kind !== "present" || answer.size === undefined) return document;
  return coalesced(httpSource(base.url, { ...http, size: answer.size }));
}

export const sizeText = (source: ByteSource | undefined) =>
  source?.size === undefined ? "" : `${source.size.toLocaleString("en")} bytes`;

/**
 * Titles and reports show it, so that it gives access to nothing. Names of local files may have a `#` or `?` of their
 * own.
 */
export function lastPart(path: string): string {
  const shown = path.includes("://") ? withoutSecrets(path).replace(/[?#].*$/s, "") : path;
  const bare = shown.replace(/\/+$/, "");
  return bare.slice(bare.lastIndexOf("/") + 1) || shown;
}

// Places of a set's targets, and readers of them; changes with the locations and with files given later.

/** How the engine reaches the network; tests and the terminal bring their own. */
export type Network = Pick<SourceOptions, "http" | "coalesce" | "relays">;

export interface TargetReader {
  readonly base: BaseLocation;
  readonly locations: Locations;
  readonly files: LocalFiles | undefined;
  /** Log of all requests for the set. */
  readonly log: RequestLog;
  resolve(target: string | null): Resolution;
  /** Throws `RefscopeError`; `undefined` reads the whole target. */
  read(resolution: Resolution, range: ByteRange | undefined, context: CallContext): Promise<ReadBytes>;
  /** Probes by a few small requests. Never throws but for an abort. */
  probe(resolution: Resolved, wish: ProbeWish, context: CallContext): Promise<TargetProbe>;
  /** Answer of a host to a question that is no read. Never throws but for an abort. */
  ask: Sources["ask"];
  /** Why hosts are left alone. */
  silent: Sources["silent"];
  /** Place of a target, for counting: an origin, `local files`, `relative paths`, `null URL`, … */
  hostOf(target: string | null): string;
  relocate(locations: Locations, files: LocalFiles | undefined): void;
}

interface MovableReader extends TargetReader {
  /** Relative targets are found to be meant from another folder. */
  readonly rebase: (base: BaseLocation) => void;
}

/** `document` is the path of the reference document among the files: it is not a candidate for null URLs. */
export interface TargetPlace {
  readonly base: BaseLocation;
  readonly files: LocalFiles | undefined;
  readonly path: string | undefined;
}

interface State {
  readonly locations: Locations;
  readonly files: LocalFiles | undefined;
  readonly sources: Sources;
  readonly hosts: Map<string, string>;
  /** Targets that a server lacks: each is requested once, until the user asks again. */
  readonly gone: Map<string, { readonly error: RefscopeError; readonly probe?: TargetProbe | undefined }>;
}

export function targetReader(given: TargetPlace, locations: Locations, network: Network): MovableReader {
  let place = given;
  const log = network.http?.log ?? requestLog();
  const http = { ...network.http, log };
  const stateOf = (locations: Locations, files: LocalFiles | undefined): State => ({
    locations,
    files,
    sources: openSources({
      ...network,
      http,
      ...locations,
      allowPrivate: allowsPrivate(place.base, locations),
      files,
      known: place.base.kind === "url" ? place.base.url : undefined,
    }),
    hosts: new Map(),
    gone: new Map(),
  });
  let state = stateOf(locations, place.files);
  let last: { readonly state: State; readonly target: string | null; readonly url: Resolution } | undefined;
  const resolve = (target: string | null) => {
    // References that follow each other mostly lie in one file.
    if (last?.state === state && last.target === target) return last.url;
    const resolution = resolveIn(place, state, target);
    if (resolution.kind === "url") last = { state, target, url: resolution };
    return resolution;
  };
  return {
    get base() {
      return place.base;
    },
    log,
    get locations() {
      return state.locations;
    },
    get files() {
      return state.files;
    },
    resolve,
    read: (resolution, range, context) => readOnce(place, state, resolution, range, context),
    async probe(resolution, wish, context) {
      const gone = resolution.kind === "url" ? state.gone.get(resolution.url) : undefined;
      if (gone !== undefined) return gone.probe ?? probeOf(gone.error);
      const probe = await state.sources.probe(resolution, wish, context);
      const { url, status = 0, attempts } = probe;
      const error = failure("http-status", targetAt(url), { status, expected: [206], attempts });
      noteGone(place, state, resolution, error, probe);
      return probe;
    },
    ask: (url, question, context) => state.sources.ask(url, question, context),
    silent: () => state.sources.silent(),
    hostOf: (target) => hostOf(state, resolve, target),
    relocate: (next, files) => {
      state = stateOf(next, files);
    },
    rebase: (base) => {
      place = { ...place, base };
      state = stateOf(state.locations, state.files);
    },
  };
}

async function readOnce(
  place: TargetPlace,
  state: State,
  resolution: Resolution,
  range: ByteRange | undefined,
  context: CallContext,
): Promise<ReadBytes> {
  const gone = resolution.kind === "url" ? state.gone.get(resolution.url) : undefined;
  if (gone !== undefined) throw gone.error;
  try {
    return await state.sources.sourceFor(resolution).read(range, context);
  } catch (error) {
    noteGone(place, state, resolution, error);
    throw error;
  }
}

/** URLs that are kept; others are asked for again. */
const MAX_GONE = 10_000;

/** Probe of a URL that was asked already, when a chunk was read. */
function probeOf({ finding: { place, facts } }: RefscopeError): TargetProbe {
  const url = place.kind === "target" ? place.target : "";
  const { status, attempts } = facts as { readonly status: number; readonly attempts: number };
  return { url, status, attempts, requests: 0, bytesReceived: 0, milliseconds: 0 };
}

/** Not of a store's own objects, which may be written later. */
function noteGone(place: TargetPlace, { gone }: State, resolution: Resolution, error: unknown, probe?: TargetProbe) {
  const { status } = factsOfFailure(error, "http-status") ?? {};
  if (resolution.kind !== "url" || !GIVES_NOTHING.has(status) || gone.size >= MAX_GONE) return;
  const { base } = place;
  const isOwn = base.kind === "url" && base.exact === true && resolution.url.startsWith(base.url);
  if (!isOwn && error instanceof RefscopeError) gone.set(resolution.url, { error, probe });
}

function resolveIn({ base, path }: TargetPlace, { locations, files }: State, target: string | null): Resolution {
  const only = target === null && locations.target === undefined ? onlyOther(files, path) : undefined;
  if (only === undefined) return resolveTarget(target, base, locations, files);
  const step = `null URL → ${only}, the only file given besides the reference file`;
  return { kind: "file", path: only, steps: [step] };
}

function onlyOther(files: LocalFiles | undefined, document: string | undefined): string | undefined {
  const others = files?.list.filter((path) => path !== document) ?? [];
  return others.length === 1 ? others[0] : undefined;
}

/** Scheme and authority; without rewrite rules they alone decide the host, which is quick for a million URLs. */
const AUTHORITY = /^(?!file:|local:|zip:|data:)[a-z][a-z\d+.-]*:\/\/[^/:@{?#]+(?=\/)/i;

function hostOf({ locations, hosts }: State, resolve: TargetReader["resolve"], target: string | null): string {
  if (target === null) return "null URL";
  const authority = locations.rewrites.length === 0 ? AUTHORITY.exec(target)?.[0] : undefined;
  if (authority === undefined) return countedHost(resolve(target));
  const known = hosts.get(authority);
  if (known !== undefined) return known;
  const host = countedHost(resolve(target));
  hosts.set(authority, host);
  return host;
}

const countedHost = (resolution: Resolution): string =>
  hostOfResolution(resolution) ?? (resolution.kind === "unresolved" ? resolution.host : undefined) ?? "not resolvable";
