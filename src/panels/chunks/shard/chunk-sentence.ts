/** Whole sentences about inner chunks and what is wrong with them. Pure. */
import { firstPlace } from "#core/basics.ts";
import { type EntryState, isDamaged, type ShardFault, type ShardMap } from "#core/table/shard-map.ts";
import { fillWords } from "#widgets/zarr-words.ts";
import { countOf, formatCount, formatExactBytes } from "#widgets/number-format.ts";
import { type ByteSpan, stateOf } from "./file-order.ts";
import { chunkCoordinates, isOutside, type ShardArray, type ShardPlace } from "./shard-props.ts";

export const STATE_WORDS: Readonly<Record<EntryState, string>> = {
  empty: "empty",
  present: "present",
  shared: "shared bytes",
  overlap: "overlaps another",
  "into-index": "reaches into the index",
  "past-end": "reaches past the end",
  "half-empty": "half-empty entry",
  "zero-length": "no bytes",
};

/** Meaning of each state, in one sentence. */
export const STATE_MEANING: Readonly<Record<EntryState, string>> = {
  empty: "The index has no bytes for the chunk: every element reads as the fill value.",
  present: "The index says where the chunk's bytes lie in the shard.",
  shared: "Several chunks have the very same bytes, which is allowed.",
  overlap: "Two entries have some bytes in common but not all, so at least one of them is wrong.",
  "into-index": "The entry's bytes reach into the shard's index.",
  "past-end": "The entry's bytes reach past the end of the shard.",
  "half-empty": "Only one of the entry's two numbers says that it is empty.",
  "zero-length": "The entry has a place but no bytes.",
};

/** `0.3.1`; a scalar's only chunk is `0`. */
export function dotted(coordinates: readonly number[]): string {
  return coordinates.length === 0 ? "0" : coordinates.join(".");
}

/** `1.71`, `0.98`, `1,240`: how many times smaller the stored bytes are. */
export function ratioText(decoded: number | undefined, stored: number): string | undefined {
  if (decoded === undefined || stored <= 0) return undefined;
  const ratio = decoded / stored;
  const digits = ratio >= 99.95 ? 0 : ratio >= 9.995 ? 1 : 2;
  return `${ratio.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits })}×`;
}

/** `bytes 4,096–8,191`: the last one included. */
export function bytesText(offset: number, length: number): string {
  if (length <= 0) return `at byte ${formatCount(offset)}`;
  return length === 1
    ? `byte ${formatCount(offset)}`
    : `bytes ${formatCount(offset)}–${formatCount(offset + length - 1)}`;
}

export function chunkWords(map: ShardMap, array: ShardArray, shard: ShardPlace, inner: number) {
  const coordinates = chunkCoordinates(shard, map.innerGrid, inner);
  const state = stateOf(map, inner);
  return {
    coordinates: dotted(coordinates),
    state,
    /** "bytes 0–23, 24 bytes, 1.71×": what the index says. Empty where it says nothing. */
    place: placeWords(map, array, inner, state),
    /** Further note, beside the state. */
    note: noteWords(array, state, isOutside(array, coordinates)),
  };
}

function placeWords(map: ShardMap, array: ShardArray, inner: number, state: EntryState): string {
  const offset = map.offsets[inner] ?? -1;
  const length = map.lengths[inner] ?? 0;
  if (state === "empty" || state === "half-empty" || offset < 0 || length < 0) return "";
  const ratio = isDamaged(state) ? undefined : ratioText(array.chunkBytes, length);
  return [bytesText(offset, length), formatExactBytes(length), ...(ratio === undefined ? [] : [ratio])].join(", ");
}

function noteWords(array: ShardArray, state: EntryState, outside: boolean): string {
  if (state === "empty") return outside ? "outside the array" : `reads as ${fillWords(array.fillValue)}`;
  if (outside) return "outside the array: never read";
  return "";
}

/** For the live region. */
export function chunkSentence(map: ShardMap, array: ShardArray, shard: ShardPlace, inner: number): string {
  const { coordinates, state, place, note } = chunkWords(map, array, shard, inner);
  const spoken = place.replace(/, ([\d.,]+)×$/, ", compressed $1 times");
  const parts = [spoken, state === "present" ? "" : STATE_WORDS[state], note].filter((part) => part !== "");
  return `Inner chunk ${coordinates}, entry ${formatCount(inner)}: ${parts.join(", ")}.`;
}

/** Fault of an entry: expected and found. */
export function faultSentence(map: ShardMap, shard: ShardPlace, fault: ShardFault): string {
  const offset = map.offsets[fault.inner] ?? -1;
  const length = map.lengths[fault.inner] ?? 0;
  const here = bytesText(offset, length);
  const { offset: from, length: bytes } = map.index;
  const isRead = fault.isRead === true;
  const sentences: Readonly<Record<ShardFault["fault"], () => string>> = {
    overlap: () =>
      `Its ${here} overlap those of ${others(map, shard, fault)}: at least one of the entries is wrong. ${isRead ? "It is read, since it begins first, but may be the wrong one." : "It is not read, since another begins first."}`,
    "into-index": () => `Its ${here} reach into the index, which has ${bytesText(from, bytes)}.`,
    "past-end": () => `Its ${here} reach past the end: the shard has ${formatExactBytes(map.size)}.`,
    "half-empty": () => "Only one of its two numbers marks it as empty; the entry is neither empty nor present.",
    "zero-length": () => `Its entry says 0 bytes at ${formatCount(offset)}, but a stored chunk has at least one.`,
  };
  return sentences[fault.fault]();
}

function others(map: ShardMap, shard: ShardPlace, { with: ordinals = [] }: ShardFault): string {
  const named = ordinals.slice(0, 3).map((inner) => dotted(chunkCoordinates(shard, map.innerGrid, inner)));
  if (named.length === 0) return "another chunk";
  const more = ordinals.length - named.length;
  const list =
    named.length === 1 || more > 0 ? named.join(", ") : `${named.slice(0, -1).join(", ")} and ${named.at(-1)}`;
  return `${ordinals.length === 1 ? "chunk" : "chunks"} ${list}${more > 0 ? ` and ${countOf(more, "other")}` : ""}`;
}

/** Words for bytes of no chunk. */
export function bareSentence(map: ShardMap, { from, to }: ByteSpan): string {
  const { index } = map;
  if (from >= index.offset && from < index.offset + index.length) {
    const entries = countOf(map.codes.length, "entry", "entries");
    return `Index: ${bytesText(index.offset, index.length)}, ${formatExactBytes(index.length)} for ${entries}.`;
  }
  const gap = gapIn(map, from, to);
  if (gap === undefined) return `Byte ${formatCount(Math.floor(from))}.`;
  const length = gap.to - gap.from;
  return `Dead: ${bytesText(gap.from, length)}, ${formatExactBytes(length)} that no entry points at.`;
}

/** The first gap that reaches into some bytes. */
function gapIn({ gaps }: ShardMap, first: number, end: number): ByteSpan | undefined {
  const gap = firstPlace(0, gaps.length / 2, (place) => (gaps[2 * place + 1] ?? 0) <= first);
  const [from, to] = [gaps[2 * gap], gaps[2 * gap + 1]];
  return from === undefined || to === undefined || end <= from ? undefined : { from, to };
}
