/**
 * Makes public/samples/pictures/*.png, the pictures of the samples on the start page: first planes of their arrays as the
 * engine decodes them, north up. The broken sample has the same one, under what fails of it. Where there is no value they are transparent, so that they suit both themes.
 * `node tools/make-sample-pictures.mjs`
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { crc32, deflateSync } from "node:zlib";

const SAMPLES = fileURLToPath(new URL("../public/samples/", import.meta.url));
const OUT = join(SAMPLES, "pictures");
const HERE = fileURLToPath(new URL(".", import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), "refscope-"));

// Of matplotlib: viridis (CC0) and RdBu (ColorBrewer, Apache 2.0), by a few of their colours.
const VIRIDIS = ["440154", "482878", "3e4989", "31688e", "26828e", "1f9e89", "35b779", "6ece58", "b5de2b", "fde725"];
const RED_BLUE = [
  "053061",
  "2166ac",
  "4393c3",
  "92c5de",
  "d1e5f0",
  "f7f7f7",
  "fddbc7",
  "f4a582",
  "d6604d",
  "b2182b",
  "67001f",
];

const PICTURES = [
  { name: "ocean", set: "ocean.v1.json", array: "sst", colours: VIRIDIS },
  { name: "ocean-a", set: "ocean-a.v1.json", array: "u", colours: RED_BLUE },
  { name: "ocean-history", set: "ocean.icechunk", array: "sst", colours: VIRIDIS },
];

/** The first plane. */
function read({ set, array }) {
  const npy = join(scratch, "plane.npy");
  const asked = ["read", join(SAMPLES, set), "--array", array, "--select", "0,:,:", "--cf", "--npy", npy];
  execFileSync("node", [join(HERE, "refscope.mjs"), ...asked, "--root", SAMPLES], { stdio: "pipe" });
  const file = readFileSync(npy);
  const length = file.readUInt16LE(8);
  const header = file.toString("latin1", 10, 10 + length);
  const [, kind] = /'descr': '<(f4|f8)'/.exec(header) ?? [];
  const shape = /'shape': \(([^)]*)\)/
    .exec(header)[1]
    .split(",")
    .filter((one) => one.trim() !== "")
    .map(Number);
  const bytes = file.buffer.slice(file.byteOffset + 10 + length, file.byteOffset + file.length);
  return { shape, values: kind === "f4" ? new Float32Array(bytes) : new Float64Array(bytes) };
}

const STEPS = 32;

function palette(colours) {
  const rgb = colours.map((hex) => [0, 2, 4].map((at) => parseInt(hex.slice(at, at + 2), 16)));
  return Array.from({ length: STEPS }, (_, step) => {
    const at = (step / (STEPS - 1)) * (rgb.length - 1);
    const below = Math.min(Math.floor(at), rgb.length - 2);
    return rgb[below].map((one, channel) => Math.round(one + (rgb[below + 1][channel] - one) * (at - below)));
  });
}

/** Indexed colours, the first of them transparent. */
function png({ shape, values }, colours) {
  const [rows, columns] = shape.slice(-2);
  const known = values.filter((value) => !Number.isNaN(value));
  const [low, high] = [known.reduce((a, b) => Math.min(a, b)), known.reduce((a, b) => Math.max(a, b))];
  const lines = Array.from({ length: rows }, (_, line) => {
    const row = values.subarray((rows - 1 - line) * columns, (rows - line) * columns);
    const indices = Array.from(row, (value) =>
      Number.isNaN(value) ? 0 : 1 + Math.round(((value - low) / (high - low)) * (STEPS - 1)),
    );
    return Uint8Array.of(0, ...indices);
  });
  const head = Buffer.alloc(13);
  head.writeUInt32BE(columns, 0);
  head.writeUInt32BE(rows, 4);
  head.set([8, 3, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    chunk("IHDR", head),
    chunk("PLTE", Buffer.from([0, 0, 0, ...palette(colours).flat()])),
    chunk("tRNS", Buffer.from([0])),
    chunk("IDAT", deflateSync(Buffer.concat(lines), { level: 9 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function chunk(kind, data) {
  const body = Buffer.concat([Buffer.from(kind, "latin1"), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body) >>> 0);
  return Buffer.concat([length, body, sum]);
}

mkdirSync(OUT, { recursive: true });
for (const picture of PICTURES) {
  const file = png(read(picture), picture.colours);
  writeFileSync(join(OUT, `${picture.name}.png`), file);
  console.log(`${picture.name}.png: ${file.length} bytes`);
}
rmSync(scratch, { recursive: true });
