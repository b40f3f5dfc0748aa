/** Decompressors for Parquet's pages, by Parquet's names: our own codecs. */
import { decodeSnappy } from "../../../codecs/blosc/snappy.ts";
import type { ChunkOutline } from "../../../codecs/codec.ts";
import { findCodec } from "../../../codecs/find-codec.ts";
import type { Decompress, Decompressors } from "../../../formats/kerchunk-parquet/index.ts";

const { signal } = new AbortController();

export function decompressors(): Decompressors {
  return new Map<string, Decompress>([
    ["ZSTD", byCodec("zstd")],
    ["GZIP", byCodec("gzip")],
    [
      "SNAPPY",
      (input, size) => {
        const target = new Uint8Array(size);
        decodeSnappy(input, target);
        return target;
      },
    ],
  ]);
}

function byCodec(id: string): Decompress {
  return async (input, size) => {
    const outline: ChunkOutline = {
      dataType: { kind: "uint", itemSize: 1, byteOrder: "none", text: "|u1" },
      chunkShape: [size],
      elements: size,
      fillValue: null,
    };
    const codec = findCodec(id);
    if (codec === undefined) throw new Error(`There is no codec ${id}.`);
    return codec.prepare(new Map(), outline).decode(input, size, signal);
  };
}
