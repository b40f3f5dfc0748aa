/** What can be opened among files: stores, reference documents, archives, Parquet records. */
import type { CallContext } from "../../core/byte-source.ts";
import { splitMetadataKey } from "../../core/hierarchy-path.ts";
import type { SetChoice } from "../../core/open-set.ts";
import type { LocalFiles } from "../../io/local-files.ts";
import { referenceFiles, sizeText } from "./sources.ts";
import { isMetadataName } from "./zarr/store-documents.ts";

export type Candidate = SetChoice;

/** Choices of folders end with a slash; the top folder's is "/". */
export const isStoreChoice = (choice: string): boolean => choice.endsWith("/");
export const storeFolder = (choice: string): string => choice.replace(/\/+$/, "");

const MAX_STORES = 1000;

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

/** `all`: also documents that lie inside stores, and stores inside stores. */
export async function candidatesIn(
  files: LocalFiles,
  context: CallContext,
  all = false,
): Promise<readonly Candidate[]> {
  const repositories = repositoryFolders(files.list);
  const stores = storeFolders(files.list, repositories, all);
  const isInside = (path: string): boolean => stores.some((folder) => folder === "" || path.startsWith(`${folder}/`));
  const loose = all ? files.list : files.list.filter((path) => !isInside(path));
  const archives = loose.filter((path) => /\.zip$/i.test(path));
  const records = stores.length === 0 ? loose.filter((path) => /\.(?:parq|parquet)$/i.test(path)) : [];
  const rest = loose.filter((path) => !archives.includes(path) && !records.includes(path));
  // A lone archive or record is what is meant, whatever a document's first bytes look like.
  const documents = rest.length === 0 ? [] : await referenceFiles(files, context, rest);
  const found = [
    ...stores.map((folder) => ({
      id: `${folder}/`,
      label: folder === "" ? "/" : folder,
      detail: repositories.has(folder) ? "Icechunk repository" : storeDetail(files, folder),
    })),
    ...documents.map((path) => ({ id: `${path}\n`, label: path, detail: sizeText(files.source(path)) })),
    ...archives.map((path) => ({
      id: `${path}!/`,
      label: path,
      detail: `ZIP archive, ${sizeText(files.source(path))}`,
    })),
  ];
  if (found.length > 0) return found;
  return records.map((path) => ({ id: `${path}\n`, label: path, detail: `Parquet, ${sizeText(files.source(path))}` }));
}

/** Folders with metadata, and repositories, that lie in no other such folder. */
function storeFolders(list: readonly string[], repositories: ReadonlySet<string>, all: boolean): readonly string[] {
  const folders = new Set(repositories);
  for (const path of list) {
    const { path: folder, document } = splitMetadataKey(path);
    if (isMetadataName(document) && document !== ".zattrs") folders.add(folder);
  }
  const tops = [...folders].filter((folder) => all || !hasAncestor(folder, folders));
  return tops.slice(0, MAX_STORES);
}

function hasAncestor(folder: string, folders: ReadonlySet<string>): boolean {
  if (folder === "") return false;
  for (let end = folder.lastIndexOf("/"); end > 0; end = folder.lastIndexOf("/", end - 1)) {
    if (folders.has(folder.slice(0, end))) return true;
  }
  return folders.has("");
}

function storeDetail(files: LocalFiles, folder: string): string {
  const prefix = folder === "" ? "" : `${folder}/`;
  const names = ["zarr.json", ".zmetadata", ".zgroup", ".zarray"];
  const found = names.find((name) => files.source(prefix + name) !== undefined);
  return `folder with ${found ?? "metadata"}`;
}
