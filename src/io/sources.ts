/** One byte source for each resolved target, so that neighbouring reads of a target find each other. */
import type { ByteSource, CallContext } from "../core/byte-source.ts";
import { failure } from "../core/findings/failure.ts";
import { RefscopeError } from "../core/errors.ts";
import { targetAt } from "../core/findings/place.ts";
import { addressOf, type Locations, type Resolution } from "../core/location.ts";
import { shownTarget } from "../core/shown-target.ts";
import type { TargetProbe } from "../core/target-probe.ts";
import { openArchives, type ArchivedFile, type Archives } from "./archives.ts";
import { coalesced, type CoalesceOptions } from "./coalesce.ts";
import { hostLimit } from "./host-limit.ts";
import { httpSource, type HttpOptions } from "./http.ts";
import { httpTarget } from "./http-target.ts";
import type { LocalFiles } from "./local-files.ts";
import { probeFile, type FileAccess } from "./probe-file.ts";
import { probeTarget, type ProbeWish } from "./probe-target.ts";

export type Resolved = Exclude<Resolution, { readonly kind: "unresolved" }>;

export interface SourceOptions extends Pick<Locations, "credentials" | "allowPrivate"> {
  readonly files: LocalFiles | undefined;
  readonly http?: Omit<HttpOptions, "credentials" | "allowPrivate">;
  readonly coalesce?: CoalesceOptions;
}

/** A set may have a hundred thousand targets; those asked for longest ago are forgotten (and made again when needed). */
const MAX_KEPT = 1000;

export interface Sources {
  /** @throws RefscopeError with the resolution's own code where it is unresolved, `file-not-given`. */
  sourceFor(resolution: Resolution): ByteSource;
  /** By a few small requests. Never throws but for an abort. */
  probe(resolution: Resolved, wish: ProbeWish, context: CallContext): Promise<TargetProbe>;
}

/** Make a new one when credentials or files change. */
export function openSources(options: SourceOptions): Sources {
  const kept = new Map<string, ByteSource>();
  const { credentials, allowPrivate } = options;
  const http: HttpOptions = { limit: hostLimit(), ...options.http, credentials, allowPrivate };
  const ofUrl = (url: string): ByteSource => {
    const source = kept.get(url) ?? coalesced(httpSource(url, http), options.coalesce);
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
    probe(resolution, wish, context) {
      switch (resolution.kind) {
        case "url":
          return probeTarget(httpTarget(resolution.url, http), wish, context);
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

/** Without a glance: what is to be read must be opened. */
const notLooked = (open: FileAccess["open"]): FileAccess => ({ open, look: () => undefined });

/** What decodes such a URL is fetched with the first. */
async function openData(url: string): Promise<ByteSource> {
  const { dataSource } = await import("./data-url.ts");
  return dataSource(url);
}

type OpenArchives = Readonly<Record<"url" | "file", Archives>>;
type Member = Extract<Resolution, { readonly kind: "member" }>;

function openMember(archives: OpenArchives, { archive, path }: Member, context: CallContext): Promise<ArchivedFile> {
  return archives[archive.kind].member(addressOf(archive), path, context);
}

/** Of more bytes, none is inflated only to see how a file begins. */
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
