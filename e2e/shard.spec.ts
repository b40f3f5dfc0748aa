/** Sharded arrays: inner chunks as chunks, the map of a shard, and what is damaged. */
import { expect, type Page } from "@playwright/test";
import {
  chunk,
  expectRequest,
  idle,
  manifest,
  openPage,
  showView,
  statistic,
  tree,
  showProblems,
} from "./support/app.ts";
import { startRangeServer, type RangeServer } from "./support/range-server.ts";
import { test } from "./support/shared-page.ts";
import { SHARDED } from "./support/stores.ts";

test.describe.configure({ mode: "default" });

/** Room for the shard and all rows. */
test.use({ viewport: { width: 1440, height: 1300 } });

let server: RangeServer;

test.beforeAll(async () => {
  server = await startRangeServer({ root: SHARDED });
});

test.afterAll(async () => {
  await server.stop();
});

/** One array at the root: 8 × 12 int32 in shards of 4 × 6, inner chunks of 2 × 3. */
const open = (page: Page, name: string, rest = "") =>
  openPage(page, `#url=${encodeURIComponent(server.url(`/${name}`))}${rest}`);

const strip = (page: Page) => page.getByRole("region", { name: "Bytes of the shard" }).getByRole("application");
const faults = (page: Page) => page.getByRole("list", { name: "Faults" });

test("inner chunks are chunks, with references into their shard", async ({ page }) => {
  await open(page, "end_plain", "&view=chunks");
  await expect(tree(page).getByRole("treeitem")).toHaveCount(1);
  await expect(manifest(page)).toHaveAttribute("aria-rowcount", "17");
  const row = manifest(page).getByRole("row", { name: /^3\.2\b/ });
  await expect(row).toContainText("c/1/1");
  await row.getByRole("rowheader").click();
  await idle(page);
  await expectRequest(page, '["c/1/1", 48, 24]');
  await expect.poll(() => statistic(page, "Count")).toBe("6");
});

test("the map of a shard is walked with the keyboard, and Enter opens a chunk", async ({ page }) => {
  await open(page, "gaps", "&view=chunks");
  await expect(page.getByLabel("Figures of the shard")).toContainText("dead, in 4 gaps");
  await strip(page).focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Enter");
  await idle(page);
  await expect(chunk(page).getByText("1.0").first()).toBeVisible();
  await expectRequest(page, '["c/0/0", 58, 24]');
  await expect.poll(() => statistic(page, "Count")).toBe("6");
  expect(new URL(page.url()).hash).toContain("view=chunks");
});

test("the strip of a shard says what one points at in the table, and is coloured as the map is", async ({ page }) => {
  await open(page, "gaps", "&view=chunks");
  const lens = page.getByRole("region", { name: "Shard map" });
  await manifest(page)
    .getByRole("row", { name: /^0\.1\b/ })
    .hover();
  await expect(lens).toContainText("bytes 31–54");
  await expect(lens.getByRole("list", { name: "Legend" })).toContainText("firstlast");
  await page.getByRole("combobox", { name: "Colour by" }).selectOption("length");
  await expect(lens.getByRole("list", { name: "Legend" })).toContainText("24 B");
});

test("the grid of inner chunks moves the same cursor", async ({ page }) => {
  await open(page, "end_plain", "&view=chunks");
  await page.getByRole("button", { name: "Show the inside" }).click();
  const grid = page.getByRole("application", { name: /inner chunks/i }).last();
  await grid.focus();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await idle(page);
  await expectRequest(page, '["c/0/0", 48, 24]');
});

for (const [name, code, marked] of [
  // The entry that begins first is marked too, but read.
  ["bad_overlap", "shard-overlap", 2],
  ["bad_past_end", "shard-past-end", 1],
  ["bad_into_index", "shard-into-index", 1],
  ["bad_half_empty", "shard-half-empty", 1],
] as const) {
  test(`${name}: the fault is listed, and no damaged chunk reads as good`, async ({ page }) => {
    await open(page, name, "&view=chunks");
    const fault = faults(page).locator(`[data-code="${code}"]`);
    await expect(fault).toHaveCount(marked);
    await fault.last().getByRole("button").click();
    await idle(page);
    await expect(chunk(page).getByRole("alert").first()).toBeVisible();
    await expect(chunk(page).locator("dt", { hasText: /^Mean$/ })).toHaveCount(0);
    await expect((await showProblems(page)).locator('[data-severity="error"]').first()).toBeVisible();
  });
}

for (const [name, code] of [
  ["bad_index_crc", "shard-index-checksum"],
  ["bad_truncated", "shard-truncated"],
] as const) {
  test(`${name}: nothing is read by an index that cannot be trusted`, async ({ page }) => {
    await open(page, name, "&view=chunks");
    await expect(page.getByRole("main").getByRole("alert")).toContainText(code);
    await showView(page, "Chunks");
    await expect(manifest(page).getByRole("gridcell", { name: "bad", exact: true })).toHaveCount(16);
    await expect((await showProblems(page)).locator(`[data-code="${code}"]`).first()).toBeVisible();
  });
}

test("a checksum of an inner chunk that does not fit stops its reading", async ({ page }) => {
  await open(page, "bad_inner_crc", "&chunk=1.0");
  await expect(chunk(page).locator("dt", { hasText: /^Mean$/ })).toHaveCount(0);
  await expect((await showProblems(page)).locator('[data-code="checksum-mismatch"]')).toBeVisible();
});

test("a missing shard is said, and its chunks are fill value", async ({ page }) => {
  await open(page, "missing_shard", "&chunk=2.0&view=chunks");
  await expect(page.getByText("The shard c/1/0 is missing")).toBeVisible();
  await expect(chunk(page)).toContainText("reads as fill value");
});

test("a link to a chunk in a shard reopens it", async ({ page }) => {
  await open(page, "start_gzip", "&chunk=2.3&view=chunks");
  await expect(page.getByRole("tab", { name: "Chunks" })).toHaveAttribute("aria-selected", "true");
  await expect(page.getByRole("main")).toContainText("c/1/1");
  await expectRequest(page, "c/1/1");
  const address = new URL(page.url()).hash;
  await page.goto("about:blank");
  await openPage(page, address);
  await expectRequest(page, "c/1/1");
  await expect.poll(() => statistic(page, "Count")).toBe("6");
});

test("reading a map costs the index, not the shard", async ({ page }) => {
  server.reset();
  await open(page, "morton", "&view=chunks");
  await expect(page.getByLabel("Figures of the shard")).toContainText("Morton");
  const whole = server.requests.filter(
    ({ path, method, range }) => method === "GET" && path.includes("/c/") && range === undefined,
  );
  expect(whole).toEqual([]);
});
