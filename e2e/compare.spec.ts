/** The view Compare: the open dataset and another, by link or by files; references, and values on request. */
import { writeFileSync } from "node:fs";
import { expect, test, type Page } from "@playwright/test";
import { chunk, dropFiles, idle, openPage, showView, tree } from "./support/app.ts";

const compare = (page: Page) => page.getByRole("region", { name: "Compare", exact: true });
const hash = (page: Page) => decodeURIComponent(new URL(page.url()).hash);

test("a link opens a comparison: chunks with other references are named, listed with both, and shown on the map", async ({
  page,
}) => {
  await openPage(page, "#url=samples/ocean.v1.json&view=compare&with=samples/ocean-broken.json");
  // What costs little is compared at once; what could not be read is neither equal nor different.
  await expect(compare(page).getByRole("heading", { level: 2 })).toHaveText(
    "No difference found; 2 arrays not compared in full",
  );
  await expect(compare(page)).toContainText(
    "The same: lat, lon, mask, sparse, time and u. 1 key outside the grids differs.",
  );
  const differing = compare(page).getByRole("table", { name: "What differs" });
  await expect(differing.getByRole("row", { name: /^sst not all/ })).toBeVisible();
  await expect(differing.getByRole("row", { name: /^sst\/6\.0\.0/ })).toContainText("only in B");
  await expect(differing).toContainText("50 chunks identical by reference; 3 chunks unreadable; 1 chunk out of reach");
  await compare(page).getByText("5 of 102 references moved or changed").click();
  const arrays = compare(page).getByRole("table", { name: "Arrays of both" });
  await expect(arrays.getByRole("row", { name: /^sst/ })).toContainText("4 moved");
  await arrays.getByRole("button", { name: "List chunks of sst" }).click();
  await idle(page);
  const chunks = compare(page).getByRole("table", { name: "Chunks of sst that differ" });
  await expect(chunks.getByRole("rowheader")).toHaveText(["0.0.1", "1.0.0", "2.0.1", "5.2.2"]);
  await expect(chunks.getByRole("row", { name: /^0\.0\.1/ })).toContainText("25219, 12417");
  await expect(chunks.getByRole("row", { name: /^0\.0\.1/ })).toContainText("25226, 12417");
  await chunks.getByRole("button", { name: "1.0.0" }).click();
  await idle(page);
  await expect(chunk(page)).toContainText("sst / 1.0.0");
  expect(hash(page)).toContain("chunk=1.0.0&view=compare&with=samples/ocean-broken.json");

  await arrays.getByRole("button", { name: "Show on the grid map sst" }).click();
  await idle(page);
  await expect(page.getByRole("combobox", { name: "Colour by" })).toHaveValue("change");
  await expect(page.getByRole("list", { name: "Legend" })).toContainText("other reference4");
  await page.goBack();
  await idle(page);
  await expect(chunks).toBeVisible();
  await compare(page).getByRole("button", { name: "Choose another" }).click();
  await idle(page);
  expect(hash(page)).not.toContain("with=");
});

/** Six values of a byte each in three chunks. */
function small(values: readonly number[], units: string): string {
  const array = {
    zarr_format: 2,
    shape: [6],
    chunks: [2],
    dtype: "|u1",
    compressor: null,
    filters: null,
    fill_value: 0,
    order: "C",
  };
  const refs: Record<string, string> = {
    ".zgroup": '{"zarr_format":2}',
    "a/.zarray": JSON.stringify(array),
    "a/.zattrs": JSON.stringify({ _ARRAY_DIMENSIONS: ["x"], units }),
  };
  for (const at of [0, 1, 2])
    refs[`a/${at}`] = `base64:${Buffer.from(values.slice(2 * at, 2 * at + 2)).toString("base64")}`;
  return JSON.stringify({ version: 1, refs });
}

test("files dropped in Compare are compared: members, and by value the first difference with both references", async ({
  page,
}, info) => {
  const [a, b] = [info.outputPath("a.json"), info.outputPath("b.json")];
  writeFileSync(a, small([1, 2, 3, 4, 5, 6], "m"));
  writeFileSync(b, small([1, 2, 3, 9, 5, 6], "km"));
  await openPage(page);
  await dropFiles(page, [a]);
  await expect(tree(page)).toBeVisible();
  await showView(page, "Compare");
  await dropFiles(page, [b]);
  await idle(page);
  // 9 km, not 9 m.
  await expect(compare(page).getByRole("heading", { level: 2 })).toHaveText(
    "a differs in all 6 values, by up to 8996 m at x 3",
  );
  const nodes = compare(page).getByRole("table", { name: "Groups and arrays that differ" });
  await expect(nodes).toContainText('units"m" → "km"');
  await compare(page).getByRole("radio", { name: "As stored" }).click();
  await idle(page);
  const values = compare(page).getByRole("table", { name: "What differs" });
  await expect(values).toContainText("differs in 1 of 6 values (1 of 1 chunk); largest 5 at x 3");
  await expect(values).toContainText("2 chunks identical by reference");
  await expect(values).toContainText("First at [3]: 4 (A, a/1");
  await expect(values).toContainText(`a/1 "base64:AwQ="`);
  await expect(values).toContainText(`a/1 "base64:Awk="`);
  expect(hash(page)).toContain("view=compare");
  expect(hash(page)).not.toContain("with=");
  await compare(page).getByRole("button", { name: "Show in Data" }).click();
  await idle(page);
  expect(hash(page)).toContain("point=3");
});

/** Temperatures of two days on a grid of three by four. */
function field(units: "degC" | "K", isTurned: boolean, warmer: number): string {
  const doubles = (numbers: readonly number[]) =>
    `base64:${Buffer.from(Float64Array.from(numbers).buffer).toString("base64")}`;
  const refs: Record<string, string> = { ".zgroup": '{"zarr_format":2}' };
  const add = (name: string, shape: readonly number[], numbers: readonly number[], attributes: object) => {
    const rest = { chunks: shape, dtype: "<f8", compressor: null, filters: null, fill_value: null, order: "C" };
    refs[`${name}/.zarray`] = JSON.stringify({ zarr_format: 2, shape, ...rest });
    refs[`${name}/.zattrs`] = JSON.stringify(attributes);
    refs[`${name}/${shape.map(() => 0).join(".")}`] = doubles(numbers);
  };
  const lats = isTurned ? [40, 45, 50] : [50, 45, 40];
  add("time", [2], [0, 1], { _ARRAY_DIMENSIONS: ["time"], units: "days since 2026-01-11" });
  add("lat", [3], lats, { _ARRAY_DIMENSIONS: ["lat"], units: "degrees_north" });
  add("lon", [4], [-30, -20, -10, 0], { _ARRAY_DIMENSIONS: ["lon"], units: "degrees_east" });
  const values = [0, 1].flatMap((day) =>
    lats.flatMap((lat) =>
      [0, 1, 2, 3].map((x) => {
        const isThere = day === 1 && lat === 45 && x === 0;
        return 10 * day + (lat - 40) / 5 + x / 8 + (isThere ? warmer : 0) + (units === "K" ? 273.15 : 0);
      }),
    ),
  );
  add("t2m", [2, 3, 4], values, { _ARRAY_DIMENSIONS: ["time", "lat", "lon"], units });
  return JSON.stringify({ version: 1, refs });
}

test("temperatures in other units and the other way round: maps of both and the difference under one cursor", async ({
  page,
}, info) => {
  const [a, b] = [info.outputPath("a.json"), info.outputPath("b.json")];
  writeFileSync(a, field("degC", false, 0));
  writeFileSync(b, field("K", true, 3.2));
  await openPage(page);
  await dropFiles(page, [a]);
  await expect(tree(page)).toBeVisible();
  await showView(page, "Compare");
  await expect(compare(page).getByRole("button", { name: "Ocean sample", exact: true })).toBeVisible();
  await dropFiles(page, [b]);
  await idle(page);
  const title = compare(page).getByRole("heading", { level: 2 });
  await expect(title).toHaveText("t2m differs in 1 of 24 values, by up to 3.2 °C at 45°N 30°W 2026-01-12");
  await expect(compare(page)).toContainText("The same: lat, lon and time.");
  for (const name of ["A", "B", "A − B"])
    await expect(compare(page).getByRole("application", { name: `Map of ${name}`, exact: true })).toHaveAttribute(
      "data-read",
      "1",
    );
  // The cursor begins at the largest difference.
  const point = compare(page).getByRole("status").filter({ hasText: "A − B" });
  await expect(point).toHaveText("A11 °CB14.2 °CA − B−3.2 °C");
  await compare(page).getByRole("application", { name: "Map of B" }).focus();
  await page.keyboard.press("ArrowRight");
  await expect(point).toHaveText("A11.125 °CB11.125 °CA − B0 °C");
  await compare(page).getByRole("slider", { name: "time" }).focus();
  await page.keyboard.press("ArrowLeft");
  await idle(page);
  await expect(point).toHaveText("A1.125 °CB1.125 °CA − B0 °C");
  // What is typed, and the focus, stay where another array is chosen.
  const tolerance = compare(page).getByRole("textbox", { name: "Tolerance" });
  await tolerance.fill("4");
  const array = compare(page).getByRole("combobox", { name: "Array" });
  await array.focus();
  await array.selectOption("lat");
  await idle(page);
  await expect(array).toBeFocused();
  await expect(compare(page).getByRole("status").filter({ hasText: "A − B" })).toContainText("0 °");
  await array.selectOption("t2m");
  await idle(page);
  await expect(tolerance).toHaveValue("4");
  await tolerance.press("Enter");
  await idle(page);
  await expect(title).toHaveText("t2m is the same within 4 °C");
});

test("a set that cannot be opened says why", async ({ page }) => {
  await openPage(page, "#url=samples/ocean.v1.json&view=compare&with=samples/nothing.json");
  await expect(compare(page).getByRole("alert")).toHaveAttribute("data-code", "http-status");
});
