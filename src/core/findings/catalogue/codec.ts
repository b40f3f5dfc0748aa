/** Decoding a chunk: codecs, their configurations, and what they make of the bytes. */
import { about, said, type Entry, type Own, type Shared, type Subject } from "./entry.ts";
import type { Facts, Finding, NoFacts } from "../fact.ts";
import { counted, cut, quoted } from "../../words.ts";

/** What a codec does not know when it fails, and the decode of a chunk adds. */
export type DecodeFacts = {
  /** Among the steps of the decode, from 1 on; absent where none of them failed. */
  readonly step?: number;
  /** JSON text. */
  readonly configuration?: string;
  /** What the step was given; or, where all worked, what the last of them gave. */
  readonly given?: BytesSeen;
  readonly gave?: BytesSeen;
  /** Coordinates of the inner chunk in its shard. */
  readonly inner?: readonly number[];
};

/** `start`: the first bytes as hexadecimal and ASCII; `like`: the format whose signature they have. */
export type BytesSeen = { readonly size: number; readonly start: string; readonly like: string | undefined };

/** Makers of entries whose explanation ends with what is known of the decode. */
export function decoding<S extends Shared>(subject: Subject, shared?: S) {
  const { error, note, graded } = about(subject, shared);
  return {
    error: <F extends Facts = NoFacts>(own: Own<F, S>) => withDecode(error<F>(own)),
    note: <F extends Facts = NoFacts>(own: Own<F, S>) => withDecode(note<F>(own)),
    graded: <F extends Facts>(own: Parameters<typeof graded<F>>[0]) => withDecode(graded<F>(own)),
  };
}

const withDecode = <F extends Facts>(of: Entry<F>): Entry<F & DecodeFacts> => ({
  ...of,
  explain: (facts, place) => [said(of.explain, facts, place), ...decodeText(facts, of.about !== "metadata")].join(" "),
});

/** `bytes`: whether they matter; what is wrong with metadata is so whatever the bytes. */
function decodeText({ step, configuration = "", given, gave, inner }: DecodeFacts, bytes: boolean): readonly string[] {
  const settings = ["", "{}"].includes(configuration) ? "without settings" : `with ${cut(configuration, 120)}`;
  return [
    ...(inner === undefined ? [] : [`This is about the inner chunk [${inner.join(", ")}] of the shard.`]),
    ...(step === undefined ? [] : [`It was step ${step} of the decode, ${settings}.`]),
    ...(bytes && given !== undefined ? [`The step was given ${seenText(given)}.`] : []),
    ...(bytes && gave !== undefined ? [`The last step gave ${seenText(gave)}.`] : []),
  ];
}

function seenText({ size, start, like }: BytesSeen): string {
  if (size === 0) return "no bytes";
  return `${counted(size, "byte")}, which begin ${start}${like === undefined ? "" : ` and look like ${like}`}`;
}

export const RAISES =
  "The codec raises in Python as well, and zarr-python with it: it gives none of the chunk's values.";
const NO_LIMIT = "Readers in Python have no such limit: they decode as long as there is memory.";
const CHECK_METADATA = "Check the chunk shape and the data type in the array's metadata.";
const DAMAGED = "The bytes are damaged, or the reference points at other bytes than the checksum was made from.";

/** Noun phrases. `section`: the part of the data that is wrong, where a format has names for its parts. */
type DecodeFailed = {
  readonly codec: string;
  readonly section?: string;
  readonly expected: string;
  readonly found: string;
  /** What reading a part of the data as another format ended in. */
  readonly cause?: Finding;
};

/** Hexadecimal; absent where the decoder does not say. `frame`: where the frame begins whose checksum it is. */
type ChecksumMismatch = {
  readonly codec: string;
  readonly stored: string | undefined;
  readonly computed: string | undefined;
  readonly frame: number | undefined;
};

/** `found`: bytes. `elements`: none of a fixed size, and not as many as `expected`. */
type SizeMismatch = {
  readonly unit: "bytes" | "elements";
  readonly expected: number;
  readonly found: number;
  readonly shape: readonly number[];
  readonly itemSize: number;
};

/** `order`: how the list breaks the order of codecs; `after-objects`: `codec` comes after one that makes objects. */
type CodecChain =
  { readonly problem: "order"; readonly found: string } | { readonly problem: "after-objects"; readonly codec: string };

type Unavailable = {
  readonly codec: string;
  readonly problem: "no-browser" | "changed-pixels" | "no-canvas" | "no-wasm";
};

const UNAVAILABLE: Readonly<Record<Unavailable["problem"], string>> = {
  "no-browser": "A browser's JPEG decoder is needed, and Refscope runs outside a browser here.",
  "changed-pixels": "This browser alters canvas pixels to resist fingerprinting. Use another browser.",
  "no-canvas": "The browser has no canvas of the size of the image.",
  "no-wasm": "The decoder is WebAssembly, which is refused here.",
};

const ofMetadata = decoding("metadata");
const ofSource = decoding("source");
const ofValues = decoding("values", { action: "suggest-repairs" });
const ofPage = decoding("page");

export const CODEC = {
  "checksum-mismatch": ofSource.error<ChecksumMismatch>({
    title: "Checksum mismatch",
    explain: ({ codec, stored, computed, frame }) => {
      const values =
        stored === undefined || computed === undefined
          ? "The checksum stored with the data is not the one computed from them"
          : `The stored checksum is ${stored}; the computed checksum is ${computed}`;
      return `${values} (${codec}${frame === undefined ? "" : `, in the frame that begins at byte ${frame}`}).`;
    },
    remedy: DAMAGED,
    readers: RAISES,
    action: "suggest-repairs",
  }),
  "chunk-size-mismatch": ofValues.error<SizeMismatch>({
    title: "Decoded chunk has the wrong size",
    explain: ({ unit, expected, found, shape, itemSize }) =>
      unit === "elements"
        ? `The decoded chunk should hold ${counted(expected, "element")} of variable size, for chunk shape [${shape.join(", ")}]; its ${counted(found, "byte")} do not.`
        : `The decoded chunk should have ${counted(expected, "byte")}, for chunk shape [${shape.join(", ")}] of ${itemSize}-byte elements; it has ${counted(found, "byte")}.`,
    remedy: ({ unit }) =>
      unit === "elements"
        ? "Check chunks and the list of codecs in the array's metadata."
        : "Check chunks, dtype, compressor and filters in the array's metadata, and whether the reference's offset and length cover the whole chunk.",
    readers:
      "zarr-python raises as well: it neither pads nor cuts a chunk. Only Blosc's chunks without filters, wholly inside the array, may be too short without an error there; the rest of the values is then arbitrary.",
    action: "suggest-repairs",
  }),
  "chunk-too-large": ofMetadata.error<{
    readonly size: number;
    readonly limit: number;
    readonly shape: readonly number[];
    readonly itemSize: number;
  }>({
    title: "Chunk too large to decode",
    explain: ({ size, limit, shape, itemSize }) =>
      `Chunks of at most ${counted(limit, "byte")} are decoded; chunk shape [${shape.join(", ")}] of ${itemSize}-byte elements makes ${counted(size, "byte")}.`,
    remedy: CHECK_METADATA,
    readers: NO_LIMIT,
  }),
  "codec-chain": ofMetadata.error<CodecChain>({
    title: "Invalid codec order",
    explain: (facts) =>
      facts.problem === "order"
        ? `A list of codecs should have those from array to array (transpose), then one from array to bytes (bytes, vlen-utf8, sharding_indexed), then those from bytes to bytes. Here, ${facts.found}.`
        : `The codec ${quoted(facts.codec)} takes bytes or numbers; the codec before it gave objects.`,
    remedy: ({ problem }) =>
      problem === "order"
        ? "Correct codecs in the array's metadata."
        : "Make the codec that makes objects (vlen-utf8, json2, …) the first of filters, so that it decodes last.",
    readers: ({ problem }) =>
      problem === "order" ? "zarr-python refuses such a list, as the Zarr v3 specification does." : RAISES,
  }),
  "codec-configuration": ofMetadata.error<{
    readonly codec: string;
    readonly member: string;
    readonly expected: string;
    readonly found: string;
  }>({
    title: "Invalid codec configuration",
    explain: ({ codec, member, expected, found }) =>
      `The member ${member} in the configuration of the codec ${quoted(codec)} should be ${expected}, but is ${found}.`,
    remedy: "Correct the codec's entry in the array's metadata.",
    readers:
      "zarr-python refuses the array when it opens it, or raises for each chunk, depending on when the codec reads the member.",
    action: "suggest-repairs",
  }),
  "codec-unavailable": ofPage.note<Unavailable>({
    title: "Codec unavailable here",
    explain: ({ codec, problem }) => `${UNAVAILABLE[problem]} The codec is ${quoted(codec)}.`,
    remedy: "Open the set in another browser, or read the chunk in Python.",
    readers: "Readers in Python are not affected: they have decoders of their own.",
  }),
  "codec-unknown": ofMetadata.graded<{
    readonly codec: string;
    /** What it is known to be: "JPEG XL images". */
    readonly words: string | undefined;
  }>({
    title: "Unsupported codec",
    // Known by its name, it is no fault of the set that Refscope lacks it (`unbuilt.ts`).
    severity: ({ words }) => (words === undefined ? "error" : "info"),
    explain: ({ codec, words }) =>
      `Refscope has no decoder for ${quoted(codec)}${words === undefined ? "" : ` (${words})`}.`,
    remedy: "Inspect the bytes before this step, or read the chunk in Python.",
    readers: "zarr-python reads the chunk where a package that has this codec is installed, and raises where none is.",
    final: true,
  }),
  "decode-failed": ofSource.error<DecodeFailed>({
    title: "Decoding failed",
    brief: ({ codec }) => `${codec} fails`,
    explain: ({ codec, section, expected, found }) =>
      `Decoding with ${quoted(codec)} failed${section === undefined ? "" : ` in ${section}`}: expected ${expected}, but found ${found.replace(/\.$/, "")}.`,
    remedy:
      "Inspect the bytes before this step. Either the reference points to the wrong bytes, or the metadata names a different codec from the one that wrote the data.",
    readers:
      "Python's codec raises in nearly all such cases, and zarr-python with it; some are more lenient: imagecodecs fills in what is missing from a JPEG image, and eccodes ignores a wrong length of a GRIB message.",
    action: "suggest-repairs",
  }),
  "decode-too-large": ofSource.error<{ readonly codec: string; readonly limit: number; readonly found: string }>({
    title: "Decoded data exceeds the size limit",
    explain: ({ codec, limit, found }) =>
      `Decoding with ${quoted(codec)} was stopped to keep memory in bounds: at most ${counted(limit, "byte")} are expected here, but found ${found}.`,
    remedy: CHECK_METADATA,
    readers: NO_LIMIT,
  }),
  "decompress-unavailable": ofPage.error<{
    readonly problem: "blocked" | "no-memory" | "started-elsewhere";
    readonly reason: string | undefined;
  }>({
    title: "The Zstandard decoder does not start",
    explain: ({ problem, reason = "" }) => {
      if (problem === "no-memory") return "There is no memory left for the Zstandard decoder.";
      if (problem === "started-elsewhere")
        return "Another part of the program has started the Zstandard decoder already.";
      return `The Zstandard decoder needs WebAssembly, which could not be started here: ${reason.replace(/\.$/, "")}.`;
    },
    remedy: ({ problem }) => {
      if (problem === "no-memory") return "Close other tabs or programs and try again.";
      if (problem === "started-elsewhere") return "This is a bug in Refscope: please report it.";
      return "The page's Content-Security-Policy must allow 'wasm-unsafe-eval' for scripts and data: for connections.";
    },
    readers: "Readers in Python are not affected.",
  }),
  "dtype-unread": ofMetadata.note<{ readonly name: string }>({
    title: "Unsupported element type",
    explain: ({ name }) =>
      `The elements are of the data type ${quoted(name)}, which Refscope does not know: what values their bytes mean cannot be said.`,
    remedy: "Look at the bytes before this stage, which are shown, or read the chunk where the type is known.",
    readers: "Readers that know the type read its values; zarr-python refuses types that are not registered there.",
    final: true,
  }),
  "object-codec-missing": ofMetadata.error<{ readonly dataType: string }>({
    title: "Object codec missing",
    explain: ({ dataType }) =>
      `Elements of type ${cut(dataType, 80)} have no size: a codec that makes objects (vlen-utf8, json2, …) is needed, and neither filters nor compressor has one.`,
    remedy: "Name the object codec in the array's filters.",
    readers:
      "zarr-python refuses the array, or raises for each chunk: numcodecs does not make objects out of plain bytes.",
  }),
  "pickle-refused": ofMetadata.error({
    title: "Pickled data is not decoded",
    explain: () =>
      "The chunk is encoded with Python's pickle, which is a program: reading it runs whatever code the writer put there. Refscope shows the stored bytes and does not run them.",
    remedy: "Open the array with zarr-python only if you trust its writer, and write it again with vlen-utf8 or json2.",
    readers: "zarr-python reads it, and so runs the code in it.",
  }),
};
