/** A PNG image (PNG specification, third edition, §§5.2 and 11.2.1). */
import { beginsWith, factsOf, viewOf, type Recognise } from "./signature.ts";

const COLOURS: ReadonlyMap<number, string> = new Map([
  [0, "grey"],
  [2, "RGB"],
  [3, "palette"],
  [4, "grey with alpha"],
  [6, "RGB with alpha"],
]);

export const png: Recognise = (bytes) => {
  if (!beginsWith(bytes, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])) return undefined;
  if (!beginsWith(bytes, "IHDR", 12) || bytes.length < 26) return { name: "png", label: "PNG image", facts: [] };
  const view = viewOf(bytes);
  const [width, height] = [view.getUint32(16), view.getUint32(20)];
  const facts = factsOf({
    Width: `${width} pixels`,
    Height: `${height} pixels`,
    "Bits a channel": String(bytes[24]),
    Colours: COLOURS.get(bytes[25] ?? -1) ?? "unknown",
  });
  return { name: "png", label: `PNG image, ${width} × ${height} pixels`, facts };
};
