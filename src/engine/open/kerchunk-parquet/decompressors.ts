/** Decompressors for Parquet's pages, by Parquet's names: our own codecs. */
import { decodeHadoopLz4 } from "../../../codecs/lz4-hadoop.ts";
import { decodeLz4Block } from "../../../codecs/lz4-block.ts";
import { decodeSnappy } from "../../../codecs/blosc/snappy.ts";
import type { ChunkOutline } from "../../../codecs/codec.ts";
import { loadCodec } from "../../../codecs/find-codec.ts";
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
    [
      "LZ4_RAW",
      (input, size) => {
        const target = new Uint8Array(size);
        decodeLz4Block("lz4", input, target);
        return target;
      },
    ],
    ["LZ4", decodeHadoopLz4],
    // With a dictionary of 120 kB, which few sets need.
    ["BROTLI", async (input, size) => (await import("../../../codecs/brotli/decode.ts")).decodeBrotli(input, size)],
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
    const codec = await loadCodec(id);
    if (codec === undefined) throw new Error(`There is no codec ${id}.`);
    return codec.prepare(new Map(), outline).decode(input, size, signal);
  };
}
