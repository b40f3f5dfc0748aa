/** Where a set's targets are, and how to read them; changes with the locations and with files given later. */
import type { ByteRange, CallContext, ReadBytes } from "../../core/byte-source.ts";
import { hostOfResolution, type Locations, type Resolution } from "../../core/location.ts";
import type { TargetProbe } from "../../core/check/target-probe.ts";
import type { LocalFiles } from "../../io/local-files.ts";
import { allowsPrivate, resolveTarget, type BaseLocation } from "../../io/resolve.ts";
import type { ProbeWish } from "../../io/http/probe-target.ts";
import { requestLog, type RequestLog } from "../../io/http/request-log.ts";
import { openSources, type Resolved, type SourceOptions, type Sources } from "../../io/sources.ts";

/** How the engine reaches the network; tests and the terminal bring their own. */
export type Network = Pick<SourceOptions, "http" | "coalesce">;

export interface TargetReader {
  readonly base: BaseLocation;
  readonly locations: Locations;
  readonly files: LocalFiles | undefined;
  /** Of all that was asked for the set. */
  readonly log: RequestLog;
  resolve(target: string | null): Resolution;
  /** Throws `RefscopeError`; `undefined` reads the whole target. */
  read(resolution: Resolution, range: ByteRange | undefined, context: CallContext): Promise<ReadBytes>;
  /** What is there, by a few small requests. Never throws but for an abort. */
  probe(resolution: Resolved, wish: ProbeWish, context: CallContext): Promise<TargetProbe>;
  /** What a host answers to a question that is no read. Never throws but for an abort. */
  ask: Sources["ask"];
  /** Why hosts are left alone. */
  silent: Sources["silent"];
  /** Where a target is, for counting: an origin, `local files`, `relative paths`, `null URL`, … */
  hostOf(target: string | null): string;
  relocate(locations: Locations, files: LocalFiles | undefined): void;
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
}

export function targetReader(place: TargetPlace, locations: Locations, network: Network): TargetReader {
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
  });
  let state = stateOf(locations, place.files);
  const resolve = (target: string | null) => resolveIn(place, state, target);
  return {
    base: place.base,
    log,
    get locations() {
      return state.locations;
    },
    get files() {
      return state.files;
    },
    resolve,
    read: (resolution, range, context) => state.sources.sourceFor(resolution).read(range, context),
    probe: (resolution, wish, context) => state.sources.probe(resolution, wish, context),
    ask: (url, question, context) => state.sources.ask(url, question, context),
    silent: () => state.sources.silent(),
    hostOf: (target) => hostOf(state, resolve, target),
    relocate: (next, files) => {
      state = stateOf(next, files);
    },
  };
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
