/**
 * Pcodec, a compression of numbers: numcodecs' `pcodec`, and the registered codec of Zarr v3. A chunk is one file,
 * "standalone" (pcodec/pcodec, docs/format.md): a header, then chunks of numbers of one type, each with its metadata and
 * one page. Format versions 0 to 4.1, of the files around them 0 to 3. The file says all there is to know: what the
 * configuration has is for writing.
 */
import { hexBytes } from "#core/bytes.ts";
import { type Decoder, decodeTooLarge, finish, newOutput, type Output, reserve } from "../codec.ts";
import { moveTo, takeLow } from "#core/bits.ts";
import { align, newReader, type BitReader } from "./bits.ts";
import { readChunkMetadata } from "./chunk-metadata.ts";
import { CODEC, invalid, NUMBER_TYPES, typeName, type NumberType } from "./format.ts";
import { viewOf } from "./output-numbers.ts";
import { newBatchRoom, readPage } from "./page.ts";

const MAGIC = "pco!";
const LAST_FILE_VERSION = 3;
const LAST_FORMAT_VERSION = 4;
const HEADER = "the header";
/** pco makes tables of fewer states than twice the numbers of the chunk, for at most three latent variables. */
const STATES_PER_NUMBER = 8;

export const pcodec: Decoder = {
  prepare: (_configuration, { elements, dataType }) => ({
    label: "Pcodec",
    decode: (input, limit) => decodePcodec(input, elements * dataType.itemSize, limit),
  }),
};

/** `expected`: bytes that the numbers likely have. What follows the file is ignored, as pco does. */
export function decodePcodec(input: Uint8Array, expected: number, limit: number): Uint8Array<ArrayBuffer> {
  const reader = newReader(input);
  const { version, uniform } = readHeader(reader, input);
  const output = newOutput(CODEC, limit, expected);
  const room = newBatchRoom();
  let before = uniform;
  let done = 0;
  for (;;) {
    const type = readType(reader, "the beginning of a chunk");
    if (type === undefined) return finish(output);
    if (before !== undefined && type !== before) {
      throw invalid(`numbers of one type, ${typeName(before)}`, typeName(type), "the beginning of a chunk");
    }
    before = type;
    const count = (takeLow(reader, 24) >>> 0) + 1;
    const size = type.width / 8;
    takeRoom(output, count * size);
    reader.statesLeft += count * STATES_PER_NUMBER;
    const metadata = readChunkMetadata(reader, version, type);
    const written = viewOf(type.width, output.bytes.buffer, done + count);
    readPage(reader, metadata, type, room, written, done, count);
    done += count;
    output.length = done * size;
  }
}

function takeRoom(output: Output, more: number): void {
  const needed = output.length + more;
  if (needed > output.limit) throw decodeTooLarge(CODEC, output.limit, `${needed} bytes or more`);
  reserve(output, more);
}

function readHeader(reader: BitReader, input: Uint8Array) {
  const begin = input.subarray(0, MAGIC.length);
  if (String.fromCharCode(...begin) !== MAGIC) throw invalid(`“${MAGIC}”`, hexBytes(begin) || "nothing", HEADER);
  moveTo(reader, MAGIC.length, 0);
  const fileVersion = takeLow(reader, 8);
  if (fileVersion > LAST_FILE_VERSION) {
    throw invalid(`a file of version ${LAST_FILE_VERSION} or earlier`, `version ${fileVersion}`, HEADER);
  }
  // The first two versions of the file equal the format's, and no type follows.
  if (fileVersion < 2) return { version: fileVersion, uniform: undefined };
  const uniform = fileVersion >= 3 ? readType(reader, HEADER) : undefined;
  skipHint(reader);
  const version = takeLow(reader, 8);
  if (version > LAST_FORMAT_VERSION) {
    throw invalid(`format version ${LAST_FORMAT_VERSION} or earlier`, `version ${version}`, HEADER);
  }
  // Minor versions only add what says so itself.
  if (version >= 4) takeLow(reader, 8);
  return { version, uniform };
}

/** How many numbers there may be: chunks say it as well, and better. */
function skipHint(reader: BitReader): void {
  const bits = 1 + takeLow(reader, 6);
  moveTo(reader, reader.byte, reader.bit + bits);
  align(reader, HEADER);
}

/** `undefined` for 0, which is the end of the file, or in the header no type. */
function readType(reader: BitReader, section: string): NumberType | undefined {
  const byte = takeLow(reader, 8);
  const type = NUMBER_TYPES.get(byte);
  if (type === undefined && byte !== 0) throw invalid("a type of numbers from 1 to 11", String(byte), section);
  return type;
}
