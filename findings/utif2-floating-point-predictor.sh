#!/usr/bin/env bash
# Expected: a TIFF with Predictor 3 (floating point, as GDAL writes with PREDICTOR=3) decodes to its floats, or is refused.
# Found: utif2 inflates it and leaves the predictor in place: bytes of the floats stay sorted by significance and differenced.
# Predictor 2 of the same package is undone.
# Package: utif2 4.1.0 (npm), UTIF.js: decodeImage knows predictor 2 alone.
# Source: Adobe Photoshop TIFF Technical Note 3, "Floating point horizontal differencing predictor".
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts utif2@4.1.0
cat > run.mjs <<'PROGRAM'
import { deflateSync } from "node:zlib";
import { readFileSync } from "node:fs";
import UTIF from "utif2";

const floats = Float32Array.of(1, 1.5, 2, 3);
const planes = Buffer.alloc(16);
const big = Buffer.alloc(16);
floats.forEach((value, i) => big.writeFloatBE(value, 4 * i));
for (let i = 0; i < 4; i++) for (let byte = 0; byte < 4; byte++) planes[byte * 4 + i] = big[4 * i + byte];
for (let i = 15; i > 0; i--) planes[i] = (planes[i] - planes[i - 1]) & 255;
const strip = deflateSync(planes);
const tags = [[256, 3, 4], [257, 3, 1], [258, 3, 32], [259, 3, 8], [262, 3, 1], [273, 4, 146], [277, 3, 1], [278, 3, 1], [279, 4, strip.length], [317, 3, 3], [339, 3, 3]];
const file = Buffer.alloc(146);
file.write("II*\0", 0, "latin1");
file.writeUInt32LE(8, 4);
file.writeUInt16LE(tags.length, 8);
tags.forEach(([tag, type, value], i) => {
  file.writeUInt16LE(tag, 10 + 12 * i);
  file.writeUInt16LE(type, 12 + 12 * i);
  file.writeUInt32LE(1, 14 + 12 * i);
  file.writeUInt32LE(value, 18 + 12 * i);
});
const whole = Buffer.concat([file, strip]);
const [image] = UTIF.decode(whole);
UTIF.decodeImage(whole, image);
const same = Buffer.compare(Buffer.from(image.data), planes) === 0;
console.log("utif2", JSON.parse(readFileSync("node_modules/utif2/package.json")).version, "stored", [...floats], "read", [...new Float32Array(Uint8Array.from(image.data).buffer)]);
console.log("bytes are those before the predictor is undone:", same);
process.exit(same ? 0 : 1);
PROGRAM
node run.mjs
