/** Files given later join those given before; the same path given again replaces. */
import { findByPath, indexByName, type LocalFiles } from "../../io/local-files.ts";

export function withFiles(before: LocalFiles | undefined, added: LocalFiles): LocalFiles {
  if (before === undefined) return added;
  const list = [...new Set([...before.list, ...added.list])];
  const index = indexByName(list);
  return {
    list,
    find: (target) => findByPath(index, target),
    source: (path) => added.source(path) ?? before.source(path),
  };
}
