#!/usr/bin/env bash
# Expected: elements of a chunk that was never written read as the fill value of the dataset; jsfive knows it (fillvalue).
# Found: jsfive leaves holes in the array: a sum skips or spoils them, a typed array makes NaN of them, JSON makes null.
# Package: jsfive 0.4.2 (npm); the file is made by h5wasm 0.10.3 (libhdf5).
# Source: HDF5 File Format Specification, "Fill Value Message"; dist/esm/index.mjs, DataObjects._get_chunked_data.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts jsfive@0.4.2 h5wasm@0.10.3
cat > run.mjs <<'PROGRAM'
import { readFileSync } from "node:fs";
import h5wasm from "h5wasm/node";
import * as jsfive from "jsfive";

await h5wasm.ready;
const made = new h5wasm.File("unwritten.h5", "w");
made.create_dataset({ name: "a", data: Float32Array.of(1, 2), shape: [2], dtype: "<f4", maxshape: [null], chunks: [2] });
made.get("a").resize([4]);
made.close();
const bytes = readFileSync("unwritten.h5");
const dataset = new jsfive.File(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length)).get("a");
const reread = new h5wasm.File("unwritten.h5", "r");
const value = dataset.value;
console.log("jsfive", JSON.parse(readFileSync("node_modules/jsfive/package.json")).version, "fillvalue", dataset.fillvalue, "values", value);
console.log("libhdf5 (h5wasm)", [...reread.get("a").value]);
process.exit(value.length === 4 && !(2 in value) && !(3 in value) && dataset.fillvalue === 0 ? 0 : 1);
PROGRAM
node run.mjs
