/** The files of a repository with their sizes, where its folder, archive or bucket can be listed. */
import type { FileCount } from "#core/anatomy.ts";
import type { CallContext } from "#core/byte-source.ts";
import { REFS_PREFIX } from "#formats/icechunk/paths.ts";
import type { Store } from "#io/store.ts";

/** Sizes by path; `undefined` for those that the listing does not say. */
export type FileSizes = ReadonlyMap<string, number | undefined>;

/** Folders whose files may be orphans. */
const COLLECTED = ["chunks/", "manifests/", "snapshots/", "transactions/"] as const;
export const OVERWRITTEN = "overwritten/";

/** `undefined` where not everything can be listed. */
export async function listFiles(store: Store, context: CallContext): Promise<FileSizes | undefined> {
  if (store.keys !== undefined) return new Map(store.keys.map((key) => [key, store.sizeOf(key)]));
  const files = new Map<string, number | undefined>();
  const waiting = [""];
  for (const folder of waiting) {
    const listing = await store.list?.(folder, "", context);
    if (listing === undefined || listing.isCut) return undefined;
    for (const [name, size] of listing.files) files.set(folder + name, size);
    for (const name of listing.folders) if (isOwn(`${folder}${name}/`)) waiting.push(`${folder}${name}/`);
  }
  return files;
}

/** Folders of a repository; of others below the same address nothing is asked. */
const isOwn = (folder: string): boolean =>
  folder.startsWith(REFS_PREFIX) || folder === OVERWRITTEN || COLLECTED.some((one) => one === folder);

export const isWithin =
  (folder: string) =>
  (path: string): boolean =>
    path.startsWith(folder);

export const isCollected = (path: string): boolean => COLLECTED.some((folder) => path.startsWith(folder));

/** `ID#1`: what a local writer writes before it gives the file its name; `repo#lock`, by which others wait for it. */
export const isUnfinished = (path: string): boolean => /#(?:\d+|lock(?:\.\d+)?)$/.test(path);

/** Branches, tags, history and configuration. */
export const isEntry = (path: string): boolean =>
  path === "repo" || path === "config.yaml" || path.startsWith(REFS_PREFIX);

export function countOf(files: FileSizes, belongs: (name: string) => boolean): FileCount {
  const sizes = [...files].filter(([name]) => belongs(name));
  return { files: sizes.length, bytes: sizes.reduce((sum, [, bytes = 0]) => sum + bytes, 0) };
}
