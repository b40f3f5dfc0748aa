#!/usr/bin/env bash
# Expected: slice([[-3, null]]) gives the last three elements, as h5py and NumPy do, or an error.
# Found: it gives the whole dataset: a negative start is clipped to 0.
# Package: h5wasm 0.10.3 (npm), src/hdf5_hl.ts: Dataset.slice.
# Source: README of h5wasm, "slice"; h5py documentation, "Reading & writing data".
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts h5wasm@0.10.3
cat > run.mjs <<'PROGRAM'
import { readFileSync } from "node:fs";
import h5wasm from "h5wasm/node";

await h5wasm.ready;
const made = new h5wasm.File("slice.h5", "w");
made.create_dataset({ name: "a", data: Float32Array.of(0, 1, 2, 3, 4, 5) });
made.close();
const dataset = new h5wasm.File("slice.h5", "r").get("a");
const last = JSON.stringify([...dataset.slice([[-3, null]])]);
console.log("h5wasm", JSON.parse(readFileSync("node_modules/h5wasm/package.json")).version, "slice([[-3, null]]) of 0..5:", last);
process.exit(last === "[0,1,2,3,4,5]" ? 0 : 1);
PROGRAM
node run.mjs
