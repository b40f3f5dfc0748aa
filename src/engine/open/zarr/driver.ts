/** Zarr stores. What their arrays say of chunk manifests and shards is theirs, too. */
import { isMetadataName, splitMetadataKey } from "#core/metadata/hierarchy-path.ts";
import type { LocalFiles } from "#io/local-files.ts";
import type { FormatDriver } from "../driver.ts";

const room = () => import("./open-store.ts");

export const zarr: FormatDriver = {
  folder: {
    name: "Zarr store",
    names: /\.zarr[23]?$/i,
    isMember: isMetadataName,
    foldersIn,
    detail,
    open: async (folder, opening) => (await room()).openStore(folder, opening),
  },
};

/** Folders with metadata; attributes alone do not make a node. */
function* foldersIn(paths: readonly string[]): Iterable<string> {
  for (const path of paths) {
    const { path: folder, document } = splitMetadataKey(path);
    if (isMetadataName(document) && document !== ".zattrs") yield folder;
  }
}

function detail(files: LocalFiles, folder: string): string {
  const prefix = folder === "" ? "" : `${folder}/`;
  const names = ["zarr.json", ".zmetadata", ".zgroup", ".zarray"];
  const found = names.find((name) => files.source(prefix + name) !== undefined);
  return `folder with ${found ?? "metadata"}`;
}
