#!/usr/bin/env bash
# Expected: chunks that are not there read as fill_value, exactly, in arrays of 64-bit integers too: zarrita makes a BigInt of it.
# Found: fill_value is rounded to float64 before that. The greatest uint64, a usual mark for "no data", reads as 0, which is a
# value; the second lowest int64 reads as the lowest.
# Package: zarrita 0.7.5 (npm), get.
# Source: Zarr v3 core specification, "fill_value" of integers: a number without fraction, within the range of the type.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts zarrita@0.7.5
cat > run.mjs <<'PROGRAM'
import { readFileSync } from "node:fs";
import * as zarr from "zarrita";

async function missing(type, fill) {
  const metadata = `{"zarr_format": 3, "node_type": "array", "shape": [1], "data_type": "${type}", "fill_value": ${fill},
    "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [1]}}, "chunk_key_encoding": {"name": "default"},
    "codecs": [{"name": "bytes", "configuration": {"endian": "little"}}]}`;
  const store = new Map([["/zarr.json", new TextEncoder().encode(metadata)]]);
  return String((await zarr.get(await zarr.open(store, { kind: "array" }))).data[0]);
}
const seen = [await missing("uint64", "18446744073709551615"), await missing("int64", "-9223372036854775807"), await missing("int64", "-9007199254740992")];
console.log("zarrita", JSON.parse(readFileSync("node_modules/zarrita/package.json")).version, seen);
process.exit(seen.join() === "0,-9223372036854775808,-9007199254740992" ? 0 : 1);
PROGRAM
node run.mjs
