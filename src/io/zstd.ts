/** Zstandard (RFC 8878) as a stream. Frames may follow each other, skippable ones included. */
import { openZstdDecoder } from "../codecs/zstd-decoder.ts";
import type { Pieces } from "./byte-stream.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/** Each stream has a decoder of its own, so that its window is freed with it. */
export async function unzstd(compressed: Pieces): Promise<Pieces> {
  const decoder = await openZstdDecoder();
  let input: Bytes = new Uint8Array(0);
  let inFrame = false;
  let outputLeft = false;
  const step = (): Bytes => {
    const done = decoder.step(input);
    if (done.kind === "fault") throw new Error(done.found);
    input = input.subarray(done.consumed);
    outputLeft = done.outputLeft;
    inFrame = !done.frameEnded;
    return done.output;
  };
  const next = async (): Promise<Bytes | undefined> => {
    for (;;) {
      if (input.byteLength === 0 && !outputLeft) {
        const piece = await compressed.next();
        if (piece === undefined && inFrame) throw new Error("the data ends in the middle of a frame");
        if (piece === undefined) return undefined;
        input = piece;
        // An empty piece means nothing to the decoder, which would take it for the start of a frame.
        if (piece.byteLength === 0) continue;
      }
      const output = step();
      if (output.byteLength > 0) return output;
    }
  };
  return { next, close: (reason) => compressed.close(reason) };
}
