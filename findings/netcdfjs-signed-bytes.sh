#!/usr/bin/env bash
# Expected: a netCDF-3 variable of type NC_BYTE that holds -1, 0, 1 reads as -1, 0, 1: the format says that NC_BYTE is signed.
# Found: netcdfjs reads 255, 0, 1, so every negative flag, mask or packed byte is off by 256.
# Package: netcdfjs 4.0.0 (npm), src/types.ts: BYTE goes through readBytes.
# Source: NetCDF Classic Format Specification, "NC_BYTE: 8-bit signed integers".
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
const NC_BYTE = 1;
const header = (begin) => Buffer.concat([
  Buffer.from("CDF\x01", "latin1"), word(0),
  word(10), word(1), name("x"), word(4),
  word(0), word(0),
  word(11), word(1), name("flag"), word(1), word(0), word(0), word(0), word(NC_BYTE), word(4), word(begin),
]);
const file = Buffer.concat([header(header(0).length), Buffer.from(Int8Array.of(-1, 0, 1, -128).buffer)]);
const values = new NetCDFReader(file).getDataVariable("flag").flat();
console.log("netcdfjs", JSON.parse(readFileSync("node_modules/netcdfjs/package.json")).version, "stored [-1,0,1,-128], read", JSON.stringify(values));
process.exit(JSON.stringify(values) === "[255,0,1,128]" ? 0 : 1);
PROGRAM
node run.mjs
