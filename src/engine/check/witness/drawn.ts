/** Few numbers of two statements that disagree, and their texts in dates and degrees: what a picture of them needs. */
import { axisNumberText } from "#core/cf/axis.ts";
import type { Drawn, DrawnPlaces, StatedChange } from "#core/check/statement.ts";
import type { ArrayNode } from "#core/metadata/array-metadata.ts";
import { roleOf } from "#engine/many/axis.ts";
import { type Stated, TURN } from "./change.ts";
import { shower } from "./show.ts";

/** Longest axis that is drawn whole; positions that are drawn of longer ones, and those before the first that differs. */
const [MAX_WHOLE, MAX_DRAWN, BEFORE] = [12, 9, 3];

interface Differing {
  readonly wrong: readonly number[];
  readonly change: StatedChange | undefined;
  readonly wraps: boolean | undefined;
}

export function drawnPlaces(array: ArrayNode, one: Stated, other: Stated, { wrong, change, wraps }: Differing): Drawn {
  const known = positionsOf(one.numbers.length, wrong, change).filter(
    (at) => Number.isFinite(one.numbers[at]) && Number.isFinite(other.numbers[at]),
  );
  const isWrong = new Set(wrong);
  const side = (stated: Stated, place: (at: number) => number): DrawnPlaces => {
    const within = known.map((at) => stated.within?.[at] ?? 0);
    const texts = known.map((at, index) => textOf(array, stated.numbers[at] ?? NaN, within[index] ?? 0));
    return { numbers: known.map(place), within, texts };
  };
  const own = (at: number) => one.numbers[at] as number;
  const beside = (at: number) => {
    const number = other.numbers[at] as number;
    return wraps === true ? number + TURN * Math.round((own(at) - number) / TURN) : number;
  };
  const differ = known.filter((at) => isWrong.has(at));
  return { kind: "places", positions: known, differ, a: side(one, own), b: side(other, beside) };
}

/** Those around the first that differs; all along the axis where the order is another. */
function positionsOf(length: number, [first = 0]: readonly number[], change: StatedChange | undefined) {
  const count = length <= MAX_WHOLE ? length : MAX_DRAWN;
  const isOfOrder = change?.kind === "reversed" || change?.kind === "permuted";
  const from = Math.max(0, Math.min(first - BEFORE, length - count));
  const some = Array.from({ length: count }, (_, at) =>
    isOfOrder ? Math.round((at * (length - 1)) / Math.max(1, count - 1)) : from + at,
  );
  const swapped = change?.kind === "swapped" ? change.positions : [];
  return [...new Set([...some, ...swapped])].toSorted((a, b) => a - b);
}

function textOf(array: ArrayNode, value: number, within: number): string {
  const { show, unit } = shower(array);
  const role = roleOf(array);
  const one = (number: number) =>
    role === "latitude" || role === "longitude"
      ? (axisNumberText({ role, units: undefined }, number) ?? "")
      : show(number, 0).replace(/^-/, "−") + (unit === undefined ? "" : ` ${unit}`);
  return within > 0 ? `${one(value - within)} – ${one(value + within)}` : one(value);
}
