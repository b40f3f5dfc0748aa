/** Values along a dimension that the files do not have: a global attribute of that name, else the number in their names. */
import { barrier, groupsOf, type Named, others } from "./groups.ts";
import { type Placed, sortedFiles } from "./place-files.ts";
import type { SourcedFile } from "./sourced-file.ts";

export function newDimension(files: readonly SourcedFile[], along: string): Placed {
  const written = files.map(({ source }) => Number(source.groups[0]?.attributes.get(along) ?? NaN));
  const values = written.every(Number.isFinite) ? written : byName(files);
  if (values === undefined) return { order: files, barriers: [nameFails(files, along)] };
  const all = files.map((file, at) => {
    const value = values[at] ?? at;
    return { name: file.name, file, keys: Float64Array.of(value), text: () => String(value) };
  });
  const { sorted, barriers } = sortedFiles(all, along);
  const rest = barriers.filter(({ code }) => code !== "coordinate-gap");
  return {
    order: sorted.map(({ file }) => file),
    values: sorted.map(({ keys: [value = 0] }) => value),
    barriers: rest,
  };
}

const baseName = ({ name }: Named): string => name.slice(name.lastIndexOf("/") + 1);

/** Texts and, at odd places, numbers. */
const partsOf = (file: SourcedFile): readonly string[] => baseName(file).split(/(\d+)/);
const textsOf = (file: SourcedFile): string =>
  partsOf(file)
    .filter((_, at) => at % 2 === 0)
    .join("…");

/** The first number that no two names have, of names that differ in numbers alone; or, where names tell nothing, their order. */
function byName(files: readonly SourcedFile[]): readonly number[] | undefined {
  const parts = files.map(partsOf);
  if (new Set(files.map(baseName)).size === 1 || parts.every(({ length }) => length === 1))
    return files.map((_, at) => at);
  if (new Set(files.map(textsOf)).size > 1) return undefined;
  const columns = (parts[0] ?? []).map((_, at) => parts.map((one) => Number(one[at])));
  return columns.find((column, at) => at % 2 === 1 && new Set(column).size === files.length);
}

function nameFails(files: readonly SourcedFile[], along: string) {
  const groups = groupsOf(files, textsOf);
  const odd = groups.length > 1 ? others(groups) : files;
  return barrier("coordinate-from-name-fails", odd, along, {});
}
