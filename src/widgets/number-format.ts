/** Numbers as the screen writes them: `en` grouping, nothing rounded into a lie. */
import { percent } from "../core/words.ts";
import { type ChunkEdges, longestAlong, shortestAlong } from "../core/metadata/chunk-grid.ts";

const COUNT = new Intl.NumberFormat("en", { maximumFractionDigits: 20 });

/** `1,234,567` */
export const formatCount = (count: number): string => COUNT.format(count);

/** `1 array`, `1,204 arrays`; `plural` where an `s` is not enough. */
export function countOf(count: number, singular: string, plural = `${singular}s`): string {
  return `${formatCount(count)} ${count === 1 ? singular : plural}`;
}

const BYTE_UNITS = ["kB", "MB", "GB", "TB", "PB", "EB"] as const;
/** Below this the exact number is as short as a rounded one. */
const EXACT_BELOW = 10_000;

/** For people: `6,851 B`, `1.97 MB` (powers of 1000, three digits). */
export function formatBytes(bytes: number): string {
  if (Math.abs(bytes) < EXACT_BELOW) return `${formatCount(bytes)} B`;
  let value = bytes / 1000;
  let unit = 0;
  while (Math.abs(value) >= 999.5 && unit < BYTE_UNITS.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${threeDigits(value)} ${BYTE_UNITS[unit] ?? "EB"}`;
}

/** Bytes in full: `1,970,464 bytes`. */
export const formatExactBytes = (bytes: number): string => countOf(bytes, "byte");

function threeDigits(value: number): string {
  const size = Math.abs(value);
  const digits = size >= 99.95 ? 0 : size >= 9.995 ? 1 : 2;
  return value.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/** `98.1%`; says 100% only of all and 0% only of nothing. */
export const formatShare = (part: number, whole: number): string => (whole <= 0 ? "–" : percent(part / whole));

/** `0.4 ms`, `38 ms`, `1.2 s`, `2 min 5 s` */
export function formatDuration(milliseconds: number): string {
  if (milliseconds < 1) return `${milliseconds.toFixed(1)} ms`;
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  const seconds = milliseconds / 1000;
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`;
  if (seconds < 59.5) return `${Math.round(seconds)} s`;
  const whole = Math.round(seconds);
  return `${formatCount(Math.floor(whole / 60))} min ${whole % 60} s`;
}

/** `30`, or the shortest and the longest of unequal chunks: `28–31`. */
export function formatEdges(edges: ChunkEdges): string {
  if (typeof edges === "number") return formatCount(edges);
  return `${formatCount(shortestAlong(edges))}–${formatCount(longestAlong(edges))}`;
}

/** Chunk shape: `24 × 90 × 180`, `28–31 × 90 × 180` if they are unequal along a dimension; `scalar` for rank 0. */
export function formatChunks(chunks: readonly ChunkEdges[]): string {
  return chunks.length === 0 ? "scalar" : chunks.map(formatEdges).join(" × ");
}

/** `24 × 90 × 180`; `scalar` for rank 0. */
export function formatShape(shape: readonly number[]): string {
  return shape.length === 0 ? "scalar" : shape.map(formatCount).join(" × ");
}
