/** Lengths of dimensions by name, as the arrays of one group have them: xarray opens a group only where they agree. */
import type { ArrayNode } from "./array-metadata.ts";
import { nodeName } from "./hierarchy-path.ts";

export interface SizeConflict {
  readonly node: ArrayNode;
  /** Dimensions in which it differs, with its length and that of the others. */
  readonly dimensions: readonly {
    readonly name: string;
    readonly length: number;
    readonly expected: number;
    /** Origin of the other length: the coordinate, or other arrays. */
    readonly by: string;
  }[];
  /** Its names in the order in which all lengths would be right. */
  readonly order: readonly string[] | undefined;
  /** A coordinate, or several arrays, say otherwise. */
  readonly isCertain: boolean;
}

interface Named {
  readonly node: ArrayNode;
  readonly names: readonly string[];
}

/** Names that tools make up differ by their nature. */
const MADE_UP = /^(?:phony_dim_?|dim_?)\d+$/;

function namedArray(node: ArrayNode): readonly Named[] {
  const names = node.metadata.dimensionNames?.flatMap((name) =>
    name === undefined || MADE_UP.test(name) ? [] : [name],
  );
  return names === undefined || names.length !== node.metadata.shape.length ? [] : [{ node, names }];
}

interface Length {
  readonly expected: number;
  readonly by: string;
  readonly isCertain: boolean;
}

/** `arrays`: those of one group. */
export function sizeConflicts(arrays: readonly ArrayNode[]): readonly SizeConflict[] {
  const named = arrays.flatMap((node) => namedArray(node));
  const lengths = expectedLengths(named);
  return named.flatMap(({ node, names }): readonly SizeConflict[] => {
    const { shape } = node.metadata;
    const dimensions = names.flatMap((name, axis) => {
      const known = lengths.get(name);
      const length = shape[axis] ?? 0;
      return known === undefined || known.expected === length ? [] : [{ name, length, ...known }];
    });
    if (dimensions.length === 0) return [];
    const isCertain = dimensions.some((one) => one.isCertain);
    return [{ node, dimensions, order: fittingOrder(names, shape, lengths), isCertain }];
  });
}

/** Those of dimensions that have several. */
function expectedLengths(arrays: readonly Named[]): ReadonlyMap<string, Length> {
  const byName = new Map<string, { readonly node: ArrayNode; readonly length: number }[]>();
  for (const { node, names } of arrays) {
    for (const [axis, name] of names.entries()) {
      const users = byName.get(name) ?? [];
      users.push({ node, length: node.metadata.shape[axis] ?? 0 });
      byName.set(name, users);
    }
  }
  const lengths = new Map<string, Length>();
  for (const [name, users] of byName) {
    const own = users.find(({ node }) => nodeName(node.path) === name && node.metadata.shape.length === 1);
    const others = users.filter((user) => user !== own);
    const usual = mostFrequent(others.map(({ length }) => length));
    if (usual === undefined) continue;
    // All others against the coordinate: then it is the coordinate that is wrong.
    const isOutvoted = own !== undefined && others.length > 1 && others.every(({ length }) => length === usual);
    const alike = others.filter(({ length }) => length === usual);
    if (own !== undefined && !isOutvoted) {
      lengths.set(name, { expected: own.length, by: own.node.path, isCertain: true });
    } else {
      lengths.set(name, { expected: usual, by: alike[0]?.node.path ?? name, isCertain: alike.length > 1 });
    }
  }
  return lengths;
}

/** The first that is met most often. */
function mostFrequent(lengths: readonly number[]): number | undefined {
  const counts = new Map<number, number>();
  for (const length of lengths) counts.set(length, (counts.get(length) ?? 0) + 1);
  return [...counts].toSorted(([, a], [, b]) => b - a)[0]?.[0];
}

/** More dimensions have too many orders. */
const MAX_RANK = 6;

function fittingOrder(
  names: readonly string[],
  shape: readonly number[],
  lengths: ReadonlyMap<string, Length>,
): readonly string[] | undefined {
  if (names.length > MAX_RANK) return undefined;
  const fits = (name: string, axis: number) => (lengths.get(name)?.expected ?? -1) === shape[axis];
  const fill = (chosen: readonly string[], rest: readonly string[]): readonly string[] | undefined => {
    if (rest.length === 0) return chosen;
    for (const [at, name] of rest.entries()) {
      if (!fits(name, chosen.length)) continue;
      const found = fill([...chosen, name], rest.toSpliced(at, 1));
      if (found !== undefined) return found;
    }
    return undefined;
  };
  return fill([], names);
}
