/** Arrays of a group as Data, Coordinates and Other, as far as their dimensions tell. */
import type { NodeSummary } from "../../core/open-set.ts";

export type Section = "Data" | "Coordinates" | "Other" | "Groups";

/** In the order to show. */
export const SECTIONS: readonly Section[] = ["Data", "Coordinates", "Other", "Groups"];

/**
 * The section of each member of a group, by path. `undefined` where no array is named as its own dimension: then nothing
 * tells data from the rest.
 */
export function sectionsOf(members: readonly NodeSummary[]): ReadonlyMap<string, Section> | undefined {
  const coordinates = new Set(members.filter(isCoordinate).map(({ name }) => name));
  if (coordinates.size === 0) return undefined;
  const widest = widestOf(
    members.filter((node) => !isCoordinate(node)),
    coordinates,
  );
  return new Map(members.map((node) => [node.path, sectionOf(node, widest)]));
}

function isCoordinate({ kind, name, dimensionNames = [] }: NodeSummary): boolean {
  return kind === "array" && dimensionNames.includes(name);
}

/** Dimensions of the array with most coordinates, and among these with most dimensions. */
function widestOf(arrays: readonly NodeSummary[], coordinates: ReadonlySet<string>): readonly string[] {
  let widest: readonly string[] = [];
  let most = 0;
  for (const { dimensionNames = [] } of arrays) {
    const names = dimensionNames.filter((name) => name !== undefined);
    const known = names.filter((name) => coordinates.has(name)).length;
    if (known < most || (known === most && names.length <= widest.length)) continue;
    [widest, most] = [names, known];
  }
  return widest;
}

/** Data run along the first dimension of the widest array, and lack at most one other of its dimensions. */
function sectionOf(node: NodeSummary, widest: readonly string[]): Section {
  if (node.kind === "group") return "Groups";
  if (isCoordinate(node)) return "Coordinates";
  const names = node.dimensionNames ?? [];
  const [first] = widest;
  if (first === undefined || !names.includes(first)) return "Other";
  return widest.filter((name) => !names.includes(name)).length <= 1 ? "Data" : "Other";
}
