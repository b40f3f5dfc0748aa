/** How files would be put together. */
import type { Preflight, Chosen } from "#core/check/preflight.ts";
import type { SourceArray } from "#core/source-file.ts";
import { isCoordinate, sizeOf, type SourcedFile, unquoted } from "./sourced-file.ts";
import { groupedBy } from "#core/basics.ts";
import { isLeftOut } from "#core/findings/out-of-reach.ts";
import { nearName } from "#core/words/near-name.ts";

export interface Plan extends Pick<Preflight, "how" | "along"> {
  /** True if a variable is joined from all files; the others must be the same in all, and are taken once. */
  isJoined(path: string): boolean;
  /** Joined by its values, which are written anew: the coordinate, its bounds, and what lies along it alone. */
  isRewritten(path: string): boolean;
}

/** Elements of a variable, other than the coordinate, that is written anew. */
const MOST_REWRITTEN = 500_000;

/** `asked`: a dimension of the files, or a new one; `otherwise`: where nobody can tell, which throws without it. */
export function planOf(files: readonly SourcedFile[], asked: string | undefined, otherwise?: string): Plan {
  const dimensions = namesOfDimensions(files);
  const isAlone = files.length === 1 && asked === undefined;
  if (isAlone || ((asked === undefined || !dimensions.includes(asked)) && areDisjoint(files)))
    return { how: "merge", isJoined: () => false, isRewritten: () => false };
  const along = asked ?? likelyDimension(files, dimensions) ?? otherwise;
  if (along === undefined)
    throw new Error(`Nothing tells along which of ${dimensions.join(", ")} these files lie: say it with --along.`);
  const all = (path: string) => files.flatMap(({ arrays }) => arrays.get(path) ?? []);
  if (!dimensions.includes(along))
    return { how: "stack", along, isJoined: (path) => all(path).some(isData), isRewritten: () => false };
  const bounds = new Set(all(along).map(({ attributes }) => beside(along, unquoted(attributes.get("bounds") ?? ""))));
  return {
    how: "concatenate",
    along,
    isJoined: (path) => all(path).some((array) => array.dimensions.includes(along)),
    isRewritten: (path) => {
      const arrays = all(path);
      const isAlong = ({ dimensions: [first, ...rest], dtype }: SourceArray) =>
        first === along && (rest.length === 0 || bounds.has(path)) && /^"[<>|][iufcbS]\d+"$/.test(dtype);
      if (path === along) return files.every(({ coordinates }) => coordinates.get(path)?.keys !== undefined);
      return arrays.reduce((sum, array) => sum + sizeOf(array), 0) <= MOST_REWRITTEN && arrays.every(isAlong);
    },
  };
}

/** A variable that another one of the same group names. */
export const beside = (path: string, name: string): string => path.slice(0, path.lastIndexOf("/") + 1) + name;

export const namesOfDimensions = (files: readonly SourcedFile[]): readonly string[] => [
  ...new Set(files.flatMap(({ source }) => source.arrays.flatMap((array) => array.dimensions))),
];

export const isData = (array: SourceArray): boolean => array.shape.length > 0 && !isCoordinate(array);

/** Each has variables, and no variable but coordinates is in two of them. */
export function areDisjoint(files: readonly SourcedFile[]): boolean {
  const own = files.map(({ source }) => source.arrays.filter(isData).map(({ path }) => path));
  return files.length > 1 && own.every(({ length }) => length > 0) && new Set(own.flat()).size === own.flat().length;
}

/** The one whose coordinate, or else length, differs; of several the one that counts time. */
export function likelyDimension(files: readonly SourcedFile[], dimensions: readonly string[]): string | undefined {
  const differs = (name: string) => {
    const said = files.map((file) => file.coordinates.get(name)?.keys?.join() ?? lengthAlong(file, name));
    return new Set(said).size > 1;
  };
  const isTime = (name: string) => files.some(({ coordinates }) => coordinates.get(name)?.time !== undefined);
  const differing = dimensions.filter(differs);
  return differing.find(isTime) ?? differing[0] ?? dimensions.find(isTime);
}

export function lengthAlong({ source }: SourcedFile, along: string): number | undefined {
  const array = source.arrays.find(({ dimensions }) => dimensions.includes(along));
  return array?.shape[array.dimensions.indexOf(along)];
}

// Files with only those of their variables that are to be combined.

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
export const isBelow = (path: string, names: readonly string[]): boolean =>
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
