#!/usr/bin/env bash
# Expected: a netCDF-3 file whose only record variable is a time series of 16-bit integers reads: the format packs such
# records without padding.
# Found: netcdfjs steps by the padded size and raises "Offset is outside the bounds of the DataView".
# Package: netcdfjs 4.0.0 (npm), src/header.ts: recordStep is the sum of padded sizes.
# Source: NetCDF Classic Format Specification, "Note on padding": a single record variable of byte, char or short is not padded.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts netcdfjs@4.0.0
cat > run.mjs <<'PROGRAM'
import { readFileSync } from "node:fs";
import { NetCDFReader } from "netcdfjs";

const word = (n) => { const b = Buffer.alloc(4); b.writeInt32BE(n); return b; };
const name = (text) => Buffer.concat([word(text.length), Buffer.from(text.padEnd(Math.ceil(text.length / 4) * 4, "\0"))]);
const NC_SHORT = 3;
const header = (begin) => Buffer.concat([
  Buffer.from("CDF\x01", "latin1"), word(5),
  word(10), word(1), name("time"), word(0),
  word(0), word(0),
  word(11), word(1), name("s"), word(1), word(0), word(0), word(0), word(NC_SHORT), word(4), word(begin),
]);
const values = Buffer.alloc(10);
for (let i = 0; i < 5; i++) values.writeInt16BE(i + 1, 2 * i);
const file = Buffer.concat([header(header(0).length), values]);
let outcome;
try {
  outcome = JSON.stringify(new NetCDFReader(file).getDataVariable("s"));
} catch (error) {
  outcome = `${error.name}: ${error.message}`;
}
console.log("netcdfjs", JSON.parse(readFileSync("node_modules/netcdfjs/package.json")).version, "stored [1,2,3,4,5], read", outcome);
process.exit(outcome.startsWith("RangeError: Offset is outside the bounds") ? 0 : 1);
PROGRAM
node run.mjs
