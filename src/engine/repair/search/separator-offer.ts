/** Keys of an array's chunks that are written with another separator than its metadata say. */
import type { CallContext } from "../../../core/byte-source.ts";
import { chunkKey, ordinalOf, parseChunkName, type KeySeparator } from "../../../core/metadata/chunk-grid.ts";
import type { ArraySlot } from "../../../core/table/reference-table.ts";
import type { NotEditable } from "../../../core/repair.ts";
import type { RepairOffer } from "../../../core/repair-offer.ts";
import type { TableEdit } from "../../../core/studio.ts";
import type { EngineSet } from "../../engine-set.ts";
import { rowOf } from "../../table/array-index.ts";
import { editsOrWhyNot, notEditable, writtenValue } from "./written-reference.ts";

const SEPARATORS: readonly KeySeparator[] = [".", "/", "c.", "c/"];

const MAX_KEYS = 20_000;

interface Renamed {
  readonly row: number;
  readonly from: string;
  readonly to: string;
  readonly coordinates: readonly number[];
}

/** `undefined` where keys are not merely written otherwise. */
export async function separatorOffer(
  set: EngineSet,
  array: number,
  context: CallContext,
): Promise<RepairOffer | undefined> {
  const slot = set.table.arrays[array];
  if (slot?.grid === undefined) return undefined;
  const strays = set.index.strays();
  const rows = strays.rowsOf(array);
  if (rows.length === 0) return undefined;
  const index = await set.index.arrayIndex(array, context);
  const keys = rows.map((row) => ({ row, key: strays.list[strays.positionOf(row)]?.key ?? "" }));
  for (const separator of SEPARATORS) {
    if (separator === slot.separator) continue;
    const renamed = keys.flatMap(({ row, key }) => renamedKey(slot, separator, row, key));
    const free = renamed.filter(({ coordinates }) => rowOf(index, ordinalOf(slot.grid ?? [], coordinates) ?? -1) < 0);
    if (free.length > 0 && free.length === rows.length) return offerOf(set, slot, separator, free);
  }
  return undefined;
}

/** The key with the declared separator; empty list if it is no chunk key under any separator. */
function renamedKey(slot: ArraySlot, separator: KeySeparator, row: number, key: string): readonly Renamed[] {
  const { path, grid = [], separator: own } = slot;
  const coordinates = parseChunkName(path === "" ? key : key.slice(path.length + 1), grid.length, separator);
  if (coordinates === undefined || grid.length === 0 || ordinalOf(grid, coordinates) === undefined) return [];
  return [{ row, from: key, to: chunkKey(path, coordinates, own), coordinates }];
}

function offerOf(set: EngineSet, slot: ArraySlot, from: KeySeparator, keys: readonly Renamed[]): RepairOffer {
  const values = keys.length > MAX_KEYS ? [] : keys.map(({ row }) => writtenValue(set, row));
  const edits: readonly TableEdit[] = [
    { kind: "remove-references", keys: keys.map((one) => one.from) },
    { kind: "set-references", values: keys.map(({ to }, at) => [to, values[at] ?? ""]) },
  ];
  const [first] = keys;
  return {
    change: { kind: "separator", from, to: slot.separator, references: keys.length },
    certainty: "safe",
    key: first?.from ?? "",
    array: slot.path,
    ...editsOrWhyNot(refusal(set, keys, values) ?? edits),
    before: first?.from ?? "",
    after: first?.to ?? "",
    evidence: [{ kind: "keys-fit", keys: keys.length }],
    chunks: keys.slice(0, MAX_READ_AGAIN).map(({ coordinates }) => ({ coordinates })),
  };
}

const MAX_READ_AGAIN = 4;

function refusal(set: EngineSet, keys: readonly Renamed[], values: readonly (string | undefined)[]) {
  const refused = keys.map(({ row }) => notEditable(set, row)).find((one) => one !== undefined);
  if (refused !== undefined) return refused;
  const isKept = values.length > 0 && values.every((value) => value !== undefined);
  return isKept ? undefined : ("too-many" satisfies NotEditable);
}
