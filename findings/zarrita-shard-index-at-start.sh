#!/usr/bin/env bash
# Expected: a shard whose index is at its beginning (index_location "start") reads as one whose index is at its end, or is
# refused: the specification of the codec names both places.
# Found: zarrita reads the last bytes of the shard as its index, whatever index_location says. Here they are data, and what is
# read is 0 throughout: neither the values nor the fill value, and no error.
# Package: zarrita 0.7.5 (npm), get.
# Source: Zarr v3, codec sharding_indexed, "index_location".
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts zarrita@0.7.5
cat > run.mjs <<'PROGRAM'
import { readFileSync } from "node:fs";
import * as zarr from "zarrita";

const metadata = (index_location) => ({
  zarr_format: 3, node_type: "array", shape: [4], data_type: "uint8", fill_value: 255,
  chunk_grid: { name: "regular", configuration: { chunk_shape: [4] } }, chunk_key_encoding: { name: "default" },
  codecs: [{ name: "sharding_indexed", configuration: {
    chunk_shape: [2], codecs: [{ name: "bytes" }], index_location,
    index_codecs: [{ name: "bytes", configuration: { endian: "little" } }],
  } }],
});
const index = (at) => new Uint8Array(BigUint64Array.of(BigInt(at), 2n, BigInt(at + 2), 2n).buffer);
const data = Uint8Array.of(1, 2, 3, 4);
async function read(location, parts) {
  const shard = new Uint8Array(parts.flatMap((part) => [...part]));
  const objects = new Map([["/zarr.json", new TextEncoder().encode(JSON.stringify(metadata(location)))], ["/c/0", shard]]);
  const store = {
    get: async (key) => objects.get(key),
    getRange: async (key, range) =>
      "suffixLength" in range
        ? objects.get(key)?.slice(-range.suffixLength)
        : objects.get(key)?.slice(range.offset, range.offset + range.length),
  };
  return [...(await zarr.get(await zarr.open(store, { kind: "array" }))).data].join();
}
const seen = { end: await read("end", [data, index(0)]), start: await read("start", [index(32), data]) };
console.log("zarrita", JSON.parse(readFileSync("node_modules/zarrita/package.json")).version, seen);
process.exit(seen.end === "1,2,3,4" && seen.start === "0,0,0,0" ? 0 : 1);
PROGRAM
node run.mjs
