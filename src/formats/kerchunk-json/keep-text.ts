/** A small document's text, kept while it streams by: it can be edited. A large one's is let go. */

export interface TextKeeper {
  add(bytes: Uint8Array): void;
  /** `undefined` where there was more than was to be kept, and where it is not UTF-8. */
  text(): string | undefined;
}

/** `limit`: bytes. */
export function textKeeper(limit: number): TextKeeper {
  let pieces: Uint8Array[] | undefined = [];
  let length = 0;
  return {
    add(bytes) {
      length += bytes.length;
      if (length > limit) pieces = undefined;
      else pieces?.push(bytes.slice());
    },
    text() {
      if (pieces === undefined) return undefined;
      const decoder = new TextDecoder("utf-8", { fatal: true });
      try {
        const texts = pieces.map((piece) => decoder.decode(piece, { stream: true }));
        return texts.join("") + decoder.decode();
      } catch {
        return undefined;
      }
    },
  };
}
