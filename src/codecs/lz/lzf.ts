/**
 * LZF (liblzf's lzf_d.c), HDF5's filter 32000. imagecodecs expects the decoded size before the data, as its own encoder
 * writes it, unless `header` is false; h5py and HDF5 write none.
 */
import { copyMatch, decodeFailed, decodeTooLarge, finish, newOutput, reserve } from "../codec.ts";
import type { Bytes, Decoder, Output } from "../codec.ts";

const ID = "imagecodecs_lzf";

export const imagecodecsLzf: Decoder = {
  prepare: (configuration) => {
    const header = configuration.get("header");
    // Python's bool() decides: a member that kerchunk and others leave out counts as true.
    const isPlain = header === false || header === 0 || header === null;
    return isPlain
      ? { label: "LZF", decode: decodePlain }
      : { label: "LZF, decoded size before the data", decode: decodeSized };
  },
};

function decodePlain(input: Bytes, limit: number): Bytes {
  if (input.length === 0) throw decodeFailed(ID, "LZF data", "no bytes");
  const output = newOutput(ID, limit, input.length * 3);
  decodeLzf(input, output);
  return finish(output);
}

function decodeSized(input: Bytes, limit: number): Bytes {
  if (input.length < 5) throw decodeFailed(ID, "a size of 4 bytes and LZF data", `${input.length} bytes`);
  const size = new DataView(input.buffer, input.byteOffset, 4).getUint32(0, true);
  const data = input.subarray(4);
  // Three bytes give 264 bytes at most.
  if (size > data.length * 88) throw wrongSize(input, limit, `${size} bytes, too many for ${data.length} stored bytes`);
  if (size > limit) throw decodeTooLarge(ID, limit, `${size} bytes, as the first 4 bytes say`);
  const output = { codec: ID, limit: size, bytes: new Uint8Array(size), length: 0 };
  try {
    decodeLzf(data, output);
  } catch {
    throw wrongSize(input, limit, "data that do not decode to these");
  }
  if (output.length !== size) throw wrongSize(input, limit, `${output.length} bytes`);
  return output.bytes;
}

/** Says where the bytes would decode without a size before them: the one error that is known to be common. */
function wrongSize(input: Bytes, limit: number, found: string): Error {
  const size = new DataView(input.buffer, input.byteOffset, 4).getUint32(0, true);
  const expected = `LZF data of ${size} bytes after a size of 4 bytes, as “header” is not false`;
  let note = "";
  try {
    const bytes = decodePlain(input, limit).length;
    note = `; without a size before them, as HDF5 writes LZF, the data decode to ${bytes} bytes: then “header” must be false`;
  } catch {
    // Then the size is not what is wrong.
  }
  return decodeFailed(ID, expected, found + note);
}

/** Literals: a length below 32, then one more than that many bytes. Matches: 3 bits of length, 13 of distance. */
function decodeLzf(input: Uint8Array, output: Output): void {
  let at = 0;
  while (at < input.length) {
    const control = input[at++] as number;
    if (control < 32) {
      const literals = control + 1;
      if (at + literals > input.length) throw cutOff(input);
      reserve(output, literals);
      output.bytes.set(input.subarray(at, at + literals), output.length);
      output.length += literals;
      at += literals;
      continue;
    }
    let length = control >> 5;
    if (length === 7) length += input[at++] ?? Number.NaN;
    const distance = (control & 31) * 256 + (input[at++] ?? Number.NaN) + 1;
    if (Number.isNaN(length + distance)) throw cutOff(input);
    if (distance > output.length) {
      throw decodeFailed(ID, `a distance of at most ${output.length}`, `${distance} before byte ${at}`);
    }
    reserve(output, length + 2);
    copyMatch(output.bytes, output.length, distance, length + 2);
    output.length += length + 2;
  }
}

function cutOff(input: Uint8Array): Error {
  return decodeFailed(ID, "whole LZF data", `data cut off after ${input.length} bytes`);
}
