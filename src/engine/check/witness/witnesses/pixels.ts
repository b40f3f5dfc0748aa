/**
 * Place of the first pixel, and size of a pixel, by each way that a store offers: x and y (centres),
 * `spatial:transform` with its registration and `spatial:bbox` (zarr-conventions/spatial v1), `GeoTransform` (GDAL,
 * rioxarray), entries of a multiscales layout.
 */
import { layoutOf } from "#core/conventions/geo-musts.ts";
import { georeferenceOf } from "#core/conventions/georeference.ts";
import { objectsOf } from "#core/conventions/must.ts";
import { numbersOf } from "#core/conventions/read-levels.ts";
import { isJsonObject } from "#core/json/json.ts";
import type { ArrayNode, HierarchyNode } from "#core/metadata/array-metadata.ts";
import { nodeName, parentOf } from "#core/metadata/hierarchy-path.ts";
import { attribute, textAttribute } from "#core/metadata/attribute.ts";
import type { DrawnPixel as Pixel, StatedChange } from "#core/check/statement.ts";
import { levelsRead } from "#engine/describe/levels.ts";
import { differing, evenStep } from "../change.ts";
import { plainNumber } from "../show.ts";
import { timeOf } from "../units.ts";
import type { Statement, WitnessView } from "../view.ts";

interface Named {
  readonly name: string;
  readonly kind: Statement["source"]["kind"];
  readonly pixel: Pixel;
  /** The attribute as it would be for another first pixel. */
  readonly written?: (pixel: Pixel) => string;
  /** The attribute has its numbers in the order of GDAL's GeoTransform. */
  readonly isGdal?: boolean;
}

export async function pixelsWitness(view: WitnessView): Promise<void> {
  for (const grid of gridsOf(view)) await holdPixel(view, grid);
}

interface Grid {
  readonly x: ArrayNode;
  readonly y: ArrayNode;
  /** Nodes whose attributes may say where the grid lies, the nearest first. */
  readonly about: readonly HierarchyNode[];
}

const [X, Y] = [/^(?:x|easting|lon(?:gitude)?)$/i, /^(?:y|northing|lat(?:itude)?)$/i] as const;

/** Arrays on a plane of x and y that have coordinates, each pair of coordinates once. */
function gridsOf(view: WitnessView): readonly Grid[] {
  const found = new Map<string, { x: ArrayNode; y: ArrayNode; about: Set<HierarchyNode> }>();
  for (const node of view.arrays) {
    const names = node.metadata.dimensionNames ?? [];
    const [yName, xName] = names.slice(-2);
    if (names.length < 2 || xName === undefined || yName === undefined || !X.test(xName) || !Y.test(yName)) continue;
    const [x, y] = [coordinate(view, node, xName, -1), coordinate(view, node, yName, -2)];
    if (x === undefined || y === undefined || timeOf(x) !== undefined) continue;
    const [mapping = ""] = (textAttribute(node.attributes, "grid_mapping") ?? "spatial_ref").split(/[\s:]/);
    const key = `${x.path}\0${y.path}`;
    const grid = found.get(key) ?? { x, y, about: new Set<HierarchyNode>() };
    found.set(key, grid);
    const group = view.groupOf(node);
    const around = [node, view.near(node, mapping), group, levelsAbove(view, group)];
    for (const one of around) if (one !== undefined) grid.about.add(one);
  }
  return [...found.values()].map(({ x, y, about }) => ({ x, y, about: [...about] }));
}

/** The group of levels of which this one is the first. */
function levelsAbove(view: WitnessView, group: HierarchyNode | undefined): HierarchyNode | undefined {
  const above = group === undefined || group.path === "" ? undefined : view.groupOf(group);
  return above !== undefined && levelsRead(above).sets[0]?.levels[0]?.path === group?.path ? above : undefined;
}

function coordinate(view: WitnessView, { path, metadata }: ArrayNode, name: string, at: number): ArrayNode | undefined {
  const node = view.near({ path }, name);
  return node?.metadata.shape.length === 1 && node.metadata.shape[0] === metadata.shape.at(at) ? node : undefined;
}

async function holdPixel(view: WitnessView, { x, y, about }: Grid): Promise<void> {
  if (view.isTold(x.path) || view.isTold(y.path)) return;
  const [columns, rows] = [await view.numbers(x), await view.numbers(y)];
  if (columns === undefined || rows === undefined) return;
  const [dx, dy] = [evenStep(columns, 0.02), evenStep(rows, 0.02)];
  const pixel: Pixel = [columns[0] ?? NaN, rows[0] ?? NaN, dx ?? NaN, dy ?? NaN];
  const own: Named = { name: `${x.name} and ${y.name}`, kind: "data", pixel };
  const shape = [rows.length, columns.length] as const;
  const ofNodes = about.flatMap((node) => statedAt(node, shape, pixel, node.path !== parentOf(x)));
  const others = [...ofNodes, ...layoutAt(view, x)];
  if (dx === undefined) holdUneven(view, x, columns, others, 0);
  if (dy === undefined) holdUneven(view, y, rows, others, 1);
  if (dx === undefined || dy === undefined) return;
  const all = [own, ...others];
  const isSameAlong = (axis: 0 | 1, { pixel: a }: Named, { pixel: b }: Named) => {
    const cell = Math.abs(axis === 0 ? dx : dy);
    return near(a[axis], b[axis], cell / 100) && near(a[axis + 2], b[axis + 2], cell / 200);
  };
  const isSame = (one: Named, other: Named) => isSameAlong(0, one, other) && isSameAlong(1, one, other);
  const off = others.filter((one) => !isSame(one, own));
  const agreeing = others.filter((one) => isSame(one, own));
  view.compared.push({ quantity: "pixel", subject: x.path, sources: all.map(sourceOf), agrees: off.length === 0 });
  const [first] = off;
  if (first === undefined) return;
  // One of x and y is wrong, if nothing agrees with them, but the others among themselves.
  const together = off.filter((one) => isSame(one, first));
  const isOwnWrong = agreeing.length === 0 && together.length > 1;
  const [one, other] = isOwnWrong ? [own, first] : [first, own];
  const isOffAlong = [0, 1].map((axis) => !isSameAlong(axis as 0 | 1, one, other));
  const wrongAxis = isOffAlong[1] === true && (isOwnWrong || isOffAlong[0] === false) ? y : x;
  const difference = {
    quantity: "pixel" as const,
    ...differenceOf(one, other, shape),
    ...(one.isGdal === true ? { change: { kind: "gdal" } as const } : {}),
    agree: (isOwnWrong ? together.slice(1) : agreeing).map(sourceOf),
    right: one.written === undefined ? [] : [one.written(other.pixel)],
    unit: textAttribute(x.attributes, "units"),
    drawn: { kind: "pixels" as const, a: one.pixel, b: other.pixel },
  };
  view.disagree(wrongAxis, difference, x.path, y.path);
}

/** Values of an axis that is not even, one by one, where most of them are in place. */
function holdUneven(
  view: WitnessView,
  axis: ArrayNode,
  values: Float64Array,
  others: readonly Named[],
  at: 0 | 1,
): void {
  const stated = others.flatMap(({ pixel, name, kind }) => {
    const [from, cell] = [pixel[at], pixel[at + 2] ?? NaN];
    const numbers = values.map((_, index) => from + index * cell);
    const options = { tolerance: Math.abs(cell) / 100, cell: Math.abs(cell) };
    const wrong = differing({ numbers: values }, { numbers }, options).length;
    return wrong * 3 < values.length && cell !== 0 && Number.isFinite(from + cell)
      ? [{ numbers, source: { kind, name }, options }]
      : [];
  });
  for (const { options, ...one } of stated) view.state(axis, values, [one], options);
}

const sourceOf = ({ kind, name }: Named): Statement["source"] => ({ kind, name });

const near = (a = NaN, b = NaN, by: number): boolean => !(Math.abs(a - b) > by);

/** Ways of one node's attributes. `own`: from x and y, for what a box does not say. */
function statedAt(
  node: HierarchyNode,
  [rows, columns]: readonly [number, number],
  own: Pixel,
  isAbove: boolean,
): readonly Named[] {
  const found: Named[] = [];
  const { georeference } = georeferenceOf(node.path, node.attributes);
  const isNode = georeference?.registration === "node";
  const shape = numbersOf(attribute(node.attributes, "spatial:shape"));
  const isOfShape = shape === undefined || (shape[0] === rows && shape[1] === columns);
  const transform = georeference?.transform;
  if (transform !== undefined && isOfShape && transform[1] === 0 && transform[3] === 0) {
    const [a = NaN, , c = NaN, , e = NaN, f = NaN] = transform;
    found.push(transformed("spatial:transform", [c, f, a, e], isNode));
  }
  const [p = NaN, q = NaN, r, s = NaN, t, u = NaN] = transform ?? [];
  // The six numbers of a GeoTransform, where they place the first pixel as x and y do.
  const isGdal = r === 0 && t === 0 && q !== 0 && near(p + q / 2, own[0], 1e-2 * q) && Math.abs(q - own[2]) < 1e-6;
  if (isGdal && isOfShape)
    found.push({
      name: "spatial:transform",
      kind: "convention",
      pixel: [(p + q) / 2, u + s / 2, p, 0],
      isGdal,
      written: ([x, y, dx, dy]) => `[${[dx, 0, x - dx / 2, 0, dy, y - dy / 2].map(plainNumber).join(", ")}]`,
    });
  const box = georeference?.box;
  const isOne = transform !== undefined || shape !== undefined || isAbove || !isOfLevels(node);
  if (box !== undefined && isOfShape && isOne && !isGdal)
    found.push({
      name: "spatial:bbox",
      kind: "convention",
      pixel: inBox(box, rows, columns, isNode, own),
      written: ([x, y, dx, dy]) => {
        const [across, down] = isNode ? [columns - 1, rows - 1] : [columns, rows];
        const [west, north] = cornerOf([x, y, dx, dy], isNode);
        const [xs, ys] = [
          [west, west + dx * across],
          [north, north + dy * down],
        ] as const;
        return `[${[Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)].map(plainNumber).join(", ")}]`;
      },
    });
  const written = attribute(node.attributes, "GeoTransform");
  const geo =
    typeof written === "string"
      ? written
          .trim()
          .split(/[\s,]+/)
          .map(Number)
      : (numbersOf(written) ?? []);
  if (geo.length === 6 && geo.every(Number.isFinite) && geo[2] === 0 && geo[4] === 0) {
    const [c = NaN, a = NaN, , f = NaN, , e = NaN] = geo;
    // GDAL writes files from the south up, and their transform from the north down.
    const isTurned = textAttribute(node.attributes, "long_name") === "CRS definition" && e * own[3] < 0;
    const [north, step] = isTurned ? [f + e * rows, -e] : [f, e];
    found.push({ name: "GeoTransform", kind: "convention", pixel: [c + a / 2, north + step / 2, a, step] });
  }
  return found;
}

/** Corner at which the first pixel begins; with `isNode`, its centre. */
const cornerOf = ([x, y, dx, dy]: Pixel, isNode: boolean): readonly [number, number] =>
  isNode ? [x, y] : [x - dx / 2, y - dy / 2];

/** A transform of origin and steps, as spatial: writes it. */
function transformed(name: string, [c, f, a, e]: Pixel, isNode: boolean): Named {
  const half = isNode ? 0 : 0.5;
  return {
    name,
    kind: "convention",
    pixel: [c + a * half, f + e * half, a, e],
    written: (pixel) => {
      const [west, north] = cornerOf(pixel, isNode);
      return `[${[pixel[2], 0, west, 0, pixel[3], north].map(plainNumber).join(", ")}]`;
    },
  };
}

const isOfLevels = ({ attributes }: HierarchyNode): boolean => attribute(attributes, "multiscales") !== undefined;

/** A box does not say which corner is the first: that is taken from x and y. */
function inBox(
  [west = NaN, south = NaN, east = NaN, north = NaN]: readonly number[],
  rows: number,
  columns: number,
  isNode: boolean,
  own: Pixel,
): Pixel {
  const [across, down] = isNode ? [columns - 1, rows - 1] : [columns, rows];
  const [dx, dy] = [((east - west) / across) * Math.sign(own[2]), ((north - south) / down) * Math.sign(own[3])];
  const half = isNode ? 0 : 0.5;
  return [(dx > 0 ? west : east) + dx * half, (dy > 0 ? south : north) + dy * half, dx, dy];
}

/** The entry of the group above for the level that x is in (multiscales v1, §layout, with `spatial:transform`). */
function layoutAt(view: WitnessView, { path }: ArrayNode): readonly Named[] {
  const level = parentOf({ path });
  const { attributes } = (level === "" ? undefined : view.groupOf({ path: level })) ?? {};
  const layout = isJsonObject(attributes) ? objectsOf(layoutOf(attributes)) : undefined;
  const asset = nodeName(level);
  const entry = layout?.find((one) => one.get("asset") === asset);
  const transform = numbersOf(entry?.get("spatial:transform"));
  const [a = NaN, b, c = NaN, d, e = NaN, f = NaN] = transform ?? [];
  if (transform?.length !== 6 || b !== 0 || d !== 0) return [];
  const isNode = entry?.get("spatial:registration") === "node";
  return [transformed(`spatial:transform of the layout's “${asset.slice(0, 40)}”`, [c, f, a, e], isNode)];
}

const place = ([x, y]: Pixel): string => `the centre of the first pixel at ${plainNumber(x)}, ${plainNumber(y)}`;
const size = ([, , dx, dy]: Pixel): string => `pixels of ${plainNumber(dx)} by ${plainNumber(dy)}`;

/** Names what differs first: the direction, the size, the place. */
function differenceOf(one: Named, other: Named, [rows, columns]: readonly [number, number]) {
  const [a, b] = [one.pixel, other.pixel];
  const side = (text: (pixel: Pixel) => string) => ({
    a: { source: sourceOf(one), value: text(a) },
    b: { source: sourceOf(other), value: text(b) },
  });
  const ratios = [a[2] / b[2], a[3] / b[3]] as const;
  const isTurned = ratios.some((ratio) => Math.abs(ratio + 1) < 0.005);
  if (isTurned)
    return { ...side((pixel) => `${place(pixel)} and ${size(pixel)}`), change: turned(ratios, a, b, rows, columns) };
  const [wider, higher] = ratios;
  const by = Math.abs(wider - 1) > 0.005 ? wider : higher;
  if (Math.abs(by - 1) > 0.005) return { ...side(size), change: { kind: "times", factor: by } as StatedChange };
  const cells = [(a[0] - b[0]) / b[2], (a[1] - b[1]) / b[3]].map((cell) => Math.round(cell * 1000) / 1000);
  const most = cells.toSorted((p, q) => Math.abs(q) - Math.abs(p))[0] ?? 0;
  const shift = most === cells[0] ? a[0] - b[0] : a[1] - b[1];
  const isWhole = Number.isInteger(most * 2) && Math.abs(most) <= 4;
  const change: StatedChange = { kind: "shifted", by: shift, ...(isWhole ? { cells: most } : {}) };
  return { ...side(place), change };
}

/** The other direction: the same pixels from the other end, or a sign that was lost. */
function turned([wider]: readonly number[], a: Pixel, b: Pixel, rows: number, columns: number): StatedChange {
  const at = wider !== undefined && Math.abs(wider + 1) < 0.005 ? 0 : 1;
  const end = b[at] + (b[at + 2] as number) * ((at === 0 ? columns : rows) - 1);
  return near(a[at], end, Math.abs(b[at + 2] as number)) ? { kind: "reversed" } : { kind: "sign" };
}
