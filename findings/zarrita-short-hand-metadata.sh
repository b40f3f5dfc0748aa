#!/usr/bin/env bash
# Expected: extensions of Zarr v3 metadata without a configuration may be written by their name alone ("bytes"), and those that
# are mostly written by name (data_type) also as an object with a name: the specification allows both for each.
# Found: zarrita 0.7.5 knows one form of each. A codec or chunk key encoding by its name is "Unknown … undefined"; a data type
# as an object ends in a TypeError of its own code.
# Package: zarrita 0.7.5 (npm), open and get.
# Source: Zarr v3 core specification, "Extension definition" (short-hand names).
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts zarrita@0.7.5
cat > run.mjs <<'PROGRAM'
import { readFileSync } from "node:fs";
import * as zarr from "zarrita";

const metadata = {
  zarr_format: 3, node_type: "array", shape: [2], data_type: "uint8", fill_value: 0,
  chunk_grid: { name: "regular", configuration: { chunk_shape: [2] } },
  chunk_key_encoding: { name: "default" },
  codecs: [{ name: "bytes" }],
};
async function read(more) {
  const store = new Map([["/zarr.json", new TextEncoder().encode(JSON.stringify({ ...metadata, ...more }))], ["/c/0", Uint8Array.of(1, 2)]]);
  try {
    return [...(await zarr.get(await zarr.open(store, { kind: "array" }))).data].join();
  } catch (error) {
    return `${error.name}: ${error.message}`;
  }
}
const seen = {
  objects: await read({}),
  codec: await read({ codecs: ["bytes"] }),
  keys: await read({ chunk_key_encoding: "default" }),
  type: await read({ data_type: { name: "uint8" } }),
};
console.log("zarrita", JSON.parse(readFileSync("node_modules/zarrita/package.json")).version, seen);
const isAsSaid = seen.objects === "1,2" && /undefined/.test(seen.codec) && /undefined/.test(seen.keys) && /TypeError/.test(seen.type);
process.exit(isAsSaid ? 0 : 1);
PROGRAM
node run.mjs
