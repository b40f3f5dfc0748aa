/**
 * A driver for each format, by which its sets are recognised and opened, in the order in which they are asked:
 *
 * | what there is                                                 | what it is opened as                          |
 * | ------------------------------------------------------------- | --------------------------------------------- |
 * | folder with `repo` (format 2), or `refs/` and `snapshots/`    | Icechunk repository                           |
 * | folder with `.zmetadata` that has `record_size`, or `refs.N.parq` | Kerchunk Parquet                          |
 * | folder with `zarr.json`, `.zgroup`, `.zarray` or `.zmetadata` | Zarr store; chunk manifests as its arrays say |
 * | bytes that begin as a Parquet file                            | one record of Kerchunk Parquet                |
 * | bytes that begin as an HDF5 file                              | data file: its own index                      |
 * | JSON with `refs`, or keys like `.zgroup` (plain, .gz, .zst)   | Kerchunk JSON                                 |
 */
import { isMetadataName, splitMetadataKey } from "#core/metadata/hierarchy-path.ts";
import { detectKerchunkJson } from "#formats/kerchunk-json/index.ts";
import type { LocalFiles } from "#io/local-files.ts";
import type { EngineSet } from "../engine-set.ts";
import { HEAD_BYTES, kindOfFile, MAX_HEAD_BYTES } from "./data-file/kinds.ts";
import type { FormatDriver } from "./driver.ts";

const ICECHUNK_NAME = /\.icechunk$/i;

const icechunk: FormatDriver = {
  folder: {
    name: "Icechunk repository",
    names: ICECHUNK_NAME,
    foldersIn: repositoryFolders,
    isUnlikely: ({ store, name }, { ref }) =>
      store.keys === undefined && ref === undefined && !ICECHUNK_NAME.test(name),
    async open(folder, opening) {
      const { keys } = folder.store;
      if (keys !== undefined && !repositoryFolders(keys).has("")) return undefined;
      return (await import("./icechunk/open-icechunk.ts")).openIcechunk(folder, opening);
    },
  },
};

/** Files that an Icechunk repository has: of format 2, of format 1, and of before 1.0. */
const REPOSITORY_FILE = /^(?:(.*)\/)?(?:repo|refs\/branch[.:]main\/(?:ref|[0-9A-HJKMNP-TV-Z]{8})\.json)$/s;

/** Folders that are Icechunk repositories, by what lies in them. */
export function repositoryFolders(list: readonly string[]): ReadonlySet<string> {
  const folders = new Set<string>();
  const withSnapshots = new Set<string>();
  for (const path of list) {
    const folder = REPOSITORY_FILE.exec(path);
    if (folder !== null) folders.add(folder[1] ?? "");
    const snapshot = /^(?:(.*)\/)?snapshots\/[^/]+$/s.exec(path);
    if (snapshot !== null) withSnapshots.add(snapshot[1] ?? "");
  }
  return new Set([...folders].filter((folder) => withSnapshots.has(folder)));
}

// Kerchunk Parquet: a folder of records, and a record alone.

const PARQUET_NAME = /\.(?:parq|parquet)$/i;
const PARQUET_MAGIC = [0x50, 0x41, 0x52, 0x31];

const parquetRoom = () => import("./kerchunk-parquet/open-parquet.ts");

const kerchunkParquet: FormatDriver = {
  folder: {
    name: "Kerchunk Parquet",
    names: PARQUET_NAME,
    async open(folder, opening) {
      const { documents } = await folder.documents();
      return documents.has(".zmetadata") ? (await parquetRoom()).openParquet(folder, opening) : undefined;
    },
  },
  document: {
    name: "one record of Kerchunk Parquet",
    names: PARQUET_NAME,
    headBytes: PARQUET_MAGIC.length,
    recognise: (head) => (PARQUET_MAGIC.every((byte, at) => head[at] === byte) ? "maybe" : "no"),
    part: "Parquet",
    open: async (source, _choice, opening) => ({
      kind: "set",
      set: await (await parquetRoom()).openRecord(source, opening),
    }),
  },
};

/** Zarr stores. Chunk manifests and shards are declared by their arrays. */
const zarr: FormatDriver = {
  folder: {
    name: "Zarr store",
    names: /\.zarr[23]?$/i,
    isMember: isMetadataName,
    foldersIn: foldersWithMetadata,
    detail: metadataIn,
    open: async (folder, opening) => (await import("./zarr/open-store.ts")).openStore(folder, opening),
  },
};

/** Folders with metadata; attributes alone do not make a node. */
function* foldersWithMetadata(paths: readonly string[]): Iterable<string> {
  for (const path of paths) {
    const { path: folder, document } = splitMetadataKey(path);
    if (isMetadataName(document) && document !== ".zattrs") yield folder;
  }
}

function metadataIn(files: LocalFiles, folder: string): string {
  const prefix = folder === "" ? "" : `${folder}/`;
  const names = ["zarr.json", ".zmetadata", ".zgroup", ".zarray"];
  const found = names.find((name) => files.source(prefix + name) !== undefined);
  return `folder with ${found ?? "metadata"}`;
}

/** Data files: what their own metadata say of chunks is a set like any other, whose only target is the file. */
export const dataFile: FormatDriver = {
  document: {
    name: "HDF5, NetCDF, GRIB or DMR++ file",
    names: /\.(?:h5|hdf5?|he5|nc|nc4|netcdf|cdf|cdf5|mat|gri?b[12]?|gr[12]|dmrpp)$/i,
    headBytes: HEAD_BYTES,
    mostHeadBytes: MAX_HEAD_BYTES,
    recognise(head) {
      const kind = kindOfFile(head);
      // A document with references is no target itself.
      return kind === undefined ? "no" : kind === "dmrpp" ? "maybe" : "target";
    },
    needsSize: true,
    async open(source, _choice, opening) {
      return { kind: "set", set: await (await import("./data-file/open-data-file.ts")).openDataFile(source, opening) };
    },
  },
};

/** Kerchunk JSON, and documents that are not. */
const kerchunkJson: FormatDriver = {
  document: {
    name: "Kerchunk JSON, plain, .gz or .zst",
    // Chosen by name, so that a folder of a million chunks is not read: JSON, compressed JSON, or no ending at all.
    names: /\.(?:json|jsonl|zjson|ref|refs|kerchunk|lindi|gz|gzip|zst|zstd|txt)$|(?:^|\/)[^./]+$/i,
    headBytes: 65_536,
    recognise: detectKerchunkJson,
    readsRest: true,
    async open(source, choice, opening) {
      const { readSet } = await import("./kerchunk-json/open-document.ts");
      const opened = await readSet(source, choice, opening);
      if (opened.kind !== "set" || !hasShards(opened.set)) return opened;
      const { expandShards } = await import("./expand-shards.ts");
      return { kind: "set", set: await expandShards(opened.set, opening.context) };
    },
  },
};

const hasShards = ({ hierarchy }: EngineSet): boolean =>
  [...hierarchy.nodes.values()].some((node) => node.kind === "array" && node.metadata.sharding !== undefined);

const DRIVERS: readonly FormatDriver[] = [icechunk, kerchunkParquet, zarr, dataFile, kerchunkJson];

export const FOLDER_DRIVERS = DRIVERS.flatMap(({ folder }) => folder ?? []);
export const DOCUMENT_DRIVERS = DRIVERS.flatMap(({ document }) => document ?? []);

/** True if the address of a file of this name means the folder it lies in. */
export const isFolderMember = (name: string): boolean => FOLDER_DRIVERS.some((driver) => driver.isMember?.(name));
