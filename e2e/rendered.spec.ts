/** Version 1 sets open rendered, and every row says what made it. */
import { expect, test } from "@playwright/test";
import { expectRequest, idle, manifest, openPage, showProblems } from "./support/app.ts";

const zarray = JSON.stringify({
  zarr_format: 2,
  shape: [4],
  chunks: [1],
  dtype: "|u1",
  compressor: null,
  filters: null,
  fill_value: 0,
  order: "C",
});
const OPEN = { "access-control-allow-origin": "*" };
const SET = {
  version: 1,
  templates: { u: "https://data.example.org/set" },
  refs: { ".zgroup": '{"zarr_format": 2}', "a/.zarray": zarray, "a/0": ["{{u}}/first.nc", 0, 1], "a/3": "x" },
  gen: [
    {
      key: "a/{{i}}",
      url: "{{u}}/{{i}}.nc",
      offset: "{{i * 100}}",
      length: "1",
      dimensions: { i: { start: 1, stop: 3 } },
    },
  ],
};

test("a templated set shows rendered URLs and what made each row", async ({ page }) => {
  await page.route("https://sets.example.org/rendered.json", (route) => route.fulfill({ json: SET, headers: OPEN }));
  await page.route("https://data.example.org/**", (route) => route.fulfill({ status: 404 }));
  await openPage(page, "#url=https://sets.example.org/rendered.json&array=a&chunk=2&view=chunks");
  await idle(page);
  const rows = manifest(page).getByRole("row");
  await expect(rows.nth(1)).toContainText("refs · {{u}}/first.nc");
  await expect(rows.nth(2)).toContainText("gen[0] · i=1");
  await expect(rows.nth(3)).toContainText("gen[0] · i=2");
  await expect(rows.nth(4)).toContainText("refs");
  await expect(rows.nth(3).locator("[data-column=from] [title]")).toHaveAttribute("title", /entry 0 of “gen”.*\ni = 2/);
  await expectRequest(page, '["https://data.example.org/set/2.nc", 200, 1]');
  await expectRequest(page, "Made by gen[0] · i=2");
});

test("a set that Python refuses opens, and says so first", async ({ page }) => {
  const refused = { ...SET, gen: [{ ...SET.gen[0], offset: "{{i / 0}}" }] };
  await page.route("https://sets.example.org/rendered.json", (route) =>
    route.fulfill({ json: refused, headers: OPEN }),
  );
  await openPage(page, "#url=https://sets.example.org/rendered.json&array=a&view=chunks");
  await idle(page);
  await expect(manifest(page).getByRole("row").nth(1)).toContainText("refs · {{u}}/first.nc");
  await expect((await showProblems(page)).locator("[data-code=set-refused]")).toContainText("ZeroDivisionError");
});
