/** Shards (Zarr v3 sharding_indexed): their index, its entries, and the bytes that belong to none. */
import { about } from "../entry.ts";
import type { Finding } from "../../fact.ts";
import { count, counted, listed, quoted } from "../../../words.ts";

const WRITE_AGAIN = "Write the shard again.";
const CHECK_SHAPES = "Check the shapes of shards and inner chunks in the array's metadata.";
const UNCHECKED = "zarr-python does not compare entries with each other or with the index:";

/** One entry of a shard's index; coordinates count inner chunks within the shard. */
export type ShardEntryFacts = {
  readonly inner: readonly number[];
  /** As written; `undefined` for 2^64 − 1, which stands for empty. */
  readonly offset: number | undefined;
  readonly length: number | undefined;
  /** Bytes of the shard. */
  readonly size: number;
  /** In an overlap: those that begin before it and share bytes with it, eight at most. */
  readonly others: readonly (readonly number[])[];
};

const half = (value: number | undefined): string => (value === undefined ? "2^64 − 1" : String(value));
const nameOf = (coordinates: readonly number[]): string => coordinates.join(".") || "0";

/** `wrong`: what its bytes do, after "its entry says". */
const unreadable = (wrong: string) => (facts: ShardEntryFacts) => {
  const { inner, offset, length, size } = facts;
  return `Inner chunk ${nameOf(inner)} of the shard cannot be read: ${wrong} (offset ${half(offset)}, length ${half(length)}, in a shard of ${counted(size, "byte")}).`;
};

function overlapping(facts: ShardEntryFacts): string {
  const said = unreadable("its bytes overlap those of another inner chunk")(facts);
  const { others } = facts;
  if (others.length === 0) return said;
  const named = listed(others.map(nameOf));
  const begins = others.length === 1 ? "begins" : "begin";
  return `${said} Inner ${others.length === 1 ? "chunk" : "chunks"} ${named} ${begins} first and can be read, but at least one of the entries is wrong, so ${named} cannot be trusted either.`;
}

const { error, note } = about("references");
const ofMetadata = about("metadata");

function damagedEntry(title: string, wrong: string, remedy: string, readers: string) {
  const explain = unreadable(wrong);
  return error<ShardEntryFacts>({
    title,
    explain,
    remedy,
    readers,
  });
}

type Truncated =
  /** The shard, or the bytes read of its index, are fewer than the index needs. */
  | { readonly problem: "size"; readonly needed: number; readonly found: number; readonly entries: number }
  /** What stands where the index should be is none: most of its entries lie outside the shard. */
  | {
      readonly problem: "not-an-index";
      readonly needed: number;
      readonly size: number;
      readonly checksum: "wrong" | undefined;
    };

function explainTruncated(facts: Truncated): string {
  if (facts.problem === "size") {
    const { needed, found, entries } = facts;
    return `The index of ${counted(entries, "inner chunk")} takes ${counted(needed, "byte")}, but there are only ${counted(found, "byte")}.`;
  }
  const { needed, size, checksum } = facts;
  return `The last ${counted(needed, "byte")} of the shard should be its index, with entries that lie in the shard's ${counted(size, "byte")}; ${checksum === undefined ? "" : "the checksum is wrong, and "}most entries point elsewhere.`;
}

type IndexCodecs =
  | { readonly problem: "size-varies"; readonly codec: string }
  /** `cause`: what is wrong with the list of codecs. */
  | { readonly problem: "chain"; readonly cause: Finding };

export const SHARD = {
  "not-sharded": error({
    title: "The array is not sharded",
    explain: "A shard can be shown only for an array whose only codec is sharding_indexed; this is not such an array.",
    readers: "Readers are not affected.",
    about: "page",
  }),
  "shard-overlap": error<ShardEntryFacts>({
    title: "Inner chunks overlap",
    explain: overlapping,
    remedy: WRITE_AGAIN,
    readers: `${UNCHECKED} it decodes both, and at least one of them gives wrong values or fails.`,
  }),
  "shard-into-index": damagedEntry(
    "An inner chunk reaches into the shard's index",
    "its entry points into the shard's index",
    WRITE_AGAIN,
    `${UNCHECKED} it decodes bytes of the index as data, which gives wrong values or fails.`,
  ),
  "shard-past-end": damagedEntry(
    "An inner chunk reaches past the end of its shard",
    "its entry ends past the end of the shard",
    "Write the shard again, or fetch it again if it was cut short.",
    "zarr-python gets fewer bytes than the entry says; decoding them fails, or gives wrong values.",
  ),
  "shard-half-empty": damagedEntry(
    "Half-empty index entry",
    "one half of its entry in the shard's index says that the chunk is empty, and the other does not",
    "The index is damaged: write the shard again.",
    "zarr-python treats an inner chunk as empty only where both halves say so; what it does here is not known.",
  ),
  "shard-zero-length": damagedEntry(
    "An entry without bytes",
    "its entry in the shard's index has a length of 0 bytes, which no codec makes; an empty chunk would have 2^64 − 1 twice",
    WRITE_AGAIN,
    "zarr-python decodes no bytes, which fails with most codecs.",
  ),
  "shard-dead-bytes": note<{ readonly bytes: number; readonly gaps: number; readonly size: number }>({
    title: "Unused bytes in a shard",
    explain: ({ bytes, gaps, size }) =>
      `${count(bytes)} of the shard's ${counted(size, "byte")}, in ${counted(gaps, "gap")}, belong to no inner chunk. Rewriting single chunks leaves such gaps.`,
    readers: "Readers never ask for these bytes.",
  }),
  /** `entries`: those that some other entry equals; `dead`: bytes of the shard that belong to none. */
  "shard-entries-identical": note<{
    readonly inner: readonly (readonly number[])[];
    readonly offset: number;
    readonly length: number;
    readonly entries: number;
    readonly dead: number;
  }>({
    title: "Inner chunks with the same entry",
    explain: ({ inner, offset, length, entries, dead }) => {
      const more = entries > inner.length ? ` In all, ${count(entries)} entries of the shard equal another.` : "";
      const gap =
        dead > 0
          ? ` ${counted(dead, "byte")} of the shard ${dead === 1 ? "belongs" : "belong"} to no inner chunk: one of the entries may have pointed there.`
          : "";
      return `The inner chunks ${listed(inner.map(nameOf))} have the same entry (offset ${offset}, length ${length}), and so the same values.${more}${gap}`;
    },
    remedy: "This is right where the chunks are meant to be the same; otherwise write the shard again.",
    readers: "Readers give the same values for all of them, without a word.",
    question: "values",
  }),
  /** `isShifted`: the index is taken from another place for it. */
  "shard-index-checksum-unnamed": ofMetadata.error<{ readonly length: number; readonly isShifted: boolean }>({
    title: "Undeclared checksum after the shard index",
    explain: ({ length, isShifted }) =>
      `By index_codecs the shard's index has ${counted(length, "byte")} and no checksum, but it is followed by its crc32c of 4 bytes${isShifted ? ": the last bytes of the shard are taken for the index, 4 bytes too late" : ", which is never verified"}.`,
    remedy: 'Add {"name": "crc32c"} to index_codecs in the array\'s metadata.',
    readers: ({ isShifted }) =>
      isShifted
        ? "zarr-python reads other numbers as the index: wrong values, or an exception for each chunk."
        : "zarr-python reads the index without verifying it; writing to the shard destroys it for readers of the other metadata.",
  }),
  "shard-truncated": error<Truncated>({
    title: "Truncated shard",
    explain: explainTruncated,
    remedy:
      "Fetch or write the shard again; if it is whole, correct the chunk shapes or index codecs in the array's metadata.",
    readers:
      "zarr-python raises where the index has a checksum; where it has none, any bytes are taken as the index, which gives wrong values or fails.",
  }),
  "shard-index-checksum": error<{ readonly cause: Finding }>({
    title: "Shard index checksum mismatch",
    explain:
      "The shard's index does not match its checksum, so none of its inner chunks can be trusted to be where it says.",
    remedy: WRITE_AGAIN,
    readers: "zarr-python verifies the checksum and raises. zarrita does not, and reads what the entries say.",
  }),
  "shard-index-codecs": ofMetadata.error<IndexCodecs>({
    title: "Unusable codecs for a shard's index",
    explain: (facts) =>
      facts.problem === "chain"
        ? "The shard's index cannot be read, since its list of codecs (index_codecs) is not a valid one."
        : `The codecs of a shard's index must keep a fixed size (bytes, transpose, numcodecs.shuffle and checksums such as crc32c); ${quoted(facts.codec, 80)} does not, so the index cannot be found in the shard.`,
    remedy: "Correct index_codecs in the array's metadata.",
    readers: "zarr-python refuses an index without a fixed size as well; on other lists it may read on.",
  }),
  "shard-index-too-large": ofMetadata.error<{ readonly entries: number; readonly limit: number }>({
    title: "A shard has too many inner chunks",
    explain: ({ entries, limit }) =>
      `A shard has ${counted(entries, "inner chunk")}; indexes of at most ${count(limit)} are read.`,
    remedy: CHECK_SHAPES,
    readers: "zarr-python reads an index of any size that fits in memory.",
  }),
};
