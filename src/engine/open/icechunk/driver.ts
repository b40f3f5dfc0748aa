/** Icechunk repositories. */
import type { FormatDriver } from "../driver.ts";

const room = () => import("./open-icechunk.ts");

const NAMES = /\.icechunk$/i;

export const icechunk: FormatDriver = {
  folder: {
    name: "Icechunk repository",
    names: NAMES,
    foldersIn: repositoryFolders,
    isUnlikely: ({ store, name }, { ref }) => store.keys === undefined && ref === undefined && !NAMES.test(name),
    async open(folder, opening) {
      const { keys } = folder.store;
      if (keys !== undefined && !repositoryFolders(keys).has("")) return undefined;
      return (await room()).openIcechunk(folder, opening);
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
