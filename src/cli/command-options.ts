import { READERS } from "../core/readers/rules.ts";
import { NO_LOCATIONS, type Locations } from "../core/location.ts";
import type { ComparisonMethod } from "../core/repository.ts";

export interface CommandOptions {
  readonly json: boolean;
  readonly chunks: boolean;
  readonly offline: boolean;
  readonly root: string | undefined;
  readonly target: string | undefined;
  /** A set from elsewhere may read loopback and private addresses. */
  readonly allowPrivate?: boolean;
  readonly choice: string | undefined;
  /** Branch, tag or snapshot of a repository. */
  readonly ref?: string | undefined;
  /** `NAME=VALUE`, as often as given: fsspec's `template_overrides`. */
  readonly template?: readonly string[];
  /** Most references that gens may make, as given. */
  readonly most?: string | undefined;
  /** Threads that decode, as given; absent = one a core. */
  readonly threads?: string | undefined;
  /** Most snapshots that are listed, as given. */
  readonly limit?: string | undefined;
  /** How snapshots are compared, as given. */
  readonly by?: string | undefined;
  readonly simple?: boolean;
  readonly lines?: boolean;
  /** Path of an array. */
  readonly array?: string | undefined;
  /** Part of it, as NumPy indexes. */
  readonly select?: string | undefined;
  /** Values as xarray decodes them. */
  readonly cf?: boolean;
  /** Whether targets are asked for. */
  readonly network?: boolean;
  /** Most targets that are asked for, as given: a number or `all`. */
  readonly limitTargets?: string | undefined;
  /** Of a bucket of S3. */
  readonly region?: string | undefined;
  /** What CORS is judged for: the origin of a page. */
  readonly origin?: string | undefined;
  /** How many chunks are decoded, as given: a number or `all`. */
  readonly deep?: string | undefined;
  /** The reader that the set is for, as given. */
  readonly reader?: string | undefined;
  /** How `check` prints, as given. */
  readonly format?: string | undefined;
  /** What makes `check` fail, as given. */
  readonly failOn?: string | undefined;
  /** File that says what the set must have. */
  readonly expect?: string | undefined;
  /** File that says which findings are known. */
  readonly accept?: string | undefined;
  /** File to write what the set has, to be expected of it later. */
  readonly writeExpect?: string | undefined;
  /** File to write what was found, to be accepted later. */
  readonly writeAccept?: string | undefined;
  /** Coordinates of a chunk, as given. */
  readonly chunk?: string | undefined;
  /** Archive to write. */
  readonly out?: string | undefined;
  /** With the bytes of the chunk. */
  readonly inline?: boolean;
  /** File to write. */
  readonly npy?: string | undefined;
}

/** What `--target` and `--allow-private` say. */
export const locationsOf = ({ target, allowPrivate = false }: CommandOptions): Locations => ({
  ...NO_LOCATIONS,
  target,
  allowPrivate,
});

/** What `--threads` asks for; `undefined` = as many as there are cores. Throws where it cannot be read. */
export function threadsOption({ threads }: Pick<CommandOptions, "threads">): number | undefined {
  if (threads === undefined) return undefined;
  if (!/^\d{1,2}$/.test(threads)) throw new Error(`--threads expects a number from 0 to 99, found “${threads}”.`);
  return Number(threads);
}

/** What `--limit` asks for. Throws where it cannot be read. */
export function limitOption({ limit = "1000" }: Pick<CommandOptions, "limit">): number {
  if (!/^[1-9]\d{0,8}$/.test(limit)) throw new Error(`--limit expects a number of snapshots, found “${limit}”.`);
  return Number(limit);
}

/** What `--limit-targets` asks for; `undefined` = as many as are asked unasked. Throws where it cannot be read. */
export function targetsOption({ limitTargets }: Pick<CommandOptions, "limitTargets">): number | undefined {
  if (limitTargets === undefined) return undefined;
  if (limitTargets === "all") return Infinity;
  if (!/^[1-9]\d{0,8}$/.test(limitTargets))
    throw new Error(`--limit-targets expects a number of targets or all, found “${limitTargets}”.`);
  return Number(limitTargets);
}

/** Any page of another site. */
const SOME_ORIGIN = "https://refscope.example";

/** What `--origin` asks for. Throws where it is none. */
export function originOption({ origin = SOME_ORIGIN }: Pick<CommandOptions, "origin">): string {
  const url = URL.canParse(origin) ? new URL(origin) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.pathname !== "/")
    throw new Error(`--origin expects the origin of a page, such as https://example.org, found “${origin}”.`);
  return url.origin;
}

/** What `--by` asks for. Throws where it is none. */
export function methodOption({ by = "auto" }: Pick<CommandOptions, "by">): ComparisonMethod {
  if (by !== "auto" && by !== "manifests") throw new Error(`--by expects auto or manifests, found “${by}”.`);
  return by;
}

const FORMATS = ["text", "json", "sarif", "github", "markdown"] as const;
export type CheckFormat = (typeof FORMATS)[number];

/** What `--format` and `--json` ask for. Throws where it is none. */
export function formatOption({ format, json }: Pick<CommandOptions, "format" | "json">): CheckFormat {
  const found = FORMATS.find((one) => one === (format ?? (json ? "json" : "text")));
  if (found !== undefined) return found;
  throw new Error(`--format expects one of ${FORMATS.join(", ")}, found “${format}”.`);
}

/** What `--reader` asks for: a reader, or `all`. Throws where it is none. */
export function readerOption({ reader }: Pick<CommandOptions, "reader">): string | undefined {
  if (reader === undefined || reader === "all" || READERS.some(({ id }) => id === reader)) return reader;
  throw new Error(`--reader expects one of ${READERS.map(({ id }) => id).join(", ")}, or all, found “${reader}”.`);
}

const FAIL_ON = ["error", "warning", "new"] as const;
export type FailOn = (typeof FAIL_ON)[number];

/** What `--fail-on` asks for. Throws where it is none. */
export function failOnOption({ failOn = "error" }: Pick<CommandOptions, "failOn">): FailOn {
  const found = FAIL_ON.find((one) => one === failOn);
  if (found !== undefined) return found;
  throw new Error(`--fail-on expects one of ${FAIL_ON.join(", ")}, found “${failOn}”.`);
}

/** What `--template` and `--most` ask for. Throws where they cannot be read. */
export function renderingOptions({ template = [], most }: Pick<CommandOptions, "template" | "most">): {
  readonly overrides: ReadonlyMap<string, string>;
  readonly most: number | undefined;
} {
  const overrides = new Map<string, string>();
  for (const given of template) {
    const at = given.indexOf("=");
    if (at < 0) throw new Error(`--template expects NAME=VALUE, found “${given}”.`);
    overrides.set(given.slice(0, at), given.slice(at + 1));
  }
  if (most === undefined) return { overrides, most };
  if (!/^\d+$/.test(most)) throw new Error(`--most expects a number of references, found “${most}”.`);
  return { overrides, most: Number(most) };
}
