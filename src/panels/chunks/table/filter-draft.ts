/** The filter as typed, and what of it can be asked. */
import type { ViewFilter } from "#core/open-set.ts";
import type { ChunkState, ReadingResult } from "#core/table/reference.ts";

/** Sizes as people write them: `10 kB` (1000), `4MiB` (1024²), `6,851`, `1.5e6`. */
const FACTORS: ReadonlyMap<string, number> = new Map(
  ["", "k", "m", "g", "t", "p"].flatMap((prefix, power): [string, number][] => [
    [prefix, 1000 ** power],
    [`${prefix}b`, 1000 ** power],
    ...(prefix === ""
      ? []
      : ([
          [`${prefix}i`, 1024 ** power],
          [`${prefix}ib`, 1024 ** power],
        ] as [string, number][])),
  ]),
);

const SIZE = /^(\d{1,3}(?:[ ,_]\d{3})+(?:\.\d+)?|\d*\.?\d+(?:e\d{1,2})?)\s*(?:(bytes?)|([a-z]{0,3}))$/i;

/** Whole bytes, or `undefined` where the text is not a size. */
export function parseBytes(text: string): number | undefined {
  const match = SIZE.exec(text.trim());
  const factor = match?.[2] === undefined ? FACTORS.get((match?.[3] ?? "").toLowerCase()) : 1;
  if (match?.[1] === undefined || factor === undefined) return undefined;
  const bytes = Math.round(Number(match[1].replaceAll(/[ ,_]/g, "")) * factor);
  return Number.isSafeInteger(bytes) ? bytes : undefined;
}

export interface RangeText {
  readonly from: string;
  readonly to: string;
}

export interface ChosenTarget {
  readonly id: number;
  readonly url: string;
}

export type TextMeaning = "key" | "file" | "place";

export interface FilterDraft {
  /** Results of reading the chunks. */
  readonly results: readonly ReadingResult[];
  readonly states: readonly ChunkState[];
  readonly targets: readonly ChosenTarget[];
  readonly targetText: string;
  readonly keyText: string;
  /** Absent until the user or the text says it: a key, or a file where no key has it. */
  readonly textAs?: TextMeaning | undefined;
  readonly length: RangeText;
  /** Ranges by dimension; only if the scope is an array. */
  readonly coordinates: ReadonlyMap<number, RangeText>;
}

export const NO_RANGE: RangeText = { from: "", to: "" };
export const NO_FILTER: FilterDraft = {
  results: [],
  states: [],
  targets: [],
  targetText: "",
  keyText: "",
  length: NO_RANGE,
  coordinates: new Map(),
};

export function isFiltering(draft: FilterDraft): boolean {
  return (
    draft.results.length + draft.states.length + draft.targets.length > 0 ||
    draft.targetText !== "" ||
    (draft.keyText !== "" && draft.textAs !== "place") ||
    !isBlank(draft.length) ||
    [...draft.coordinates.values()].some((range) => !isBlank(range))
  );
}

const isBlank = ({ from, to }: RangeText) => from.trim() === "" && to.trim() === "";

/**
 * The draft without the state "missing": where such chunks have no rows, filtering by it could only empty the table.
 */
export function withoutMissing(draft: FilterDraft): FilterDraft {
  if (!draft.states.includes("missing")) return draft;
  return { ...draft, states: draft.states.filter((state) => state !== "missing") };
}

/** Adds the item to the list if it was not there, else removes it. */
export function toggled<T>(list: readonly T[], item: T, same: (a: T, b: T) => boolean = Object.is): readonly T[] {
  const without = list.filter((one) => !same(one, item));
  return without.length === list.length ? [...list, item] : without;
}

export interface ParsedRange {
  readonly from?: number;
  readonly to?: number;
  /** Why the range is not applied. */
  readonly problem?: string;
}

/** Both ends included; a blank end is open. A range that cannot be understood is not a range, and says why. */
export function parseRange(range: RangeText, parse: (text: string) => number | undefined, kind: string): ParsedRange {
  const parsed = { from: parse(range.from), to: parse(range.to) };
  for (const end of ["from", "to"] as const) {
    if (range[end].trim() !== "" && parsed[end] === undefined) {
      return { problem: `“${range[end].trim()}” is not ${kind}.` };
    }
  }
  const { from, to } = parsed;
  if (from !== undefined && to !== undefined && from > to) return { problem: "“from” exceeds “to”." };
  return { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
}

export const parseLengthRange = (range: RangeText) =>
  parseRange(range, parseBytes, "a size such as 6851, 10 kB or 4 MiB");

const parseWhole = (text: string) => (/^\s*\d{1,15}\s*$/.test(text) ? Number(text) : undefined);
export const parseCoordinateRange = (range: RangeText) => parseRange(range, parseWhole, "a chunk coordinate");

/** Filter for the engine; `grid` is that of the scope if it is an array. */
export function filterOf(draft: FilterDraft, grid: readonly number[] | undefined): ViewFilter {
  const { problem: _, ...length } = parseLengthRange(draft.length);
  const coordinates = grid === undefined ? [] : coordinateFilters(draft, grid);
  return {
    ...(draft.results.length === 0 ? {} : { results: draft.results }),
    ...(draft.states.length === 0 ? {} : { states: draft.states }),
    ...(draft.targets.length === 0 ? {} : { targets: draft.targets.map(({ id }) => id) }),
    ...(draft.targetText === "" ? {} : { targetText: draft.targetText }),
    ...textFilter(draft),
    ...(coordinates.length === 0 ? {} : { coordinates }),
    ...(Object.keys(length).length === 0 ? {} : { length }),
  };
}

/** A place is gone to, and filters nothing. */
function textFilter({ keyText, textAs }: FilterDraft): Pick<ViewFilter, "keyText" | "textAs"> {
  if (keyText === "" || textAs === "place") return {};
  return { keyText, ...(textAs === undefined ? {} : { textAs }) };
}

function coordinateFilters(draft: FilterDraft, grid: readonly number[]) {
  return [...draft.coordinates].flatMap(([dimension, range]) => {
    const count = grid[dimension];
    const { from, to } = parseCoordinateRange(range);
    if (count === undefined || (from === undefined && to === undefined)) return [];
    return [{ dimension, from: from ?? 0, to: to ?? Math.max(0, count - 1) }];
  });
}

export const RESULT_SIGNS: Readonly<Record<ReadingResult, string>> = { ok: "✓", failed: "✕", "not tried": "○" };
