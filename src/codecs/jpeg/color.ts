/** What becomes of the colours of a JPEG, as imagecodecs has libjpeg do it. */
import { badConfiguration, decodeFailed } from "../failure.ts";
import type { Frame } from "./segments.ts";

export type ColorSpace = "default" | "gray" | "rgb" | "ycbcr" | "cmyk" | "ycck";

export interface JpegConfiguration {
  readonly codec: string;
  /** Goes before the data, and an end marker after them. */
  readonly header: Uint8Array | undefined;
  /** An image of nothing but tables (TIFF's JPEGTables). */
  readonly tables: Uint8Array | undefined;
  /** What the components are; absent: as the markers say. */
  readonly stored: ColorSpace | undefined;
  /** What is requested; absent: what was stored, where that was said, else RGB or gray. */
  readonly wanted: ColorSpace | undefined;
}

export interface Colors {
  /** Whether three components are turned from YCbCr to RGB. */
  readonly isTransformed: boolean;
  /** Channels of the result: the first of those decoded, or all three. */
  readonly channels: 1 | 3;
}

/** Throws `decode-failed` for what a browser cannot give, and `codec-configuration` for what libjpeg refuses. */
export function colorsOf({ codec, stored, wanted }: JpegConfiguration, frame: Frame): Colors {
  const { components } = frame;
  if (components !== 1 && components !== 3) {
    const expected = "1 or 3 components, which a browser gives as they are";
    throw decodeFailed(codec, expected, `${components} (CMYK is turned into RGB there)`);
  }
  const said = stored === "default" ? undefined : stored;
  const guess = components === 1 ? "gray" : frame.isRgb ? "rgb" : "ycbcr";
  const from = said ?? guess;
  const usual = components === 1 ? "gray" : "rgb";
  const to = wanted === "default" ? usual : (wanted ?? said ?? usual);
  if ((components === 1) !== (from === "gray") || from === "cmyk" || from === "ycck") {
    throw badConfiguration(codec, "colorspace_jpeg", `a colour space of ${components} components`, from);
  }
  if (to === from) return { isTransformed: false, channels: components };
  if (from === "ycbcr" && to === "rgb") return { isTransformed: true, channels: 3 };
  if (from === "ycbcr" && to === "gray") return { isTransformed: false, channels: 1 };
  if (from === "gray" && to === "rgb") return { isTransformed: false, channels: 3 };
  throw badConfiguration(codec, "colorspace_data", `a colour space that ${from} is turned into`, to);
}
