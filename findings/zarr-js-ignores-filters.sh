#!/usr/bin/env bash
# Expected: an array whose .zarray lists a filter (delta, shuffle, fixedscaleoffset) is decoded through it, or refused.
# Found: zarr.js opens it and returns the bytes as they were before the filter was undone: of delta, the differences. It says nothing.
# Package: zarr 0.6.3 (npm), src/core: decodeChunk runs the compressor alone ("TODO filters").
# Source: Zarr storage specification 2, "Filters".
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts zarr@0.6.3
cat > run.mjs <<'PROGRAM'
import { readFileSync } from "node:fs";
import { openArray, KeyError } from "zarr";

const metadata = { zarr_format: 2, shape: [4], chunks: [4], dtype: "<i4", order: "C", fill_value: 0, compressor: null, filters: [{ id: "delta", dtype: "<i4" }] };
const objects = new Map([
  ["a/.zarray", new TextEncoder().encode(JSON.stringify(metadata))],
  ["a/0", new Uint8Array(Int32Array.of(5, 1, 1, 1).buffer)],
]);
const store = {
  getItem: async (key) => { if (!objects.has(key)) throw new KeyError(key); return objects.get(key).buffer; },
  containsItem: async (key) => objects.has(key),
};
const values = [...(await (await openArray({ store, path: "a", mode: "r" })).get(null)).data];
console.log("zarr", JSON.parse(readFileSync("node_modules/zarr/package.json")).version, "delta of [5,6,7,8], read", JSON.stringify(values));
process.exit(JSON.stringify(values) === "[5,1,1,1]" ? 0 : 1);
PROGRAM
node run.mjs
