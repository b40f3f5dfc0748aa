/**
 * Values as the pixels of a JPEG 2000 image (FM 92, template 7.40): one component, samples in the order of the values.
 */
import type { ImageSize } from "../jpeg2000/code-stream.ts";
import { decodeCodeStream } from "../jpeg2000/decode.ts";
import { damaged } from "./failure.ts";
import { sectionName } from "./tables.ts";

/**
 * `count` whole numbers, before they are scaled. The image may be of any shape: where there is a bitmap, writers make it
 * one row. Throws `decode-failed`, `codec-unavailable`.
 */
export async function decodeJpeg2000Packing(codec: string, data: Uint8Array, count: number) {
  const accept = ({ components, x0, y0, x1, y1 }: ImageSize) => {
    const [first] = components;
    if (first === undefined || components.length > 1 || first.isSigned) {
      const found = `${components.length}${first?.isSigned === true ? ", signed" : ""}`;
      throw damaged(codec, 7, "an image of one component, without signs", found);
    }
    const [width, height] = [x1 - x0, y1 - y0];
    if (first.dx !== 1 || first.dy !== 1 || width * height !== count) {
      throw damaged(codec, 7, `an image of ${count} pixels`, `one of ${width} × ${height} pixels`);
    }
  };
  const source = { codec, section: sectionName(7) };
  const { components } = await decodeCodeStream(source, data, { accept, limit: count * 4 });
  return Float64Array.from(components[0]?.samples ?? []);
}
