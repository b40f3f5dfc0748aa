/** Which chunks come from this file, and which fail? The table, filtered, beside the map. */
import { expect } from "@playwright/test";
import { chunk, goToChunk, idle, manifest, openPage, openSample, selectArray, showView } from "./support/app.ts";
import { test } from "./support/shared-page.ts";

test.describe.configure({ mode: "default" });

test("filter the manifest to one target", { tag: "@deep" }, async ({ page }) => {
  await openSample(page);
  await selectArray(page, "sst");
  await showView(page, "Chunks");
  await expect(manifest(page)).toHaveAttribute("aria-rowcount", "55");
  await page.getByRole("button", { name: /^source 2/ }).click();
  await page
    .getByRole("option", { name: /ocean-b\.nc/ })
    .or(page.getByRole("checkbox", { name: /ocean-b\.nc/ }))
    .click();
  await idle(page);
  await expect(manifest(page)).toHaveAttribute("aria-rowcount", "28"); // 27 chunks and the header
  await page.keyboard.press("Escape");
  await expect(manifest(page).getByRole("row").nth(1)).toContainText("ocean-b.nc");
  await expect(manifest(page).getByText("ocean-a.nc")).toHaveCount(0);
  await page.getByRole("button", { name: /^All 54/ }).click();
  await idle(page);
  await expect(manifest(page)).toHaveAttribute("aria-rowcount", "55");
});

test("sort by length and find the longest chunk", async ({ page }) => {
  await openSample(page);
  await selectArray(page, "sst");
  await showView(page, "Chunks");
  const header = manifest(page).getByRole("columnheader", { name: /Length/ });
  await header.getByRole("button").first().click();
  await idle(page);
  await expect(header).toHaveAttribute("aria-sort", "ascending");
  await header.getByRole("button").first().click();
  await idle(page);
  await expect(header).toHaveAttribute("aria-sort", "descending");
  await expect(manifest(page).getByRole("row").nth(1)).toContainText(/1\d,\d{3}/);
});

test("failed chunks are red rows with the reason, and a filter of their own", async ({ page }) => {
  await openPage(page, "#url=samples/ocean-broken.json&array=sst&view=chunks");
  for (const key of ["0.0.0", "0.0.1", "1.0.0"]) await goToChunk(page, key);
  const row = (key: string) =>
    manifest(page).getByRole("row", { name: new RegExp(`sst/${key.replaceAll(".", "\\.")}\\b`) });
  await expect(row("0.0.0").locator("[data-column=read]")).toHaveText(/20\.5 kB/);
  await expect(row("0.0.1").locator("[data-column=read]")).toHaveText(/zlib fails/);
  await expect(row("1.0.0").locator("[data-column=read]")).toHaveText(/404/);
  await expect(row("0.0.2").locator("[data-column=read]")).toHaveText(/not read/);
  // Its source is out of reach: it did not fail, and the reason is said.
  const failed = page.getByRole("button", { name: /failed 1$/ });
  await failed.click();
  await idle(page);
  await expect(failed).toHaveAttribute("aria-pressed", "true");
  await expect(manifest(page)).toHaveAttribute("aria-rowcount", "2");
  // What is filtered by it stays so when more is read.
  await page.getByRole("group", { name: "Chunk grid" }).getByRole("application").press("Control+Home");
  await expect(row("0.0.1")).toBeVisible();
  await page.getByRole("button", { name: /^All 54/ }).click();
  await idle(page);
  await expect(manifest(page)).toHaveAttribute("aria-rowcount", "56");
});

test("no column is cut: the least important give way; chips add up; bars have one track", async ({ page }) => {
  await page.setViewportSize({ width: 1024, height: 768 });
  await openPage(page, "#url=samples/ocean-broken.json&array=sst&view=chunks");
  const over = () => manifest(page).evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
  await expect.poll(() => over()).toBeLessThanOrEqual(0);
  await expect(manifest(page).getByRole("columnheader", { name: "End" })).toHaveCount(0);
  await page.getByRole("button", { name: /^\+\d columns?$/ }).click();
  await expect(manifest(page).getByRole("columnheader", { name: "End" })).toHaveCount(1);
  await page.getByRole("button", { name: "Fit columns" }).click();
  const tracks = await manifest(page)
    .locator('[data-column="length"] [aria-hidden="true"]')
    .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().width));
  expect(new Set(tracks).size).toBe(1);
  const chips = page.getByRole("group", { name: "States" });
  await expect(chips).toContainText("All 54");
  await expect(chips).toContainText("outside 1");
  await chips.getByRole("button", { name: /^not read/ }).click();
  await idle(page);
  await expect(chips.getByRole("button", { name: /^not read/ })).toHaveText(/not read 54$/);
  await expect(manifest(page)).toHaveAttribute("aria-rowcount", "55"); // and the header
});

test("map and table select the same chunk, and each marks what the other points at", async ({ page }) => {
  await openPage(page, "#url=samples/ocean.v1.json&array=sst&view=chunks");
  const map = page.getByRole("group", { name: "Chunk grid" });
  const row = (key: string) =>
    manifest(page)
      .locator("[role=row]")
      .filter({ has: page.locator(`[aria-label="sst/${key}"]`) });
  await map.getByRole("application").focus();
  // North is up: the first cell is the lower left one of the first panel.
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("PageDown");
  await page.keyboard.press("Enter");
  await idle(page);
  await expect(chunk(page).getByText("sst / 1.1.0").first()).toBeVisible();
  await expect(row("1.1.0")).toHaveAttribute("aria-selected", "true");
  await row("0.0.2").hover();
  await expect(map.getByText("sst/0.0.2", { exact: true })).toBeVisible();
  await row("2.0.0").click();
  await idle(page);
  await expect(map.locator("[data-selected=true]")).toHaveText("Jan 9 – 12");
});

test("a place is typed anywhere: a date, degrees, a key or a file lead there, and what is outside says what there is", async ({
  page,
}) => {
  await openPage(page, "#url=samples/ocean.v1.json&array=sst&view=chunks");
  const field = page.getByRole("textbox", { name: "Key or place" });
  const go = async (text: string, to = field) => {
    await to.fill(text);
    await page.keyboard.press("Enter");
    await idle(page);
  };
  const heading = (name: string) => expect(chunk(page).getByRole("heading", { name, exact: true })).toBeVisible();
  await go("2026-01-06");
  await heading("sst / 1.0.0");
  await go("45N 10E");
  await heading("sst / 1.1.1");
  await expect(manifest(page)).toHaveAttribute("aria-rowcount", "55");
  await go("2036-01-06");
  await expect(page.getByRole("alert").filter({ hasText: "goes from" })).toHaveText(
    "2036-01-06 is outside the data: time goes from 2026-01-01 to 2026-01-24.",
  );
  // The name of a file, where no key has it.
  await go("ocean-b");
  await expect(manifest(page)).toHaveAttribute("aria-rowcount", "28");
  // What the text was taken for is said, and the other meanings are offered.
  const meanings = page.getByRole("group", { name: /^Meanings of/ });
  await expect(meanings.getByRole("button", { name: "as file name: 27 rows" })).toHaveAttribute("aria-pressed", "true");
  await expect(meanings.getByRole("button", { name: "as key: none" })).toBeDisabled();
  await go("20260106");
  await expect(manifest(page)).toHaveAttribute("aria-rowcount", "1");
  await meanings.getByRole("button", { name: "as place: time 2026-01-06" }).click();
  await idle(page);
  await heading("sst / 1.1.1");
  await expect(manifest(page)).toHaveAttribute("aria-rowcount", "55");
  await field.fill("");
  // The slider of the map is said in dates, and takes them.
  const map = page.getByRole("group", { name: "Chunk grid" });
  await map.getByRole("button", { name: "Sides" }).click();
  await map.getByRole("checkbox", { name: "One slice at a time" }).check();
  await page.keyboard.press("Escape");
  await go("2026-01-14", map.getByRole("textbox", { name: "Chunk along time" }));
  await expect(map.getByText("2026-01-13 – 01-16")).toBeVisible();
  await expect(map.getByRole("textbox", { name: "Chunk along time" })).toHaveValue("3");
  // A date far off is one action in Data, too.
  await showView(page, "Data");
  await go("2026-01-22", page.getByRole("textbox", { name: "Step along time" }));
  await expect(page).toHaveURL(/slice=21,:,:/);
  await go("22", page.getByRole("textbox", { name: "Step along time" }));
  await expect(page).toHaveURL(/slice=22,:,:/);
  // At once after another array is selected, in any order, by name, and with no array selected at all.
  for (const [path, text] of [
    ["u", "45N 30W 2026-01-12"],
    ["", "time=2026-01-12, lat=45, lon=-30"],
  ] as const) {
    await page.evaluate((array) => (location.hash = `#url=samples/ocean.v1.json&array=${array}`), path);
    await page.keyboard.press("Control+k");
    await page.keyboard.type(text);
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(/point=11,67,74/);
    await idle(page);
  }
  await page.evaluate(() => (location.hash = "#url=samples/ocean.v1.json&array=sst&view=data"));
  await idle(page);
  await page.keyboard.press("Control+k");
  await page.keyboard.type("2026-01-03 45°S, 10°W");
  await expect(page.getByRole("option", { name: /Go to time 2026-01-03, lat 45°S, lon 11°W/ })).toBeVisible();
  await page.keyboard.press("Enter");
  await idle(page);
  await heading("sst / 0.0.1");
  await page.keyboard.press("Control+k");
  await page.keyboard.type("2026-02");
  await expect(page.getByText("time goes from 2026-01-01 to 2026-01-24")).toBeVisible();
  await page.getByRole("combobox", { name: "Commands" }).fill("ocean-b.nc");
  await page.getByRole("option", { name: /Source file ocean-b\.nc/ }).click();
  await expect(page).toHaveURL(/view=sources&target=.*ocean-b\.nc/);
});
