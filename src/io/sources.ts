/** One byte source for each resolved target, so that neighbouring reads of a target find each other. */
import type { OwnRelays } from "../core/relay.ts";
import { addressOf, type ByteSource, type CallContext, type Locations, type Resolution } from "../core/byte-source.ts";
import {
  factsOfFailure,
  failure,
  type Finding,
  findingOfError,
  isAbort,
  RefscopeError,
  targetAt,
} from "../core/findings/finding.ts";
import { shownTarget } from "#core/words.ts";
import { CONTENT_HEAD, contentOf } from "../core/check/target-content.ts";
import type { TargetProbe, Unreachable } from "../core/check/target-probe.ts";
import { coalesced, type CoalesceOptions } from "./http/coalesce.ts";
import type { HostAnswer } from "../core/check/host-answer.ts";
import { askHost, type HostQuestion } from "./http/host-answers.ts";
import { hostLimit } from "./http/host-limit.ts";
import { type HostWatch, hostWatch } from "./http/host-watch.ts";
import { type Fetch, type HttpTarget, httpTarget } from "./http/http-target.ts";
import { type HttpOptions, httpSource } from "./http/http.ts";
import type { FileLook, LocalFiles } from "./local-files.ts";
import type { ProbeWish } from "./http/probe-target.ts";
import { sharedTasks, unlessAborted } from "./shared-task.ts";
import type { ZipFiles } from "./zip.ts";

export type Resolved = Exclude<Resolution, { readonly kind: "unresolved" }>;

export interface SourceOptions extends Pick<Locations, "credentials" | "allowPrivate"> {
  readonly relays?: OwnRelays | undefined;
  readonly files: LocalFiles | undefined;
  readonly http?: Omit<HttpOptions, "credentials" | "allowPrivate" | "relays">;
  readonly coalesce?: CoalesceOptions;
  /** Something of its host was read already. */
  readonly known?: string | undefined;
}

/**
 * A set may have a hundred thousand targets; those asked for longest ago are forgotten (and made again when needed).
 */
const MAX_KEPT = 1000;

export interface Sources {
  /** @throws RefscopeError with the resolution's own code where it is unresolved, `file-not-given`. */
  sourceFor(resolution: Resolution): ByteSource;
  /** Probes by a few small requests. Never throws but for an abort. */
  probe(resolution: Resolved, wish: ProbeWish, context: CallContext): Promise<TargetProbe>;
  /** `undefined` where no answer came. Never throws but for an abort. */
  ask(url: string, question: HostQuestion, context: CallContext): Promise<HostAnswer | undefined>;
  /** Why hosts are left alone. */
  silent(): readonly Finding[];
}

/** Make a new one when credentials or files change. */
export function openSources(options: SourceOptions): Sources {
  const kept = new Map<string, ByteSource>();
  const { credentials, allowPrivate, relays } = options;
  const hosts = hostWatch();
  if (options.known !== undefined) hosts.readable(options.known);
  const fetch = hosts.watched(options.http?.fetch ?? ((url, init) => globalThis.fetch(url, init)));
  const own = { limit: hostLimit(), versions: new Map() };
  const http: HttpOptions = { ...own, ...options.http, fetch, credentials, allowPrivate, relays };
  const ofUrl = (url: string): ByteSource => {
    const source = kept.get(url) ?? coalesced(asked(hosts, url, http), options.coalesce);
    kept.delete(url);
    kept.set(url, source);
    const oldest = kept.keys().next().value;
    if (kept.size > MAX_KEPT && oldest !== undefined) kept.delete(oldest);
    return source;
  };
  const archives = {
    url: openArchives(ofUrl),
    file: openArchives((path) => localSource(options.files, path)),
  };
  return {
    sourceFor(resolution) {
      switch (resolution.kind) {
        case "unresolved":
          throw new RefscopeError(resolution.finding);
        case "file":
          return localSource(options.files, resolution.path);
        case "url":
          return ofUrl(resolution.url);
        case "data":
          return laterSource(shownTarget(resolution.url), () => openData(resolution.url));
        case "member":
          return laterSource(
            addressOf(resolution),
            async (context) => (await openMember(archives, resolution, context)).source,
          );
      }
    },
    silent: hosts.silent,
    ask: (url, question, context) => askHost(httpTarget(url, http), question, context),
    probe(resolution, wish, context) {
      switch (resolution.kind) {
        case "url":
          return probeUrl(hosts, httpTarget(resolution.url, http), wish, context);
        case "file":
          return probeFile(resolution.path, accessTo(options.files, resolution.path), context);
        case "data":
          return probeFile(
            shownTarget(resolution.url),
            notLooked(() => openData(resolution.url)),
            context,
          );
        case "member":
          return probeMember(archives, resolution, context);
      }
    },
  };
}

/** Statuses of a URL that gives nothing, whatever range is asked for. */
export const GIVES_NOTHING: ReadonlySet<number | undefined> = new Set([401, 403, 404, 409, 410]);

/** Nothing is asked of a host where nobody is. */
function asked(hosts: HostWatch, url: string, http: HttpOptions): ByteSource {
  const { fetch, turn } = firstAnswer(http.fetch);
  const source = httpSource(url, { ...http, fetch });
  const { name, readParts } = source;
  return {
    name,
    get size() {
      return source.size;
    },
    read: (range, context) => turn(context, () => hosts.ask(name, context.signal, () => source.read(range, context))),
    ...(readParts && {
      readParts: (range, parts, context, give) =>
        turn(context, () => hosts.ask(name, context.signal, () => readParts(range, parts, context, give))),
    }),
    stream: (context) => hosts.ask(name, context.signal, () => source.stream(context)),
  };
}

/**
 * Reads of one URL: those that come before its first answer wait for the headers of that, and fail with it where it
 * gives nothing. So a file that is not there is asked for once, however many references lead to it.
 */
function firstAnswer(ask: Fetch = (url, init) => globalThis.fetch(url, init)) {
  let isKnown = false;
  let first: { readonly read: Promise<unknown>; readonly status: Promise<number | undefined> } | undefined;
  let answered: (status?: number) => void = () => undefined;
  const fetch: Fetch = async (url, init) => {
    const response = await ask(url, init);
    if (response.status < 300 || response.status >= 400) answered(response.status);
    return response;
  };
  async function asFirst<T>(task: () => Promise<T>): Promise<T> {
    const status = new Promise<number | undefined>((resolve) => (answered = resolve));
    const read = task();
    first = { read, status };
    try {
      return await read;
    } catch (error) {
      isKnown ||= !isAbort(error) && !GIVES_NOTHING.has(factsOfFailure(error, "http-status")?.status);
      throw error;
    } finally {
      answered();
      first = undefined;
    }
  }
  async function turn<T>({ signal }: CallContext, task: () => Promise<T>): Promise<T> {
    for (let before = first; !isKnown && before !== undefined; before = first) {
      const { read, status } = before;
      const came = await unlessAborted(status, signal);
      // Whoever was first may have left.
      if (GIVES_NOTHING.has(came))
        await unlessAborted(read, signal).catch((error: unknown) => throwUnlessLeft(error, signal));
      else isKnown ||= came !== undefined;
    }
    return isKnown ? task() : asFirst(task);
  }
  return { fetch, turn };
}

function throwUnlessLeft(error: unknown, signal: AbortSignal): void {
  if (!isAbort(error) || signal.aborted) throw error;
}

async function probeUrl(hosts: HostWatch, target: HttpTarget, wish: ProbeWish, context: CallContext) {
  // Nothing is asked so before a set is open.
  const { probeTarget } = await import("./http/probe-target.ts");
  try {
    return await hosts.ask(target.url, context.signal, async () => {
      const seen = await probeTarget(target, wish, context);
      if (seen.failure === undefined) return seen;
      hosts.failed(target.url, seen.failure);
      return { ...seen, failure: hosts.known(target.url, seen.failure) };
    });
  } catch (error) {
    if (isAbort(error)) throw error;
    return unasked(target.url, findingOfError(error));
  }
}

const UNREACHABLE: Partial<Readonly<Record<string, Unreachable>>> = {
  "cors-missing": "blocked-by-cors",
  "unreachable-undecided": "undecided",
};

function unasked(url: string, failure: Finding): TargetProbe {
  const unreachable = UNREACHABLE[failure.code] ?? "unreachable";
  return { url, requests: 0, attempts: 0, bytesReceived: 0, milliseconds: 0, unreachable, failure };
}

/** Without a glance: what is to be read must be opened. */
const notLooked = (open: FileAccess["open"]): FileAccess => ({ open, look: () => undefined });

/** The module that decodes such URLs is fetched with the first of them. */
async function openData(url: string): Promise<ByteSource> {
  const { dataSource } = await import("./data-url.ts");
  return dataSource(url);
}

type OpenArchives = Readonly<Record<"url" | "file", Archives>>;
type Member = Extract<Resolution, { readonly kind: "member" }>;

function openMember(archives: OpenArchives, { archive, path }: Member, context: CallContext): Promise<ArchivedFile> {
  return archives[archive.kind].member(addressOf(archive), path, context);
}

/** Larger entries are not inflated only to see how a file begins. */
const MAX_PROBED = 1024 ** 2;

function probeMember(archives: OpenArchives, member: Member, context: CallContext): Promise<TargetProbe> {
  let isDeflated = false;
  const access: FileAccess = {
    async open() {
      const found = await openMember(archives, member, context);
      ({ isDeflated } = found);
      return found.source;
    },
    look: () => undefined,
    isDear: ({ size = 0 }) => isDeflated && size > MAX_PROBED,
  };
  return probeFile(addressOf(member), access, context);
}

/** One that is opened with each read. */
function laterSource(name: string, open: (context: CallContext) => Promise<ByteSource>): ByteSource {
  return {
    name,
    size: undefined,
    read: async (range, context) => (await open(context)).read(range, context),
    stream: async (context) => (await open(context)).stream(context),
  };
}

const accessTo = (files: LocalFiles | undefined, path: string): FileAccess => ({
  open: () => localSource(files, path),
  look: (length) => files?.look?.(path, length),
});

function localSource(files: LocalFiles | undefined, path: string): ByteSource {
  const source = files?.source(path);
  if (source !== undefined) return source;
  throw failure("file-not-given", targetAt(path), {});
}

// Zip archives that targets lie in: each is opened once, when one of its files is first read.

interface Archives {
  /** @throws RefscopeError `zip-member-missing`, `zip-…`, and what reading the archive throws. */
  member(address: string, path: string, context: CallContext): Promise<ArchivedFile>;
}

interface ArchivedFile {
  readonly source: ByteSource;
  readonly isDeflated: boolean;
}

/** Directories in memory; those used longest ago are read again. */
const MAX_OPEN = 32;

/** `source`: of an archive, by its address. */
function openArchives(source: (address: string) => ByteSource): Archives {
  const opened = new Map<string, ZipFiles>();
  const opening = sharedTasks<string, ZipFiles>();
  const open = async (address: string, context: CallContext): Promise<ZipFiles> => {
    // Only sets with such targets need it.
    const { openZip } = await import("./zip.ts");
    return openZip(source(address), context);
  };
  return {
    async member(address, path, context) {
      const files = opened.get(address) ?? (await opening(address, context, () => open(address, context)));
      opened.delete(address);
      opened.set(address, files);
      const oldest = opened.keys().next().value;
      if (opened.size > MAX_OPEN && oldest !== undefined) opened.delete(oldest);
      const source = files.source(path);
      if (source !== undefined) return { source, isDeflated: files.isDeflated(path) };
      throw failure("zip-member-missing", targetAt(address), { name: path.slice(0, 200), files: files.list.length });
    },
  };
}

// Probes a file as `probe-target.ts` does a URL: its size, its time and its first bytes.

/** How a file is looked at. */
interface FileAccess {
  /** Throws where there is no such file. */
  open(): ByteSource | Promise<ByteSource>;
  /** Its bytes cost too much for what they tell. */
  readonly isDear?: (source: ByteSource) => boolean;
  /** `undefined` where it must be opened. */
  look(length: number): FileLook | undefined;
}

/** Never throws but for an abort. */
async function probeFile(path: string, access: FileAccess, context: CallContext): Promise<TargetProbe> {
  const started = performance.now();
  const seen = access.look(CONTENT_HEAD);
  if (seen !== undefined) return lookedAt(path, seen, started);
  const asked = { url: path, requests: 0, attempts: 1 };
  try {
    const source = await access.open();
    if (access.isDear?.(source) === true) {
      const known = source.size === undefined ? {} : { size: source.size };
      return { ...asked, ...known, bytesReceived: 0, milliseconds: performance.now() - started, range: HONOURED };
    }
    const length = Math.min(source.size ?? CONTENT_HEAD, CONTENT_HEAD);
    const { bytes, request } = await source.read({ offset: 0, length }, context);
    // The request for a file in an archive concerns the archive.
    const { targetSize, lastModified } = request;
    const size = source.size ?? targetSize;
    return {
      ...asked,
      bytesReceived: bytes.byteLength,
      milliseconds: performance.now() - started,
      ...(size === undefined ? {} : { size }),
      ...(lastModified === undefined ? {} : { lastModified }),
      range: HONOURED,
      content: contentOf(bytes),
    };
  } catch (error) {
    if (!(error instanceof RefscopeError)) throw error;
    return { ...asked, bytesReceived: 0, milliseconds: performance.now() - started, failure: error.finding };
  }
}

function lookedAt(path: string, { size, modified, head }: FileLook, started: number): TargetProbe {
  return {
    url: path,
    requests: 0,
    attempts: 1,
    bytesReceived: head.byteLength,
    milliseconds: performance.now() - started,
    size,
    lastModified: modified.toUTCString(),
    range: HONOURED,
    content: contentOf(head),
  };
}

const HONOURED = { kind: "honoured" } as const;
