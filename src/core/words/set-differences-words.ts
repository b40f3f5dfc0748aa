/** Words for the differences between two sets, for the page and the terminal. */
import type {
  ArrayPair,
  ArrayPlaces,
  ArrayValues,
  Beside,
  ElementDifferences,
  KeyPlaces,
  PlaceKind,
  SetDifferences,
  ValuesVerdict,
} from "../set-differences.ts";
import { shortNumber } from "../values/number-text.ts";
import { unitsText } from "../values/value-text.ts";
import { count, counted, listed, percentExactly } from "../words.ts";

export const PLACE_WORDS: Readonly<Record<PlaceKind, string>> = {
  same: "unchanged",
  elsewhere: "moved",
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

const NO_PLACES = { same: 0, elsewhere: 0, content: 0, form: 0, onlyA: 0, onlyB: 0, unknown: 0 };

type Kinds = Pick<ArrayPlaces, "kinds">;
const listedChunks = ({ kinds }: Kinds): number => Object.values(kinds).reduce((sum, one) => sum + one, 0);
export const differingChunks = (array: Kinds): number => listedChunks(array) - array.kinds.same - array.kinds.unknown;

const nodesWords = (nodes: readonly { readonly node: string }[]): string => {
  const groups = nodes.filter(({ node }) => node === "group").length;
  const arrays = nodes.length - groups;
  return listed([...(groups > 0 ? [counted(groups, "group")] : []), ...(arrays > 0 ? [counted(arrays, "array")] : [])]);
};

const shareWords = (some: number, all: number, of: string): string => {
  if (some === all) return all === 1 ? counted(1, of) : `all ${counted(all, of)}`;
  return `${count(some)} of ${counted(all, of)}`;
};

/** "1 of 3 keys outside the grids" */
export const keysWords = (keys: KeyPlaces): string =>
  `${shareWords(differingChunks(keys), listedChunks(keys), "key")} outside the grids`;

/** One or two sentences. What could not be compared is not called the same. */
export function verdictOf({ nodes, metadata, arrays, keys }: SetDifferences): string {
  const sum = (of: (array: ArrayPlaces) => number) => arrays.reduce((total, array) => total + of(array), 0);
  const [all, other] = [sum(listedChunks), sum(differingChunks)];
  const unknown = sum(({ kinds }) => kinds.unknown) + keys.kinds.unknown;
  const uncompared = arrays.filter((array) => array.uncompared !== undefined).length;
  const open = listed([
    ...(unknown === 0 ? [] : [counted(unknown, "chunk")]),
    ...(uncompared === 0 ? [] : [`the chunks of ${counted(uncompared, "array")}`]),
  ]);
  const parts = [
    ...(metadata.length === 0 ? [] : [`metadata of ${nodesWords(metadata.map(({ path }) => kindAt(arrays, path)))}`]),
    ...(other === 0 ? [] : [shareWords(other, all, "reference")]),
    ...(differingChunks(keys) === 0 ? [] : [keysWords(keys)]),
  ];
  const rest = open === "" ? "" : ` Not compared: ${open}.`;
  if (arrays.length === 0 && nodes.some(({ node }) => node === "array")) return "The two have no array in common.";
  const lone = nodes.length === 0 ? "" : ` Only in one of the two: ${nodesWords(nodes)}.`;
  const differ = listed(parts);
  const isOne = parts.length === 1 && /^1 (?!of )/.test(differ);
  if (parts.length + nodes.length > 0)
    return `${differ === "" ? "" : `${differ.charAt(0).toUpperCase()}${differ.slice(1)} differ${isOne ? "s" : ""}.`}${lone}${rest}`.trim();
  const same = `${counted(arrays.length, "array")}, ${counted(all, "reference")}`;
  return open === "" ? `The same: ${same}.` : `No difference found in what could be compared: ${same}.${rest}`;
}

/** References: two datasets always differ in their places. */
export function placesWords({ arrays }: SetDifferences): string {
  const [all, other] = [listedChunks, differingChunks].map((of) => arrays.reduce((sum, one) => sum + of(one), 0));
  return other === 0
    ? "All references are the same"
    : `${shareWords(other ?? 0, all ?? 0, "reference")} moved or changed`;
}

/** The same without places of references, beside an answer of the values; "" where nothing else differs. */
export function besidesWords(of: SetDifferences, results: readonly ArrayValues[]): string {
  const arrays = of.arrays.map((array) => ({ ...array, kinds: { ...NO_PLACES }, uncompared: undefined }));
  const isOther = of.nodes.length + of.metadata.length + differingChunks(of.keys) > 0;
  const same = results.flatMap(({ path, verdict }) =>
    verdict === "same" || verdict === "within" ? [path || "/"] : [],
  );
  const shown = same.length > 6 ? [...same.slice(0, 6), `${count(same.length - 6)} more`] : same;
  const told = same.length === 0 || same.length === results.length ? "" : `The same: ${listed(shown)}. `;
  return `${told}${isOther ? verdictOf({ ...of, arrays }) : ""}`;
}

/** The answer of all arrays that were compared; `undefined`: none was. */
export function valuesTitle(results: readonly ArrayValues[], arrays: number): string | undefined {
  const of = (...verdicts: readonly ValuesVerdict[]) => results.filter(({ verdict }) => verdicts.includes(verdict));
  const [differing, open, within] = [of("differ"), of("part", "uncompared").length, of("within")];
  const [one = within[0]] = differing;
  if (differing.length > 1) return `${listed(differing.slice(0, 4).map(({ path }) => path))} differ`;
  if (one?.verdict === "differ") {
    const { differing: some = 0, compared = 0, largest } = one.elements ?? {};
    const most = largest && `, by up to ${largestText(largest, one.units)}`;
    return `${one.path || "/"} differs in ${shareWords(some, compared, "value")}${most ?? ""}`;
  }
  if (results.length === 0 || results.length < arrays) return undefined;
  if (open > 0) return `No difference found; ${counted(open, "array")} not compared in full`;
  const reach = results.some(({ beside }) => beside.includes("extent")) ? " where both reach" : "";
  if (one === undefined) return `All values are the same${reach}`;
  if (within.length > 1) return `All values are the same within the tolerance${reach}`;
  return `${one.path || "/"} is the same within ${toleranceWords(one)}${reach}`;
}

const kindAt = (arrays: readonly ArrayPlaces[], path: string) => ({
  node: arrays.some((array) => array.path === path) ? "array" : "group",
});

// Values.

export const BESIDE_WORDS: Readonly<Record<Beside, string>> = {
  units: "units",
  packing: "packing",
  order: "order",
  position: "coordinates (compared by position)",
  extent: "lengths (compared where both reach)",
  lacking: "missing chunks",
  type: "data type",
  chunks: "chunks or compression",
  attributes: "attributes",
};

/** A number of an array with its units: `3.2 K`, `+0.06 °C`. */
export function amount(value: number, units: string | undefined, isSigned = false, digits = 4): string {
  const text = `${isSigned && value > 0 ? "+" : ""}${shortNumber(value, digits)}`;
  const time = units?.split(" since ", 1)[0];
  return time === undefined || time.trim() === "1" ? text : `${text} ${unitsText(time)}`;
}

/** `0.005 °C (half a packing step)` */
export function toleranceWords({ tolerance, units }: Partial<Pick<ArrayPair, "tolerance" | "units">>): string {
  const { absolute, relative, from } = tolerance ?? { absolute: 0, relative: 0, from: "none" };
  if (from === "none") return "0";
  if (from === "rounding") return "rounding";
  if (from === "packing") return `${amount(absolute, units, false, 2)} (half a packing step)`;
  const parts = [
    ...(absolute > 0 ? [amount(absolute, units)] : []),
    ...(relative > 0 ? [`${shortNumber(relative)} of the value`] : []),
  ];
  return parts.join(" + ") || "0";
}

/** `3.2 K at 45°N 30°W 2026-01-12`; an array without dimensions has no places. */
const largestText = (
  { difference, place }: NonNullable<ElementDifferences["largest"]>,
  units: string | undefined,
): string => [amount(Math.abs(difference), units), ...(place === "" ? [] : [place])].join(" at ");

/** `differs in 312 of 5,200 values (3 of 54 chunks); largest 3.2 K at 45°N 30°W 2026-01-12` */
export function valuesAnswer(of: ArrayValues): string {
  const { verdict, units, uncompared, candidates, sameSource, compared, different, failed, unreached, boundAt95 } = of;
  if (uncompared !== undefined) return UNCOMPARED_WORDS[uncompared];
  const { differing = 0, compared: all = 0, missing, largest } = of.elements ?? {};
  const chunks = counted(compared, "chunk");
  const gaps = (["a", "b"] as const).flatMap((side) => {
    const lost = missing?.[side] ?? 0;
    return lost === 0 ? [] : [`${count(lost)} missing only in ${side.toUpperCase()}`];
  });
  return [
    ...(differing > 0
      ? [`differs in ${shareWords(differing, all, "value")} (${count(different)} of ${chunks})`, ...gaps]
      : []),
    ...(differing > 0 && largest ? [`largest ${largestText(largest, units)}`] : []),
    ...(verdict === "within" ? [`same within ${toleranceWords(of)}, ${chunks}`] : []),
    ...(differing === 0 && verdict !== "within" && compared > 0 ? [`no difference (${chunks})`] : []),
    ...(sameSource === 0 ? [] : [`${counted(sameSource, "chunk")} identical by reference`]),
    ...(failed > unreached ? [`${counted(failed - unreached, "chunk")} unreadable`] : []),
    ...(unreached > 0 ? [`${counted(unreached, "chunk")} out of reach`] : []),
    ...(boundAt95 === undefined
      ? []
      : [
          `with 95% confidence at most ${percentExactly(boundAt95)} of ${counted(candidates - sameSource, "chunk")} differ`,
        ]),
    ...(candidates === 0 ? ["no chunks"] : []),
  ].join("; ");
}
