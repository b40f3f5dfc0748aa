/** bzip2: its header, then the magic of a block, or of the end where there is nothing. */
import { beginsWith, factsOf, type Recognise } from "./signature.ts";

const BLOCK = [0x31, 0x41, 0x59, 0x26, 0x53, 0x59];
const END = [0x17, 0x72, 0x45, 0x38, 0x50, 0x90];

export const bz2: Recognise = (bytes) => {
  const level = (bytes[3] ?? 0) - 0x30;
  if (!beginsWith(bytes, "BZh") || level < 1 || level > 9) return undefined;
  const isEmpty = beginsWith(bytes, END, 4);
  if (!isEmpty && !beginsWith(bytes, BLOCK, 4)) return undefined;
  const facts = factsOf({ "Block size": `${level * 100_000} bytes`, Content: isEmpty ? "empty" : undefined });
  return { name: "bz2", label: `bzip2, level ${level}`, facts };
};
