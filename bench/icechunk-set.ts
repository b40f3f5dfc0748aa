/**
 * A manifest of virtual references as Icechunk writes it by default from 1,000 on: locations compressed with a dictionary,
 * and the same references as a Kerchunk document.
 */
import { bytesOf, coordinates, manifestFile, table, u64, type FlatNode } from "../src/formats/icechunk/testing/flat-writer.ts"; // prettier-ignore

export interface VirtualReferences {
  readonly name: string;
  /** A manifest file of one array, along one dimension. */
  readonly manifest: Uint8Array;
  readonly kerchunk: string;
}

/** Content that every location begins with: a match of its whole length is one code without further bits. */
const DICTIONARY = "s3://some-bucket/path/to/model/run";

/** `distinct`: files that the references are spread over in turn. */
export function virtualReferences(name: string, count: number, distinct: number): VirtualReferences {
  const path = (at: number): string => `/file_${String(at % distinct).padStart(7, "0")}.nc`;
  const absent = undefined;
  const refs = Array.from({ length: count }, (_, at): FlatNode => {
    const location = bytesOf(compressedLocation(path(at), DICTIONARY));
    return table(coordinates(at), absent, u64(at * 3), u64(4000 + (at % 97)), absent, absent, absent, absent, location);
  });
  const entries = Array.from({ length: count }, (_, at) => {
    return `"t/c/${at}":${JSON.stringify([DICTIONARY + path(at), at * 3, 4000 + (at % 97)])}`;
  });
  return {
    name,
    manifest: manifestFile(refs, Buffer.from(DICTIONARY)),
    kerchunk: `{"version":1,"refs":{${entries.join(",")}}}`,
  };
}

/**
 * A zstd frame (RFC 8878) of the dictionary's content (at most 34 bytes), then a text of at most 31 bytes: one block with raw
 * literals and one sequence, whose codes have tables of one symbol each.
 */
export function compressedLocation(text: string, dictionary: string): Uint8Array {
  const literals = Buffer.from(text);
  const [literalLength, matchLength] = [0, dictionary.length - 3];
  // Offsets are written as their number plus 3: a code for its highest bit, and the rest as bits below a closing one.
  const offset = dictionary.length + 3;
  const offsetCode = Math.floor(Math.log2(offset));
  const block = [literals.length << 3, ...literals, 1, 0x54, literalLength, offsetCode, matchLength, offset];
  const header = 1 + 2 * 2 + 8 * block.length;
  const [singleSegment, size] = [0x20, dictionary.length + literals.length];
  return Uint8Array.from([0x28, 0xb5, 0x2f, 0xfd, singleSegment, size, header & 255, header >> 8, 0, ...block]);
}
