/** An HDF5 file, and the pieces of one that carry a signature (HDF5 File Format Specification 3.0, §§II–IV). */
import { beginsWith, factsOf, viewOf, type Recognise } from "./signature.ts";

const MAGIC = [0x89, 0x48, 0x44, 0x46, 0x0d, 0x0a, 0x1a, 0x0a];

export const hdf5: Recognise = (bytes) => {
  if (!beginsWith(bytes, MAGIC)) return undefined;
  const version = bytes[8];
  const sizesAt = (version ?? 0) < 2 ? 13 : 9;
  const facts = factsOf({
    "Superblock version": version === undefined ? undefined : String(version),
    "Size of offsets": bytes[sizesAt] === undefined ? undefined : `${bytes[sizesAt]} bytes`,
    "Size of lengths": bytes[sizesAt + 1] === undefined ? undefined : `${bytes[sizesAt + 1]} bytes`,
  });
  return { name: "hdf5", label: "HDF5, the beginning of a file", facts };
};

const PIECES: ReadonlyMap<string, string> = new Map([
  ["TREE", "B-tree node, version 1"],
  ["BTHD", "B-tree header, version 2"],
  ["BTIN", "B-tree inner node, version 2"],
  ["BTLF", "B-tree leaf, version 2"],
  ["SNOD", "symbol table node"],
  ["HEAP", "local heap"],
  ["GCOL", "global heap collection"],
  ["FRHP", "fractal heap header"],
  ["FHDB", "fractal heap direct block"],
  ["FHIB", "fractal heap indirect block"],
  ["FSHD", "free-space header"],
  ["FSSE", "free-space sections"],
  ["SMTB", "shared message table"],
  ["SMLI", "shared message list"],
  ["OHDR", "object header, version 2"],
  ["OCHK", "object header continuation"],
  ["FAHD", "fixed array header of chunks"],
  ["FADB", "fixed array data block of chunks"],
  ["EAHD", "extensible array header of chunks"],
  ["EAIB", "extensible array index block of chunks"],
  ["EASB", "extensible array secondary block of chunks"],
  ["EADB", "extensible array data block of chunks"],
]);

/** Where offsets are wrong one often lands on these. All but `TREE`, and that too, have small numbers after the name. */
export const hdf5Piece: Recognise = (bytes) => {
  if (bytes.length < 8) return undefined;
  const name = String.fromCharCode(...bytes.subarray(0, 4));
  const what = PIECES.get(name);
  if (what === undefined || (bytes[4] as number) > 16) return undefined;
  const facts = factsOf({
    Piece: name,
    Kind: name === "TREE" ? (bytes[4] === 1 ? "index of chunks" : "group") : undefined,
    Level: name === "TREE" ? String(bytes[5]) : undefined,
    Entries: name === "TREE" ? String(viewOf(bytes).getUint16(6, true)) : undefined,
    Meaning: "part of a file's own structure, not a chunk of data",
  });
  return { name: "hdf5", label: `HDF5, ${what}`, facts };
};
