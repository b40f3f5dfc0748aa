/** The Overview is a dataset's card: what xarray's users know of it, with pictures of what is free to read. */
import { expect } from "@playwright/test";
import { idle, openPage, openSample, problems, selectArray, showView } from "./support/app.ts";
import { startRangeServer, type RangeServer } from "./support/range-server.ts";
import { test } from "./support/shared-page.ts";

test.describe.configure({ mode: "default" });

test("the sample’s card has its title, dates, degrees and pictures", async ({ page }) => {
  await openSample(page);
  await showView(page, "Overview");
  await expect(page.getByRole("heading", { name: "Refscope sample: a synthetic ocean" })).toBeVisible();
  const coordinate = (name: string) =>
    page
      .getByRole("list", { name: "Coordinates" })
      .getByRole("listitem")
      .filter({ has: page.getByRole("heading", { name, exact: true }) });
  await coordinate("lat").scrollIntoViewIfNeeded();
  await expect(coordinate("time")).toContainText("2026-01-01 … 2026-01-24");
  await expect(coordinate("time")).toContainText("every day, 24 steps");
  await expect(coordinate("lat")).toContainText("89°S … 89°N");
  await expect(coordinate("lon")).toContainText("every 2°, ascending");
  const variables = page.getByRole("list", { name: "Data variables", exact: true });
  const sst = variables.getByRole("listitem").filter({ hasText: "sea surface temperature, °C" });
  await expect(sst.getByRole("img", { name: /^Picture of sst/ })).toBeVisible();
  await expect(sst).toContainText("(time, lat, lon)");
  await expect(sst).toContainText("int16, packed");
  await expect(sst).toContainText("9 of 54 read");
  await sst.getByRole("button", { name: "sst" }).click();
  await idle(page);
  await expect(page.getByRole("tab", { name: "Data", exact: true })).toHaveAttribute("aria-selected", "true");
});

test("of the broken sample a picture keeps the place of what failed, and health leads to the problems", async ({
  page,
}) => {
  await openPage(page, "#url=samples/ocean-broken.json&view=overview");
  const ice = page.getByRole("listitem").filter({ has: page.getByRole("img", { name: /^Picture of ice/ }) });
  await expect(ice.getByRole("img", { name: /: 1 of 4 chunks failed$/ })).toBeVisible();
  await expect(ice).toContainText("1 of 16 failed");
  const health = page.getByRole("region", { name: "Health" });
  await expect(health.locator("dl > div")).toHaveText([
    /^Does it open\?/,
    /^Is it complete\?Partially$/,
    /^Are the values right\?No$/,
    /^Are the sources available and unchanged\?/,
    /^Can my reader read it\?/,
  ]);
  await health.getByRole("button", { name: /Check/ }).click();
  await expect(problems(page).locator("[data-code=range-of-other-array]", { hasText: "ice 0.0.0" })).toHaveCount(1);
});

test("an Icechunk repository has pictures unasked: its references cost little, and what is single is folded", async ({
  page,
}) => {
  await openPage(page, "#url=samples/ocean.icechunk&view=overview");
  const data = page.getByRole("list", { name: "Data variables", exact: true });
  await expect(data.getByRole("img", { name: /^Picture of (ice|sst)/ })).toHaveCount(2);
  await expect(page.getByRole("button", { name: /^Read / })).toHaveCount(0);
  await expect(page.getByRole("list", { name: "Single values and text" }).getByRole("listitem")).toContainText("crs");
});

test("variables stand by their dimensions, then their size, and single values in one table", async ({ page }) => {
  const shapes = { a_flag: [], b_line: [9], c_small: [2, 2], d_scalar: [], e_large: [3, 3], f_cube: [2, 2, 2] };
  const arrays = Object.entries(shapes).flatMap(([name, shape]) => {
    const about = { zarr_format: 2, shape, chunks: shape, dtype: "|u1", compressor: null, filters: null, order: "C" };
    const key = shape.length === 0 ? "0" : shape.map(() => 0).join(".");
    const bytes = "A".repeat(shape.reduce((product: number, length) => product * length, 1));
    const attributes = { long_name: name, _ARRAY_DIMENSIONS: shape.map((length, at) => `${name}${at}_${length}`) };
    return [
      [`${name}/.zarray`, JSON.stringify({ ...about, fill_value: 0 })],
      [`${name}/.zattrs`, JSON.stringify(attributes)],
      [`${name}/${key}`, bytes],
    ] as const;
  });
  const body = JSON.stringify({ ".zgroup": '{"zarr_format":2}', ...Object.fromEntries(arrays) });
  await page.route("**/samples/ocean-a.v0.json", (route) => route.fulfill({ body }));
  await openPage(page, "#url=samples/ocean-a.v0.json&view=overview");
  const variables = page.getByRole("list", { name: "Data variables", exact: true });
  await expect(variables.getByRole("heading")).toHaveText(["f_cube", "e_large", "c_small", "b_line"]);
  const single = page.getByRole("list", { name: "Single values and text" }).getByRole("listitem");
  await expect(single).toHaveText([/a_flag/, /d_scalar/]);
  await page.unroute("**/samples/ocean-a.v0.json");
});

test("on a wide screen Overview and Check fill the window, and nothing beside them is cut", async ({ page }) => {
  const before = page.viewportSize()!;
  await page.setViewportSize({ width: 1920, height: 1080 });
  await openPage(page, "#url=samples/ocean-broken.json&view=overview");
  for (const view of ["Overview", "Check"]) {
    await showView(page, view);
    const { white, cut } = await page.getByRole("main").evaluate((main) => {
      const texts = [...main.querySelectorAll("*")].filter(
        (one) => one.children.length === 0 && one.textContent !== "",
      );
      const cut = [...main.querySelectorAll("pre")].filter((one) => one.scrollWidth > one.clientWidth).length;
      return { white: innerWidth - Math.max(...texts.map((one) => one.getBoundingClientRect().right)), cut };
    });
    expect(white, view).toBeLessThan(100);
    expect(cut, view).toBe(0);
  }
  await page.setViewportSize(before);
});

test("an array has its picture, its range and the dates along it", async ({ page }) => {
  await openSample(page);
  await selectArray(page, "sst");
  await showView(page, "Metadata");
  await expect(page.getByRole("heading", { name: /^sst/ })).toBeVisible();
  await expect(page.getByRole("img", { name: /^Picture of sst/ })).toBeVisible();
  await expect(page.getByRole("row", { name: /^time 24/ })).toContainText("2026-01-01 … 2026-01-24");
  // What is scrolled reaches the end of the view: no empty strip cuts the text.
  const strip = await page.getByRole("tabpanel", { name: "Array" }).evaluate((panel) => {
    const scrolled = [...panel.querySelectorAll("div")].find((one) => getComputedStyle(one).overflowY === "auto")!;
    return panel.getBoundingClientRect().bottom - scrolled.getBoundingClientRect().bottom;
  });
  expect(strip).toBeLessThanOrEqual(1);
});

test.describe("a set of many variables", () => {
  let server: RangeServer;
  test.beforeEach(async () => {
    server = await startRangeServer();
  });
  test.afterEach(async () => {
    await server.stop();
  });

  test(
    "shows the first fifty, and finds the rest; what costs too much is read when asked for",
    { tag: "@deep" },
    async ({ page }) => {
      const refs: Record<string, unknown> = { ".zgroup": '{"zarr_format":2}' };
      for (let at = 0; at < 262; at += 1) {
        const name = `v${String(at).padStart(3, "0")}`;
        const many = at === 0 ? 100 : 1;
        refs[`${name}/.zarray`] = JSON.stringify({
          zarr_format: 2,
          shape: [many],
          chunks: [1],
          dtype: "<f4",
          compressor: null,
          filters: null,
          fill_value: null,
          order: "C",
        });
        refs[`${name}/.zattrs`] = JSON.stringify({ _ARRAY_DIMENSIONS: [`x${many}`], long_name: `Number ${at}` });
        for (let chunk = 0; chunk < many; chunk += 1) {
          refs[`${name}/${chunk}`] = at === 0 ? [`part-${chunk}.bin`, 0, 4] : "base64:AACAPw==";
        }
      }
      for (let chunk = 0; chunk < 100; chunk += 1) server.put(`/part-${chunk}.bin`, Uint8Array.of(0, 0, 0x80, 0x3f));
      server.put("/many.json", JSON.stringify({ version: 1, refs }));
      await openPage(page, `#url=${encodeURIComponent(server.url("/many.json"))}&view=overview`);
      const rows = page.getByRole("list", { name: "Data variables", exact: true }).getByRole("listitem");
      await expect(rows).toHaveCount(50);
      await expect(rows.first()).toContainText("100 requests, 400 B");
      await page.getByRole("button", { name: "and 212 more" }).click();
      await expect(rows).toHaveCount(250);
      await page.getByRole("searchbox", { name: "Find a variable" }).fill("number 261");
      await expect(rows).toHaveCount(1);
      await page.getByRole("searchbox", { name: "Find a variable" }).fill("v000");
      await rows.first().getByRole("button", { name: "Read v000" }).click();
      await expect(rows.first().getByRole("img", { name: /^Picture of v000/ })).toBeVisible();
    },
  );
});
