/**
 * Which chunk keys of an array contain a text, without writing out the keys: the text is laid over the path and over
 * the coordinates' digits in every way it fits, and each way becomes a question about the coordinates.
 */
import { coordinatesOf, chunkKey } from "../../core/chunk-grid.ts";
import type { ArraySlot } from "../../core/reference-table.ts";
import { cellMask, type CellMask, type TableBudget } from "./cell-mask.ts";

/** All cells of the array, none, those that match a mask, or those whose key, written out, has the text in it. */
export type KeyMatch =
  | { readonly kind: "all" }
  | { readonly kind: "none" }
  | { readonly kind: "mask"; readonly mask: CellMask }
  | { readonly kind: "text"; matches(ordinal: number): boolean };

/** `text` is not empty. */
export function keysContaining(text: string, slot: ArraySlot, budget: TableBudget): KeyMatch {
  const prefix = slot.path === "" ? "" : `${slot.path}/`;
  const { grid, separator } = slot;
  if (prefix.includes(text)) return { kind: "all" };
  if (grid === undefined) return { kind: "none" };
  if (grid.length === 0) return { kind: `${prefix}0`.includes(text) ? "all" : "none" };
  const ways = [...waysInName(text, grid.length, separator), ...waysAcross(text, prefix, grid.length, separator)];
  if (ways.length === 0) return { kind: "none" };
  // More ways than a mask has bits: rare enough to write the keys out.
  if (ways.length > 32) return { kind: "text", matches: (ordinal) => chunkKeyOf(slot, ordinal).includes(text) };
  const mask = cellMask(grid, budget, (dimension, coordinate) => bitsOf(ways, dimension, coordinate));
  return { kind: "mask", mask };
}

const chunkKeyOf = ({ path, grid, separator }: ArraySlot, ordinal: number): string =>
  chunkKey(path, coordinatesOf(grid ?? [], ordinal), separator);

/** What the digits of one coordinate must be like. */
interface Digits {
  readonly place: "anywhere" | "start" | "end" | "whole";
  readonly value: number;
  /** 10 to the number of digits asked for, and the least number with that many digits. */
  readonly power: number;
  readonly least: number;
}

/** One way in which the text fits: conditions on some of the dimensions. */
type Way = ReadonlyMap<number, Digits>;

/** The text lies within the chunk's name, at any of the dimensions. */
function waysInName(text: string, rank: number, separator: string): readonly Way[] {
  const parts = partsOf(text, separator);
  if (parts === undefined) return [];
  const starts = Array.from({ length: Math.max(0, rank - parts.length + 1) }, (_, at) => at);
  if (parts.length === 1) return starts.flatMap((at) => wayOf(parts, at, ["anywhere"]));
  const middle = parts.slice(2).map((): Digits["place"] => "whole");
  return starts.flatMap((at) => wayOf(parts, at, ["end", ...middle, "start"]));
}

/** The text begins in the path and ends in the chunk's name. */
function waysAcross(text: string, prefix: string, rank: number, separator: string): readonly Way[] {
  const ways: Way[] = [];
  for (let split = Math.max(1, text.length - 20 * rank); split < text.length; split += 1) {
    if (!prefix.endsWith(text.slice(0, split))) continue;
    const parts = partsOf(text.slice(split), separator);
    if (parts === undefined || parts.length > rank) continue;
    const whole = parts.slice(1).map((): Digits["place"] => "whole");
    ways.push(...wayOf(parts, 0, [...whole, "start"]));
  }
  return ways;
}

function partsOf(text: string, separator: string): readonly string[] | undefined {
  const parts = text.split(separator);
  return parts.every((part) => /^\d{0,15}$/.test(part)) ? parts : undefined;
}

/** None where a condition cannot be met: a coordinate is never empty and has no leading zero. */
function wayOf(parts: readonly string[], first: number, places: readonly Digits["place"][]): readonly Way[] {
  const way = new Map<number, Digits>();
  for (const [at, part] of parts.entries()) {
    const place = places[at] ?? "whole";
    const fromStart = place === "start" || place === "whole";
    if (fromStart && part.length > 1 && part.startsWith("0")) return [];
    if (place === "whole" && part === "") return [];
    const least = part.length < 2 ? 0 : 10 ** (part.length - 1);
    if (part !== "") way.set(first + at, { place, value: Number(part), power: 10 ** part.length, least });
  }
  return [way];
}

function bitsOf(ways: readonly Way[], dimension: number, coordinate: number): number {
  let bits = 0;
  for (const [at, way] of ways.entries()) {
    const digits = way.get(dimension);
    if (digits === undefined || hasDigits(coordinate, digits)) bits |= 1 << at;
  }
  return bits;
}

function hasDigits(coordinate: number, { place, value, power, least }: Digits): boolean {
  if (place === "whole") return coordinate === value;
  if (place === "end") return coordinate % power === value && coordinate >= least;
  let rest = coordinate;
  if (place === "start") {
    while (rest >= power) rest = Math.floor(rest / 10);
    return rest === value;
  }
  for (; rest >= least; rest = Math.floor(rest / 10)) {
    if (rest % power === value) return true;
    if (rest < 10) return false;
  }
  return false;
}
