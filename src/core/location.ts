/** Where targets are: what the user has said about locations, and how a target was resolved. */
import type { Finding } from "./findings/finding.ts";

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

export interface Locations {
  readonly rewrites: readonly RewriteRule[];
  readonly credentials: readonly Credential[];
  /** What a null URL in a reference means (fsspec's `target`). */
  readonly target: string | undefined;
  /** AWS region for `s3://` targets; without it the global endpoint is used. */
  readonly region: string | undefined;
  /** A set from a public address may read loopback and private addresses. */
  readonly allowPrivate: boolean;
}

export const NO_LOCATIONS: Locations = {
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
      /** In the archive. */
      readonly path: string;
      readonly steps: readonly string[];
    }
  | {
      readonly kind: "unresolved";
      readonly finding: Finding;
      /** What represents its host where targets are counted: `relative paths`. */
      readonly host?: string;
      readonly steps: readonly string[];
    };

/** What is asked for: the URL, the path of a file, an archive and the file in it (as fsspec chains them). */
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
  return resolution.kind === "url" ? new URL(resolution.url).origin : undefined;
}

/** Where targets are, for counting: an origin, or what represents one. `undefined` where it cannot be read. */
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
