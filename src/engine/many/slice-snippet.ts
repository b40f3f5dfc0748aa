/** Python that reads the very slice: what opens the set, and a selection of xarray's or zarr's. */
import type { CallContext } from "../../core/byte-source.ts";
import type { ArrayNode } from "../../core/hierarchy.ts";
import type { Plane } from "../../core/plane.ts";
import type { EngineSet } from "../engine-set.ts";
import { driverOf } from "../open/drivers.ts";
import { withoutSecrets } from "../../core/without-secrets.ts";
import { pythonString } from "../../core/python-string.ts";

export async function sliceSnippet(
  {
    set,
    node,
    plane,
    scaled,
  }: { readonly set: EngineSet; readonly node: ArrayNode; readonly plane: Plane; readonly scaled: boolean },
  context: CallContext,
): Promise<string> {
  const open = withoutSecrets(await driverOf(set).python(set));
  context.signal.throwIfAborted();
  return `${open}\n${scaled ? byXarray(node, plane) : byZarr(node, plane)}\n`;
}

const isShown = ({ row, column }: Plane, dimension: number): boolean => dimension === row || dimension === column;

function byZarr({ path, metadata }: ArrayNode, plane: Plane): string {
  const parts = metadata.shape.map((_, dimension) =>
    isShown(plane, dimension) ? ":" : String(plane.at[dimension] ?? 0),
  );
  const array = path === "" ? "group" : `group[${pythonString(path)}]`;
  return `values = ${array}[${parts.length === 0 ? "..." : parts.join(", ")}]`;
}

/** Dimensions by name; without names only zarr can tell them apart. */
function byXarray(node: ArrayNode, plane: Plane): string {
  const { metadata, path, name } = node;
  const names = metadata.dimensionNames;
  if (
    path === "" ||
    (metadata.shape.length > 0 && names?.length !== metadata.shape.length) ||
    names?.includes(undefined)
  ) {
    return byZarr(node, plane);
  }
  const group = path.split("/").slice(0, -1).join("/");
  const dataset =
    group === "" ? "ds" : `xr.open_dataset(store, engine="zarr", consolidated=False, group=${pythonString(group)})`;
  const fixed = metadata.shape.flatMap((_, dimension) =>
    isShown(plane, dimension) ? [] : [`${pythonString(names?.[dimension] ?? "")}: ${plane.at[dimension] ?? 0}`],
  );
  const selected = fixed.length === 0 ? "" : `.isel({${fixed.join(", ")}})`;
  const order = plane.row !== undefined && plane.column !== undefined && plane.row > plane.column ? ".transpose()" : "";
  return `values = ${dataset}[${pythonString(name)}]${selected}${order}`;
}
