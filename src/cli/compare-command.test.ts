/** `compare --values`: what is printed, as text and by its schema, and the exit codes. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { runCommand } from "./testing/run-command.ts";
import { faults, schemaNamed } from "./testing/schema.ts";

const folder = mkdtempSync(join(tmpdir(), "compare-"));
afterAll(() => rmSync(folder, { recursive: true }));

const array = (shape: readonly number[], dtype: string) =>
  JSON.stringify({
    zarr_format: 2,
    shape,
    chunks: shape,
    dtype,
    fill_value: null,
    compressor: null,
    filters: null,
    order: "C",
  });
const inline = (numbers: Int16Array | Float64Array) => `base64:${Buffer.from(numbers.buffer).toString("base64")}`;

/** Four temperatures, two by two. */
function written(name: string, attributes: object, numbers: Int16Array | Float64Array, more: object = {}): string {
  const path = join(folder, name);
  const refs = {
    ".zgroup": '{"zarr_format":2}',
    "lat/.zarray": array([2], "<f8"),
    "lat/.zattrs": '{"_ARRAY_DIMENSIONS":["lat"],"units":"degrees_north"}',
    "lat/0": inline(Float64Array.of(45, 42.5)),
    "t2m/.zarray": array([2, 2], numbers instanceof Int16Array ? "<i2" : "<f8"),
    "t2m/.zattrs": JSON.stringify({ _ARRAY_DIMENSIONS: ["lat", "x"], ...attributes }),
    "t2m/0.0": inline(numbers),
    ...more,
  };
  writeFileSync(path, JSON.stringify({ version: 1, refs }));
  return path;
}

const PACKED = { units: "degC", scale_factor: 0.01, add_offset: 10, _FillValue: -1 };
const a = written("a.json", PACKED, Int16Array.of(1569, 0, -1, 12));
const warmer = written("warmer.json", PACKED, Int16Array.of(1569, 0, -1, 332), { "t2m/9.9": "x" });
const kelvin = written("kelvin.json", { units: "K" }, Float64Array.of(298.84, 283.15, NaN, 283.27));
const without = written("without.json", PACKED, Int16Array.of(1569, 0, -1, 12), { "t2m/0.0": ["nowhere.nc", 0, 8] });

it("says within what values are the same, and by how much they differ at most, and where", async () => {
  const same = await runCommand(["compare", a, kelvin, "--values", "cf", "--fail-on", "differ"]);
  expect(same.stdout).toContain("values   t2m: same within 0.005 °C (half a packing step), 1 chunk\n");
  expect(same.stdout).toContain("beside the values: units, packing");
  expect(same.status).toBe(0);
  const { stdout, status } = await runCommand(["compare", a, warmer, "--values", "cf"]);
  expect(stdout).toContain("t2m: differs in 1 of 4 values (1 of 1 chunk); largest 3.2 °C at 42.5°N x 1");
  expect(stdout).toContain("there A 10.12 °C, B 13.32 °C; mean of A − B −1.067 °C");
  expect(stdout).toContain('first at [1, 1]: 10.12 (t2m/0.0: "base64:');
  expect(status).toBe(0);
  const stored = await runCommand(["compare", a, warmer, "--values", "stored"]);
  expect(stored.stdout).toContain("largest 320 at 42.5°N x 1");
  expect((await runCommand(["compare", a, warmer, "--values", "all"])).stdout).toBe(stored.stdout);
});

it("ends with 1 where values differ if that is asked, and only beyond the tolerance", async () => {
  const code = async (...more: readonly string[]) => (await runCommand(["compare", ...more])).status;
  const failing = ["--fail-on", "differ"];
  expect(await code(a, warmer, "--values", "cf", ...failing)).toBe(1);
  expect(await code(a, kelvin, ...failing)).toBe(1);
  expect(await code(a, a, ...failing)).toBe(0);
  // The key outside the grid is one more in one of them.
  expect(await code(a, warmer, "--values", "cf", "--atol", "4", ...failing)).toBe(1);
  expect(await code(a, kelvin, "--values", "cf", "--rtol", "1e-9", ...failing)).toBe(0);
  expect(await code(a, without, "--values", "cf")).toBe(1);
  for (const wrong of [
    ["--atol", "1"],
    ["--values", "cf", "--atol", "-1"],
    ["--values", "cf:0"],
    ["--fail-on", "error"],
  ])
    expect([wrong, await code(a, warmer, ...wrong)]).toEqual([wrong, 2]);
});

it("prints JSON by its schema, with numbers as the page prints them", async () => {
  const schema = schemaNamed("compare");
  const values = new Map<string, unknown>();
  for (const other of [a, warmer, kelvin, without, "public/samples/ocean.v1.json"])
    for (const wish of [[], ["--values", "cf"], ["--values", "stored:1"], ["--values", "cf", "--atol", "4"]]) {
      const { stdout } = await runCommand(["compare", a, other, ...wish, "--json"]);
      const json = JSON.parse(stdout) as { readonly values: readonly { readonly path: string }[] };
      expect(faults(json, schema)).toEqual([]);
      if (wish.length === 2)
        values.set(
          `${other} ${wish[1]}`,
          json.values.find(({ path }) => path === "t2m"),
        );
    }
  const largest = { difference: -3.2, element: [1, 1], place: "42.5°N x 1", values: { a: 10.12, b: 13.32 } };
  expect(values.get(`${warmer} cf`)).toMatchObject({ verdict: "differ", units: "degC", elements: { largest } });
  expect(values.get(`${without} cf`)).toMatchObject({ verdict: "part", failed: 1, unreached: 1, different: 0 });
  expect(faults({ a: 1, values: [{ path: "x", verdict: "no" }], more: 1 }, schema).length).toBeGreaterThan(5);
});
