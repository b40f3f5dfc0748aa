/** Shards (Zarr v3 sharding_indexed): their index, its entries, and unused bytes. */
import { about } from "../entry.ts";
import type { Finding } from "#core/findings/fact.ts";
import { count, counted, listed, quoted } from "#core/words.ts";
import { sentenceOf, type ToldBy } from "#core/words/sentences.ts";

const WRITE_AGAIN = "Rewrite the shard.";
const CHECK_SHAPES = "Check the shapes of shards and inner chunks in the array's metadata.";
const UNCHECKED = "zarr-python does not compare entries with each other or with the index:";

/** One entry of a shard's index; coordinates count inner chunks within the shard. */
export type ShardEntryFacts = {
  readonly inner: readonly number[];
  /** Offset as written; `undefined` for 2^64 − 1, which stands for empty. */
  readonly offset: number | undefined;
  readonly length: number | undefined;
  /** Bytes of the shard. */
  readonly size: number;
  /** Overlapping entries that begin before it, eight at most. */
  readonly others: readonly (readonly number[])[];
};

const half = (value: number | undefined): string => (value === undefined ? "2^64 − 1" : String(value));
const innerName = (coordinates: readonly number[]): string => coordinates.join(".") || "0";

/** `wrong`: what its bytes do, after "its entry says". */
const unreadable = (wrong: string) => (facts: ShardEntryFacts) => {
  const { inner, offset, length, size } = facts;
  return `Inner chunk ${innerName(inner)} of the shard cannot be read: ${wrong}. Its entry has offset ${half(offset)} and length ${half(length)}, in a shard of ${counted(size, "byte")}.`;
};

function overlapping(facts: ShardEntryFacts): string {
  const said = unreadable("its bytes overlap those of another inner chunk")(facts);
  const { others } = facts;
  if (others.length === 0) return said;
  const named = listed(others.map(innerName));
  const begins = others.length === 1 ? "begins" : "begin";
  return `${said} Inner ${others.length === 1 ? "chunk" : "chunks"} ${named} ${begins} first and can be read. At least one of the entries is wrong, so ${named} cannot be trusted either.`;
}

const { error, note } = about("references");
const metadata = about("metadata");

const damagedEntry = (title: string, wrong: string, remedy: string, readers: string) =>
  error<ShardEntryFacts>(title, { explain: unreadable(wrong), remedy, readers });

const TRUNCATED = {
  /** The shard, or the bytes read of its index, are fewer than the index needs. */
  size: ({ needed, found, entries }: { needed: number; found: number; entries: number }) =>
    `The index of ${counted(entries, "inner chunk")} needs ${counted(needed, "byte")}; found only ${counted(found, "byte")}.`,
  /** The bytes at the index's place are no index: most of its entries lie outside the shard. */
  "not-an-index": ({ needed, size, checksum }: { needed: number; size: number; checksum: "wrong" | undefined }) =>
    `Expected the last ${counted(needed, "byte")} of the shard to be its index, with entries inside the shard's ${counted(size, "byte")}; ${checksum === undefined ? "" : "the checksum is wrong, and "}most entries point elsewhere.`,
};

type IndexCodecs =
  | { readonly problem: "size-varies"; readonly codec: string }
  /** `cause`: what is wrong with the list of codecs. */
  | { readonly problem: "chain"; readonly cause: Finding };

export const SHARD = {
  "not-sharded": error("Array is not sharded", {
    explain: "A shard can be shown only for an array whose only codec is sharding_indexed; this is not such an array.",
    readers: "Readers are not affected.",
    about: "page",
  }),
  "shard-overlap": error<ShardEntryFacts>("Inner chunks overlap", {
    explain: overlapping,
    remedy: WRITE_AGAIN,
    readers: `${UNCHECKED} it decodes both, and at least one of them gives wrong values or fails.`,
  }),
  "shard-into-index": damagedEntry(
    "Inner chunk overlaps the shard index",
    "it points into the shard's index",
    WRITE_AGAIN,
    `${UNCHECKED} it decodes bytes of the index as data, which gives wrong values or fails.`,
  ),
  "shard-past-end": damagedEntry(
    "Inner chunk past the end of the shard",
    "it ends past the end of the shard",
    "Rewrite the shard. If it was truncated, fetch it again.",
    "zarr-python gets fewer bytes than the entry says; decoding them fails or gives wrong values.",
  ),
  "shard-half-empty": damagedEntry(
    "Half-empty index entry",
    "only one half of its index entry says that the chunk is empty",
    "Rewrite the shard: its index is damaged.",
    "zarr-python treats an inner chunk as empty only if both halves say so; it is not known what it does here.",
  ),
  "shard-zero-length": damagedEntry(
    "Index entry without bytes",
    "its index entry has length 0, which no codec produces (an empty chunk would have 2^64 − 1 twice)",
    WRITE_AGAIN,
    "zarr-python decodes no bytes, which fails with most codecs.",
  ),
  "shard-dead-bytes": note<{ bytes: number; gaps: number; size: number }>("Unused bytes in a shard", {
    explain: ({ bytes, gaps, size }) =>
      `${count(bytes)} of the shard's ${counted(size, "byte")}, in ${counted(gaps, "gap")}, belong to no inner chunk. Rewriting single chunks leaves such gaps.`,
    readers: "Readers never request these bytes.",
  }),
  /** `entries`: those that some other entry equals; `dead`: bytes of the shard that belong to none. */
  "shard-entries-identical": note<{
    inner: readonly (readonly number[])[];
    offset: number;
    length: number;
    entries: number;
    dead: number;
  }>("Inner chunks with the same entry", {
    explain: ({ inner, offset, length, entries, dead }) => {
      const more =
        entries > inner.length ? ` In total, ${count(entries)} entries of the shard are identical to another.` : "";
      const gap =
        dead > 0
          ? ` ${counted(dead, "byte")} of the shard ${dead === 1 ? "belongs" : "belong"} to no inner chunk; one of the entries may have pointed there.`
          : "";
      return `The inner chunks ${listed(inner.map(innerName))} have the same entry (offset ${offset}, length ${length}), and so the same values.${more}${gap}`;
    },
    remedy: "If the chunks should not be the same, rewrite the shard.",
    readers: "Readers silently return the same values for all of them.",
    question: "values",
  }),
  /** `isShifted`: the index is taken from another place for it. */
  "shard-index-checksum-unnamed": metadata.error<{ length: number; isShifted: boolean }>(
    "Undeclared checksum after the shard index",
    {
      explain: ({ length, isShifted }) =>
        `By index_codecs the shard's index has ${counted(length, "byte")} and no checksum, but its 4-byte crc32c follows it. ${isShifted ? "Readers therefore read the index 4 bytes too late, from the last bytes of the shard" : "It is never verified"}.`,
      remedy: 'Add {"name": "crc32c"} to index_codecs in the array\'s metadata.',
      readers: ({ isShifted }) =>
        isShifted
          ? "zarr-python reads the wrong bytes as the index: wrong values, or an exception for each chunk."
          : "zarr-python reads the index without verifying it. Writing to the shard breaks it for readers that expect the checksum.",
    },
  ),
  "shard-truncated": error<ToldBy<typeof TRUNCATED>>("Truncated shard", {
    explain: sentenceOf(TRUNCATED, "problem"),
    remedy:
      "Fetch or rewrite the shard. If it is complete, correct the chunk shapes or index codecs in the array's metadata.",
    readers:
      "zarr-python raises if the index has a checksum. If not, it reads any bytes as the index, which gives wrong values or fails.",
  }),
  /** `elsewhere`: the end of the shard that has an index with a right checksum. */
  "shard-index-checksum": error<{ cause: Finding; elsewhere?: "start" | "end" }>("Shard index checksum mismatch", {
    heading: ({ elsewhere }) => elsewhere && `Shard index is at the ${elsewhere}`,
    explain: ({ elsewhere }) =>
      elsewhere === undefined
        ? "The shard's index does not match its checksum, so the places of its inner chunks cannot be trusted."
        : `The shard's index, with a right checksum, is at the ${elsewhere} of the shard; index_location says ${elsewhere === "end" ? "start" : "end"}.`,
    remedy: ({ elsewhere }) =>
      elsewhere === undefined ? WRITE_AGAIN : `Set index_location to "${elsewhere}" in the array's metadata.`,
    readers: "zarr-python verifies the checksum and raises. zarrita does not, and reads where the entries point.",
  }),
  "shard-index-codecs": metadata.error<IndexCodecs>("Unusable shard index codecs", {
    explain: (facts) =>
      facts.problem === "chain"
        ? "The shard's index cannot be read, because its codecs (index_codecs) are not a valid list."
        : `Expected index codecs of fixed size (bytes, transpose, numcodecs.shuffle and checksums such as crc32c); found ${quoted(facts.codec, 80)}. The index cannot be located in the shard.`,
    remedy: "Correct index_codecs in the array's metadata.",
    readers: "zarr-python also refuses an index without a fixed size; it may accept other lists.",
  }),
  "shard-index-too-large": metadata.error<{ entries: number; limit: number }>("Too many inner chunks in a shard", {
    explain: ({ entries, limit }) =>
      `A shard has ${counted(entries, "inner chunk")}; Refscope reads indexes of at most ${count(limit)}.`,
    remedy: CHECK_SHAPES,
    readers: "zarr-python reads an index of any size that fits in memory.",
  }),
};
