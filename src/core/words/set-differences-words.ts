/** Words for the differences between two sets, for the page and the terminal. */
import type { ArrayPlaces, ArrayValues, KeyPlaces, PlaceKind, SetDifferences } from "../set-differences.ts";
import { count, counted, percentExactly } from "../words.ts";

export const PLACE_WORDS: Readonly<Record<PlaceKind, string>> = {
  same: "at the same place",
  elsewhere: "at other places",
  content: "inline with other bytes",
  form: "inline in one only",
  onlyA: "only in A",
  onlyB: "only in B",
  unknown: "not comparable",
};

export const UNCOMPARED_WORDS = {
  grid: "not compared, their grids differ",
  type: "not compared, their data types or dimensions differ",
  units: "not compared, their units cannot be converted into each other",
} as const;

type Kinds = Pick<ArrayPlaces, "kinds">;
const listedChunks = ({ kinds }: Kinds): number => Object.values(kinds).reduce((sum, one) => sum + one, 0);
export const differingChunks = (array: Kinds): number => listedChunks(array) - array.kinds.same - array.kinds.unknown;

function loneWords(nodes: SetDifferences["nodes"]): string {
  const groups = nodes.filter(({ node }) => node === "group").length;
  const arrays = nodes.length - groups;
  return [
    ...(groups === 0 ? [] : [counted(groups, "group")]),
    ...(arrays === 0 ? [] : [counted(arrays, "array")]),
  ].join(" and ");
}

/** "1 of 3 keys outside of all grids" */
export const keysWords = (keys: KeyPlaces): string =>
  `${count(differingChunks(keys))} of ${counted(listedChunks(keys), "key")} outside of all grids`;

/** One sentence. What could not be compared is not called the same. */
export function verdictOf({ nodes, metadata, arrays, keys }: SetDifferences): string {
  const sum = (of: (array: ArrayPlaces) => number) => arrays.reduce((total, array) => total + of(array), 0);
  const [all, other] = [sum(listedChunks), sum(differingChunks)];
  const unknown = sum(({ kinds }) => kinds.unknown) + keys.kinds.unknown;
  const uncompared = arrays.filter((array) => array.uncompared !== undefined).length;
  const open = [
    ...(unknown === 0 ? [] : [counted(unknown, "chunk")]),
    ...(uncompared === 0 ? [] : [`the chunks of ${counted(uncompared, "array")}`]),
  ].join(" and ");
  const parts = [
    ...(nodes.length === 0 ? [] : [`${loneWords(nodes)} in only one of the two`]),
    ...(metadata.length === 0
      ? []
      : [`the metadata of ${counted(metadata.length, "group or array", "groups and arrays")}`]),
    ...(other === 0
      ? []
      : [
          `${count(other)} of ${counted(all, "reference")} in ${count(arrays.filter((one) => differingChunks(one) > 0).length)} of ${counted(arrays.length, "array")}`,
        ]),
    ...(differingChunks(keys) === 0 ? [] : [keysWords(keys)]),
  ];
  const rest = open === "" ? "" : ` Not compared: ${open}.`;
  if (arrays.length === 0 && nodes.some(({ node }) => node === "array")) return "The two have no array in common.";
  if (parts.length > 0) return `Different: ${parts.join(", ")}.${rest}`;
  const same = `${counted(arrays.length, "array")}, ${counted(all, "reference")}`;
  return open === "" ? `The same: ${same}.` : `No difference found in what could be compared: ${same}.${rest}`;
}

/** Parts of a sentence on comparing the values of an array. */
export function valuesParts({ candidates, sameSource, compared, different, failed, boundAt95 }: ArrayValues) {
  const same = sameSource === 1 ? "is the same by its reference" : "are the same by their references";
  return [
    ...(compared === 0 ? [] : [`${count(different)} of ${counted(compared, "chunk")} differ`]),
    ...(failed === 0 ? [] : [`${counted(failed, "chunk")} could not be read`]),
    ...(sameSource === 0 ? [] : [`${counted(sameSource, "chunk")} ${same}`]),
    ...(boundAt95 === undefined
      ? []
      : [`with 95% confidence at most ${percentExactly(boundAt95)} of ${count(candidates - sameSource)} do`]),
    ...(candidates === 0 ? ["no chunks"] : []),
  ];
}
