/** Fields of an array's metadata that are unusual or wrong. */
import type { Place } from "#core/findings/fact.ts";
import { about } from "../entry.ts";
import { counted, listed, quoted } from "#core/words.ts";

export const REFUSED_BY_ZARR = "zarr-python refuses such metadata.";
const UNKNOWN_PYTHON = "It depends on its version whether zarr-python reads it.";

const member = (place: Place): string => (place.kind === "node" ? (place.pointer ?? "The document") : "The document");

/** Values that are read in place of a missing required field. */
const ABSENT = {
  order: { read: '"C"', readers: REFUSED_BY_ZARR },
  compressor: { read: "null", readers: "Some versions of zarr-python refuse such metadata." },
  filters: { read: "null", readers: "Some versions of zarr-python refuse such metadata." },
  codecs: { read: "plain little-endian bytes", readers: REFUSED_BY_ZARR },
  index_codecs: { read: "bytes (little-endian) and crc32c", readers: "zarr-python does the same." },
  chunk_key_encoding: { read: '"default" with "/"', readers: REFUSED_BY_ZARR },
} as const;

/** `written` where Zarr v2 has a spelling of its own; `undefined` for NumPy's names in Zarr v3. */
type DataTypeSpelling = { readonly written: string; readonly specified: string | undefined };

/** `id` and `endian`: old names; `order`: "C" or "F" instead of a list. */
type CodecSpelling = { readonly problem: "id" | "endian" | "order"; readonly written: string };

/**
 * Breach of the rule that exactly one codec turns the array into bytes, after those that work on arrays and before the
 * others.
 */
export type CodecOrder = {
  readonly problem: "none" | "several" | "late" | "early";
  /** How many make bytes. */
  readonly makers: number;
  readonly codec: string | undefined;
  readonly maker: string | undefined;
};

export const codecOrderWords = ({ problem, makers, codec = "", maker = "" }: CodecOrder): string =>
  ({
    none: 'none of them turns the array into bytes, as "bytes" does',
    several: `${makers} of them turn the array into bytes; exactly one should`,
    late: `"${codec}" works on arrays but comes after "${maker}"`,
    early: `"${codec}" works on bytes but comes before "${maker}"`,
  })[problem];

type DimensionNames = {
  readonly member: "dimension_names" | "_ARRAY_DIMENSIONS";
  readonly problem: "not-a-list" | "not-text";
};

const named = (name: DimensionNames["member"]): string =>
  name === "dimension_names" ? "/dimension_names" : "The attribute _ARRAY_DIMENSIONS";

const { error, warning, note, graded } = about("metadata");

type DimensionNamesRank = { member: DimensionNames["member"]; names: number; dimensions: number };

export const ARRAY_METADATA = {
  "member-missing": warning<{ member: keyof typeof ABSENT }>("Required field missing", {
    explain: ({ member: name }) =>
      `The required field "${name}" is missing. Refscope reads it as ${ABSENT[name].read}.`,
    remedy: ({ member: name }) => `Add "${name}" to the array's metadata.`,
    readers: ({ member: name }) => ABSENT[name].readers,
  }),
  "integer-as-float": warning<{ written: string }>("Integer written as a float", {
    explain: ({ written }, place) => `${member(place)}: expected an integer; found ${written}.`,
    remedy: "Write it as an integer.",
    readers: "Python's json reads it as a float, which zarr-python may refuse.",
  }),
  "chunk-length-zero": note("Chunk length is 0", {
    explain: (_, place) => `${member(place)} is 0, on a dimension of length 0. Refscope reads it as 1.`,
    remedy: "Write a chunk length of at least 1.",
    readers: UNKNOWN_PYTHON,
  }),
  "dtype-invalid": error<{ expected: string; found: string }>("Invalid data type", {
    explain: ({ expected, found }) => `Data type: expected ${expected}; found ${found}.`,
    remedy: "Correct the data type in the array's metadata.",
    readers: "NumPy also refuses it.",
  }),
  "dtype-spelling": graded<DataTypeSpelling>("Non-standard data type name", {
    severity: ({ specified }) => (specified === undefined ? "warning" : "info"),
    explain: ({ written, specified }, place) =>
      specified === undefined
        ? `${member(place)}: "${written}" is NumPy's name for a data type, not Zarr v3's. Refscope reads it as NumPy does.`
        : `Refscope reads the data type "${written}" as "${specified}", as NumPy does on all common machines. The Zarr v2 specification spells it "${specified}".`,
    remedy: ({ specified }) =>
      specified === undefined ? "Write Zarr v3's name for the type." : `Write "${specified}".`,
    readers: ({ specified }) =>
      specified === undefined ? "zarr-python may refuse it." : "zarr-python 3.1 and later may refuse it.",
  }),
  "dtype-unknown": warning<{ name: string }>("Unsupported data type", {
    explain: ({ name }, place) =>
      `${member(place)}: Refscope does not know the data type ${quoted(name)}. It shows the chunks as bytes, without values.`,
    readers: "Readers that know the type return its values; zarr-python refuses types that are not registered.",
  }),
  "codec-order": warning<CodecOrder>("Codecs in an order Zarr v3 forbids", {
    explain: (facts, place) =>
      `${member(place)}: the codecs break the rules of Zarr v3: ${codecOrderWords(facts)}. Refscope decodes them in the order in which they are listed.`,
    remedy: "Write the codecs in the order: array to array, array to bytes, bytes to bytes.",
    readers: "zarr-python refuses this order.",
  }),
  "codec-spelling": graded<CodecSpelling>("Outdated codec syntax", {
    severity: ({ problem }) => (problem === "id" ? "warning" : "info"),
    explain: ({ problem, written }, place) => {
      if (problem === "id") return `${member(place)}: the codec "${written}" is written as in Zarr v2, with "id".`;
      if (problem === "endian") return `${member(place)}: the codec "${written}" is the old name of "bytes".`;
      return `${member(place)}: "${written}" is an old form of the dimension order.`;
    },
    remedy: ({ problem }) =>
      problem === "order"
        ? "Write the order as a list of dimension numbers."
        : 'Write "name" and "configuration" as in Zarr v3.',
    readers: "Current versions of zarr-python refuse it; prototypes wrote and read it.",
  }),
  "codec-endian-missing": warning("Byte order not specified", {
    explain: (_, place) =>
      `${member(place)}: the codec "bytes" does not specify the byte order, which multi-byte data types need. Refscope assumes little-endian.`,
    remedy: 'Add "endian" to the codec\'s configuration.',
    readers: "It is not known what other readers do: the specification requires the byte order here.",
  }),
  "extension-optional": note<{ name: string }>("Optional extension", {
    explain: ({ name }, place) =>
      `${member(place)}: ${quoted(name)} is marked "must_understand": false. Refscope never skips it.`,
    readers: "Readers that do not know it may skip it and return different values.",
  }),
  "metadata-extension": note<{ member: string }>("Unknown optional extension", {
    explain: (_, place) =>
      `Refscope does not know the extension ${member(place)}; it may be ignored ("must_understand": false).`,
    readers: "Other readers that do not know it also ignore it.",
  }),
  "metadata-must-understand": error<{ member: string }>("Unknown field in Zarr v3 metadata", {
    explain: (_, place) =>
      `Zarr v3 does not know the field ${member(place)}, and it is not marked as optional ("must_understand": false). Refscope reads the rest.`,
    remedy: 'Remove the field, or mark it with "must_understand": false.',
    readers: "The specification requires readers to refuse such metadata, as zarr-python does.",
  }),
  "dimension-separator-unknown": warning<{ found: string }>("Unknown dimension separator", {
    explain: ({ found }) =>
      `Expected dimension_separator to be "." or "/"; found ${found}. Refscope reads chunk keys with ".".`,
    remedy: 'Write "." or "/", whichever the chunk keys use.',
    readers: REFUSED_BY_ZARR,
  }),
  "dimension-names-odd": warning<DimensionNames>("Invalid dimension names", {
    explain: ({ member: name, problem }) =>
      problem === "not-a-list"
        ? `Expected ${named(name).replace("The", "the")} to be a list of names. Refscope ignores it.`
        : `Expected the names in ${named(name).replace("The", "the")} to be text. Refscope ignores the others.`,
    remedy: "Write a name for each dimension.",
    readers: ({ member: name }) =>
      name === "dimension_names" ? REFUSED_BY_ZARR : "xarray cannot open an array without dimension names.",
  }),
  "dimension-names-rank": warning<DimensionNamesRank>("Wrong number of dimension names", {
    explain: ({ member: name, names, dimensions }) =>
      `${named(name)} has ${counted(names, "name")}, but the array has ${counted(dimensions, "dimension")}. Refscope ignores the names.`,
    remedy: "Write a name for each dimension.",
    readers: ({ member: name }) => (name === "dimension_names" ? REFUSED_BY_ZARR : "xarray cannot open such an array."),
  }),
  "storage-transformers": warning<{ names: readonly string[] }>("Array has storage transformers", {
    explain: ({ names }) => `The array has storage transformers (${listed(names.map((name) => `"${name}"`))}).`,
    readers:
      "zarr-python refuses such an array. Readers that ignore them, such as zarrita, find no chunks and return fill values.",
  }),
  /** `found` is absent for a key of such an array, or of one with other chunk keys: the array has the error. */
  "chunk-grid-unsupported": graded<{ found: string | undefined }>("Unsupported chunk grid", {
    severity: ({ found }) => (found === undefined ? "warning" : "error"),
    explain: ({ found }) =>
      `${found === undefined ? "The array has a chunk grid, or chunk keys, that Refscope does not read" : `Refscope reads the chunk grids "regular" and "rectilinear" (of kind "inline"); this array's is ${found}`}. It is not known which part of the array a chunk holds.`,
    readers: "zarr-python 3.0 and 3.1 read only regular grids; 3.2 and later also read rectilinear ones if enabled.",
  }),
  "chunk-keys-unsupported": error<{ found: string }>("Unsupported chunk key encoding", {
    explain: ({ found }) =>
      `Refscope reads the chunk key encodings "default" and "v2"; this array's is ${quoted(found)}. It is not known which chunk a key names.`,
    readers: "zarr-python reads it if a package for it is installed, and refuses the array if not.",
  }),
  "shard-chunks-uneven": error<{ shard: readonly number[]; chunk: readonly number[] }>(
    "Inner chunk shape does not divide the shard",
    {
      explain: ({ shard, chunk }) =>
        `Expected the inner chunk shape to divide the shard shape [${shard.join(", ")}]; found [${chunk.join(", ")}]. The positions of inner chunks are not defined, so Refscope reads nothing from this array.`,
      readers: "zarr-python also refuses it.",
    },
  ),
  "zarr-v3-draft": error<{ format: string | undefined }>("Draft Zarr v3 metadata", {
    explain: ({ format }) =>
      `This follows an abandoned draft of Zarr v3 (documents below meta/root, chunks below data/root)${format === undefined ? "" : `: zarr_format is ${quoted(format)}`}. Refscope ignores it.`,
    remedy: "Rewrite the store with a current library.",
    readers: "Current versions of zarr-python do not read it.",
  }),
};
