/** What is said where an address or a drop holds nothing that opens. */
import { RefscopeError } from "../../core/errors.ts";
import type { LocalFiles } from "../../io/local-files.ts";

export function notGiven(path: string): RefscopeError {
  return new RefscopeError({ code: "file-not-given", doing: "Opening a file", where: path, found: "no such file" });
}

export function noStore(where: string): RefscopeError {
  return new RefscopeError({
    code: "no-reference-set",
    doing: "Opening a folder",
    where,
    expected:
      "metadata of Zarr (zarr.json, .zmetadata, .zgroup or .zarray), or an Icechunk repository (repo, or refs/)",
    found: "none",
    advice: "Give the address of the store's root.",
  });
}

export function nothingFound(files: LocalFiles): RefscopeError {
  return new RefscopeError({
    code: "no-reference-set",
    doing: "Opening files",
    where: `${files.list.length} files`,
    expected:
      "a Zarr store, an Icechunk repository, a Kerchunk Parquet folder, a Kerchunk JSON document (plain, .gz or .zst) or a ZIP archive of one",
    found: "none of them",
    advice: "Drop the folder or the reference file, alone or together with the files it points at.",
  });
}

/** An address that holds no metadata of a store, and is no document either: the 404 alone would hide the first. */
export function throwNeither(error: unknown): never {
  if (!(error instanceof RefscopeError) || error.code !== "http-status") throw error;
  const { found = "no such document" } = error.fields;
  throw new RefscopeError({
    ...error.fields,
    expected:
      "a reference document, or under it metadata of a store (zarr.json, .zmetadata, .zgroup or .zarray) or an Icechunk repository (repo, or refs/branch.main/ref.json)",
    found: `${found}, nor under any of these names`,
    advice: "Check the address, and give that of the store's root: a browser cannot list what a folder holds.",
  });
}
