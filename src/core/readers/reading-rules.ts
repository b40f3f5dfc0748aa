/**
 * How readers make requests of the chunks that they are asked for, each with the version whose source says so. Those of
 * zarrita and zarr-python are held to recorded requests (`engine/many/reading-prospect.test.ts`).
 */
import { type Merge, OWN_MERGE } from "../byte-source.ts";

export interface ReadingRule {
  readonly reader: string;
  readonly version: string;
  /** Places in its source that say so. */
  readonly source: readonly string[];
  readonly how: string;
  /** Present if the rule is shown only for arrays with shards: for others it equals another rule. */
  readonly isOfShards?: true;
  /** Requests under way at once, as it comes. */
  readonly together: number;
  /** Ranges of one file at most so far apart are one request of at most so many bytes; absent: a request a chunk. */
  readonly merge?: Merge;
  /**
   * Rule for shards: requests for the index, how its chunks are merged, and if one wanted in full is read in one
   * request.
   */
  readonly shard?: { readonly index: number; readonly merge?: Merge; readonly whole?: true };
  /** A chunk of more bytes is asked for in parts, at most so many. */
  readonly split?: { readonly bytes: number; readonly most: number };
  /** Whole blocks of a file are read, and kept; each file is first asked how long it is. */
  readonly block?: number;
}

const MIB = 1024 ** 2;
const ZARR = "https://github.com/zarr-developers/zarr-python/blob/v3.3.0/src/zarr";
const FSSPEC = "https://github.com/fsspec/filesystem_spec/blob/2026.7.0/fsspec";
const ICECHUNK = "https://github.com/earth-mover/icechunk/blob/v2.1.2";
const ZARRITA = "https://github.com/manzt/zarrita.js/blob/zarrita%400.7.5/packages/zarrita/src";

/** `FsspecStore.get` asks for each chunk; `async.concurrency` is 10; `get_ranges` merges within shards since 3.3. */
const ZARR_3: ReadingRule = {
  reader: "zarr-python 3",
  version: "3.3.0",
  source: [`${ZARR}/storage/_fsspec.py`, `${ZARR}/core/config.py`, `${ZARR}/codecs/sharding.py`],
  how: "A request a chunk, ten at once; within a shard, ranges up to 1 MiB apart are merged.",
  together: 10,
  shard: { index: 1, merge: { gap: MIB, most: 16 * MIB }, whole: true },
};

export const READING_RULES: readonly ReadingRule[] = [
  ZARR_3,
  {
    ...ZARR_3,
    reader: "zarr-python 3.0 to 3.2",
    version: "3.1.6",
    how: "A request a chunk, ten at once; a shard of which all is wanted in one.",
    isOfShards: true,
    shard: { index: 1, whole: true },
  },
  {
    reader: "zarr-python 2",
    version: "2.18.7 with fsspec 2026.9.0",
    // `FSStore.getitems` gives all keys to `ReferenceFileSystem.cat`, which calls `merge_offset_ranges`.
    source: [`${FSSPEC}/implementations/reference.py`, `${FSSPEC}/utils.py`],
    how: "Ranges of a file up to 64 kB apart are merged, up to 256 MB a request, a hundred at once.",
    together: 100,
    merge: { gap: 64_000, most: 256_000_000 },
  },
  {
    ...ZARR_3,
    reader: "Icechunk",
    version: "2.1.2 with zarr-python 3.3",
    // `split_in_multiple_requests`, `ConcurrencySettings`.
    source: [`${ICECHUNK}/icechunk-storage/src/storage.rs`, `${ICECHUNK}/icechunk/src/virtual_chunks.rs`],
    how: "As zarr-python 3; a chunk above 12 MiB is asked for in parts.",
    split: { bytes: 12 * MIB, most: 18 },
  },
  {
    reader: "zarrita",
    version: "0.7.5",
    source: [`${ZARRITA}/indexing/get.ts`, `${ZARRITA}/codecs/sharding.ts`],
    how: "A request a chunk, six at once in a browser (HTTP/1.1); the index of a shard takes two.",
    together: 6,
    shard: { index: 2 },
  },
  {
    reader: "GDAL",
    version: "3.x",
    // `VSICurlHandle::Read`, `CPL_VSIL_CURL_CHUNK_SIZE`.
    source: ["https://github.com/OSGeo/gdal/blob/master/port/cpl_vsil_curl.cpp"],
    how: "Chunk after chunk; ranges in blocks of 16 kB, which are kept; a file is first asked for its length.",
    together: 1,
    block: 16_384,
  },
  {
    reader: "This page",
    version: "",
    source: [],
    how: "Ranges of a file up to 64 KiB apart are merged, up to 16 MiB a request, six at once.",
    together: 6,
    merge: OWN_MERGE,
    shard: { index: 1, merge: OWN_MERGE },
  },
];
