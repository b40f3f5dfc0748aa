/** Decoding a chunk: codecs, their configurations, and what they make of the bytes. */
import { about, said, type Entry, type Own, type Shared, type Subject } from "./entry.ts";
import type { Facts, Finding, NoFacts } from "../fact.ts";
import { counted, cut, quoted } from "#core/words.ts";
import { type CodecOrder, codecOrderWords } from "./formats/array-metadata.ts";

/** Facts that a codec does not know when it fails, and that decoding a chunk adds. */
export type DecodeFacts = {
  /** Among the steps of the decode, from 1 on; absent where none of them failed. */
  readonly step?: number;
  /** JSON text. */
  readonly configuration?: string;
  /** Input of the step; or, if all steps worked, the output of the last. */
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
    error: <F extends Facts = NoFacts>(title: string, own: Own<Readonly<F>, S>) => withDecode(error<F>(title, own)),
    note: <F extends Facts = NoFacts>(title: string, own: Own<Readonly<F>, S>) => withDecode(note<F>(title, own)),
    graded: <F extends Facts>(...own: Parameters<typeof graded<F>>) => withDecode(graded<F>(...own)),
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
    ...(inner === undefined ? [] : [`This concerns the inner chunk [${inner.join(", ")}] of the shard.`]),
    ...(step === undefined ? [] : [`This was decoding step ${step}, ${settings}.`]),
    ...(bytes && given !== undefined ? [`Its input was ${seenText(given)}.`] : []),
    ...(bytes && gave !== undefined ? [`The last step returned ${seenText(gave)}.`] : []),
  ];
}

function seenText({ size, start, like }: BytesSeen): string {
  if (size === 0) return "no bytes";
  return `${counted(size, "byte")} beginning with ${start}${like === undefined ? "" : `, which look like ${like}`}`;
}

export const RAISES =
  "The codec also raises in Python, and zarr-python with it: none of the chunk's values can be read.";
const NO_LIMIT = "Python's readers have no such limit: they decode as much as fits in memory.";
const CHECK_METADATA = "Check the chunk shape and the data type in the array's metadata.";
const DAMAGED =
  "Fetch the file again, or correct the reference: the bytes are damaged, or they are not the ones the checksum was made from.";

/** Noun phrases. `section`: the part of the data that is wrong, where a format has names for its parts. */
type DecodeFailed = {
  readonly codec: string;
  readonly section?: string;
  readonly expected: string;
  readonly found: string;
  /** Error of reading a part of the data as another format. */
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
  | { readonly problem: "order"; readonly order: CodecOrder }
  | { readonly problem: "after-objects"; readonly codec: string };

const UNAVAILABLE = {
  "no-browser": "Refscope needs a browser's JPEG decoder, but runs outside a browser here.",
  "changed-pixels": "This browser alters canvas pixels to resist fingerprinting. Use another browser.",
  "no-canvas": "The browser has no canvas as large as the image.",
  "no-wasm": "The decoder is WebAssembly, which is not allowed here.",
};

const metadata = decoding("metadata");
const source = decoding("source");
const values = decoding("values", { action: "suggest-repairs" });
const page = decoding("page");

type ChunkTooLarge = { size: number; limit: number; shape: readonly number[]; itemSize: number };
type CodecConfiguration = { codec: string; member: string; expected: string; found: string };
type DecompressUnavailable = { problem: "blocked" | "no-memory" | "started-elsewhere"; reason: string | undefined };

export const CODEC = {
  "checksum-mismatch": source.error<ChecksumMismatch>("Checksum mismatch", {
    explain: ({ codec, stored, computed, frame }) => {
      const values =
        stored === undefined || computed === undefined
          ? "The stored checksum does not match the computed one"
          : `The stored checksum is ${stored}; the computed checksum is ${computed}`;
      return `${values} (${codec}${frame === undefined ? "" : `, in the frame that begins at byte ${frame}`}).`;
    },
    remedy: DAMAGED,
    readers: RAISES,
    action: "suggest-repairs",
  }),
  "chunk-size-mismatch": values.error<SizeMismatch>("Decoded chunk has the wrong size", {
    explain: ({ unit, expected, found, shape, itemSize }) =>
      unit === "elements"
        ? `Expected the decoded chunk to hold ${counted(expected, "element")} of variable size, for chunk shape [${shape.join(", ")}]; its ${counted(found, "byte")} do not.`
        : `Expected the decoded chunk to have ${counted(expected, "byte")}, for chunk shape [${shape.join(", ")}] of ${itemSize}-byte elements; found ${counted(found, "byte")}.`,
    remedy: ({ unit }) =>
      unit === "elements"
        ? "Check the chunk shape and the codecs in the array's metadata."
        : "Check chunks, dtype, compressor and filters in the array's metadata. Check also that the reference's offset and length cover the whole chunk.",
    readers:
      "zarr-python also raises: it neither pads nor cuts a chunk. The exception is a too short Blosc chunk without filters, wholly inside the array: it may raise no error, and the remaining values are arbitrary.",
    action: "suggest-repairs",
  }),
  "chunk-too-large": metadata.error<ChunkTooLarge>("Chunk too large to decode", {
    explain: ({ size, limit, shape, itemSize }) =>
      `Refscope decodes chunks of at most ${counted(limit, "byte")}; chunk shape [${shape.join(", ")}] of ${itemSize}-byte elements has ${counted(size, "byte")}.`,
    remedy: CHECK_METADATA,
    readers: NO_LIMIT,
  }),
  "codec-chain": metadata.error<CodecChain>("Invalid codec order", {
    explain: (facts) =>
      facts.problem === "order"
        ? `Expected array-to-array codecs (transpose), then one array-to-bytes codec (bytes, vlen-utf8, sharding_indexed), then bytes-to-bytes codecs. Here, ${codecOrderWords(facts.order)}.`
        : `The codec ${quoted(facts.codec)} takes bytes or numbers; the codec before it returned objects.`,
    remedy: ({ problem }) =>
      problem === "order"
        ? "Correct the codecs in the array's metadata."
        : "Make the object codec (vlen-utf8, json2, …) the first filter, so that it decodes last.",
    readers: ({ problem }) =>
      problem === "order" ? "zarr-python refuses this order, as the Zarr v3 specification does." : RAISES,
  }),
  "codec-configuration": metadata.error<CodecConfiguration>("Invalid codec configuration", {
    explain: ({ codec, member, expected, found }) =>
      `${quoted(codec)}: expected ${member} to be ${expected}; found ${found}.`,
    remedy: "Correct the codec's entry in the array's metadata.",
    readers:
      "zarr-python refuses the array when it opens it, or raises for each chunk, depending on when the codec reads the field.",
    action: "suggest-repairs",
  }),
  "codec-unavailable": page.note<{ codec: string; problem: keyof typeof UNAVAILABLE }>("Codec unavailable here", {
    explain: ({ codec, problem }) => `${UNAVAILABLE[problem]} The codec is ${quoted(codec)}.`,
    remedy: "Open the dataset in another browser, or read the chunk in Python.",
    readers: "Python's readers are not affected: they have their own decoders.",
  }),
  "codec-unknown": metadata.graded<{
    codec: string;
    /** Words for a codec known by name: "JPEG XL images". */
    words: string | undefined;
  }>("Unsupported codec", {
    // Known by its name, it is not the dataset's fault that Refscope lacks it (`isUnbuilt`).
    severity: ({ words }) => (words === undefined ? "error" : "info"),
    explain: ({ codec, words }) =>
      `Refscope has no decoder for ${quoted(codec)}${words === undefined ? "" : ` (${words})`}.`,
    remedy: "Inspect the bytes before this step, or read the chunk in Python.",
    readers: "zarr-python reads the chunk if a package with this codec is installed, and raises if not.",
    final: true,
  }),
  "decode-failed": source.error<DecodeFailed>("Decoding failed", {
    brief: ({ codec }) => `${codec} fails`,
    explain: ({ codec, section, expected, found }) =>
      `Decoding with ${quoted(codec)} failed${section === undefined ? "" : ` in ${section}`}: expected ${expected}; found ${found.replace(/\.$/, "")}.`,
    remedy:
      "Inspect the bytes before this step. Either the reference points to the wrong bytes, or the metadata names a different codec from the one that wrote the data.",
    readers:
      "Python's codec raises in nearly all such cases, and zarr-python with it. Two are more lenient: imagecodecs fills in missing parts of a JPEG image, and eccodes ignores a wrong length of a GRIB message.",
    action: "suggest-repairs",
    // Its bytes came: inline ones from nowhere else.
    question: "values",
  }),
  "decode-too-large": source.error<{ codec: string; limit: number; found: string }>(
    "Decoded data exceeds the size limit",
    {
      explain: ({ codec, limit, found }) =>
        `Decoding with ${quoted(codec)} was stopped to limit memory: expected at most ${counted(limit, "byte")}; found ${found}.`,
      remedy: CHECK_METADATA,
      readers: NO_LIMIT,
    },
  ),
  "decompress-unavailable": page.error<DecompressUnavailable>("Zstandard decoder failed to start", {
    explain: ({ problem, reason = "" }) => {
      if (problem === "no-memory") return "There is not enough memory for the Zstandard decoder.";
      if (problem === "started-elsewhere")
        return "Another part of the program has already started the Zstandard decoder.";
      return `The Zstandard decoder needs WebAssembly, which could not start here: ${reason.replace(/\.$/, "")}.`;
    },
    remedy: ({ problem }) => {
      if (problem === "no-memory") return "Close other tabs or programs and try again.";
      if (problem === "started-elsewhere") return "This is a bug in Refscope. Please report it.";
      return "Allow 'wasm-unsafe-eval' for scripts and data: for connections in the page's Content-Security-Policy.";
    },
    readers: "Python's readers are not affected.",
  }),
  "dtype-unread": metadata.note<{ name: string }>("Unsupported element type", {
    explain: ({ name }) =>
      `The elements have the data type ${quoted(name)}, which Refscope does not know. It cannot tell what values their bytes mean.`,
    remedy: "Inspect the bytes before this step, or read the chunk with software that knows the type.",
    readers: "Readers that know the type return its values; zarr-python refuses types that are not registered.",
    final: true,
  }),
  "object-codec-missing": metadata.error<{ dataType: string }>("Object codec missing", {
    explain: ({ dataType }) =>
      `Elements of type ${cut(dataType, 80)} have no fixed size and need an object codec (vlen-utf8, json2, …). Neither filters nor compressor has one.`,
    remedy: "Add the object codec to the array's filters.",
    readers:
      "zarr-python refuses the array, or raises for each chunk: numcodecs does not turn plain bytes into objects.",
  }),
  "pickle-refused": metadata.error("Pickled data is not decoded", {
    explain: () =>
      "The chunk is encoded with Python's pickle. Reading a pickle runs whatever code the writer put into it. Refscope shows the stored bytes and does not run them.",
    remedy: "Open the array with zarr-python only if you trust its writer, then rewrite it with vlen-utf8 or json2.",
    readers: "zarr-python reads it, and runs the code in it.",
  }),
};
