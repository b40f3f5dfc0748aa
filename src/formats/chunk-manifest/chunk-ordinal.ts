/** From a manifest's key to a chunk's ordinal, whatever way the key is spelled. */
import type { KeySeparator } from "#core/metadata/chunk-grid.ts";
import type { StrayKey } from "#core/table/reference-table.ts";
import type { PrefixMeaning } from "./prefixes.ts";

/** `0.0` and `c.0.0` are dots, `0/0` and `c/0/0` slashes; a lone number is neither. */
export interface KeySpelling {
  readonly initial: boolean;
  readonly separator: "." | "/" | "";
}

export type StrayReason = Extract<StrayKey["reason"], "outside-grid" | "wrong-rank" | "not-a-chunk-key">;

export type KeyMeaning =
  | { readonly kind: "chunk"; readonly ordinal: number; readonly spelling: KeySpelling }
  /** A beginning of chunk keys, which represents all chunks whose keys begin so. */
  | { readonly kind: "prefix"; readonly prefix: PrefixMeaning }
  | { readonly kind: "stray"; readonly reason: StrayReason };

const NUMBER = /^(?:0|[1-9]\d{0,15})$/;

/**
 * `0.1`, `0/1`, `c/0/1` or `c.0.1` for the chunk at (0, 1); `0` or `c` for a scalar's. A number is written without leading
 * zeros. `own`: how the array's metadata write keys; whole parts of such a key are a prefix without a separator at its end.
 */
export function meaningOf(key: string, grid: readonly number[], own: KeySeparator = "c/"): KeyMeaning {
  const separator = key.includes("/") ? "/" : key.includes(".") ? "." : "";
  const parts = separator === "" ? [key] : key.split(separator);
  const initial = parts[0] === "c";
  if (initial) parts.shift();
  const spelling = { initial, separator } as const;
  if (grid.length === 0) {
    if (parts.length === 0 || key === "0") return { kind: "chunk", ordinal: 0, spelling };
    if (key === "") return prefixOf([], { separator: own }, grid);
    return stray(parts.every(isNumber) ? "wrong-rank" : "not-a-chunk-key");
  }
  if (parts.at(-1) === "" || parts.length === 0) return beforeChunks(parts, spelling, grid, own);
  if (!parts.every(isNumber)) return stray("not-a-chunk-key");
  if (parts.length < grid.length && isOwn(spelling, own))
    return prefixOf(parts.map(Number), { separator: own, before: lastOf(own) }, grid);
  if (parts.length !== grid.length) return stray("wrong-rank");
  const ordinal = ordinalAt(parts, grid);
  return ordinal === undefined ? stray("outside-grid") : { kind: "chunk", ordinal, spelling };
}

/** `""`, `c`, `c/`, `0/`, `0.1.`: ends where another coordinate, or the first, would come. */
function beforeChunks(
  parts: readonly string[],
  { initial, separator }: KeySpelling,
  grid: readonly number[],
  own: KeySeparator,
): KeyMeaning {
  const fixed = parts.slice(0, -1);
  if (parts.length === 0) {
    return own.length === 2 ? prefixOf([], { separator: own, before: lastOf(own) }, grid) : stray("not-a-chunk-key");
  }
  if (!fixed.every(isNumber) || fixed.length >= grid.length) return stray("not-a-chunk-key");
  if (separator === "") return prefixOf([], { separator: own }, grid);
  if (fixed.length === 0 && !initial) return stray("not-a-chunk-key");
  return prefixOf(fixed.map(Number), { separator, before: "" }, grid);
}

type Rest = Omit<PrefixMeaning, "fixed" | "separator"> & { readonly separator: KeySeparator };

function prefixOf(fixed: readonly number[], { separator, before }: Rest, grid: readonly number[]): KeyMeaning {
  const isCounted = Number.isSafeInteger(grid.reduce((product, count) => product * count, 1));
  if (!isCounted || fixed.some((at, dimension) => at >= (grid[dimension] ?? 0))) return stray("outside-grid");
  return {
    kind: "prefix",
    prefix: { fixed, separator: lastOf(separator), ...(before === undefined ? {} : { before }) },
  };
}

const lastOf = (separator: KeySeparator): "." | "/" => (separator.endsWith("/") ? "/" : ".");

/** Spelled as the array's metadata have it; a lone number shows no separator. */
const isOwn = ({ initial, separator }: KeySpelling, own: KeySeparator): boolean =>
  initial === (own.length === 2) && (separator === "" || separator === own.slice(-1));

const isNumber = (text: string): boolean => NUMBER.test(text);

function ordinalAt(parts: readonly string[], grid: readonly number[]): number | undefined {
  let ordinal = 0;
  for (let dimension = 0; dimension < grid.length; dimension += 1) {
    const at = Number(parts[dimension]);
    const count = grid[dimension] ?? 0;
    if (at >= count) return undefined;
    ordinal = ordinal * count + at;
  }
  return Number.isSafeInteger(ordinal) ? ordinal : undefined;
}

const stray = (reason: StrayReason): KeyMeaning => ({ kind: "stray", reason });
