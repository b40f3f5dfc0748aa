/** The pixels of a raster while cells are added to them. */
import type { Raster, RasterColour } from "../../core/open-set.ts";
import { CHANGES, type ChangeKind } from "../../core/repository.ts";
import { FIRST_SPECIAL_TARGET } from "../../core/reference-table.ts";
import { STATE_CODE, type ChunkState, type ReadingResult } from "../../core/reference.ts";
import type { Batch } from "./batch.ts";
import type { Plane } from "./raster-plane.ts";

export interface Picture {
  /** Adds cells with a reference, in the order of their ordinals; `pixels` says where each of the batch falls. */
  add(batch: Batch, pixels: Uint32Array): void;
  addReading(pixel: number, result: ReadingResult): void;
  raster(): Raster;
}

/** From what a user must see first to what is of least interest; the worst cell of a pixel gives its colour. */
const WORST_FIRST: readonly ChunkState[] = [
  "bad",
  "missing",
  "unknown",
  "range",
  "virtual",
  "whole",
  "inline",
  "native",
];
const READING_CODE: Readonly<Record<ReadingResult, number>> = { "not tried": 0, ok: 1, failed: 2 };

/** Colours that are made from references and readings; `change` is made from a comparison. */
type PictureColour = Exclude<RasterColour, "change">;

export const picture = (plane: Plane, colour: PictureColour): Picture => PICTURES[colour](plane);

const PICTURES: Readonly<Record<PictureColour, (plane: Plane) => Picture>> = {
  state: statePicture,
  target: targetPicture,
  length: lengthPicture,
  reading: readingPicture,
};

const pixelsOf = ({ down, along }: Plane): number => down.pixels * along.pixels;

function finished(plane: Plane, filled: Partial<Raster>): Raster {
  return {
    width: plane.along.pixels,
    height: plane.down.pixels,
    cellsDown: plane.down.cellsPerPixel,
    cellsAlong: plane.along.cellsPerPixel,
    codes: new Uint8Array(0),
    values: new Float64Array(0),
    minimum: undefined,
    maximum: undefined,
    ...filled,
  };
}

const nothing = (): void => undefined;

function statePicture(plane: Plane): Picture {
  const worst = new Uint8Array(pixelsOf(plane)).fill(WORST_FIRST.length);
  const added = new Uint32Array(pixelsOf(plane));
  const badness = new Uint8Array(8);
  for (const [place, state] of WORST_FIRST.entries()) badness[STATE_CODE[state]] = place;
  return {
    add({ size, state }, pixels) {
      for (let i = 0; i < size; i += 1) {
        const pixel = pixels[i] as number;
        const place = badness[state[i] as number] as number;
        if (place < (worst[pixel] as number)) worst[pixel] = place;
        (added[pixel] as number) += 1;
      }
    },
    addReading: nothing,
    raster: () => finished(plane, { codes: stateCodes(plane, worst, added) }),
  };
}

/** Cells that were never added have no reference: they are missing. */
function stateCodes({ down, along }: Plane, worst: Uint8Array, added: Uint32Array): Uint8Array<ArrayBuffer> {
  const codes = new Uint8Array(worst.length);
  const missing = WORST_FIRST.indexOf("missing");
  const codeOf = Uint8Array.from(WORST_FIRST, (state) => STATE_CODE[state]);
  for (let i = 0; i < down.pixels; i += 1) {
    const cellsDown = Math.min(down.cellsPerPixel, down.cells - i * down.cellsPerPixel);
    for (let j = 0; j < along.pixels; j += 1) {
      const pixel = i * along.pixels + j;
      const cells = cellsDown * Math.min(along.cellsPerPixel, along.cells - j * along.cellsPerPixel);
      const place = worst[pixel] as number;
      codes[pixel] = codeOf[(added[pixel] as number) < cells ? Math.min(missing, place) : place] as number;
    }
  }
  return codes;
}

/** Target id + 1 of the cell with the lowest ordinal that has one. */
function targetPicture(plane: Plane): Picture {
  const values = new Float64Array(pixelsOf(plane));
  return {
    add({ size, target }, pixels) {
      for (let i = 0; i < size; i += 1) {
        const id = target[i] as number;
        const pixel = pixels[i] as number;
        if (id < FIRST_SPECIAL_TARGET && values[pixel] === 0) values[pixel] = id + 1;
      }
    },
    addReading: nothing,
    raster: () => finished(plane, { values }),
  };
}

function lengthPicture(plane: Plane): Picture {
  const values = new Float64Array(pixelsOf(plane)).fill(-1);
  let minimum = Infinity;
  let maximum = -1;
  return {
    add({ size, length }, pixels) {
      for (let i = 0; i < size; i += 1) {
        const bytes = length[i] as number;
        if (bytes < 0) continue;
        const pixel = pixels[i] as number;
        if (bytes > (values[pixel] as number)) values[pixel] = bytes;
        if (bytes < minimum) minimum = bytes;
        if (bytes > maximum) maximum = bytes;
      }
    },
    addReading: nothing,
    raster: () => finished(plane, maximum < 0 ? { values } : { values, minimum, maximum }),
  };
}

/** A pixel with a failed chunk is failed, else one with a chunk that was read is ok. */
function readingPicture(plane: Plane): Picture {
  const codes = new Uint8Array(pixelsOf(plane));
  return {
    add: nothing,
    addReading(pixel, result) {
      codes[pixel] = Math.max(codes[pixel] as number, READING_CODE[result]);
    },
    raster: () => finished(plane, { codes }),
  };
}

/** From what a user must see first: what is gone, then what has other bytes. By logs all are "set". */
const TELLING_FIRST: readonly ChangeKind[] = ["removed", "changed", "added", "set"];

export interface ChangePicture {
  /** `code` is an index in `CHANGES` + 1. */
  add(pixel: number, code: number): void;
  raster(): Raster;
}

/** A pixel shows the most important change of its cells; 0 where none of them changed. */
export function changePicture(plane: Plane): ChangePicture {
  const codes = new Uint8Array(pixelsOf(plane));
  const ranks = Uint8Array.of(CHANGES.length, ...CHANGES.map((kind) => TELLING_FIRST.indexOf(kind)));
  return {
    add(pixel, code) {
      if ((ranks[code] as number) < (ranks[codes[pixel] as number] as number)) codes[pixel] = code;
    },
    raster: () => finished(plane, { codes }),
  };
}
