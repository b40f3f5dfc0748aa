#!/usr/bin/env bash
# Expected: samples of SampleFormat 3 (IEEE floating point) with 16 bits decode as half floats, or are refused as 16-bit
# samples of other formats are.
# Found: tiff returns a Uint16Array of bit patterns: 1.0 is 15360.
# Package: tiff 7.1.3 (npm), src/tiff_decoder.ts: bit depth 16 is taken before the sample format is looked at.
# Source: TIFF 6.0, section 19 "Data Sample Format"; GDAL writes such files with NBITS=16 of Float32.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts tiff@7.1.3
cat > run.mjs <<'PROGRAM'
import { readFileSync } from "node:fs";
import { decode } from "tiff";

const tags = [[256, 3, 3], [257, 3, 1], [258, 3, 16], [259, 3, 1], [262, 3, 1], [273, 4, 134], [277, 3, 1], [278, 3, 1], [279, 4, 6], [339, 3, 3]];
const file = Buffer.alloc(140);
file.write("II*\0", 0, "latin1");
file.writeUInt32LE(8, 4);
file.writeUInt16LE(tags.length, 8);
tags.forEach(([tag, type, value], i) => {
  file.writeUInt16LE(tag, 10 + 12 * i);
  file.writeUInt16LE(type, 12 + 12 * i);
  file.writeUInt32LE(1, 14 + 12 * i);
  file.writeUInt32LE(value, 18 + 12 * i);
});
[0x0000, 0x3c00, 0x4000].forEach((bits, i) => file.writeUInt16LE(bits, 134 + 2 * i));
const [image] = decode(file);
const seen = `${image.data.constructor.name} ${JSON.stringify([...image.data])}`;
console.log("tiff", JSON.parse(readFileSync("node_modules/tiff/package.json")).version, "stored 0, 1, 2 as half floats, read", seen);
process.exit(seen === "Uint16Array [0,15360,16384]" ? 0 : 1);
PROGRAM
node run.mjs
