#!/usr/bin/env bash
# Expected: h5wasm, which picks the type of a dataset from JavaScript numbers, picks one that holds them, or refuses.
# Found: whole numbers become 32-bit integers whatever their size: 2 ** 40 is written as 0 without a word.
# Package: h5wasm 0.10.3 (npm), src/hdf5_hl.ts: guess_dtype asks Number.isInteger alone.
# Source: README of h5wasm, "create_dataset … dtype is guessed"; read back by the same libhdf5.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts h5wasm@0.10.3
cat > run.mjs <<'PROGRAM'
import { readFileSync } from "node:fs";
import h5wasm from "h5wasm/node";

await h5wasm.ready;
const made = new h5wasm.File("guessed.h5", "w");
made.create_dataset({ name: "a", data: [1, 2 ** 40] });
made.close();
const dataset = new h5wasm.File("guessed.h5", "r").get("a");
const seen = `${dataset.dtype} ${JSON.stringify([...dataset.value])}`;
console.log("h5wasm", JSON.parse(readFileSync("node_modules/h5wasm/package.json")).version, "written [1, 1099511627776], read back", seen);
process.exit(seen === "<i [1,0]" ? 0 : 1);
PROGRAM
node run.mjs
