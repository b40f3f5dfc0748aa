/** Icechunk: references of manifests, the source files of virtual chunks, and snapshots compared. */
import { about } from "../entry.ts";
import type { Finding } from "#core/findings/fact.ts";
import { count, counted, quoted, listed } from "#core/words.ts";
import { sentenceOf, type ToldBy } from "#core/words/sentences.ts";

const REFUSED = "Icechunk also refuses the chunk.";
const CONDITION =
  "Icechunk makes its request conditional on an unchanged file. A server that honours this refuses the chunk; one that does not silently sends the changed bytes (measured, icechunk 2.2.2).";
const WRITE_AGAIN = "Rewrite the virtual references, or restore the old file.";

/** `text`: the location as stored, or the part of it; `reason`: what the decoder says. */
type Location = { text: string | undefined; reason: string | undefined };

const LOCATION_PROBLEMS = {
  encoding: "Expected the location of a virtual chunk to be UTF-8 text; its bytes are not UTF-8.",
  "no-dictionary": "The location of a virtual chunk is compressed with a dictionary, but the manifest has none.",
  decompression: ({ reason = "" }: Location) =>
    `Expected the location of a virtual chunk to be a zstd frame of at most 1024 bytes of content: ${reason.replace(/\.$/, "")}.`,
  "not-a-url": ({ text = "" }: Location) =>
    `Expected the location of a virtual chunk to be a URL; found ${quoted(text)}.`,
  escapes: ({ text = "" }: Location) =>
    `Expected the escapes (%xx) in the location of a virtual chunk to give UTF-8 text; those of ${quoted(text)} do not.`,
  "not-compared": "Some locations cannot be decompressed, or checksums are not text. Refscope counts them as changed.",
};

/** `key`: what the location names in its store. */
const REFUSED_KEYS = {
  dots: ({ key }: { key: string }) => `The key ${quoted(key)} has a part “.” or “..”, which a URL cannot hold.`,
  path: ({ key }: { key: string }) =>
    `The key ${quoted(key)} has an empty part (“//”), a part “.” or “..”, or a control character.`,
  endpoint: ({ endpoint }: { endpoint: string }) => `The container's endpoint ${quoted(endpoint)} is not a URL.`,
  location: "The location of the virtual chunk cannot be used.",
};

type ChangedTarget = { by: "time" | "etag"; recorded: string; now: string };

const { error, warning, note, graded } = about("references");
const source = about("source");

/** Why a history is not known to its beginning. */
const HISTORY_ENDS = {
  missing: "The parent of the oldest snapshot is missing: it has expired, or its file is lost.",
  circle: "The parents of the snapshots form a loop.",
  limit: "Refscope did not read all snapshots: there are too many.",
  unrecorded: "No transaction log records when the array was made; the snapshots before it may have expired.",
};

const COMPARING = "Readers are not affected: this is about comparing snapshots.";

const gridText = (grid: readonly number[]): string => `[${grid.join(", ")}]`;

const comparing = about("references", { readers: COMPARING });

export const ICECHUNK_CHUNKS = {
  "icechunk-reference-empty": error("Reference without a location", {
    explain: "The reference has no chunk ID, no location and no inline bytes.",
    readers: "The official reader also raises on this chunk.",
  }),
  "icechunk-location-unreadable": graded<Location & ToldBy<typeof LOCATION_PROBLEMS>>(
    "Unreadable virtual chunk location",
    {
      severity: ({ problem }) => (problem === "not-compared" ? "warning" : "error"),
      explain: sentenceOf(LOCATION_PROBLEMS, "problem"),
      remedy: ({ problem }) => (problem === "not-compared" ? undefined : "Rewrite the virtual reference."),
      readers: REFUSED,
    },
  ),
  "icechunk-container-missing": error<{ name: string; known: readonly string[] }>(
    "Virtual chunk container not configured",
    {
      explain: ({ name, known }) =>
        `The location names the virtual chunk container ${quoted(name)}; the repository's configuration has ${known.length === 0 ? "no named container" : known.map((one) => quoted(one)).join(", ")}.`,
      remedy: "Add the container to the repository's configuration.",
      readers: "Icechunk also refuses the chunk until the container is configured.",
    },
  ),
  "icechunk-no-container": warning<{ host: string }>("No virtual chunk container covers the sources", {
    explain: ({ host }, place) =>
      `No virtual chunk container of the repository's configuration covers ${host}${place.kind === "target" ? `, where ${quoted(place.target)} is` : ""}.`,
    remedy: "Add a container with this prefix to the configuration, and authorise it when opening the repository.",
    readers: "Icechunk refuses chunks there; Refscope still reads them.",
    question: "sources",
  }),
  "icechunk-key-refused": error<ToldBy<typeof REFUSED_KEYS> & { cause?: Finding }>("Key cannot be requested", {
    explain: sentenceOf(REFUSED_KEYS, "problem"),
    remedy: "Correct the virtual reference, or add a rewrite rule from this prefix to the object's place.",
    readers: ({ problem }) =>
      problem === "dots"
        ? "Icechunk requests the key from S3 as it is; a web page cannot."
        : "Icechunk also refuses it.",
    action: "locations",
  }),
  "icechunk-manifest-unordered": warning("References out of order", {
    explain:
      "Expected the array's references in this manifest to be in order, each chunk once. They are out of order or repeated.",
    remedy: "Rewrite the array's manifests with Icechunk, which puts them in order.",
    readers: "Icechunk finds chunks by binary search and may miss some, which then read as the fill value.",
  }),
  "icechunk-outside-extents": note("References outside the manifest's extents", {
    explain: "The manifest has references outside its extents in the snapshot.",
    readers: "Readers do not look for these chunks in this manifest.",
  }),
  "icechunk-references-too-many": error<{ rows: number; limit: number }>(
    "Too many references out of order or overlapping",
    {
      explain: ({ rows, limit }) =>
        `Refscope reads an array's overlapping or unordered manifests with at most ${counted(limit, "reference")} together; these have ${count(rows)}.`,
      remedy: "Rewrite the array's manifests with Icechunk, which puts them in order.",
      readers: "Icechunk looks chunks up one by one and has no such limit.",
      action: "limit",
    },
  ),
  /** Size of the array's largest manifest; `manifests`: how many it has. */
  "icechunk-manifest-large": note<{ references: number; manifests: number }>("Manifest too large to read efficiently", {
    explain: ({ references, manifests }) =>
      `The array's references are in ${counted(manifests, "manifest")}, the largest with up to ${count(references)}. It must be fetched and read whole before any chunk can be read.`,
    remedy: "Set manifest splitting for the array (ManifestSplittingConfig) and rewrite the manifests.",
    readers: "Icechunk returns the right values, but is slow at first and needs memory for the whole manifest.",
    question: "readers",
  }),
  "icechunk-no-checksum": note("References without a checksum", {
    explain:
      "Some references of this array record neither an ETag nor a modification time. It is not known whether their source files have changed.",
    remedy: "Write the virtual references with the source files' modification times.",
    readers: "Icechunk reads the source files as they are now.",
    question: "sources",
  }),
  "icechunk-target-changed": source.error<ChangedTarget>("Source file changed since it was referenced", {
    explain: ({ by, recorded, now }) =>
      by === "time"
        ? `The reference recorded the source file's last change as ${recorded}; it changed again at ${now}. Its bytes may be different now.`
        : `The reference recorded the ETag ${recorded}; the source file now has ${now}. Its bytes may be different.`,
    remedy: WRITE_AGAIN,
    readers: CONDITION,
  }),
  "icechunk-etag-weak": source.warning<{ etag: string }>("Recorded ETag is weak", {
    explain: ({ etag }) =>
      `The source file still has the recorded ETag ${etag}. But this ETag is weak, and the condition If-Match is never true for weak ETags.`,
    remedy: "Rewrite the virtual references with the modification time instead of the ETag.",
    readers: "Icechunk sends If-Match. A server that honours it refuses the chunk although nothing has changed.",
  }),
  "icechunk-checksum-not-compared": source.note<{ by: "time" | "etag"; recorded: string }>(
    "Cannot tell whether the source file changed",
    {
      explain: ({ by, recorded }) =>
        `The reference records the ${by === "time" ? "time" : "ETag"} ${recorded}, but the response here has none to compare it with.`,
      readers:
        "Icechunk lets the server compare it; a server that honours this refuses the chunk if the file has changed.",
    },
  ),
  "icechunk-grid-not-compared": comparing.error<{
    /** Chunks along each dimension; absent where the array is in the other snapshot alone. */
    from: readonly number[] | undefined;
    to: readonly number[] | undefined;
  }>("Array too large to compare", {
    explain: ({ from, to }) => {
      const grids = [from, to].flatMap((grid) => (grid === undefined ? [] : [gridText(grid)]));
      return `The chunks of this array were not compared, because a grid of ${listed(grids, "or")} chunks is too large to number.`;
    },
  }),
  "icechunk-array-not-compared": comparing.error<{ cause: Finding }>("Chunks of an array not compared", {
    explain: "Chunks of this array were not compared, so changes among them are not counted.",
  }),
  "icechunk-changes-of-two-arrays": comparing.note("Different arrays at the same path", {
    explain:
      "The snapshots have different arrays at this path. Chunks of both are counted and listed, starting with the second snapshot's array.",
  }),
  "icechunk-changes-of-shards": comparing.note<{
    /** Chunks in a shard. */
    chunks: number;
    /** Shards that the map shows, where it does not show all. */
    mapped: number | undefined;
  }>("Changes counted by shard", {
    explain: ({ chunks, mapped }) =>
      `This array's references are to shards of ${counted(chunks, "chunk")}, so changed shards are counted and listed.${mapped === undefined ? "" : ` The map shows only the first ${counted(mapped, "shard")}.`}`,
  }),
  "icechunk-changes-cut": comparing.warning<{
    changes: number;
    unlisted: number;
    limit: number;
    /**
     * True if changes come from logs: once the list is full, chunks that were set several times are counted each time.
     */
    mayRepeat: boolean;
  }>("Not all changes listed", {
    explain: ({ changes, unlisted, limit, mayRepeat }) =>
      `${count(unlisted)} of ${counted(changes, "change")} of chunks in this array are counted but not listed; Refscope keeps at most ${count(limit)}.${mayRepeat ? " Some of these may be repeats." : ""}`,
    remedy: "Compare snapshots that are closer to each other.",
  }),
  "icechunk-log-wrong-rank": comparing.warning("Transaction log does not match the array's rank", {
    explain:
      "Transaction logs name chunks of this array with more or fewer coordinates than it has dimensions. Refscope leaves them out.",
  }),
  "icechunk-log-resized": comparing.note<{
    /** Chunks along each dimension. */
    from: readonly number[] | undefined;
    to: readonly number[] | undefined;
    unnamed: number;
  }>("Changed chunks that no transaction log names", {
    explain: ({ from = [], to = [], unnamed }) =>
      `The snapshots' manifests differ in ${counted(unnamed, "chunk")} that no transaction log names. Logs do not name chunks that a shorter shape cuts off. The array has a grid of ${gridText(from)} chunks in the first snapshot and of ${gridText(to)} in the second.`,
    readers: "Icechunk's diff does not name these chunks.",
    about: "metadata",
  }),
  "icechunk-log-absent": comparing.note<{ file: string }>("Commit without a transaction log", {
    explain: ({ file }) =>
      `The transaction log ${quoted(file)} is missing or cannot be read, so the manifests of the commit and its parent were compared. This does not show chunks that were rewritten with the same reference.`,
  }),
  /** Chunks with a reference that no known commit wrote; `since`: the oldest known commit that has the array. */
  "icechunk-history-incomplete": comparing.warning<{ end: keyof typeof HISTORY_ENDS; since: string; chunks: number }>(
    "History is incomplete",
    {
      explain: ({ end, since, chunks }) =>
        `${HISTORY_ENDS[end]} What happened before ${since} is unknown: ${chunks === 0 ? "no chunk that is still there was written before, but some may have been deleted" : `${counted(chunks, "chunk")} may have been written in it or earlier`}.`,
    },
  ),
  "nothing-compared": comparing.error("No snapshots were compared", {
    explain: "Changed chunks were requested, but no two snapshots have been compared.",
    remedy: "Compare two snapshots first.",
    about: "page",
  }),
  "no-repository": comparing.error<{ format: string }>("Dataset has no history", {
    explain: ({ format }) => `Only a snapshot of an Icechunk repository has a history; this dataset is ${format}.`,
    readers: "Readers are not affected: this is about Refscope itself.",
    about: "page",
  }),
};
