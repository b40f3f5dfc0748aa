/** One byte source for each resolved target, so that neighbouring reads of a target find each other. */
import type { ByteSource, CallContext } from "../core/byte-source.ts";
import { failure } from "../core/findings/failure.ts";
import { RefscopeError } from "../core/errors.ts";
import { targetAt } from "../core/findings/place.ts";
import type { Locations, Resolution } from "../core/location.ts";
import type { TargetProbe } from "../core/target-probe.ts";
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
  return {
    sourceFor(resolution) {
      if (resolution.kind === "unresolved") throw new RefscopeError(resolution.finding);
      if (resolution.kind === "file") return localSource(options.files, resolution.path);
      const source = kept.get(resolution.url) ?? coalesced(httpSource(resolution.url, http), options.coalesce);
      kept.delete(resolution.url);
      kept.set(resolution.url, source);
      const oldest = kept.keys().next().value;
      if (kept.size > MAX_KEPT && oldest !== undefined) kept.delete(oldest);
      return source;
    },
    probe: (resolution, wish, context) =>
      resolution.kind === "url"
        ? probeTarget(httpTarget(resolution.url, http), wish, context)
        : probeFile(resolution.path, accessTo(options.files, resolution.path), context),
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
