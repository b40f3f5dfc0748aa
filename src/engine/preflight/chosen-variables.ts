/** Files with only those of their variables that are to be combined. */
import type { Chosen } from "#core/check/preflight.ts";
import { groupedBy } from "#core/basics.ts";
import { isLeftOut } from "#core/findings/out-of-reach.ts";
import type { SourceArray } from "#core/source-file.ts";
import { nearName } from "#core/words/near-name.ts";
import { beside } from "./plan.ts";
import { type SourcedFile, unquoted } from "./sourced-file.ts";

/** Throws for a name that no file has. `along`: is kept among those that `only` does not name. */
export function withChosen(
  files: readonly SourcedFile[],
  { only = [], drop = [] }: Chosen,
  along: string | undefined,
): readonly SourcedFile[] {
  if (only.length + drop.length === 0) return files;
  const all = files.flatMap(({ source }) => source.arrays);
  const lost = files.flatMap(({ source }) =>
    source.findings.flatMap((one) => (isLeftOut(one) && one.place.kind === "node" ? [one.place.path] : [])),
  );
  const paths = new Set([...all.map(({ path }) => path), ...lost]);
  for (const name of [...only, ...drop])
    if (![...paths].some((path) => isBelow(path, [name]))) throw unknown(name, paths);
  const kept = only.length === 0 ? paths : describedBy(all, new Set([...paths].filter((path) => isBelow(path, only))));
  const isChosen = (path: string) => (kept.has(path) || path === along) && !isBelow(path, drop);
  return files.map((file) => {
    const arrays = file.source.arrays.filter(({ path }) => isChosen(path));
    const findings = file.source.findings.filter(
      (one) => !isLeftOut(one) || one.place.kind !== "node" || isChosen(one.place.path),
    );
    return {
      ...file,
      source: { ...file.source, arrays, findings },
      arrays: new Map(arrays.map((array) => [array.path, array])),
      coordinates: new Map([...file.coordinates].filter(([path]) => isChosen(path))),
    };
  });
}

/** A variable by its path, or all of a group. */
const isBelow = (path: string, names: readonly string[]): boolean =>
  names.some((name) => path === name || path.startsWith(`${name}/`));

function unknown(name: string, paths: ReadonlySet<string>): Error {
  const near = nearName(name, paths);
  return new Error(`No file has the variable ${name}.${near === undefined ? "" : ` Did you mean ${near}?`}`);
}

/** Attributes that name other variables without which one cannot be read (CF 1.11, 4, 5 and 7). */
const NAMING = ["coordinates", "bounds", "grid_mapping"];

/** `paths`, with coordinates, bounds and grid mappings that lead from one to the next. */
function describedBy(all: readonly SourceArray[], paths: Set<string>): ReadonlySet<string> {
  const named = ({ path, dimensions, attributes }: SourceArray): readonly string[] => [
    ...dimensions,
    ...NAMING.flatMap((name) =>
      unquoted(attributes.get(name) ?? "")
        .split(/[\s:]+/)
        .map((one) => beside(path, one)),
    ),
  ];
  const arrays = groupedBy(all, ({ path }) => path);
  for (const path of paths) for (const one of (arrays.get(path) ?? []).flatMap(named)) paths.add(one);
  return paths;
}
