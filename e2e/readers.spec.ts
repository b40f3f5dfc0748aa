/** Can my reader read it? Readers chosen and compared, zarrita and nunjucks run for real, in the page as it is built. */
import { readFile } from "node:fs/promises";
import { expect, test, type Locator, type Page } from "@playwright/test";
import { chunk, idle, openPage, problems, showTab } from "./support/app.ts";
import { violations } from "./support/axe.ts";
import { startRangeServer, type RangeServer } from "./support/range-server.ts";
import { SHARDED } from "./support/stores.ts";

const choice = (page: Page): Locator => page.getByRole("combobox", { name: "Reader" });
const question = (page: Page): Locator =>
  page.getByRole("region", { name: "Verdict" }).locator('[data-question="readers"] dd');
const table = (page: Page): Locator => page.getByRole("table", { name: "Readers" });
const row = (page: Page, name: string | RegExp): Locator =>
  table(page)
    .locator("tbody")
    .filter({ has: page.getByRole("rowheader", { name }) });
const byZarrita = (page: Page): Locator => chunk(page).getByRole("region", { name: "Read by zarrita" });

const check = (page: Page, url: string) => openPage(page, `#url=${encodeURIComponent(url)}&view=check`);
const inspect = (page: Page, address: string) => openPage(page, `#url=samples/${address}&view=chunks&tab=values`);

let server: RangeServer;

/** Three chunks on a server that ignores ranges: read here, and by zarrita from the beginning of the file. */
const ignored = {
  version: 1,
  refs: {
    ".zgroup": '{"zarr_format":2}',
    "a/.zarray": JSON.stringify({
      zarr_format: 2,
      shape: [24],
      chunks: [8],
      dtype: "|u1",
      compressor: null,
      filters: null,
      fill_value: 0,
      order: "C",
    }),
    "a/0": ["ignored.bin", 10, 8],
    "a/1": ["ignored.bin", 30, 8],
    "a/2": ["ignored.bin", 50, 8],
  },
};

test.beforeAll(async () => {
  server = await startRangeServer({ files: { "/ignored.json": JSON.stringify(ignored) } });
  server.put(
    "/ignored.bin",
    new Uint8Array(100).map((_, at) => at),
  );
  server.misbehave("/ignored.bin", "ignore-range");
});

test.afterAll(async () => {
  await server.stop();
});

test("the chosen reader is remembered, and stands first among all", async ({ page }) => {
  await check(page, "samples/ocean.v1.json");
  await choice(page).selectOption({ label: "GDAL (driver Zarr, with Kerchunk)" });
  await idle(page);
  await page.reload();
  await idle(page);
  await expect(choice(page)).toHaveValue("gdal-kerchunk");
  await expect(question(page)).toContainText("By rules made from GDAL 3.13");
  await question(page).getByRole("button", { name: "Compare readers" }).click();
  await idle(page);
  await expect(table(page).getByRole("rowheader")).toHaveCount(17);
  await expect(table(page).getByRole("rowheader").first()).toHaveText(/GDAL \(driver Zarr.*your reader/);
  await row(page, /^xarray/)
    .getByRole("button", { name: "More about xarray" })
    .click();
  await row(page, /^xarray/)
    .getByRole("button", { name: "This is my reader" })
    .click();
  await idle(page);
  await expect(choice(page)).toHaveValue("xarray");
  await expect(table(page).getByRole("rowheader").first()).toHaveText(/xarray.*your reader/);
});

test("each reader has its verdict, how much it concerns, its version, and evidence to follow", async ({ page }) => {
  await check(page, "samples/specification.v1.json");
  await page.getByRole("button", { name: "Compare readers" }).first().click();
  await idle(page);
  const fsspec = row(page, "fsspec (default)");
  await expect(fsspec).toHaveAttribute("data-outcome", "refuses");
  await expect(fsspec).toContainText("fsspec 2026.9.0, 2026-11");
  await expect(fsspec).toContainText("by rules");
  await expect(row(page, "fsspec with simple_templates=False")).toHaveAttribute("data-outcome", "reads");
  const virtualizarr = row(page, "VirtualiZarr");
  await expect(virtualizarr).toContainText(/Silently drops data|Fails on part of the data/);
  const gdal = row(page, "GDAL (driver Zarr, with Kerchunk)");
  await gdal.getByRole("button", { name: /^More about GDAL/ }).click();
  await expect(gdal.getByRole("listitem").first()).toContainText(/This concerns \d of 9 references/);
  await expect(gdal.getByRole("link", { name: "OSGeo/gdal#12099" }).first()).toHaveAttribute(
    "href",
    "https://github.com/OSGeo/gdal/issues/12099",
  );
});

test("the report has the readers that were compared, and none where they were not", async ({ page }) => {
  await check(page, "samples/specification.v1.json");
  const report = async () => {
    await page.getByRole("button", { name: "Report", exact: true }).click();
    const saving = page.waitForEvent("download");
    await page.getByRole("button", { name: "Save as JSON" }).click();
    const text = await readFile(await (await saving).path(), "utf8");
    await page.keyboard.press("Escape");
    return JSON.parse(text) as { readonly readers?: readonly { readonly reader: string; readonly outcome: string }[] };
  };
  expect((await report()).readers).toBeUndefined();
  await page.getByRole("button", { name: "Compare readers" }).first().click();
  await idle(page);
  const { readers } = await report();
  expect(readers).toHaveLength(17);
  expect(readers?.[0]).toMatchObject({ reader: "fsspec", outcome: "refuses" });
  // What was compared is in the report, shown or not.
  await page.getByRole("button", { name: "Hide the comparison" }).click();
  expect((await report()).readers).toEqual(readers);
});

test("nunjucks runs in its sandbox when asked, and says on how many keys", async ({ page }) => {
  await check(page, "samples/specification.v1.json");
  await page.getByRole("button", { name: "Compare readers" }).first().click();
  await idle(page);
  const zarrita = row(page, "zarrita");
  await zarrita.getByRole("button", { name: "More about zarrita" }).click();
  await zarrita.getByRole("button", { name: "Run nunjucks on all 9 references" }).click();
  await idle(page);
  await expect(zarrita.getByRole("status")).toContainText("It ran on 9 keys: all match Jinja2’s rendering.");
  await expect(zarrita).toContainText("nunjucks run on 9 keys");
});

test(
  "zarrita reads a few chunks where it is chosen, and a sample in the deep check",
  { tag: "@deep" },
  async ({ page }) => {
    await check(page, "samples/ocean.v1.json");
    await choice(page).selectOption("zarrita");
    await idle(page);
    await expect(question(page)).toHaveAttribute("data-answer", "yes");
    await expect(question(page)).toContainText(
      "zarrita was run on 8 of 122 chunks: the values are the same as Python's.",
    );
    await page.getByRole("button", { name: /^Check all · \d/ }).click();
    await idle(page);
    await expect(question(page)).toContainText(
      "zarrita was run on 100 of 122 chunks: the values are the same as Python's.",
    );
    await expect(page.getByRole("list", { name: "Coverage of the check" })).toContainText(
      "read by zarrita 100 of 122 chunks",
    );
  },
);

test("chunks that zarrita reads otherwise are one cause with its places", async ({ page }) => {
  await check(page, server.url("/ignored.json"));
  await choice(page).selectOption("zarrita");
  await idle(page);
  const differs = problems(page).locator('[data-code="reader-values-differ"]');
  await expect(differs).toHaveCount(1);
  await expect(differs).toContainText("3 chunks");
  await expect(question(page)).toContainText("zarrita was run on all 3 chunks: 3 differ from Python's.");
});

test(
  "a chunk is read by zarrita too, and what came of it stays while the chunk is looked at",
  { tag: "@deep" },
  async ({ page }) => {
    await inspect(page, "ocean-broken.json&array=sst&chunk=0.0.0");
    await byZarrita(page)
      .getByRole("button", { name: /^Read by zarrita too · 24\.9 kB$/ })
      .click();
    await idle(page);
    await expect(byZarrita(page)).toContainText("The same 10,240 values");
    await showTab(page, "Hex");
    await showTab(page, "Values");
    await expect(byZarrita(page)).toContainText("The same 10,240 values");
    await chunk(page).getByRole("button", { name: "Next chunk along lat" }).click();
    await idle(page);
    await expect(byZarrita(page).getByRole("button", { name: /^Read by zarrita too/ })).toBeVisible();
  },
);

test("of a broken chunk its error stands beside ours", { tag: "@deep" }, async ({ page }) => {
  await inspect(page, "ocean-broken.json&array=sst&chunk=0.0.1");
  await byZarrita(page)
    .getByRole("button", { name: /^Read by zarrita too/ })
    .click();
  await idle(page);
  const found = byZarrita(page).getByRole("status");
  await expect(found).toContainText("zarrita fails too");
  await expect(found).toContainText("expected a zlib header");
  await expect(found).toContainText(/CodecPipelineError/);
});

test("other values are said: how many, the first, ours beside theirs", { tag: "@deep" }, async ({ page }) => {
  await openPage(
    page,
    `#url=${encodeURIComponent(server.url("/ignored.json"))}&array=a&chunk=1&view=chunks&tab=values`,
  );
  await byZarrita(page)
    .getByRole("button", { name: /^Read by zarrita too/ })
    .click();
  await idle(page);
  const found = byZarrita(page).getByRole("status");
  await expect(found).toContainText("8 of 8 values differ");
  await expect(found).toContainText("The first is element [0] of the chunk");
  await expect(found.locator("dd")).toHaveText(["30", "0"]);
});

test("of a sharded Zarr store inner chunks are read by zarrita too", { tag: "@deep" }, async ({ page }) => {
  const store = await startRangeServer({ root: SHARDED });
  try {
    await openPage(page, `#url=${encodeURIComponent(store.url("/end_plain"))}&array=&chunk=0.0&view=chunks&tab=values`);
    await byZarrita(page)
      .getByRole("button", { name: /^Read by zarrita too/ })
      .click();
    await idle(page);
    await expect(byZarrita(page).getByRole("status")).toContainText(/^✓ The same/);
  } finally {
    await store.stop();
  }
});

test("where zarrita cannot be asked, it is said why", async ({ page }) => {
  await openPage(page, "#url=samples/ocean.icechunk&array=sst&chunk=0.0.0&view=chunks&tab=values");
  await expect(byZarrita(page)).toContainText("it supports Kerchunk JSON and Zarr stores, not this format");
  await expect(byZarrita(page).getByRole("button")).toHaveCount(0);
});

test("readers by keyboard alone, without hindrances", { tag: "@deep" }, async ({ page }) => {
  await check(page, "samples/ocean-broken.json");
  await choice(page).focus();
  await page.keyboard.press("Tab");
  await expect(page.getByRole("button", { name: "Compare readers" }).first()).toBeFocused();
  await page.keyboard.press("Enter");
  await idle(page);
  await expect(page.getByRole("heading", { name: "Readers" })).toBeFocused();
  // The button that hides the comparison, four heads that sort, and the menu of columns come before the first reader.
  const more = table(page).getByRole("button", { name: /about fsspec \(default\)/ });
  for (let stop = 0; stop < 7; stop += 1) await page.keyboard.press("Tab");
  await expect(more).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(more).toHaveAttribute("aria-expanded", "true");
  expect(await violations(page, { rules: "all", part: '[role="tabpanel"], section[aria-label="Check"]' })).toEqual([]);
});
