/** A second opinion: zarrita reads the sample's arrays from the same references, where it has the codecs. */
import { readFileSync } from "node:fs";
import { openAsBlob } from "node:fs";
import { join, resolve } from "node:path";
import { expect, it } from "vitest";
import * as zarr from "zarrita";
import { gridOf, coordinatesOf } from "#core/metadata/chunk-grid.ts";
import { NO_LOCATIONS } from "#core/byte-source.ts";
import { createEngine } from "../engine.ts";

const samples = resolve(import.meta.dirname, "../../../public/samples");
const context = { signal: new AbortController().signal, report: () => undefined };

/** The references as a store of zarrita's: its own ReferenceStore hides errors, and is not used. */
function storeOf(refs: Record<string, string | [string, number, number]>): zarr.AsyncReadable {
  return {
    get(key) {
      const value = refs[key.slice(1)];
      if (value === undefined) return Promise.resolve(undefined);
      if (typeof value !== "string") {
        const [target, offset, length] = value;
        return Promise.resolve(new Uint8Array(readFileSync(join(samples, target)).subarray(offset, offset + length)));
      }
      const inline = value.startsWith("base64:") ? Buffer.from(value.slice(7), "base64") : Buffer.from(value);
      return Promise.resolve(new Uint8Array(inline));
    },
  };
}

it.each(["ice", "sst", "u", "mask", "sparse", "lat", "time"])("zarrita reads the same values of %s", async (path) => {
  const { refs } = JSON.parse(readFileSync(join(samples, "ocean.v1.json"), "utf8")) as {
    refs: Parameters<typeof storeOf>[0];
  };
  const array = await zarr.open.v2(zarr.root(storeOf(refs)).resolve(path), { kind: "array" });
  const whole = await zarr.get(array);
  const numbers = Float64Array.from(whole.data as ArrayLike<number>);

  const engine = createEngine();
  const names = ["ocean.v1.json", "ocean-a.nc", "ocean-b.nc"];
  const files = await Promise.all(
    names.map(async (name) => ({ path: name, blob: await openAsBlob(join(samples, name)) })),
  );
  const opened = await engine.call("set.open", { source: { kind: "files", files }, locations: NO_LOCATIONS }, context);
  if (opened.kind !== "set") throw new Error("asked to choose");
  const grid = gridOf(array.shape, array.chunks);
  const cells = grid.reduce((product, count) => product * count, 1);
  for (let ordinal = 0; ordinal < cells; ordinal += 1) {
    const coordinates = coordinatesOf(grid, ordinal);
    const reading = await engine.call("chunk.read", { set: opened.set.id, array: path, coordinates }, context);
    if (reading.outcome === "missing") continue;
    const last = reading.values!.inside.map((length) => length - 1);
    const element = coordinates.reduce((at, chunk, d) => at * array.shape[d]! + chunk * array.chunks[d]! + last[d]!, 0);
    const shown = await engine.call(
      "chunk.cells",
      {
        set: opened.set.id,
        spec: {
          reading: reading.id,
          rowDimension: undefined,
          columnDimension: undefined,
          fixed: last,
          scaled: false,
          rows: { from: 0, to: 1 },
          columns: { from: 0, to: 1 },
        },
      },
      context,
    );
    const text = shown.texts[0]![0]!;
    expect(text === "nan" ? Number.NaN : Number(text)).toBeCloseTo(numbers[element]!, 6);
  }
});
