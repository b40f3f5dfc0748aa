/** The hash of an array of objects: of one JSON list of all elements in C order, as Python's `json.dumps` writes it. */
import type { Hash } from "./digest-slab.ts";

export interface ObjectHash {
  /** JSON texts of the elements that come next. */
  add(texts: readonly string[]): void;
  end(): void;
}

const ENCODER = new TextEncoder();
const SEPARATOR = ", ";
/** Elements that are hashed at once. */
const BLOCK = 4096;

export function objectHash(hash: Hash): ObjectHash {
  let isFirst = true;
  hash.update(ENCODER.encode("["));
  return {
    add(texts) {
      for (let at = 0; at < texts.length; at += BLOCK) {
        const block = texts.slice(at, at + BLOCK).join(SEPARATOR);
        hash.update(ENCODER.encode(isFirst ? block : SEPARATOR + block));
        isFirst = false;
      }
    },
    end: () => hash.update(ENCODER.encode("]")),
  };
}
