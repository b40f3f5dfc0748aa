/**
 * Which folder the relative URLs of a Kerchunk Parquet set are meant from. Nothing says it: fsspec takes the one in which
 * Python runs, GDAL that of the record. So it is looked for, once for a set, and a finding says what was decided by what.
 */
import type { CallContext } from "#core/byte-source.ts";
import { type FactsOf, finding, targetAt } from "#core/findings/finding.ts";
import type { RecordPlace, RecordSet } from "#formats/kerchunk-parquet/index.ts";
import { isRelativePath } from "#io/relative-path.ts";
import { type BaseLocation, folderAbove, resolveTarget } from "#io/resolve.ts";
import type { StoreContext } from "../store-set.ts";

export type TargetsOf = NonNullable<RecordSet["targetsOf"]>;
type Folder = FactsOf<"parquet-path-base">["folder"];

/** The same for all arrays of a set. */
export function relativeTargets(around: StoreContext): TargetsOf {
  let last: Promise<Folder | undefined> = Promise.resolve(undefined);
  return async (urls, record, context) => {
    const relative = urls.filter(isRelativePath);
    if (relative.length === 0) return urls;
    const decide = (folder?: Folder) => folder ?? folderFor(around, relative, record, context);
    last = last.then(decide, () => decide());
    return (await last) === "record" ? urls.map((url) => below(record, url)) : urls;
  };
}

const below = ({ array }: RecordPlace, url: string): string =>
  array !== "" && isRelativePath(url) ? `${array}/${url}` : url;

/** `undefined` where nobody answers: records that come later are asked for. */
async function folderFor(
  around: StoreContext,
  relative: readonly string[],
  record: RecordPlace,
  context: CallContext,
): Promise<Folder | undefined> {
  const { folder: own, table, rebase } = around;
  const bases: Readonly<Record<Folder, BaseLocation>> = { beside: folderAbove(own), inside: own, record: own };
  const [first = ""] = relative;
  const folders = foldersOf(bases, record);
  const take = (folder: Folder, by: FactsOf<"parquet-path-base">["by"], others: readonly Folder[]) => {
    rebase(bases[folder]);
    table.log.add(finding("parquet-path-base", targetAt(first), { folder, by, others }));
    return folder;
  };
  if (/^GDAL\b/.test(record.writer ?? "")) return take(folders.at(-1) ?? "inside", "writer", []);
  for (const url of new Set([first, relative.at(-1) ?? first])) {
    const isThere = await Promise.all(
      folders.map((folder) => lookFor(around, bases[folder], folder === "record" ? below(record, url) : url, context)),
    );
    const [found, ...others] = folders.filter((_, at) => isThere[at] === true);
    if (found !== undefined) return take(found, "found", others);
    if (isThere.includes(undefined)) return undefined;
  }
  return take(folders[0] ?? "inside", "nothing", []);
}

/** The first is taken where there is nothing in any. */
function foldersOf({ beside, inside }: Readonly<Record<Folder, BaseLocation>>, { array }: RecordPlace) {
  const folders: readonly Folder[] = array === "" ? ["beside", "inside"] : ["beside", "inside", "record"];
  const isRoot = JSON.stringify({ ...beside, query: 0 }) === JSON.stringify({ ...inside, query: 0 });
  return isRoot ? folders.slice(1) : folders;
}

/** `undefined`: no answer says so. */
async function lookFor({ targets }: StoreContext, base: BaseLocation, url: string, context: CallContext) {
  const exact = base.kind === "text" ? base : ({ ...base, exact: true } as const);
  const resolution = resolveTarget(url, exact, targets.locations, targets.files);
  if (resolution.kind === "unresolved") return false;
  if (resolution.kind === "file") return resolution.byName !== true;
  const { status, failure } = await targets.probe(resolution, { furthest: undefined }, context);
  if (status === undefined) return failure === undefined ? true : undefined;
  return (status >= 200 && status < 300) || status === 416;
}
