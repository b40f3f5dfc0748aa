/** Breaks each MUST in a store that is healthy otherwise; the conventions' own examples, with arrays, are silent. */
import { expect, it } from "vitest";
import { NO_LOCATIONS } from "#core/byte-source.ts";
import { explained } from "#core/findings/explain.ts";
import cases from "#core/conventions/fixtures/broken.json" with { type: "json" };
import examples from "#core/conventions/fixtures/geo-examples.json" with { type: "json" };
import { droppedFiles } from "#io/local-files.ts";
import { CONTEXT } from "../fixtures/plain-table.ts";
import { openFiles } from "../open/open-any.ts";

type Json = Record<string, unknown>;

const array = (shape: readonly number[], more: Json = {}): Json => ({
  zarr_format: 3,
  node_type: "array",
  shape,
  data_type: "uint8",
  chunk_grid: { name: "regular", configuration: { chunk_shape: shape } },
  chunk_key_encoding: { name: "default" },
  codecs: ["bytes"],
  fill_value: 0,
  dimension_names: ["c", "y", "x"].slice(-shape.length),
  ...more,
});
const group = (attributes: unknown): Json => ({ zarr_format: 3, node_type: "group", attributes });

/** The rule and the member of each finding, with a star for warnings. */
async function broken(nodes: Readonly<Record<string, Json>>): Promise<readonly string[]> {
  const files = Object.entries(nodes).map(([path, node]) => {
    return { path: `s/${path === "" ? "" : `${path}/`}zarr.json`, blob: new Blob([JSON.stringify(node)]) };
  });
  const context = { locations: NO_LOCATIONS, network: {}, options: { choice: "" }, context: CONTEXT };
  const opened = await openFiles(droppedFiles(files), context);
  if (opened.kind !== "set") throw new Error(opened.title);
  return opened.set.findings.flatMap((one) => {
    if (!/^(?:convention|level|georeference|spatial)/.test(one.code)) return [];
    const { severity, message } = explained(one);
    expect(message).not.toMatch(/undefined|NaN/);
    const { rule = one.code, member = "" } = one.facts as { readonly rule?: string; readonly member?: string };
    return [`${severity === "warning" ? "*" : ""}${rule} ${member}`.trim()];
  });
}

it.each(cases.ome)("OME-NGFF: $name", async ({ image, arrays, more, expected }) => {
  const axes = ["c", "y", "x"].map((name) => ({ name, type: name === "c" ? "channel" : "space" }));
  const datasets = [1, 2, 4].map((size, at) => {
    return { path: `${at}`, coordinateTransformations: [{ type: "scale", scale: [1, size, size] }] };
  });
  const levels = [64, 32, 16].map((size, at) => [`${at}`, array([2, size, size], arrays[at])]);
  const ome = { version: "0.5", multiscales: [{ axes, datasets, ...image }], ...more };
  expect(await broken({ "": group({ ome }), ...(Object.fromEntries(levels) as Record<string, Json>) })).toEqual(
    expected,
  );
});

it("OME-NGFF: plates and wells", async () => {
  const nodes = Object.entries(cases.hcs.nodes).map(([path, attributes]) => [path, group(attributes)] as const);
  expect(await broken(Object.fromEntries(nodes))).toEqual(cases.hcs.expected);
});

interface Layer {
  readonly asset: string;
  readonly derived_from?: string;
  readonly transform: { readonly scale: readonly number[] };
  readonly "spatial:shape"?: readonly number[];
}

/** The example with the arrays that its attributes speak of; where a scale is that from the first level, says its name. */
function store(name: string, changes: Json = {}): Record<string, Json> {
  const node = examples.find((one) => one.name === name)?.node;
  const attributes: Json = { ...node?.attributes, ...changes };
  const dimension_names = attributes["spatial:dimensions"] ?? ["y", "x"];
  const own = node?.attributes as { readonly "spatial:shape"?: readonly number[] } | undefined;
  if (node?.node_type === "array")
    return { "": group({}), a: array(own?.["spatial:shape"] ?? [96, 96], { dimension_names, attributes }) };
  const { layout = [] } = (attributes["multiscales"] ?? {}) as { readonly layout?: readonly Layer[] };
  const sizes = new Map<string | undefined, number>();
  for (const { asset, derived_from, transform } of layout) {
    const from = /power-of|custom/.test(name) ? 96 : (sizes.get(derived_from) ?? 96);
    sizes.set(asset, Math.round(from / (transform.scale[0] ?? 1)));
  }
  const shapeOf = ({ asset, ...layer }: Layer) =>
    layer["spatial:shape"] ?? [sizes.get(asset) ?? 96, sizes.get(asset) ?? 96];
  const levels = layout.map((layer) => [layer.asset, array(shapeOf(layer), { dimension_names })] as const);
  return { "": group(attributes), ...Object.fromEntries(levels) };
}

it.each(examples)("$name is silent", async ({ name }) => {
  expect(await broken(store(name))).toEqual([]);
});

it.each(cases.geo)("the conventions: $name", async ({ of, attributes, expected }) => {
  expect(await broken(store(of, attributes))).toEqual(expected);
});
