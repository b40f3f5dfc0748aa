#!/usr/bin/env bash
# Expected: a netCDF-3 variable of three 16-bit integers reads as three values; the format pads it to a multiple of four bytes.
# Found: netcdfjs returns four: it divides the padded size of the variable (vsize) by the size of an element, so that padding
# comes back as a value, and of a variable along the record dimension one more value stands at the end of each record.
# Package: netcdfjs 4.0.0 (npm), src/data.ts: nonRecord and record divide variable.size.
# Source: NetCDF Classic Format Specification, "vsize … padded to a multiple of 4 bytes".
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
const variable = (text, dims, begin) =>
  Buffer.concat([name(text), word(dims.length), ...dims.map(word), word(0), word(0), word(NC_SHORT), word(8), word(begin)]);
const header = (fixed, first, second) => Buffer.concat([
  Buffer.from("CDF\x01", "latin1"), word(2),
  word(10), word(2), name("time"), word(0), name("x"), word(3),
  word(0), word(0),
  word(11), word(3), variable("fixed", [1], fixed), variable("a", [0, 1], first), variable("b", [0, 1], second),
]);
const shorts = (...values) => { const b = Buffer.alloc(8); values.forEach((v, i) => b.writeInt16BE(v, 2 * i)); return b; };
const at = header(0, 0, 0).length;
const file = Buffer.concat([header(at, at + 8, at + 16), shorts(1, 2, 3), shorts(11, 12, 13), shorts(21, 22, 23), shorts(14, 15, 16), shorts(24, 25, 26)]);
const reader = new NetCDFReader(file);
const fixed = JSON.stringify(reader.getDataVariable("fixed"));
const a = JSON.stringify(reader.getDataVariable("a"));
console.log("netcdfjs", JSON.parse(readFileSync("node_modules/netcdfjs/package.json")).version);
console.log("fixed: stored [1,2,3], read", fixed);
console.log("a: stored [[11,12,13],[14,15,16]], read", a);
process.exit(fixed === "[1,2,3,0]" && a === "[[11,12,13,0],[14,15,16,0]]" ? 0 : 1);
PROGRAM
node run.mjs
