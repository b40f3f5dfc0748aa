/** From a manifest's key to a chunk's ordinal, whatever way the key is spelled. */
import type { StrayKey } from "../../core/reference-table.ts";

/** `0.0` and `c.0.0` are dots, `0/0` and `c/0/0` slashes; a lone number is neither. */
export interface KeySpelling {
  readonly initial: boolean;
  readonly separator: "." | "/" | "";
}

export type StrayReason = Extract<StrayKey["reason"], "outside-grid" | "wrong-rank" | "not-a-chunk-key">;

export type KeyMeaning =
  | { readonly kind: "chunk"; readonly ordinal: number; readonly spelling: KeySpelling }
  /** What chunk keys begin with: it would stand for all of them. */
  | { readonly kind: "prefix" }
  | { readonly kind: "stray"; readonly reason: StrayReason };

const NUMBER = /^(?:0|[1-9]\d{0,15})$/;

/**
 * `0.1`, `0/1`, `c/0/1` or `c.0.1` for the chunk at (0, 1); `0` or `c` for a scalar's. A number is written without leading
 * zeros.
 */
export function meaningOf(key: string, grid: readonly number[]): KeyMeaning {
  const separator = key.includes("/") ? "/" : key.includes(".") ? "." : "";
  const parts = separator === "" ? [key] : key.split(separator);
  const initial = parts[0] === "c";
  if (initial) parts.shift();
  const spelling = { initial, separator } as const;
  if (grid.length === 0) {
    if (parts.length === 0 || key === "0") return { kind: "chunk", ordinal: 0, spelling };
    return isPrefix(parts, 0) ? { kind: "prefix" } : stray(parts.every(isNumber) ? "wrong-rank" : "not-a-chunk-key");
  }
  if (isPrefix(parts, grid.length)) return { kind: "prefix" };
  if (!parts.every(isNumber)) return stray("not-a-chunk-key");
  if (parts.length !== grid.length) return stray("wrong-rank");
  const ordinal = ordinalAt(parts, grid);
  return ordinal === undefined ? stray("outside-grid") : { kind: "chunk", ordinal, spelling };
}

/** `""`, `c`, `c/`, `0/`, `0.1.`: ends where another coordinate, or the first, would come. */
function isPrefix(parts: readonly string[], rank: number): boolean {
  if (parts.length === 0) return rank > 0;
  return parts.at(-1) === "" && parts.length <= Math.max(rank, 1) && parts.slice(0, -1).every(isNumber);
}

function isNumber(text: string): boolean {
  return NUMBER.test(text);
}

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

function stray(reason: StrayReason): KeyMeaning {
  return { kind: "stray", reason };
}
