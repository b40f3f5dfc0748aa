/** A gzip member (RFC 1952 §2.3). */
import { beginsWith, factsOf, shownText, viewOf, type Recognise } from "./signature.ts";

const SYSTEMS: ReadonlyMap<number, string> = new Map([
  [0, "FAT (DOS, Windows)"],
  [3, "Unix"],
  [7, "Macintosh"],
  [10, "NTFS (Windows)"],
  [11, "NTFS (Windows)"],
  [255, "not said"],
]);
const HEADER = 10;
const EXTRA = 4;
const NAME = 8;
const RESERVED = 0xe0;

export const gzip: Recognise = (bytes) => {
  if (!beginsWith(bytes, [0x1f, 0x8b, 8]) || bytes.length < HEADER) return undefined;
  const [flags = 0, system = 0] = [bytes[3], bytes[9]];
  if ((flags & RESERVED) !== 0) return undefined;
  const seconds = viewOf(bytes).getUint32(4, true);
  const name = nameOf(bytes, flags);
  const facts = factsOf({
    "File name": name,
    Written: seconds === 0 ? "not said" : new Date(seconds * 1000).toISOString(),
    System: SYSTEMS.get(system) ?? `number ${system}`,
  });
  return { name: "gzip", label: name === undefined ? "gzip" : `gzip of ${name}`, facts };
};

function nameOf(bytes: Uint8Array, flags: number): string | undefined {
  if ((flags & NAME) === 0) return undefined;
  const start = (flags & EXTRA) === 0 ? HEADER : HEADER + 2 + (bytes[HEADER] ?? 0) + 256 * (bytes[HEADER + 1] ?? 0);
  const end = bytes.indexOf(0, start);
  return end < 0 ? undefined : shownText(bytes.subarray(start, end));
}
