/** A set's metadata of Zarr v2 as those of v3, with the keys of chunks that go with them. */
import { arrayText3, groupText3 } from "../../core/metadata/v3-from-v2.ts";
import type { ReferenceTable } from "../../core/table/reference-table.ts";
import type { EngineSet } from "../engine-set.ts";
import type { WriteNotes } from "./notes.ts";

export function zarr3Documents(
  { hierarchy: { nodes }, sourceFile }: EngineSet,
  texts: ReadonlyMap<string, string>,
  table: ReferenceTable,
  notes: WriteNotes,
): { readonly documents: ReadonlyMap<string, string>; readonly table: ReferenceTable } {
  const documents = new Map<string, string>();
  const changed = new Set<string>();
  const attributed = sourceFile && new Map(sourceFile.arrays.map((one) => [one.path, one.hasFillAttribute === true]));
  for (const { path } of nodes.values()) {
    const at = (name: string) => (path === "" ? name : `${path}/${name}`);
    const [array, group, own] = [texts.get(at(".zarray")), texts.get(at(".zgroup")), texts.get(at("zarr.json"))];
    const attributes = texts.get(at(".zattrs"));
    const made =
      own ?? (array === undefined ? undefined : arrayText3(array, attributes, attributed?.get(path) !== false));
    if (array !== undefined && made === undefined) notes.leftOut("v3-type", path);
    const text =
      made ?? (array === undefined && (group !== undefined || path === "") ? groupText3(attributes) : undefined);
    if (text !== undefined) documents.set(at("zarr.json"), text);
    if (own === undefined && array !== undefined && made !== undefined) changed.add(path);
  }
  const arrays = table.arrays.map((slot) => (changed.has(slot.path) ? { ...slot, separator: "c/" as const } : slot));
  return { documents, table: { ...table, arrays } };
}
