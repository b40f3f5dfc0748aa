/** Times in files: microseconds since 1970, unsigned 64 bits; last-modified checksums in whole seconds. */
import type { Exact } from "./types.ts";

/** Microseconds at the end of the year 9999: what comes later is not shown. */
const END_MICROSECONDS = 253_402_300_800_000_000;

/** `2026-11-20T20:16:54.182528Z`; `undefined` beyond the year 9999. */
export function timeText(microseconds: Exact): string | undefined {
  if (microseconds >= END_MICROSECONDS) return undefined;
  const exact = BigInt(microseconds);
  const seconds = new Date(Number(exact / 1000n)).toISOString().slice(0, 19);
  return `${seconds}.${String(exact % 1_000_000n).padStart(6, "0")}Z`;
}

/** `2024-05-06T07:08:09.000Z` */
export const secondsText = (seconds: number): string => new Date(seconds * 1000).toISOString();
