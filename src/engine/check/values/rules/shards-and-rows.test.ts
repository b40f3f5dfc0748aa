/** Indexes of shards with a checksum that is not declared, and rows that begin elsewhere than the chunk. */
import { expect, it } from "vitest";
import { crc32c } from "#codecs/checksums/checksums.ts";
import { context, openMade } from "#engine/repair/suggest/testing/damaged-set.ts";
import { openAny } from "#engine/open/open-any.ts";
import { NO_LOCATIONS } from "#core/byte-source.ts";
import { inThread } from "#engine/chunk/chunk-decoder.ts";
import { checkValues } from "../check-values.ts";

const INNER = 4;

/** One shard of four inner chunks, its index first, with a checksum behind it. */
function shard(): Uint8Array<ArrayBuffer> {
  const index = new BigUint64Array(2 * INNER);
  const data = Float32Array.from({ length: 4 * INNER }, (_, at) => 280 + at);
  const head = index.byteLength + 4;
  for (let inner = 0; inner < INNER; inner += 1) index.set([BigInt(head + 16 * inner), 16n], 2 * inner);
  const bytes = new Uint8Array(index.buffer);
  const checksum = new Uint8Array(Uint32Array.of(crc32c(bytes)).buffer);
  return new Uint8Array(Buffer.concat([bytes, checksum, new Uint8Array(data.buffer)]));
}

it("a checksum behind the index that is not declared is found", async () => {
  const little = { name: "bytes", configuration: { endian: "little" } };
  const sharding = { chunk_shape: [4], codecs: [little], index_codecs: [little], index_location: "start" };
  const document = {
    zarr_format: 3,
    node_type: "array",
    shape: [16],
    data_type: "float32",
    chunk_grid: { name: "regular", configuration: { chunk_shape: [16] } },
    chunk_key_encoding: { name: "default" },
    fill_value: 0,
    codecs: [{ name: "sharding_indexed", configuration: sharding }],
    attributes: {},
  };
  const files = [
    { path: "array/zarr.json", blob: new Blob([JSON.stringify(document)]) },
    { path: "array/c/0", blob: new Blob([shard()]) },
  ];
  const opened = await openAny(
    { kind: "files", files },
    { locations: NO_LOCATIONS, network: {}, options: {}, context: context() },
  );
  if (opened.kind !== "set") throw new Error("asked to choose");
  const { findings } = await checkValues(opened.set, { chunks: "all", decoder: inThread }, context());
  expect(findings).toMatchObject([{ code: "shard-index-checksum-undeclared", facts: { shards: 1 } }]);
});

const [ROWS, COLUMNS] = [40, 20];

function plain(shift: number) {
  const metadata = { zarr_format: 2, shape: [ROWS, COLUMNS], chunks: [ROWS, COLUMNS], dtype: "<f4", order: "C" };
  const values = Float32Array.from({ length: 2 * ROWS * COLUMNS }, (_, at) => {
    const [y, x] = [Math.floor(at / COLUMNS), at % COLUMNS];
    return 280 + 5 * Math.sin(y / 9) + 0.9 * x + 0.02 * Math.sin(977 * at);
  });
  return {
    references: {
      "v/.zarray": JSON.stringify({ ...metadata, fill_value: null, filters: null, compressor: null }),
      "v/0.0": ["v.bin", 1024 + shift, 4 * ROWS * COLUMNS] as const,
    },
    files: new Map([["v.bin", new Uint8Array(Buffer.concat([new Uint8Array(1024), new Uint8Array(values.buffer)]))]]),
  };
}

it("a chunk whose rows end inside its rows is read too late", async () => {
  const codes = async (shift: number) => {
    const part = await checkValues(await openMade(plain(shift)), { chunks: "all", decoder: inThread }, context());
    return part.findings.map(({ code, facts }) => [code, facts["column"]]);
  };
  expect(await codes(0)).toEqual([]);
  // Farther than repairs are searched for.
  expect(await codes(4 * (5 * COLUMNS + 6))).toEqual([["chunk-shifted", COLUMNS - 6]]);
});
