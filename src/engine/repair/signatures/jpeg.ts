/** A JPEG image (ITU-T T.81, Annex B): its frame header is looked for among the first segments. */
import { beginsWith, factsOf, viewOf, type Recognise } from "./signature.ts";

const MAX_SEGMENTS = 64;
/** Start-of-frame markers, without those of tables (C4, CC) and extensions (C8). */
const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;

export const jpeg: Recognise = (bytes) => {
  if (!beginsWith(bytes, [0xff, 0xd8, 0xff]) || (bytes[3] ?? 0) < 0xc0) return undefined;
  const at = frameAt(bytes);
  if (at === undefined) return { name: "jpeg", label: "JPEG image", facts: [] };
  const view = viewOf(bytes);
  const [height, width] = [view.getUint16(at + 5), view.getUint16(at + 7)];
  const facts = factsOf({
    Width: `${width} pixels`,
    Height: `${height} pixels`,
    "Bits a channel": String(bytes[at + 4]),
    Channels: String(bytes[at + 9]),
    Process: bytes[at + 1] === 0xc3 ? "lossless" : bytes[at + 1] === 0xc2 ? "progressive" : "sequential",
  });
  return { name: "jpeg", label: `JPEG image, ${width} × ${height} pixels`, facts };
};

function frameAt(bytes: Uint8Array): number | undefined {
  const view = viewOf(bytes);
  let at = 2;
  for (let segment = 0; segment < MAX_SEGMENTS && at + 10 <= bytes.length; segment += 1) {
    if (bytes[at] !== 0xff) return undefined;
    if (isFrame(bytes[at + 1] as number)) return at;
    at += 2 + view.getUint16(at + 2);
  }
  return undefined;
}
