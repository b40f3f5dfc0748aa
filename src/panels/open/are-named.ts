/** Which files are sources of the open set: data files are sets of their own, but may be meant for that one. */
import type { LocalFile, SetSummary } from "#core/open-set.ts";
import type { App } from "#store/app-store.ts";

/** Files that are looked for among the sources of a set. */
const LOOKED_FOR = 8;

/** Tells if references of the set name files like these. */
export async function areNamed({ engine }: App, { id: set, isFile }: SetSummary, files: readonly LocalFile[]) {
  if (isFile === true || files.some(({ path }) => /\.json$/i.test(path))) return false;
  const isNamed = async ({ path }: LocalFile): Promise<boolean> => {
    const name = path.slice(path.lastIndexOf("/") + 1);
    const spec = { prefix: "", text: name, sort: { column: "target", descending: false } } as const;
    const { rows } = await engine.call("sources.targets", { set, spec, from: 0, to: 100 });
    return rows.some(({ target }) => target === name || target?.endsWith(`/${name}`) === true);
  };
  for (const file of files.slice(0, LOOKED_FOR)) if (!(await isNamed(file).catch(() => false))) return false;
  return true;
}
