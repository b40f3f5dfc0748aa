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

/** How a target as written became something that can be read, step by step. */
export type Resolution =
  | { readonly kind: "url"; readonly url: string; readonly steps: readonly string[] }
  | {
      readonly kind: "file";
      readonly path: string;
      readonly steps: readonly string[];
      /** Only the end of the path as written was found. */
      readonly byName?: true;
    }
  | {
      readonly kind: "unresolved";
      readonly finding: Finding;
      /** What stands for its host where targets are counted: `relative paths`. */
      readonly host?: string;
      readonly steps: readonly string[];
    };
