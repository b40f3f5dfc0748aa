/**
 * What other software makes of reference sets: facts as data, each with where it comes from. A reader is judged by the
 * rules whose feature a set has; without a rule for the set's format nothing is said of it.
 */

export interface Reader {
  readonly id: ReaderId;
  /** As it is chosen and named. */
  readonly name: string;
  /** The version that the rules were made from, where they were made from one. */
  readonly version: string;
  /** When. */
  readonly date: string;
}

export type ReaderId =
  | "fsspec"
  | "fsspec-templates"
  | "zarr-python"
  | "xarray"
  | "virtualizarr"
  | "icechunk"
  | "gdal-kerchunk"
  | "gdal-icechunk"
  | "zarrita"
  | "icechunk-js"
  | "titiler";

const FSSPEC = { version: "fsspec 2026.9.0", date: "2026-11" };

export const READERS: readonly Reader[] = [
  { id: "fsspec", name: "fsspec (default)", ...FSSPEC },
  { id: "fsspec-templates", name: "fsspec with simple_templates=False", ...FSSPEC },
  { id: "zarr-python", name: "zarr-python 3 over a reference filesystem", ...FSSPEC },
  { id: "xarray", name: "xarray over a reference filesystem", ...FSSPEC },
  { id: "virtualizarr", name: "VirtualiZarr", version: "its source of 2026-11", date: "2026-11" },
  { id: "icechunk", name: "Icechunk (official)", version: "icechunk 2.2.2", date: "2026-11" },
  { id: "gdal-kerchunk", name: "GDAL (driver Zarr, with Kerchunk)", version: "GDAL 3.13", date: "2026-11" },
  { id: "gdal-icechunk", name: "GDAL (driver Icechunk)", version: "GDAL 3.14", date: "2026-11" },
  { id: "zarrita", name: "zarrita", version: "zarrita 0.7.5", date: "2026-11" },
  { id: "icechunk-js", name: "icechunk-js (in viewers)", version: "its source of 2026-11", date: "2026-11" },
  { id: "titiler", name: "titiler.xarray", version: "titiler.xarray 0.19 and later", date: "2024-11" },
];

/** By what a set may stand out; `engine/check/readers/features.ts` says whether it does, and where. */
export type FeatureId =
  | SetFormatFeature
  | "refused"
  | "gen"
  | "templates"
  | "simple-refuses"
  | "simple-other"
  | "whole-file"
  | "encoded-keys"
  | "object-metadata"
  | "empty-inline"
  | "null-target"
  | "sharding"
  | "shard-index-start"
  | "nested-shards"
  | "codecs-beside-sharding"
  | "checksum-crc32c"
  | "codec-zarrita-lacks"
  | "shuffle-other-size"
  | "delta-astype"
  | "big-endian-offset"
  | "type-zarrita-lacks"
  | "fill-beyond-double"
  | "storage-transformers"
  | "relative-target"
  | "scheme-zarrita-lacks"
  | "numcodecs-in-v3"
  | "slash-keys-in-parquet"
  | "outside-containers"
  | "virtual-chunks"
  | "unrecorded-checksum"
  | "range-ignored"
  | "short-target"
  | "target-not-found";

export type SetFormatFeature = "kerchunk-json" | "kerchunk-parquet" | "icechunk" | "zarr";

/**
 * `reads`: all of it. `loss`: without some of it, and says nothing. `wrong`: gives other or stale values, and says nothing.
 * `refuses`: fails on it.
 */
export type Effect = "reads" | "loss" | "wrong" | "refuses";

export type Evidence =
  /** A test of this project that runs the reader. */
  | { readonly kind: "test"; readonly file: string }
  /** Run when the facts were gathered, with the version above. */
  | { readonly kind: "measured"; readonly what: string }
  | { readonly kind: "source"; readonly what: string }
  | { readonly kind: "issue"; readonly name: string }
  | { readonly kind: "documentation"; readonly url: string };

export interface ReaderRule {
  /** Stable. */
  readonly id: string;
  readonly readers: readonly ReaderId[];
  readonly feature: FeatureId;
  readonly effect: Effect;
  /** What the reader does: a sentence that follows its name. */
  readonly does: string;
  /** Where it depends on what the set does not tell: then it is worth knowing, but no fault of the set. */
  readonly when?: string;
  /** What to do about it: a sentence. */
  readonly remedy?: string;
  readonly evidence: readonly Evidence[];
}

const IN_PYTHON = ["fsspec", "fsspec-templates", "zarr-python", "xarray"] as const;
const BY_DEFAULT = ["fsspec", "zarr-python", "xarray"] as const;

const RUN: readonly Evidence[] = [{ kind: "test", file: "src/engine/check/readers/zarrita-run.test.ts" }];
const DECODED: readonly Evidence[] = [{ kind: "test", file: "src/codecs/zarrita-differs.test.ts" }];
const MEASURED = (what: string): readonly Evidence[] => [{ kind: "measured", what }];
const SOURCE = (what: string): readonly Evidence[] => [{ kind: "source", what }];
const ISSUE = (name: string): Evidence => ({ kind: "issue", name });
const GDAL_ZARR: Evidence = { kind: "documentation", url: "https://gdal.org/drivers/raster/zarr.html" };
const GDAL_VERSIONS: Evidence = {
  kind: "documentation",
  url: "https://mdsumner.github.io/r-zarr-capability/gdal.html",
};
const TITILER: Evidence = { kind: "documentation", url: "https://pypi.org/project/titiler.xarray/0.19.0" };

const FLATTEN = "Export the set as Version 0, where everything is rendered.";

/** Which reader reads which format at all. */
const FORMATS: readonly ReaderRule[] = [
  {
    id: "json-python",
    readers: IN_PYTHON,
    feature: "kerchunk-json",
    effect: "reads",
    does: "reads Kerchunk JSON.",
    evidence: MEASURED("400 recorded documents, read by fsspec"),
  },
  {
    id: "json-virtualizarr",
    readers: ["virtualizarr"],
    feature: "kerchunk-json",
    effect: "reads",
    does: "reads Kerchunk JSON.",
    evidence: SOURCE("VirtualiZarr's parser of Kerchunk JSON"),
  },
  {
    id: "json-gdal",
    readers: ["gdal-kerchunk"],
    feature: "kerchunk-json",
    effect: "reads",
    does: "reads Kerchunk JSON since 3.11.",
    evidence: [GDAL_ZARR],
  },
  {
    id: "json-zarrita",
    readers: ["zarrita"],
    feature: "kerchunk-json",
    effect: "reads",
    does: "reads Kerchunk JSON by its ReferenceStore.",
    evidence: RUN,
  },
  {
    id: "json-not-icechunk",
    readers: ["icechunk", "gdal-icechunk", "icechunk-js"],
    feature: "kerchunk-json",
    effect: "refuses",
    does: "reads Icechunk repositories, not Kerchunk JSON.",
    remedy: "Write the references into an Icechunk repository with VirtualiZarr.",
    evidence: SOURCE("no code for Kerchunk references in icechunk 2.2.2, GDAL's driver Icechunk and icechunk-js"),
  },
  {
    id: "references-titiler",
    readers: ["titiler"],
    feature: "kerchunk-json",
    effect: "refuses",
    does: "has no option for references any longer: only an opener of one's own reads them.",
    evidence: [ISSUE("developmentseed/titiler#1016"), ISSUE("developmentseed/titiler-multidim#72")],
  },
  {
    id: "parquet-python",
    readers: IN_PYTHON,
    feature: "kerchunk-parquet",
    effect: "reads",
    does: "reads Kerchunk Parquet.",
    evidence: MEASURED("fsspec's LazyReferenceMapper"),
  },
  {
    id: "parquet-virtualizarr",
    readers: ["virtualizarr"],
    feature: "kerchunk-parquet",
    effect: "reads",
    does: "reads Kerchunk Parquet.",
    evidence: SOURCE("VirtualiZarr's parser of Kerchunk Parquet"),
  },
  {
    id: "parquet-gdal",
    readers: ["gdal-kerchunk"],
    feature: "kerchunk-parquet",
    effect: "reads",
    does: "reads Kerchunk Parquet since 3.11, where it was built with its Parquet driver.",
    evidence: [GDAL_ZARR, GDAL_VERSIONS],
  },
  {
    id: "parquet-not-read",
    readers: ["zarrita", "icechunk", "gdal-icechunk", "icechunk-js"],
    feature: "kerchunk-parquet",
    effect: "refuses",
    does: "has no reader for Kerchunk Parquet.",
    remedy: "Write the references as Kerchunk JSON, or into an Icechunk repository.",
    evidence: SOURCE("no code for Parquet in zarrita 0.7.5, icechunk 2.2.2, GDAL's driver Icechunk and icechunk-js"),
  },
  {
    id: "icechunk-icechunk",
    readers: ["icechunk"],
    feature: "icechunk",
    effect: "reads",
    does: "reads its own repositories.",
    evidence: MEASURED("repositories of both formats, written and read by icechunk"),
  },
  {
    id: "icechunk-virtualizarr",
    readers: ["virtualizarr"],
    feature: "icechunk",
    effect: "reads",
    does: "reads Icechunk repositories.",
    evidence: SOURCE("VirtualiZarr's parser of Icechunk"),
  },
  {
    id: "icechunk-gdal",
    readers: ["gdal-icechunk"],
    feature: "icechunk",
    effect: "reads",
    does: "reads Icechunk repositories of formats 1 and 2 since 3.14.",
    evidence: [GDAL_VERSIONS],
  },
  {
    id: "icechunk-js",
    readers: ["icechunk-js"],
    feature: "icechunk",
    effect: "reads",
    does: "reads Icechunk repositories.",
    evidence: SOURCE("EarthyScience/icechunk-js"),
  },
  {
    id: "icechunk-not-read",
    readers: [...IN_PYTHON, "gdal-kerchunk", "zarrita"],
    feature: "icechunk",
    effect: "refuses",
    does: "looks for references or for a Zarr store, and finds neither in an Icechunk repository.",
    remedy: "Open it with icechunk, whose session gives a store for zarr-python and xarray.",
    evidence: SOURCE("no code for Icechunk in fsspec's reference filesystem, GDAL's driver Zarr and zarrita 0.7.5"),
  },
  {
    id: "store-zarrita",
    readers: ["zarrita"],
    feature: "zarr",
    effect: "reads",
    does: "reads Zarr stores by its FetchStore.",
    evidence: RUN,
  },
  {
    id: "store-python",
    readers: ["zarr-python", "xarray"],
    feature: "zarr",
    effect: "reads",
    does: "reads Zarr stores.",
    evidence: MEASURED("recorded stores, confirmed by zarr-python 3"),
  },
  {
    id: "store-gdal",
    readers: ["gdal-kerchunk"],
    feature: "zarr",
    effect: "reads",
    does: "reads Zarr stores of both versions.",
    evidence: [GDAL_ZARR],
  },
  {
    id: "store-titiler",
    readers: ["titiler"],
    feature: "zarr",
    effect: "reads",
    does: "reads Zarr stores by xarray.",
    evidence: [TITILER],
  },
];

const TEMPLATES: readonly ReaderRule[] = [
  {
    id: "refused",
    readers: IN_PYTHON,
    feature: "refused",
    effect: "refuses",
    does: "refuses the whole document.",
    evidence: MEASURED("143 recorded documents that fsspec refuses"),
  },
  {
    id: "gen-dropped",
    readers: BY_DEFAULT,
    feature: "gen",
    effect: "loss",
    does: "drops every reference that gen makes: zarr-python then reads the fill value.",
    remedy: `${FLATTEN} Or open it with simple_templates=False.`,
    evidence: [...MEASURED("400 recorded documents, read by fsspec"), ISSUE("fsspec/filesystem_spec#2029")],
  },
  {
    id: "simple-refuses",
    readers: BY_DEFAULT,
    feature: "simple-refuses",
    effect: "refuses",
    does: "formats URLs with str.format, which raises here, and opens nothing.",
    remedy: `${FLATTEN} Or open it with simple_templates=False.`,
    evidence: MEASURED("400 recorded documents, read by fsspec"),
  },
  {
    id: "simple-other",
    readers: BY_DEFAULT,
    feature: "simple-other",
    effect: "wrong",
    does: "formats URLs with str.format and gets other ones than Jinja2.",
    remedy: `${FLATTEN} Or open it with simple_templates=False.`,
    evidence: MEASURED("400 recorded documents, read by fsspec"),
  },
  {
    id: "gdal-gen",
    readers: ["gdal-kerchunk"],
    feature: "gen",
    effect: "refuses",
    does: "supports neither templates nor gen.",
    remedy: FLATTEN,
    evidence: [ISSUE("OSGeo/gdal#12099")],
  },
  {
    id: "gdal-templates",
    readers: ["gdal-kerchunk"],
    feature: "templates",
    effect: "refuses",
    does: "supports neither templates nor gen.",
    remedy: FLATTEN,
    evidence: [ISSUE("OSGeo/gdal#12099")],
  },
  {
    id: "virtualizarr-templates",
    readers: ["virtualizarr"],
    feature: "templates",
    effect: "refuses",
    does: "has no code for templates: paths keep their braces.",
    remedy: FLATTEN,
    evidence: SOURCE("no code for templates in VirtualiZarr"),
  },
  {
    id: "virtualizarr-gen",
    readers: ["virtualizarr"],
    feature: "gen",
    effect: "loss",
    does: "has no code for gen: what it makes is not there.",
    remedy: FLATTEN,
    evidence: SOURCE("no code for gen in VirtualiZarr"),
  },
  {
    id: "zarrita-templates",
    readers: ["zarrita"],
    feature: "templates",
    effect: "refuses",
    does: "turns templates into code: a page whose policy forbids unsafe-eval cannot open the set, and filters and the operator % are unknown.",
    when: "where a page forbids unsafe-eval, or templates go beyond names and arithmetic",
    remedy: FLATTEN,
    evidence: MEASURED("reference-spec-reader 0.2.0, as zarrita uses it"),
  },
];

const ZARRITA: readonly ReaderRule[] = [
  {
    id: "zarrita-whole-file",
    readers: ["zarrita"],
    feature: "whole-file",
    effect: "refuses",
    does: "throws “Range out of bounds” for a reference to a whole file, without asking for it.",
    remedy: "Write the range: [url, 0, size].",
    evidence: RUN,
  },
  {
    id: "zarrita-encoded-keys",
    readers: ["zarrita"],
    feature: "encoded-keys",
    effect: "loss",
    does: "looks keys up as a URL writes them, and does not find those with spaces, letters beyond ASCII, # or ?.",
    remedy: "Rename the arrays.",
    evidence: RUN,
  },
  {
    id: "zarrita-object-metadata",
    readers: ["zarrita"],
    feature: "object-metadata",
    effect: "loss",
    does: "does not find metadata that are written as a JSON object instead of text.",
    remedy: "Export the set: metadata are then written as text.",
    evidence: RUN,
  },
  {
    id: "zarrita-empty-inline",
    readers: ["zarrita"],
    feature: "empty-inline",
    effect: "wrong",
    does: "takes an empty text for no reference, and gives the fill value.",
    evidence: RUN,
  },
  {
    id: "zarrita-null-target",
    readers: ["zarrita"],
    feature: "null-target",
    effect: "wrong",
    does: "takes a reference with a null URL for none where no target is given, and gives the fill value; with a target whose URL has a path it finds no key at all.",
    remedy: "Write the target's URL into the references.",
    evidence: RUN,
  },
  {
    id: "zarrita-index-start",
    readers: ["zarrita"],
    feature: "shard-index-start",
    effect: "refuses",
    does: "looks for the index of a shard at its end, whatever index_location says, and takes data for it.",
    evidence: RUN,
  },
  {
    id: "zarrita-nested",
    readers: ["zarrita"],
    feature: "nested-shards",
    effect: "refuses",
    does: "does not know sharding_indexed within shards.",
    evidence: RUN,
  },
  {
    id: "zarrita-beside-sharding",
    readers: ["zarrita"],
    feature: "codecs-beside-sharding",
    effect: "refuses",
    does: "ignores codecs beside sharding_indexed, and takes their bytes for an index.",
    evidence: RUN,
  },
  {
    id: "zarrita-crc32c",
    readers: ["zarrita"],
    feature: "checksum-crc32c",
    effect: "wrong",
    does: "never compares the checksum of crc32c: damaged chunks and indices are read as good ones.",
    when: "where a chunk or an index is damaged",
    evidence: RUN,
  },
  {
    id: "zarrita-codec",
    readers: ["zarrita"],
    feature: "codec-zarrita-lacks",
    effect: "refuses",
    does: "has no such codec and fails on every chunk, unless the page registers one.",
    evidence: RUN,
  },
  {
    id: "zarrita-type",
    readers: ["zarrita"],
    feature: "type-zarrita-lacks",
    effect: "refuses",
    does: "does not know the data type.",
    evidence: RUN,
  },
  {
    id: "zarrita-shuffle",
    readers: ["zarrita"],
    feature: "shuffle-other-size",
    effect: "wrong",
    does: "undoes shuffle by the size of the data type, whatever elementsize says.",
    evidence: DECODED,
  },
  {
    id: "zarrita-delta",
    readers: ["zarrita"],
    feature: "delta-astype",
    effect: "wrong",
    does: "ignores the member astype of delta.",
    evidence: DECODED,
  },
  {
    id: "zarrita-offset",
    readers: ["zarrita"],
    feature: "big-endian-offset",
    effect: "wrong",
    does: "reads what fixedscaleoffset stores big-endian as if it were little-endian.",
    evidence: DECODED,
  },
  {
    id: "zarrita-fill",
    readers: ["zarrita"],
    feature: "fill-beyond-double",
    effect: "wrong",
    does: "rounds a fill value beyond 2^53, so that missing chunks read as another number.",
    when: "where chunks are missing",
    evidence: DECODED,
  },
  {
    id: "zarrita-transformers",
    readers: ["zarrita"],
    feature: "storage-transformers",
    effect: "wrong",
    does: "ignores storage_transformers, and gives the fill value for every chunk.",
    evidence: MEASURED("zarrita 0.7.5 on a chunk manifest"),
  },
  {
    id: "zarrita-relative",
    readers: ["zarrita"],
    feature: "relative-target",
    effect: "refuses",
    does: "takes a relative URL for one beside the web page that runs it, and fails outside a page.",
    remedy: "Write whole URLs.",
    evidence: RUN,
  },
  {
    id: "zarrita-scheme",
    readers: ["zarrita"],
    feature: "scheme-zarrita-lacks",
    effect: "refuses",
    does: "knows of http, https, s3, gs and gcs only, and fails on other addresses unless the page brings a fetch that reads them.",
    remedy: "Write the https address of the targets.",
    evidence: MEASURED("@zarrita/storage 0.2.0"),
  },
  {
    id: "zarrita-range-ignored",
    readers: ["zarrita"],
    feature: "range-ignored",
    effect: "wrong",
    does: "takes the beginning of the whole file for the chunk where a server ignores ranges.",
    evidence: RUN,
  },
  {
    id: "zarrita-short",
    readers: ["zarrita"],
    feature: "short-target",
    effect: "wrong",
    does: "fills with zeros what a range that reaches past the end of the file lacks.",
    evidence: RUN,
  },
  {
    id: "zarrita-not-found",
    readers: ["zarrita"],
    feature: "target-not-found",
    effect: "wrong",
    does: "gives the fill value where a target is not found.",
    evidence: RUN,
  },
];

const OTHERS: readonly ReaderRule[] = [
  {
    id: "python-range-ignored",
    readers: IN_PYTHON,
    feature: "range-ignored",
    effect: "wrong",
    does: "takes the whole file, or another part of it, for the chunk where a server ignores ranges.",
    evidence: [...MEASURED("fsspec 2026.9.0 over such a server"), ISSUE("fsspec/filesystem_spec#1140")],
  },
  {
    id: "python-transformers",
    readers: ["zarr-python", "xarray"],
    feature: "storage-transformers",
    effect: "refuses",
    does: "refuses metadata with storage_transformers.",
    evidence: SOURCE("zarr-python raises ValueError"),
  },
  {
    id: "virtualizarr-relative",
    readers: ["virtualizarr"],
    feature: "relative-target",
    effect: "refuses",
    does: "rejects relative paths where fs_root is not given.",
    when: "where fs_root is not given",
    remedy: "Write whole URLs, or give fs_root.",
    evidence: SOURCE("VirtualiZarr's check of paths"),
  },
  {
    id: "gdal-numcodecs",
    readers: ["gdal-kerchunk", "gdal-icechunk"],
    feature: "numcodecs-in-v3",
    effect: "refuses",
    does: "does not know codecs of numcodecs in Zarr v3 metadata.",
    evidence: [ISSUE("OSGeo/gdal#14917")],
  },
  {
    id: "gdal-sharding",
    readers: ["gdal-kerchunk"],
    feature: "sharding",
    effect: "refuses",
    does: "reads shards since 3.13 only.",
    when: "before GDAL 3.13",
    evidence: [GDAL_VERSIONS],
  },
  {
    id: "parquet-slash",
    readers: IN_PYTHON,
    feature: "slash-keys-in-parquet",
    effect: "loss",
    does: "takes chunk keys of Parquet references apart at dots only, and does not find chunks whose keys have slashes.",
    evidence: SOURCE("fsspec's LazyReferenceMapper"),
  },
  {
    id: "icechunk-containers",
    readers: ["icechunk"],
    feature: "outside-containers",
    effect: "refuses",
    does: "refuses virtual chunks outside every container of the repository.",
    remedy: "Add a container for the place to the repository's configuration.",
    evidence: SOURCE("icechunk 2.2.2"),
  },
  {
    id: "icechunk-unrecorded",
    readers: ["icechunk", "icechunk-js"],
    feature: "unrecorded-checksum",
    effect: "wrong",
    does: "gives the bytes of a target as they are now, since nothing was recorded that tells a change.",
    when: "where a target has changed",
    evidence: [ISSUE("earth-mover/icechunk#430")],
  },
  {
    id: "icechunk-js-checksums",
    readers: ["icechunk-js"],
    feature: "virtual-chunks",
    effect: "wrong",
    does: "compares checksums of virtual chunks only where validateChecksums is set.",
    when: "where a target has changed",
    evidence: SOURCE("EarthyScience/icechunk-js"),
  },
  {
    id: "gdal-icechunk-checksums",
    readers: ["gdal-icechunk"],
    feature: "virtual-chunks",
    effect: "wrong",
    does: "has given bytes of a target that had changed, which Icechunk refuses.",
    when: "where a target has changed",
    evidence: [ISSUE("OSGeo/gdal#14832")],
  },
];

export const READER_RULES: readonly ReaderRule[] = [...FORMATS, ...TEMPLATES, ...ZARRITA, ...OTHERS];

/** Names of codecs that zarrita has, without the prefix “numcodecs.”; those of v2 that it translates among them. */
export const ZARRITA_CODECS: ReadonlySet<string> = new Set([
  ...["blosc", "lz4", "zstd", "gzip", "zlib", "transpose", "bytes", "crc32c", "vlen-utf8", "json2", "bitround"],
  ...["cast_value", "scale_offset", "shuffle", "delta", "fixedscaleoffset", "sharding_indexed"],
]);

export const readerOf = (id: string): Reader | undefined => READERS.find((reader) => reader.id === id);

export const ruleOf = (id: string): ReaderRule | undefined => READER_RULES.find((rule) => rule.id === id);
