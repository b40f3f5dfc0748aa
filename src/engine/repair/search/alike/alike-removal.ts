/** References that no reader asks for, all those of an array of which the same can be said: removed as one. */
import type { CallContext } from "../../../../core/byte-source.ts";
import type { StrayKey } from "../../../../core/table/reference-table.ts";
import type { Certainty, NotEditable } from "../../../../core/repair.ts";
import type { RepairSearch } from "../../../../core/repair-offer.ts";
import { referenceAt } from "../../../chunk/chunk-reference.ts";
import type { EngineSet } from "../../../engine-set.ts";
import { separatorOffer } from "../separator-offer.ts";
import { arrayIdOf, coordinatesIn, reasonOf } from "../stray-offers.ts";
import { notEditable, writtenValue } from "../written-reference.ts";

const MAX_KEYS = 20_000;

/** `undefined` where a reader may ask for them, or they are but written otherwise. */
export async function alikeRemoval(
  set: EngineSet,
  key: string,
  context: CallContext,
): Promise<RepairSearch | undefined> {
  const strays = set.index.strays();
  const row = strays.rowOfKey(key);
  const first = row === undefined ? undefined : strays.list[strays.positionOf(row)];
  if (row === undefined || first === undefined) return undefined;
  const array = arrayIdOf(set.table, row);
  const why = reasonOf(set, first, array);
  // Keys of another rank may each be another chunk's: that is asked of each.
  if (why === undefined || first.reason === "wrong-rank") return undefined;
  if ((await separatorOffer(set, array, context)) !== undefined) return undefined;
  const alike = strays.rowsOf(array).flatMap((one) => strays.list[strays.positionOf(one)] ?? []);
  const keys = alike.filter(({ reason }) => reason === first.reason);
  if (keys.length < 2) return undefined;
  const refused = refusal(set, keys);
  const offer = {
    change: { kind: "remove" },
    certainty: certaintyOf(set, first, array, keys),
    key,
    array: set.table.arrays[array]?.path ?? "",
    edits: refused === undefined ? [{ kind: "remove-references", keys: keys.map((one) => one.key) } as const] : [],
    ...(refused && { refused }),
    before: writtenValue(set, row) ?? referenceAt(set, row).written,
    after: "",
    evidence: [why],
    alike: { references: keys.length, read: 0 },
    chunks: [],
  } as const;
  return { subject: { kind: "key", key }, offers: [offer], spent: { bytes: 0, requests: 0 } };
}

function refusal(set: EngineSet, keys: readonly StrayKey[]): NotEditable | undefined {
  if (keys.length > MAX_KEYS) return "too-many";
  return keys.map(({ row }) => notEditable(set, row)).find((one) => one !== undefined);
}

/** Where keys fill a whole layer behind the grid, its shape may be what is wrong. */
function certaintyOf(set: EngineSet, first: StrayKey, array: number, keys: readonly StrayKey[]): Certainty {
  const slot = set.table.arrays[array];
  const grid = slot?.grid;
  if (slot === undefined || grid === undefined || first.reason !== "outside-grid") return "needs-you";
  const behind = grid.map(() => 0);
  for (const { key } of keys) {
    const coordinates = coordinatesIn(slot.path, key, grid.length, slot.separator) ?? [];
    for (const [axis, at] of coordinates.entries()) if (at === grid[axis]) behind[axis] = (behind[axis] ?? 0) + 1;
  }
  const cells = grid.reduce((product, count) => product * count, 1);
  const isLayer = behind.some((found, axis) => found > 0 && found >= cells / Math.max(1, grid[axis] ?? 1));
  if (isLayer) return "needs-you";
  return behind.every((found) => found === 0) ? "safe" : "likely";
}
