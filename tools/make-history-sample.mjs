/**
 * Makes public/samples/ocean.icechunk, a small Icechunk repository (format 2) with a past, by the official library, and
 * src/engine/repository/fixtures/history-sample.json, what that library reads of it.
 *
 *     npm install --no-save @earthmover/icechunk@2.2.2 && node tools/make-history-sample.mjs
 *
 * (its Linux build needs glibc 2.38). The values are the same every time; ids and times are new, so all files are.
 */
import { createHash } from "node:crypto";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gunzipSync, gzipSync } from "node:zlib";
import { Repository, Storage } from "@earthmover/icechunk";

const FOLDER = fileURLToPath(new URL("../public/samples/ocean.icechunk", import.meta.url));
const RECORDED = new URL("../src/engine/repository/fixtures/history-sample.json", import.meta.url);

const sha256 = (bytes) => createHash("sha256").update(bytes).digest("hex");
const range = (n) => Array.from({ length: n }, (_, i) => i);
const json = (value) => Buffer.from(JSON.stringify(value));
const radians = (degrees) => (degrees * Math.PI) / 180;

const LAT = range(18).map((i) => -85 + 10 * i);
const LON = range(36).map((i) => -175 + 10 * i);
/** Days since 2026-01-01: the 1st, 6th, 11th, 16th, 21st and 26th of each month. */
const DAYS = [0, 31, 59].flatMap((first) => range(6).map((i) => first + 5 * i));
const JANUARY = range(6);
const FEBRUARY = range(6).map((i) => 6 + i);
const MARCH = range(6).map((i) => 12 + i);
/** For sst and ice: steps, latitudes, longitudes. Those at the edge are small enough, compressed, to be inline. */
const CHUNK = [2, 18, 28];

/** The same numbers between 0 and 1 every time, for a place. */
function noise(...place) {
  let state = 2166136261;
  for (const part of place) state = Math.imul(state ^ (part + 1), 16777619);
  state = Math.imul(state ^ (state >>> 15), 2246822519);
  return ((state ^ (state >>> 13)) >>> 0) / 2 ** 32;
}

/** The land of the other samples' ocean. */
const isLand = (lat, lon) =>
  Math.sin(3 * radians(lon)) * Math.cos(2 * radians(lat)) + 0.3 * Math.cos(7 * radians(lon) + 2 * radians(lat)) > 0.55;

const LAND = -32768;

/** Packed sea surface temperature: 10 + 0.02 × value is degrees Celsius. */
function sst(step, i, j, correction = 0) {
  const [lat, lon] = [LAT[i], LON[j]];
  if (isLand(lat, lon)) return LAND;
  const season = Math.cos((2 * Math.PI * (DAYS[step] - 30)) / 365);
  const degrees = 28 * Math.cos(radians(lat)) ** 2 - 1.8 + 3 * season * Math.sin(radians(lat));
  return Math.round((degrees + 0.08 * (noise(step, i, j) - 0.5) + correction - 10) / 0.02);
}

/** Sea ice in percent; land is -1. */
function ice(step, i, j) {
  if (isLand(LAT[i], LON[j])) return -1;
  const winter = (Math.sign(LAT[i]) * DAYS[step]) / 60;
  return Math.round(Math.min(100, Math.max(0, (Math.abs(LAT[i]) - 62 + winter) * 5 + 4 * noise(step, i, j, 7))));
}

const array = ({ shape, chunk, type, fill, dimensions, attributes, compressed = true }) =>
  json({
    zarr_format: 3,
    node_type: "array",
    shape,
    data_type: type,
    chunk_grid: { name: "regular", configuration: { chunk_shape: chunk } },
    chunk_key_encoding: { name: "default", configuration: { separator: "/" } },
    fill_value: fill,
    codecs: [
      type === "int8" ? { name: "bytes" } : { name: "bytes", configuration: { endian: "little" } },
      ...(compressed ? [{ name: "gzip", configuration: { level: 6 } }] : []),
    ],
    attributes,
    dimension_names: dimensions,
  });

const CUBE = ["time", "lat", "lon"];
const sstMetadata = (steps, units) =>
  array({
    shape: [steps, 18, 36],
    chunk: CHUNK,
    type: "int16",
    fill: LAND,
    dimensions: CUBE,
    attributes: {
      standard_name: "sea_surface_temperature",
      units,
      scale_factor: 0.02,
      add_offset: 10,
      _FillValue: LAND,
      grid_mapping: "crs",
    },
  });
const iceMetadata = (steps) =>
  array({
    shape: [steps, 18, 36],
    chunk: CHUNK,
    type: "int8",
    fill: -1,
    dimensions: CUBE,
    attributes: { standard_name: "sea_ice_area_fraction", units: "%", _FillValue: -1, grid_mapping: "crs" },
  });
const timeMetadata = (steps) =>
  array({
    shape: [steps],
    chunk: [6],
    type: "int32",
    fill: 0,
    dimensions: ["time"],
    attributes: { standard_name: "time", units: "days since 2026-01-01", calendar: "standard" },
    compressed: false,
  });

/** Writes the chunks of these steps; `value(step, i, j)`, past the edge `outside`. */
async function writeSteps(store, path, steps, { Values, outside, value }) {
  const [n, rows, columns] = CHUNK;
  for (let first = steps[0]; first <= steps.at(-1); first += n) {
    for (const column of [0, 1]) {
      const values = range(n * rows * columns).map((cell) => {
        const step = first + Math.floor(cell / (rows * columns));
        const j = column * columns + (cell % columns);
        return j < LON.length ? value(step, Math.floor(cell / columns) % rows, j) : outside;
      });
      const bytes = gzipSync(new Uint8Array(Values.from(values).buffer), { level: 6 });
      await store.set(`${path}/c/${first / n}/0/${column}`, bytes);
    }
  }
}

async function writeTime(store, steps) {
  await store.set(`time/c/${steps[0] / 6}`, Buffer.from(Int32Array.from(steps.map((step) => DAYS[step])).buffer));
}

async function writeAxis(store, path, values, attributes) {
  const [shape, dimensions] = [[values.length], [path]];
  const about = { shape, chunk: shape, type: "float32", fill: 0, dimensions, attributes, compressed: false };
  await store.set(`${path}/zarr.json`, array(about));
  await store.set(`${path}/c/0`, Buffer.from(Float32Array.from(values).buffer));
}

async function writeRest(store) {
  const attributes = { Conventions: "CF-1.10", title: "Refscope sample: a synthetic ocean with a history" };
  await store.set("zarr.json", json({ zarr_format: 3, node_type: "group", attributes }));
  await writeAxis(store, "lat", LAT, { standard_name: "latitude", units: "degrees_north" });
  await writeAxis(store, "lon", LON, { standard_name: "longitude", units: "degrees_east" });
  const sphere = { grid_mapping_name: "latitude_longitude", earth_radius: 6_371_229 };
  const about = { shape: [], chunk: [], type: "int32", fill: 0, dimensions: [], attributes: sphere, compressed: false };
  await store.set("crs/zarr.json", array(about));
  await store.set("crs/c", Buffer.from(Int32Array.of(1).buffer));
}

const SST = { Values: Int16Array, outside: LAND, value: (...at) => sst(...at) };
const ICE = { Values: Int8Array, outside: -1, value: ice };

async function firstTwoMonths(store) {
  await writeRest(store);
  await store.set("time/zarr.json", timeMetadata(12));
  await store.set("sst/zarr.json", sstMetadata(12, "K"));
  await store.set("ice/zarr.json", iceMetadata(12));
  for (const month of [JANUARY, FEBRUARY]) {
    await writeTime(store, month);
    await writeSteps(store, "sst", month, SST);
    await writeSteps(store, "ice", month, ICE);
  }
}

/** In one chunk of sst, [8, 0, 0], numbers of no meaning. */
async function appendMarch(store) {
  await store.set("time/zarr.json", timeMetadata(18));
  await store.set("sst/zarr.json", sstMetadata(18, "K"));
  await store.set("ice/zarr.json", iceMetadata(18));
  await writeTime(store, MARCH);
  const isBad = (step, i, j) => step >= 16 && j < 28;
  const value = (...at) => (isBad(...at) ? Math.floor(noise(...at, 3) * 65536) - 32768 : sst(...at));
  await writeSteps(store, "sst", MARCH, { ...SST, value });
  await writeSteps(store, "ice", MARCH, ICE);
}

async function commit(repository, branch, message, change) {
  const session = await repository.writableSession(branch);
  await change(session.store);
  return session.commit(message);
}

async function make() {
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER, { recursive: true });
  const repository = await Repository.create(await Storage.newLocalFilesystem(FOLDER), undefined, 2);
  const early = await commit(repository, "main", "first two months", firstTwoMonths);
  await repository.createTag("v0.9", early);
  const march = await commit(repository, "main", "append March", appendMarch);
  await repository.createTag("v1.0", march);
  await repository.deleteTag("v0.9");
  const units = (store) => store.set("sst/zarr.json", sstMetadata(18, "degC"));
  await commit(repository, "main", "fix: units of sst were wrong", units);
  const again = await commit(repository, "main", "reprocess February", (store) =>
    writeSteps(store, "sst", FEBRUARY, { ...SST, value: (...at) => sst(...at, 0.35) }),
  );
  await repository.createTag("v1.1", again);
  await repository.createBranch("experiment", again);
  const moving = await repository.rearrangeSession("experiment");
  await moving.moveNode("/ice", "/sea_ice");
  await moving.commit("rename ice to sea_ice");
  await commit(repository, "main", "drop bad chunk", (store) => store.delete("sst/c/8/0/0"));
  // Older states of the file `repo`: the log of operations is short enough to be in it as a whole.
  rmSync(`${FOLDER}/overwritten`, { recursive: true });
}

/** SHA-256 of the array's values in C order, missing chunks as fill value. */
async function digest(store, path) {
  const { shape, data_type: type, fill_value: fill } = JSON.parse(Buffer.from(await store.get(`${path}/zarr.json`)));
  const Values = { int16: Int16Array, int8: Int8Array }[type];
  const values = new Values(shape.reduce((a, b) => a * b)).fill(fill);
  const chunks = {};
  for (const key of (await store.list()).filter((key) => key.startsWith(`${path}/c/`)).sort()) {
    const at = key.split("/").slice(2).map(Number);
    const bytes = gunzipSync(Buffer.from(await store.get(key)));
    chunks[key.slice(path.length + 1)] = sha256(bytes);
    const chunk = new Values(new Uint8Array(bytes).buffer);
    for (const [cell, value] of chunk.entries()) {
      const [, rows, columns] = CHUNK;
      const within = [Math.floor(cell / (rows * columns)), Math.floor(cell / columns) % rows, cell % columns];
      const [step, i, j] = within.map((one, axis) => at[axis] * CHUNK[axis] + one);
      if (j < shape[2]) values[(step * shape[1] + i) * shape[2] + j] = value;
    }
  }
  return { sha256: sha256(new Uint8Array(values.buffer)), chunks };
}

/** What the official library reads of the finished folder. */
async function record() {
  const repository = await Repository.open(await Storage.newLocalFilesystem(FOLDER));
  const named = async (names, lookup) =>
    Object.fromEntries(await Promise.all(names.sort().map(async (name) => [name, await lookup(name)])));
  const branches = await named(await repository.listBranches(), (name) => repository.lookupBranch(name));
  const tags = await named(await repository.listTags(), (name) => repository.lookupTag(name));
  const ancestry = async (of) => (await repository.ancestry(of)).map(({ id, message }) => ({ id, message }));
  const digests = {};
  for (const [name, ref] of [
    ["main", { branch: "main" }],
    ["experiment", { branch: "experiment" }],
    ["v1.0", { tag: "v1.0" }],
    ["v1.1", { tag: "v1.1" }],
  ]) {
    const { store } = await repository.readonlySession(ref);
    const icePath = name === "experiment" ? "sea_ice" : "ice";
    digests[name] = { sst: await digest(store, "sst"), [icePath]: await digest(store, icePath) };
  }
  return {
    branches,
    tags,
    ancestry: { main: await ancestry({ branch: "main" }), experiment: await ancestry({ branch: "experiment" }) },
    diffs: {
      "v1.0 to main": await repository.diff({ fromTag: "v1.0", toBranch: "main" }),
      "v1.1 to experiment": await repository.diff({ fromTag: "v1.1", toBranch: "experiment" }),
    },
    digests,
  };
}

await make();
writeFileSync(RECORDED, `${JSON.stringify(await record(), null, 1)}\n`);
// The library's threads go on.
process.exit();
