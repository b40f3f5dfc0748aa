/**
 * Behaviour of other software with reference sets. The rules are data, in `rules.json`: facts, each with its source. A
 * reader is judged by the rules whose feature a set has; without a rule for the set's format it gets no verdict.
 */
import type { ReaderId } from "./ids.ts";
import type { VersionRange } from "./versions.ts";
import data from "./rules.json" with { type: "json" };

export interface Reader {
  readonly id: ReaderId;
  /** Name as it is chosen and shown. */
  readonly name: string;
  /** The version that the rules were made from, where they were made from one. */
  readonly version: string;
  /** When. */
  readonly date: string;
  /** Thing that it needs first to find arrays; follows “asks for”. */
  readonly asks: string;
}

/** Features by which a set may stand out; `engine/check/readers/features.ts` finds them. */
const SET_FORMATS = ["kerchunk-json", "kerchunk-parquet", "icechunk", "zarr"] as const;
// oxfmt-ignore
export const FEATURES = [
  ...SET_FORMATS, "refused", "gen", "templates", "function-templates", "simple-refuses", "simple-other",
  "whole-file", "encoded-keys", "object-metadata", "json-not-finite", "json2-dimensions", "empty-inline",
  "null-target", "inline", "sharding", "sharding-in-references", "shard-index-start", "shard-index-unchecked", "nested-shards",
  "codecs-beside-sharding", "checksum-crc32c", "codec-zarrita-lacks", "shuffle-other-size", "delta-astype",
  "big-endian-offset", "type-zarrita-lacks", "type-zarr-python-lacks", "codec-zarr-python-lacks", "chunky-codec",
  "chunky-delta-big", "null-fill-64", "storage-transformers", "rectilinear-grid", "relative-target", "s3-target",
  "scheme-zarrita-lacks", "numcodecs-in-v3", "slash-keys-in-parquet", "outside-containers", "virtual-chunks",
  "unrecorded-checksum", "range-ignored", "short-target", "target-not-found", "target-changed", "fill-zero",
  "fill-refused", "root-array", "dimensions-conflict", "access-denied", "objects-and-templates", "big-endian",
  "zarr-v3", "crs-absent", "undecodable", "order-f", "slash-keys-v2", "filters-v2", "int64-v2", "integers-64",
  "codec-neuroglancer-lacks", "codec-zarr-jl-lacks", "codec-vizarr-lacks", "codec-maps-lacks",
  "type-neuroglancer-lacks", "type-vizarr-lacks", "type-zarr-jl-lacks", "type-maps-lacks", "pyramid-absent",
  "ome-absent", "spatial-dimensions-absent", "malformed-reference", "metadata-invalid", "metadata-unread",
  "codec-order", "fill-value-refused", "fill-value-doubtful", "fill-misread", "float16", "fill-misread-unseen",
  "dimension-names-refused", "dimension-names-wrong", "nested-arrays", "unlisted", "unseen", "ome-version-other",
  "keys-icechunk-lacks", "icechunk-absence-unclear", "icechunk-absence-unseen", "icechunk-refused",
  "icechunk-misread", "icechunk-history", "icechunk-commit", "ome-version-absent", "ome-refused", "ome-broken",
  "coordinates-packed", "coordinates-elsewhere", "datetime-v3", "datetime-v2",
] as const;

export type SetFormatFeature = (typeof SET_FORMATS)[number];
export type FeatureId = (typeof FEATURES)[number];

/**
 * `reads`: all of it. `loss`: without some of it, and says nothing. `wrong`: gives other or stale values, and says nothing.
 * `refuses`: fails on it.
 */
export const EFFECTS = ["reads", "loss", "wrong", "refuses"] as const;
export type Effect = (typeof EFFECTS)[number];

/** Has one of these. */
export interface Evidence {
  /** Path of a test of this project that runs the reader; `with`: absent where that is zarrita. */
  readonly test?: string;
  readonly with?: string;
  /** Run when the facts were gathered, with the version above. */
  readonly measured?: string;
  readonly source?: string;
  /** `owner/name#number`. */
  readonly issue?: string;
  /** URL. */
  readonly documentation?: string;
}

export interface ReaderRule {
  /** Stable. */
  readonly id: string;
  readonly readers: readonly ReaderId[];
  readonly feature: FeatureId;
  readonly effect: Effect;
  /** The reader's action: a sentence that follows its name. */
  readonly does: string;
  /**
   * Condition that the set does not tell: the rule is then worth knowing, but no fault of the set. Follows “It
   * matters”.
   */
  readonly when?: string;
  /** A sentence that says what to do. */
  readonly remedy?: string;
  /** Versions concerned, if not all. */
  readonly versions?: VersionRange;
  /** True if the rule is shown only to users who state an old version: all that are in use are later. */
  readonly isOld?: boolean;
  readonly evidence: readonly Evidence[];
}

/** Features that decide if a set can be read at all: a reader without rules for them is unknown. */
export const DECISIVE: ReadonlySet<FeatureId> = new Set<FeatureId>([...SET_FORMATS, "storage-transformers"]);

/** Known from other findings, which are causes of their own: what a reader makes of these follows from them. */
// oxfmt-ignore
export const FOLLOWING: ReadonlySet<FeatureId> = new Set<FeatureId>([
  "outside-containers", "unrecorded-checksum", "range-ignored", "short-target", "target-not-found",
  "target-changed", "fill-zero", "fill-refused", "dimensions-conflict", "access-denied", "crs-absent",
  "undecodable", "malformed-reference", "metadata-invalid",
]);

// A test says that the file keeps to the types.
export const READERS = data.readers as readonly Reader[];
export const READER_RULES = data.rules as readonly ReaderRule[];

/** Names of codecs that zarrita has, without the prefix “numcodecs.”; those of v2 that it translates among them. */
export const ZARRITA_CODECS: ReadonlySet<string> = new Set(
  (
    "blosc lz4 zstd gzip zlib transpose bytes crc32c vlen-utf8 json2 bitround cast_value scale_offset shuffle delta " +
    "fixedscaleoffset sharding_indexed"
  ).split(" "),
);

/** Codecs of the registry of Zarr v3 that zarr-python 3.4 has none of. Others come with packages that register them. */
const ZARR_PYTHON_LACKS: ReadonlySet<string> = new Set(["packbits", "reshape"]);

/** HDF5's own filters have names of ours where no package for Python has one. */
export const isUnknownToPython = (codec: string, zarrFormat: 2 | 3): boolean =>
  codec.startsWith("hdf5_") || (zarrFormat === 3 && ZARR_PYTHON_LACKS.has(codec));

export function readerOf(id: string): Reader | undefined {
  return READERS.find((reader) => reader.id === id);
}

export function ruleOf(id: string): ReaderRule | undefined {
  return READER_RULES.find((rule) => rule.id === id);
}
