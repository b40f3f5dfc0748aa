/**
 * A fix: a change of references or metadata that was tried, and what speaks for it. One concept, whether it was found for the
 * bytes of one chunk or for a cause that a check found. Plain data.
 */
import type { Trial } from "./check/lab.ts";
import { count, counted, cut, listed, wholePercent } from "./words.ts";
import { sentenceOf, type ToldBy } from "./words/sentences.ts";

/** Subject of a repair: a chunk of a grid, or a key that fits none. */
export type RepairSubject =
  | { readonly kind: "chunk"; readonly array: string; readonly coordinates: readonly number[] }
  | { readonly kind: "key"; readonly key: string }
  /** The grid in an array's metadata. `chunks`: the chunk shape that lengths of references suggest. */
  | { readonly kind: "metadata"; readonly array: string; readonly chunks?: readonly number[] };

/** How the bytes of a chunk, or of all chunks of an array, are read. */
export type DecodingChange = ToldBy<typeof DECODING_TITLES, "kind">;

export type RepairChange = DecodingChange | ToldBy<typeof REFERENCE_TITLES, "kind">;

export type GridMember = keyof typeof MEMBER_WORDS;

/** Evidence from the bytes. Values "as declared" are those of the declared reading. */
export type Evidence = ToldBy<typeof LINES_OF_BYTES, "kind">;

/** Evidence for a repair, from the lab and from other references. */
export type RepairEvidence = Evidence | ToldBy<typeof LINES_OF_REFERENCES, "kind">;

/** `safe`: nothing else can be meant, or no reader sees a difference. `needs-you`: two things may be meant. */
export type Certainty = "safe" | "likely" | "needs-you";

export interface Repair {
  readonly change: RepairChange;
  readonly evidence: readonly RepairEvidence[];
  /** How a chunk is read so: absent where that is no other reading of its range. */
  readonly trial?: Trial;
}

/** A repair that gives exactly the bytes that the chunk should have. */
export interface Suggestion extends Repair {
  readonly change: DecodingChange;
  readonly evidence: readonly Evidence[];
  readonly trial: Trial;
  /** 0 to 1, for ranking. */
  readonly score: number;
}

/** Why nothing was searched for: there is no reference or a bad one, no bytes, or more than may be kept. */
export type NothingSearched = "no-reference" | "bad-reference" | "no-bytes" | "too-large";

export interface Suggestions {
  /** The best first; none where the chunk reads well as declared. */
  readonly suggestions: readonly Suggestion[];
  /** Result of the declared decoding, or the reason why nothing was searched for. */
  readonly declared: "decodes" | "fails" | NothingSearched;
  /** Bytes that the chunk should have; 0 where that is not known. */
  readonly expected: number;
  /** Readings that were tried. */
  readonly tried: number;
}

/** Why a repair is no edit: the format cannot be edited here, gen made the reference, or they are too many. */
export type NotEditable = "not-a-document" | "generated" | "too-many";

/** References that a common repair of many chunks changes, and how many of them were read with it. */
export interface AlikeChunks {
  readonly references: number;
  readonly read: number;
}

/** Limits of a search that somebody asks for; if chunks are large, as many bytes as a few of them have. */
export const SEARCH_COST = {
  one: { bytes: 4 * 2 ** 20, requests: 40 },
  all: { bytes: 16 * 2 ** 20, requests: 400 },
  most: 64 * 2 ** 20,
} as const;

/** Most places of a cause that get fixes of their own; for more, one repair is looked for that holds for all. */
export const FEW_PLACES = 12;

/** A repair with its certainty and evidence, as it is offered. */
export interface OfferedRepair extends Repair {
  readonly certainty: Certainty;
  /** Key of the reference, and its array where it is a chunk of one. */
  readonly key: string;
  readonly array?: string;
  readonly refused?: NotEditable;
  /** The reference as written; "" where there is none. */
  readonly before: string;
  readonly after: string;
  /** Absent where it is of one chunk or key, or of all keys of an array (`separator`). */
  readonly alike?: AlikeChunks;
}

// Words of repairs, on the page, in the terminal and in the problem it fixes.

const bytes = (amount: number): string => counted(amount, "byte");

interface Titled extends Pick<Repair, "change"> {
  readonly certainty?: Certainty;
  readonly alike?: AlikeChunks;
}

/** Text of a button: "Read 7 bytes earlier". */
export function repairTitle({ change, certainty, alike }: Titled): string {
  const title = titleOf(change, alike?.references);
  return certainty === "needs-you" ? `${title}?` : title;
}

/** How many references it changes, and how many of them were read; `undefined` where it is of one. */
export function alikeWords({ change, alike }: Pick<Titled, "change" | "alike">): string | undefined {
  if (alike === undefined) return undefined;
  const all = `It changes ${references(alike.references)}`;
  if (change.kind === "remove") return `It removes ${references(alike.references)}. Nothing had to be read.`;
  if (alike.read >= alike.references) return `${all}. Each was read this way and decodes.`;
  return `${all}. A spread sample of ${count(alike.read)} was read this way, and each decodes. The others were not read.`;
}

const references = (amount: number): string => (amount === 1 ? "1 reference" : `${count(amount)} references`);

/** " in 7 references", where it fixes more than one. */
const within = (amount: number | undefined): string => (amount === undefined ? "" : ` in ${references(amount)}`);

/** `amount`: of references that it fixes; absent where it is of one. */
export const DECODING_TITLES = {
  /** Codecs are declared that were not applied to this chunk. */
  "codec-not-applied": ({ codecs }: Codecs, amount?: number) => `Read without ${names(codecs)}${within(amount)}`,
  /** A codec was applied that is not declared. */
  "codec-undeclared": ({ codec, detail }: { codec: string; detail?: ToldBy<typeof DETAILS, "kind"> }) =>
    `Declare ${cut(codec, 40)}${detail === undefined ? "" : sentenceOf(DETAILS, "kind")(detail)}`,
  "codec-order": ({ codecs }: Codecs) => `Decode in the order ${names(codecs)}`,
  /** Element size of shuffle, in bytes. */
  "element-size": ({ size, declared }: { size: number; declared: number }) =>
    `Shuffle with ${size}-byte elements instead of ${declared}-byte ones`,
  "byte-order": ({ byteOrder }: { byteOrder: "little" | "big" }) => `Read the elements as ${byteOrder}-endian`,
  /** Bytes that the range begins later, and by which it is longer; negative: earlier, shorter. */
  move: ({ shift, lengthen }: { shift: number; lengthen: number }, amount?: number) => {
    if (lengthen === 0 && Math.abs(shift) > FAR) return `Move by ${count(shift)} bytes`;
    const parts = [...(shift === 0 ? [] : [earlier(shift)]), ...(lengthen === 0 ? [] : [more(lengthen)])];
    return `Read ${parts.join(", ")}${within(amount)}`;
  },
};

type Range = { readonly offset: number; readonly length: number };

export const REFERENCE_TITLES = {
  /** A reference that no reader asks for. */
  remove: (_: object, amount?: number) =>
    amount === undefined ? "Remove the reference" : `Remove ${references(amount)}`,
  /** Another number of bytes from the same offset. */
  length: ({ length }: { length: number }, amount?: number) => `Read ${bytes(length)}${within(amount)}`,
  /** The same bytes of targets whose address begins otherwise. */
  prefix: ({ from, to }: { from: string; to: string }, amount?: number) =>
    `Replace ${from} with ${to}${within(amount)}`,
  /** References from the source files' own indexes. */
  index: (_: object, amount?: number) => `Read where the file's own index says${within(amount)}`,
  /** Decoded bytes of a chunk that was stored without some filters, encoded as the metadata claim. */
  inline: (_: object, amount?: number) => `Write the decoded bytes inline${within(amount)}`,
  /** Inline values with the zero bytes that were cut off their end. */
  pad: (_: object, amount?: number) => `Pad with zero bytes${within(amount)}`,
  range: ({ offset, length }: Range) => `Read ${bytes(length)} at ${count(offset)}`,
  /** The same bytes of another target, or `range`: other bytes of it. */
  target: ({ target }: { target: string | null; range?: Range }, amount?: number) =>
    `Point to ${targetName(target)}${within(amount)}`,
  /** Another shape, or chunk shape, in the array's metadata. */
  metadata: ({ member, to }: { member: keyof typeof MEMBER_WORDS; to: readonly number[] }) =>
    `Set ${MEMBER_WORDS[member]} to ${to.map(count).join(" × ")}`,
  /** The key of the chunk that it must be. */
  rename: ({ to }: { to: string }) => `Rename to ${to}`,
  /** Keys of the array's chunks, written as its metadata say. */
  separator: ({ to, references: keys }: { from: string; to: string; references: number }) =>
    `Write ${keys === 1 ? "1 key" : `${count(keys)} keys`} with “${to}”`,
};

const titleOf: (change: RepairChange, amount?: number) => string = sentenceOf(
  { ...DECODING_TITLES, ...REFERENCE_TITLES },
  "kind",
);

const names = (codecs: readonly string[]): string => listed(codecs.map((codec) => cut(codec, 40)));

type Codecs = { codecs: readonly string[] };

/** Details about a codec that was applied but not declared. */
const DETAILS = {
  /** The codec is a checksum of 4 bytes, before or after the others. */
  checksum: ({ place }: { place: keyof typeof WHICH }) => `: the ${WHICH[place]} 4 bytes are its checksum`,
  "with-shuffle": " and shuffle",
  "element-size": ({ size }: { size: number }) => `, ${size}-byte elements`,
};

const WHICH = { start: "first", end: "last" } as const;

export const MEMBER_WORDS = { shape: "shape", chunks: "chunk shape" } as const;

const earlier = (by: number): string => `${bytes(Math.abs(by))} ${by < 0 ? "earlier" : "later"}`;
const more = (by: number): string => `${bytes(Math.abs(by))} ${by < 0 ? "fewer" : "more"}`;

/** From here on a difference says nothing. */
const FAR = 1_000_000;

const targetName = (target: string | null): string => {
  const bare = target?.replace(/[?#].*$/s, "") ?? "the target given when opening";
  return bare.slice(bare.lastIndexOf("/") + 1) || bare;
};

/** A fix in one line, for a list without buttons: "Read 16,055 bytes at 253,285 for ice/0.0.0". */
export function repairLine(offer: OfferedRepair): string {
  if (offer.alike !== undefined) return `${repairTitle(offer)}, such as ${offer.key}`;
  return offer.change.kind === "separator" || offer.change.kind === "metadata"
    ? `${repairTitle(offer)} in ${offer.array === "" ? "/" : (offer.array ?? "")}`
    : `${repairTitle(offer)} for ${offer.key}`;
}

/** How sure it is, in a sentence or two. */
export function certaintyWords({
  certainty,
  change,
  alike,
}: Pick<OfferedRepair, "certainty" | "change" | "alike">): string {
  if (change.kind === "metadata" && certainty === "likely")
    return "The references suggest this, but do not prove it. Check the values.";
  if (change.kind === "remove" && alike !== undefined && certainty !== "needs-you")
    return "No reader requests these keys.";
  return CERTAINTY_WORDS[certainty];
}

const CERTAINTY_WORDS: Readonly<Record<OfferedRepair["certainty"], string>> = {
  safe: "Tested: the only fix that fits.",
  likely: "Tested: it fits, but is not proven. Check the values.",
  "needs-you": "Several fixes fit. Only the dataset's author can tell which one is right.",
};

export const REFUSED_WORDS: Readonly<Record<NotEditable, string>> = {
  "not-a-document":
    "Refscope can edit only Kerchunk JSON documents. Make the change with the tool that wrote the dataset.",
  generated: "gen makes this reference: change its entry in gen.",
  "too-many": "There are too many references to edit one by one. Make the change with the tool that wrote the dataset.",
};

const ABSURD = {
  characters: "invalid Unicode characters",
  numbers: "implausibly large or small numbers (beyond 1e±30)",
} as const;

type Key = { key: string };
type Grid = { grid: readonly number[] };
type Several = { read: number };

/** One line a fact, without a full stop. `ofMany`: several chunks were read this way. */
export const LINES_OF_BYTES = {
  /** Checksums of these codecs hold. */
  "checksum-holds": ({ codecs }: Codecs, ofMany: boolean) =>
    ofMany
      ? `Their checksums match (${names(codecs)})`
      : `The ${codecs.length === 1 ? "checksum" : "checksums"} of ${names(codecs)} ${codecs.length === 1 ? "matches" : "match"}`,
  /** Streams of these codecs decode from their first byte to their last. */
  "stream-whole": ({ codecs }: Codecs, ofMany: boolean) =>
    `${ofMany ? "Each stream of " : ""}${names(codecs)} decodes completely`,
  "plain-size": "The stored size is exactly that of an uncompressed chunk",
  "decodes-without": ({ codecs }: Codecs) => `It does not decode with ${names(codecs)}, but decodes without`,
  "decodes-in-order": "Every step decodes in this order, but not in the declared one",
  "is-checksum": ({ place, codec, of }: { place: keyof typeof WHICH; codec: string; of: number }) =>
    `The ${WHICH[place]} 4 bytes are the ${codec} checksum of the ${bytes(of)} ${place === "end" ? "before" : "after"} them`,
  "begins-like": ({ codec }: { codec: string }) => `The stored bytes begin like ${codec}`,
  /** At the new offset. */
  "stream-begins": ({ codec }: { codec: string }) => `A ${codec} stream begins there`,
  /** The range touches that of a reference before or after it. */
  adjoins: ({ neighbour }: { neighbour: "before" | "after" }) =>
    neighbour === "before" ? "It begins where the reference before it ends" : "It ends where the next reference begins",
  /** Evidence for everything that it changes. */
  "file-mask": "The source files' own indexes say which filters each chunk was stored without",
  "file-index": "The source files' own indexes have the chunks there",
  "zeros-cut": "No value ends with a zero byte: those at the end were cut off when the values were inlined",
  "exact-size": ({ bytes: size }: { bytes: number }) => `It decodes to exactly ${bytes(size)}`,
  "rows-end": "The jump from row to row is where the rows end",
  "even-steps": "The elements are evenly spaced, like coordinates; as declared they are not",
  /** Bits of entropy per byte. */
  "more-order": (of: { bits: number; declared: number }) =>
    `The elements' bytes have far lower entropy: ${of.bits.toFixed(2)} bits per byte, compared with ${of.declared.toFixed(2)} as declared`,
  /** Shares, 0 to 1, of what no text or measurement has among values that are not zero. */
  "fewer-absurd": ({ of, share, declared }: { of: keyof typeof ABSURD; share: number; declared: number }) =>
    `As declared, ${wholePercent(declared)} of the non-zero values are ${ABSURD[of]}; with the fix ${wholePercent(share)} are`,
  /** Mean bits of the differences between neighbours. */
  smoother: (of: { bits: number; declared: number }) =>
    `Neighbouring values differ far less: by ${of.bits.toFixed(1)} bits on average, compared with ${of.declared.toFixed(1)} as declared`,
  /** All values are small, as flags; as declared they are spread over several bytes of an element. */
  flags: ({ greatest, places }: { greatest: number; places: number }) =>
    `All values are between 0 and ${greatest}, like flags; as declared they are spread over ${places} bytes of an element`,
  "fill-lost": ({ fill, stored, summed }: { fill: number; stored: number; summed: number }) =>
    `The fill value ${fill} occurs ${counted(stored, "time")} in the values as stored, and ${counted(summed, "time")} when they are summed`,
  "nan-spreads": "Summed as declared, everything after the first NaN is NaN; as stored, the values continue after it",
  "sums-wrap": (of: { count: number }) =>
    `Summed as declared, the values wrap around ${counted(of.count, "time")}; as stored they do not`,
  "sums-grow": "Summed as declared, the values grow from row to row by a whole row's sum; as stored they do not",
};

export const LINES_OF_REFERENCES = {
  "begins-behind": ({ key }: Key) => `It begins where ${key} ends`,
  "ends-before": ({ key }: Key) => `It ends where ${key} begins`,
  unclaimed: "No other reference has these bytes",
  /** The chunks before and after it in the array are as far from it as from each other. */
  "even-distance": (of: { bytes: number }) => `Chunks are spaced every ${bytes(of.bytes)}, and so is this one`,
  /** A target with the same layout as this chunk's. */
  "same-layout": ({ key, target }: Key & { target: string | null }) =>
    `${key} begins at the same offset in ${targetName(target)}`,
  "target-of-neighbours": ({ key }: Key) => `The neighbouring ${key} has the same source`,
  "near-name": ({ name }: { name: string }) => `${targetName(name)} has nearly the same name`,
  "target-unread": "The source as written cannot be read",
  "outside-grid": ({ grid }: Grid) => `The grid has ${grid.map(count).join(" × ")} chunks: no reader requests this key`,
  "wrong-rank": ({ rank }: { rank: number }) =>
    `The array has ${rank === 1 ? "1 dimension" : `${rank} dimensions`}: no reader requests this key`,
  "no-chunk-key": "The key is not written like a chunk key: no reader requests it",
  "bytes-referenced-by": ({ key }: Key) => `${key} reads the same bytes`,
  /** The key is the only one without a reference that fits. */
  "only-missing": ({ key }: Key) => `${key} is the only chunk without a reference that fits`,
  /** References that fail as written, and all decode when changed in the same way. */
  "all-alike": ({ read }: Several) =>
    read === 1
      ? "It cannot be read as written, but decodes with the fix"
      : `${count(read)} tested: none can be read as written, all decode with the fix`,
  "keys-fill-grid": ({ grid }: Grid) =>
    `The references fill a grid of ${grid.map(count).join(" × ")} chunks exactly: none is missing, none is outside`,
  /** `by`: an array that has the dimension. */
  "length-elsewhere": ({ by, length, dimension }: { by: string; length: number; dimension: string }) =>
    `${by} has length ${count(length)} along ${dimension}`,
  "chunks-decode": ({ read }: Several) =>
    read === 1 ? "1 chunk tested: it decodes with the fix" : `${count(read)} chunks tested: all decode with the fix`,
  "only-size": (of: { bytes: number }) => `Uncompressed, each chunk has ${bytes(of.bytes)}`,
  /** Number of the array's keys that then name chunks without a reference. */
  "keys-fit": ({ keys }: { keys: number }) =>
    keys === 1
      ? "The key matches a chunk without a reference"
      : `All ${count(keys)} keys match chunks without a reference`,
};

const evidenceLine: (evidence: RepairEvidence, ofMany: boolean) => string = sentenceOf(
  { ...LINES_OF_BYTES, ...LINES_OF_REFERENCES },
  "kind",
);

export const evidenceLines = ({ evidence, alike }: Pick<OfferedRepair, "evidence" | "alike">): readonly string[] =>
  evidence.map((one) => evidenceLine(one, (alike?.read ?? 0) > 1));

/** Words for searches that offered nothing: the attempts, and what ended them early. */
export function nothingFoundWords(searches: readonly FruitlessSearch[]): string {
  const ended = searches.find((one) => one.ended !== undefined)?.ended;
  const until = ended === undefined ? "" : `, until the limit of ${ended} was reached`;
  const tried = [...new Set(searches.map(({ subject }) => TRIED[subject.kind]))];
  return `No fix found${until}. Tried: ${tried.join("; ")}.`;
}

const TRIED = {
  chunk: "other offsets, lengths and source files, and other codecs, element sizes and byte orders",
  key: "other spellings of the key, and leaving it out",
  metadata: "another shape and chunk shape",
};

interface FruitlessSearch {
  readonly subject: { readonly kind: keyof typeof TRIED };
  readonly ended?: "bytes" | "requests" | "time";
}
