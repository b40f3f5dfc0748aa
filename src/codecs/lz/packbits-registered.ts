/**
 * `packbits` of the registry of Zarr v3 (not numcodecs', which packs booleans from the highest bit): as many bits an
 * element as its type has, or as `first_bit` and `last_bit` leave, from the lowest bit of each byte on.
 */
import type { DataType } from "#core/metadata/data-type.ts";
import type { JsonObject } from "#core/json/json.ts";
import { narrowFormat } from "#core/values/narrow-number.ts";
import {
  badConfiguration,
  brief,
  choiceMember,
  type ChunkOutline,
  dataTypeUnread,
  decodeFailed,
  type Decoder,
  decodeTooLarge,
  onlyMembers,
} from "../codec.ts";

const NAME = "packbits";
const MEMBERS = ["padding_encoding", "first_bit", "last_bit"];
const PADDINGS = ["none", "first_byte", "last_byte"] as const;

export const packbitsRegistered: Decoder = {
  prepare: (configuration, array) => {
    onlyMembers(NAME, configuration, MEMBERS);
    const padding = choiceMember(NAME, configuration, "padding_encoding", PADDINGS);
    const packing = { ...packingOf(configuration, array.dataType), padding };
    const { bits, parts } = packing;
    return {
      label: `packed bits, ${bits * parts} an element`,
      decode: (input, limit) => unpack(input, limit, array, packing),
    };
  },
};

/** The bits of one number: two of these are a complex element. */
interface Component {
  /** Bits of the decoded number, of which `bits` are stored, from `first` on. */
  readonly width: number;
  readonly first: number;
  readonly bits: number;
  /** Numbers an element. */
  readonly parts: number;
  readonly isSigned: boolean;
}

interface Packing extends Component {
  readonly padding: (typeof PADDINGS)[number];
}

/** Data types whose elements are two numbers. */
const COMPLEX: ReadonlySet<string> = new Set(["complex_float16", "complex32", "complex_bfloat16"]);

function packingOf(configuration: JsonObject, type: DataType): Component {
  const { width, parts, isSigned } = widthOf(type);
  const first = bitMember(configuration, "first_bit", 0, width);
  const last = bitMember(configuration, "last_bit", width - 1, width);
  if (last < first) throw badConfiguration(NAME, "last_bit", `at least first_bit, which is ${first}`, String(last));
  return { width, parts, isSigned, first, bits: last - first + 1 };
}

function widthOf(type: DataType): Pick<Component, "width" | "parts" | "isSigned"> {
  const bits = type.itemSize * 8;
  if (type.kind === "bool") return { width: 1, parts: 1, isSigned: false };
  if (type.kind === "int" || type.kind === "uint" || type.kind === "float") {
    return { width: bits, parts: 1, isSigned: type.kind === "int" };
  }
  if (type.kind === "complex" || COMPLEX.has(type.text)) return { width: bits / 2, parts: 2, isSigned: false };
  const narrow = type.kind === "narrow" ? narrowFormat(type.text) : undefined;
  if (narrow !== undefined) return { width: narrow.bits, parts: 1, isSigned: narrow.kind === "int" };
  if (type.kind === "object" && type.isUnknown === true) throw dataTypeUnread(type.text);
  throw badConfiguration(NAME, "data type", "booleans or numbers", type.text.slice(0, 80));
}

function bitMember(configuration: JsonObject, member: string, otherwise: number, width: number): number {
  const value = configuration.get(member) ?? otherwise;
  if (typeof value === "number" && Number.isInteger(value) && value >= 0 && value < width) return value;
  throw badConfiguration(NAME, member, `a bit from 0 to ${width - 1}, as the data type has`, brief(value));
}

function unpack(input: Uint8Array<ArrayBuffer>, limit: number, { elements, dataType }: ChunkOutline, packing: Packing) {
  const size = elements * dataType.itemSize;
  if (size > limit) throw decodeTooLarge(NAME, limit, `${size} bytes`);
  const packed = packedBytes(input, elements, packing);
  const { parts, first, bits, isSigned } = packing;
  const result = new Uint8Array(size);
  const bytesEach = dataType.itemSize / parts;
  for (let number = 0; number < elements * parts; number++) {
    const from = number * bits;
    const to = number * bytesEach;
    for (let bit = 0; bit < bits; bit++) {
      const at = from + bit;
      const isSet = ((packed[Math.floor(at / 8)] as number) >> (at & 7)) & 1;
      const target = first + bit;
      (result[to + (target >> 3)] as number) |= isSet << (target & 7);
    }
    if (isSigned) extendSign(result, to, bytesEach, first + bits);
  }
  return result;
}

/** Copies the highest of the stored bits into all above it. */
function extendSign(result: Uint8Array<ArrayBuffer>, from: number, size: number, bits: number): void {
  const sign = ((result[from + ((bits - 1) >> 3)] as number) >> ((bits - 1) & 7)) & 1;
  if (sign === 0) return;
  for (let bit = bits; bit < size * 8; bit++) (result[from + (bit >> 3)] as number) |= 1 << (bit & 7);
}

/** The bytes of the elements, without the one that counts the padding. */
function packedBytes(input: Uint8Array<ArrayBuffer>, elements: number, { parts, bits, padding }: Packing) {
  const used = elements * parts * bits;
  const length = Math.ceil(used / 8);
  const expected = length + (padding === "none" ? 0 : 1);
  if (input.length !== expected) {
    const counts = padding === "none" ? "" : " and a byte that counts the padding";
    const bytes = `${expected} bytes: ${elements} elements of ${parts * bits} bit${parts * bits === 1 ? "" : "s"}${counts}`;
    throw decodeFailed(NAME, bytes, `${input.length} bytes`);
  }
  if (padding === "none") return input;
  const unused = length * 8 - used;
  const [written, packed] =
    padding === "first_byte" ? [input[0], input.subarray(1)] : [input[length], input.subarray(0, length)];
  if (written === unused) return packed;
  throw decodeFailed(NAME, `${unused} as the number of padding bits`, String(written));
}
