/** A set's metadata of Zarr v2 as those of v3, with the keys of chunks that go with them. */
import { arrayText3, groupText3 } from "#core/metadata/v3-from-v2.ts";
import type { ReferenceTable } from "#core/table/reference-table.ts";
import type { EngineSet } from "../engine-set.ts";
import type { WriteNotes } from "./notes.ts";

type Texts = ReadonlyMap<string, string>;

export function zarr3Documents(set: EngineSet, texts: Texts, table: ReferenceTable, notes: WriteNotes) {
  const documents = new Map<string, string>();
  const changed = new Set<string>();
  const sources = set.sourceFile && new Map(set.sourceFile.arrays.map((one) => [one.path, one]));
  for (const { path } of set.hierarchy.nodes.values()) {
    const at = (name: string) => (path === "" ? name : `${path}/${name}`);
    const [array, attributes, own] = [texts.get(at(".zarray")), texts.get(at(".zattrs")), texts.get(at("zarr.json"))];
    const masks = sources === undefined || sources.get(path)?.hasFillAttribute === true;
    const text = own ?? (array === undefined ? groupText3(attributes) : arrayText3(array, attributes, masks));
    if (text === undefined) notes.leftOut("v3-type", path);
    else documents.set(at("zarr.json"), text);
    if (own === undefined && array !== undefined) changed.add(path);
  }
  const arrays = table.arrays.map((slot) => (changed.has(slot.path) ? { ...slot, separator: "c/" as const } : slot));
  return { documents, table: { ...table, arrays } };
}
