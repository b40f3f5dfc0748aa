/** For tests: a smooth field in files along time, with its coordinate; what is damaged is given as functions. */
import { deflateSync } from "node:zlib";
import { openMade, type MadeSet, type RangeReference } from "#engine/repair/suggest/testing/damaged-set.ts";
import type { EngineSet } from "#engine/engine-set.ts";

export const FILES = 8;
export const STEPS = 2;
const [ROWS, COLUMNS] = [6, 9];
const TIMES = FILES * STEPS;

export interface Made {
  /** Value of the field at a time and place; `file` is the one that it is in. */
  readonly value?: (
    field: number,
    at: { readonly time: number; readonly y: number; readonly x: number; readonly file: number },
  ) => number;
  readonly time?: (time: number, file: number) => number;
  /** Which file's data lie at a place of the axis. */
  readonly order?: (file: number) => number;
  readonly isCompressed?: boolean;
  /** Stored bytes of the field's chunk of a file, changed. */
  readonly stored?: (bytes: Uint8Array<ArrayBuffer>, file: number) => Uint8Array<ArrayBuffer>;
  /** Members of the field's `.zarray` and `.zattrs`. */
  readonly metadata?: object;
  readonly attributes?: object;
  /** The references and files, changed. */
  readonly change?: (set: MadeSet) => MadeSet;
}

/** A field like weather: a pattern in space that moves slowly, and a season. */
export function field(time: number, y: number, x: number): number {
  const space = Math.sin(0.4 * y - 0.8) + 0.6 * Math.cos(0.35 * x + 0.05 * time);
  return (
    285 +
    9 *
      (space + 0.5 * Math.sin((2 * Math.PI * time) / 48) + 0.02 * time + 0.01 * Math.sin(977 * (time + 3 * y + 7 * x)))
  );
}

const bytesOf = (array: Float32Array<ArrayBuffer> | Float64Array<ArrayBuffer>) => new Uint8Array(array.buffer);

export const fileName = (file: number): string => `sea_${2000 + file}.bin`;

export function fieldSet(made: Made = {}): MadeSet {
  const { isCompressed = false, change = (set: MadeSet) => set } = made;
  const references: Record<string, string | RangeReference> = {
    ".zgroup": '{"zarr_format": 2}',
    ...documents("v", [TIMES, ROWS, COLUMNS], [STEPS, ROWS, COLUMNS], "<f4", ["time", "y", "x"], {
      metadata: { compressor: isCompressed ? { id: "zlib", level: 4 } : null, ...made.metadata },
      attributes: made.attributes ?? {},
    }),
    ...documents("time", [TIMES], [STEPS], "<f8", ["time"], { attributes: { units: "days since 2000-01-01" } }),
  };
  const files = new Map<string, Uint8Array<ArrayBuffer>>();
  for (let file = 0; file < FILES; file += 1) {
    const parts = [
      Uint8Array.from({ length: 64 }, (_, at) => (at * 89 + file) & 255),
      timesOf(file, made),
      chunkOf(file, made),
    ];
    const whole = new Uint8Array(Buffer.concat([...parts, new Uint8Array(96)]));
    const [head = new Uint8Array(), times = new Uint8Array(), chunk = new Uint8Array()] = parts;
    references[`time/${file}`] = [fileName(file), head.length, times.length];
    references[`v/${file}.0.0`] = [fileName(file), head.length + times.length, chunk.length];
    files.set(fileName(file), whole);
  }
  return change({ references, files });
}

interface Documents {
  readonly metadata?: object;
  readonly attributes?: object;
}

function documents(
  name: string,
  shape: readonly number[],
  chunks: readonly number[],
  dtype: string,
  dimensions: readonly string[],
  { metadata = {}, attributes = {} }: Documents,
) {
  const plain = { zarr_format: 2, shape, chunks, dtype, fill_value: null, filters: null, compressor: null, order: "C" };
  return {
    [`${name}/.zarray`]: JSON.stringify({ ...plain, ...metadata }),
    [`${name}/.zattrs`]: JSON.stringify({ _ARRAY_DIMENSIONS: dimensions, ...attributes }),
  };
}

function timesOf(file: number, { time = (at) => at }: Made): Uint8Array<ArrayBuffer> {
  return bytesOf(Float64Array.from({ length: STEPS }, (_, step) => time(file * STEPS + step, file)));
}

function chunkOf(
  place: number,
  { value = (one) => one, order = (one) => one, isCompressed, stored = (bytes) => bytes }: Made,
) {
  const file = order(place);
  const values = Float32Array.from({ length: STEPS * ROWS * COLUMNS }, (_, at) => {
    const [step, y, x] = [Math.floor(at / ROWS / COLUMNS), Math.floor(at / COLUMNS) % ROWS, at % COLUMNS];
    const time = file * STEPS + step;
    return value(field(time, y, x), { time, y, x, file });
  });
  const bytes = bytesOf(values);
  return stored(isCompressed === true ? new Uint8Array(deflateSync(bytes)) : bytes, file);
}

export const openField = (made?: Made): Promise<EngineSet> => openMade(fieldSet(made));
