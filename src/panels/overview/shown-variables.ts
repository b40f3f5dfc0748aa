import type { CardDimension, CardVariable, DatasetCard } from "#core/dataset-card.ts";
import type { NodeSummary } from "#core/open-set.ts";
import type { CardItem } from "./variable-look.ts";

/** A variable with what the set knows of its array. */
export interface ShownVariable {
  readonly variable: CardVariable;
  readonly node: NodeSummary;
  readonly item: CardItem;
  /** The coordinates along its dimensions: they are read first. */
  readonly needs: readonly CardItem[];
}

/** Variables in the order of the card. */
export function shownVariables(
  { variables }: Pick<DatasetCard, "variables">,
  nodes: readonly NodeSummary[],
): readonly ShownVariable[] {
  const byPath = new Map(nodes.map((node) => [node.path, node]));
  const found = variables.flatMap((variable) => {
    const node = byPath.get(variable.path);
    return node === undefined ? [] : [{ variable, node, item: itemOf(variable, node) }];
  });
  const coordinates = new Map(
    found.filter(({ variable }) => variable.role === "dimension").map(({ variable, item }) => [variable.name, item]),
  );
  return found.map((one) => ({
    ...one,
    needs:
      one.variable.role === "dimension"
        ? []
        : one.item.dimensionNames.flatMap((name) => coordinates.get(name ?? "") ?? []),
  }));
}

function itemOf({ path, role, hasNumbers, isTime }: CardVariable, node: NodeSummary): CardItem {
  const { shape = [], chunks = [], grid = [0], dimensionNames = [], colours } = node;
  return { path, role, hasNumbers, isTime, shape, chunks, grid, dimensionNames, colours };
}

/** True if its value says more than a picture: a single one, or text. */
export const isFolded = ({ variable: { role, hasNumbers }, item }: ShownVariable): boolean =>
  (role === "data" || role === "other") && (item.shape.length === 0 || !hasNumbers);

/** Most dimensions first, and of these the largest; coordinates in the order of the dimensions. */
export function ranked(
  shown: readonly ShownVariable[],
  dimensions: readonly CardDimension[],
): readonly ShownVariable[] {
  const sizeOf = ({ item }: ShownVariable) => item.shape.reduce((product, length) => product * length, 1);
  const places = new Map(dimensions.map(({ name }, at) => [name, at]));
  const placeOf = ({ variable: { role, name } }: ShownVariable) => (role === "dimension" ? (places.get(name) ?? 0) : 0);
  return shown.toSorted(
    (a, b) => b.item.shape.length - a.item.shape.length || placeOf(a) - placeOf(b) || sizeOf(b) - sizeOf(a),
  );
}
