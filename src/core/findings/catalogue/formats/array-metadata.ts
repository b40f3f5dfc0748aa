/** Members of an array's metadata that are read although they are unusual, or although a reader refuses them. */
import { type Place } from "../../place.ts";
import { about } from "../entry.ts";
import { counted, listed, quoted } from "../../../words.ts";

export const REFUSED_BY_ZARR = "zarr-python refuses such metadata.";
const UNKNOWN_PYTHON = "Whether zarr-python reads it depends on its version.";

const member = (place: Place): string => (place.kind === "node" ? (place.pointer ?? "The document") : "The document");

/** What is read where a required member is absent. */
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

/** What breaks the rule that one codec makes bytes of the array, after those that work on arrays and before the others. */
export type CodecOrder = {
  readonly problem: "none" | "several" | "late" | "early";
  /** How many make bytes. */
  readonly makers: number;
  readonly codec: string | undefined;
  readonly maker: string | undefined;
};

export function codecOrderWords({ problem, makers, codec = "", maker = "" }: CodecOrder): string {
  switch (problem) {
    case "none":
      return 'none of them turns the array into bytes, as "bytes" does';
    case "several":
      return `${makers} of them turn the array into bytes, where exactly one should`;
    case "late":
      return `"${codec}" works on arrays but stands after "${maker}"`;
    case "early":
      return `"${codec}" works on bytes but stands before "${maker}"`;
  }
}

type DimensionNames = {
  readonly member: "dimension_names" | "_ARRAY_DIMENSIONS";
  readonly problem: "not-a-list" | "not-text";
};

const named = (name: DimensionNames["member"]): string =>
  name === "dimension_names" ? "/dimension_names" : "The attribute _ARRAY_DIMENSIONS";

const { error, warning, note, graded } = about("metadata");

export const ARRAY_METADATA = {
  "member-missing": warning<{ readonly member: keyof typeof ABSENT }>({
    title: "Required field missing",
    explain: ({ member: name }) => `The required member "${name}" is absent and read as ${ABSENT[name].read}.`,
    remedy: ({ member: name }) => `Add "${name}" to the array's metadata.`,
    readers: ({ member: name }) => ABSENT[name].readers,
  }),
  "integer-as-float": warning<{ readonly written: string }>({
    title: "Integer written as a float",
    explain: ({ written }, place) => `${member(place)} should be an integer; found ${written}.`,
    remedy: "Write it as an integer.",
    readers: "Python's json reads it as a float, which zarr-python may refuse.",
  }),
  "chunk-length-zero": note({
    title: "Chunk length is 0",
    explain: (_, place) => `${member(place)} is 0, on a dimension of length 0; it is read as 1.`,
    remedy: "Write a chunk length of at least 1.",
    readers: UNKNOWN_PYTHON,
  }),
  "dtype-invalid": error<{ readonly expected: string; readonly found: string }>({
    title: "Invalid data type",
    explain: ({ expected, found }) => `The data type cannot be understood: expected ${expected}, but found ${found}.`,
    remedy: "Correct the data type in the array's metadata.",
    readers: "NumPy refuses it as well.",
  }),
  "dtype-spelling": graded<DataTypeSpelling>({
    title: "Non-standard data type name",
    severity: ({ specified }) => (specified === undefined ? "warning" : "info"),
    explain: ({ written, specified }, place) =>
      specified === undefined
        ? `${member(place)}: "${written}" is NumPy's name for a data type, not one of Zarr v3; it is read as NumPy reads it.`
        : `The data type "${written}" is read as "${specified}", as NumPy does on all common machines; the Zarr v2 specification spells it "${specified}".`,
    remedy: ({ specified }) =>
      specified === undefined ? "Write Zarr v3's name for the type." : `Write "${specified}".`,
    readers: ({ specified }) =>
      specified === undefined ? "zarr-python may refuse it." : "zarr-python 3.1 and later may refuse it.",
  }),
  "dtype-unknown": warning<{ readonly name: string }>({
    title: "Unsupported data type",
    explain: ({ name }, place) =>
      `${member(place)}: Refscope does not know the data type ${quoted(name)}. Its chunks are shown as bytes, without values.`,
    readers: "Readers that know the type read its values; zarr-python refuses types that are not registered there.",
  }),
  "codec-order": warning<CodecOrder>({
    title: "Codecs in an order Zarr v3 forbids",
    explain: (facts, place) =>
      `${member(place)}: the list of codecs breaks the rules of Zarr v3: ${codecOrderWords(facts)}. Refscope undoes the codecs in the order in which they are written.`,
    remedy: "Write the codecs in the order: array to array, array to bytes, bytes to bytes.",
    readers: "zarr-python refuses such a list.",
  }),
  "codec-spelling": graded<CodecSpelling>({
    title: "Outdated codec syntax",
    severity: ({ problem }) => (problem === "id" ? "warning" : "info"),
    explain: ({ problem, written }, place) => {
      if (problem === "id") return `${member(place)}: the codec "${written}" is written as in Zarr v2, with "id".`;
      if (problem === "endian") return `${member(place)}: the codec "${written}" is the old name of "bytes".`;
      return `${member(place)}: "${written}" is an old spelling of the order of dimensions.`;
    },
    remedy: ({ problem }) =>
      problem === "order"
        ? "Write the order as a list of dimension numbers."
        : 'Write "name" and "configuration" as in Zarr v3.',
    readers: "Current versions of zarr-python refuse it; prototypes wrote and read it.",
  }),
  "codec-endian-missing": warning({
    title: "Byte order not specified",
    explain: (_, place) =>
      `${member(place)}: the codec "bytes" does not give the byte order, which a data type of several bytes needs. It is taken to be little-endian.`,
    remedy: 'Add "endian" to the codec\'s configuration.',
    readers: "What other readers do is not known: the specification requires the byte order here.",
  }),
  "extension-optional": note<{ readonly name: string }>({
    title: "Optional extension",
    explain: ({ name }, place) =>
      `${member(place)}: ${quoted(name)} is marked "must_understand": false. Refscope never skips it.`,
    readers: "Readers that do not know it may skip it and give other values.",
  }),
  "metadata-extension": note<{ readonly member: string }>({
    title: "Unknown optional extension",
    explain: (_, place) =>
      `${member(place)} is an extension that Refscope does not know; it may be ignored ("must_understand": false).`,
    readers: "Readers that do not know it ignore it, too.",
  }),
  "metadata-must-understand": error<{ readonly member: string }>({
    title: "Unknown field in Zarr v3 metadata",
    explain: (_, place) =>
      `Zarr v3 does not know the member ${member(place)}, and it is not marked as one that may be ignored ("must_understand": false). Refscope reads the rest.`,
    remedy: 'Remove the member, or mark it with "must_understand": false.',
    readers: "The specification requires readers to refuse such metadata, as zarr-python does.",
  }),
  "dimension-separator-unknown": warning<{ readonly found: string }>({
    title: "An unknown dimension separator",
    explain: ({ found }) =>
      `dimension_separator should be "." or "/" but is ${found}; chunk keys are taken to be written with ".".`,
    remedy: 'Write "." or "/", whichever the chunk keys use.',
    readers: REFUSED_BY_ZARR,
  }),
  "dimension-names-odd": warning<DimensionNames>({
    title: "Invalid dimension names",
    explain: ({ member: name, problem }) =>
      problem === "not-a-list"
        ? `${named(name)} should be a list of names; it is ignored.`
        : `Names in ${named(name).replace("The", "the")} should be text; others are ignored.`,
    remedy: "Write a name for each dimension.",
    readers: ({ member: name }) =>
      name === "dimension_names" ? REFUSED_BY_ZARR : "xarray cannot open an array without dimension names.",
  }),
  "dimension-names-rank": warning<{
    readonly member: DimensionNames["member"];
    readonly names: number;
    readonly dimensions: number;
  }>({
    title: "Wrong number of dimension names",
    explain: ({ member: name, names, dimensions }) =>
      `${named(name)} has ${counted(names, "name")}, but the array has ${counted(dimensions, "dimension")}; the names are ignored.`,
    remedy: "Write a name for each dimension.",
    readers: ({ member: name }) => (name === "dimension_names" ? REFUSED_BY_ZARR : "xarray cannot open such an array."),
  }),
  "storage-transformers": warning<{ readonly names: readonly string[] }>({
    title: "The array has storage transformers",
    explain: ({ names }) => `The array has storage transformers (${listed(names.map((name) => `"${name}"`))}).`,
    readers:
      "zarr-python refuses such an array; readers that ignore them, as zarrita does, find no chunks and show fill values.",
  }),
  /** `found` is absent for a key of such an array, or of one with other chunk keys: the array has the error. */
  "chunk-grid-unsupported": graded<{ readonly found: string | undefined }>({
    title: "Unsupported chunk grid",
    severity: ({ found }) => (found === undefined ? "warning" : "error"),
    explain: ({ found }) =>
      `${found === undefined ? "The array has a chunk grid, or chunk keys, that Refscope does not read" : `Refscope reads the chunk grids "regular" and "rectilinear" (of kind "inline"); this array's is ${found}`}. Which part of the array a chunk holds is not known.`,
    readers: "zarr-python 3.0 and 3.1 read regular grids only; from 3.2 on rectilinear ones, where that is asked for.",
  }),
  "chunk-keys-unsupported": error<{ readonly found: string }>({
    title: "Chunk keys that Refscope does not read",
    explain: ({ found }) =>
      `Refscope reads the chunk key encodings "default" and "v2"; this array's is ${quoted(found)}. Which chunk a key names is not known.`,
    readers: "zarr-python reads it where a package for it is installed, and refuses the array elsewhere.",
  }),
  "shard-chunks-uneven": error<{ readonly shard: readonly number[]; readonly chunk: readonly number[] }>({
    title: "Inner chunk shape does not divide the shard",
    explain: ({ shard, chunk }) =>
      `The shape of the inner chunks must divide the shard's shape [${shard.join(", ")}], but it is [${chunk.join(", ")}]: where they lie is not defined, and nothing is read from this array.`,
    readers: "zarr-python refuses it, too.",
  }),
  "zarr-v3-draft": error<{ readonly format: string | undefined }>({
    title: "Draft Zarr v3 metadata",
    explain: ({ format }) =>
      `This follows a draft of Zarr v3 (documents below meta/root, chunks below data/root) that was abandoned before version 3 was final${format === undefined ? "" : `: zarr_format is ${quoted(format)}`}. It is ignored.`,
    remedy: "Write the store again with a current library.",
    readers: "Current versions of zarr-python do not read it.",
  }),
};
