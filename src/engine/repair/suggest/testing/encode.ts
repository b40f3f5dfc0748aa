/** Encoders for tests: what the decoders undo. */
import { deflateSync, gzipSync } from "node:zlib";
import Blosc from "numcodecs/blosc";
import LZ4 from "numcodecs/lz4";
import Zstd from "numcodecs/zstd";
import { fletcher32 } from "#codecs/checksums/checksums.ts";

export interface Filter {
  readonly id: string;
  readonly elementsize?: number;
  readonly dtype?: string;
  readonly cname?: string;
}

/** Encodes a chunk as Zarr v2 does: filters in their order. */
export async function encode(values: Uint8Array, filters: readonly Filter[]): Promise<Uint8Array> {
  let bytes: Uint8Array = new Uint8Array(values);
  for (const filter of filters) bytes = await encodeOne(bytes, filter);
  return bytes;
}

async function encodeOne(bytes: Uint8Array, filter: Filter): Promise<Uint8Array> {
  switch (filter.id) {
    case "zlib":
      return deflateSync(bytes, { level: 4 });
    case "gzip":
      return gzipSync(bytes);
    case "zstd":
      return Zstd.fromConfig({ id: "zstd", level: 3 }).encode(bytes);
    case "lz4":
      return LZ4.fromConfig({ id: "lz4" }).encode(bytes);
    case "blosc":
      return encodeBlosc(bytes, filter.cname ?? "lz4");
    case "shuffle":
      return shuffled(bytes, filter.elementsize ?? 4);
    case "fletcher32":
      return withFletcher(bytes);
    case "delta":
      return differences(bytes, filter.dtype ?? "<i4");
    default:
      throw new Error(`No encoder for ${filter.id}.`);
  }
}

function encodeBlosc(bytes: Uint8Array, cname: string): Promise<Uint8Array> | Uint8Array {
  // Through JSON: the package's type for `shuffle` is an enum that it does not export.
  const configuration = JSON.parse(JSON.stringify({ id: "blosc", cname, clevel: 5, shuffle: 1 })) as never;
  return Blosc.fromConfig(configuration).encode(bytes);
}

export function shuffled(bytes: Uint8Array, size: number): Uint8Array {
  const count = bytes.length / size;
  return Uint8Array.from(bytes, (_, at) => bytes[(at % count) * size + Math.floor(at / count)] as number);
}

export function withFletcher(bytes: Uint8Array): Uint8Array {
  const whole = new Uint8Array(bytes.length + 4);
  whole.set(bytes);
  new DataView(whole.buffer).setUint32(bytes.length, fletcher32(bytes), true);
  return whole;
}

/** For little-endian integers of 2 and 4 bytes, and floats of 4 and 8. */
function differences(bytes: Uint8Array, dtype: string): Uint8Array {
  const { buffer } = new Uint8Array(bytes);
  const values =
    dtype === "<i2"
      ? new Int16Array(buffer)
      : dtype === "<i4"
        ? new Int32Array(buffer)
        : dtype === "<f4"
          ? new Float32Array(buffer)
          : new Float64Array(buffer);
  for (let i = values.length - 1; i > 0; i--) values[i] = (values[i] as number) - (values[i - 1] as number);
  return new Uint8Array(values.buffer);
}
