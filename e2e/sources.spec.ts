/** Where the bytes are: a target, its bytes, the chunk behind a byte and back; another prefix, seen before it is applied. */
import { expect, type Locator, type Page } from "@playwright/test";
import { chunk, idle, openPage, openSample, selectArray, showTab, showView } from "./support/app.ts";
import { startRangeServer } from "./support/range-server.ts";
import { PARQUET } from "./support/stores.ts";
import { test } from "./support/shared-page.ts";

test.describe.configure({ mode: "default" });

const targets = (page: Page): Locator => page.getByRole("grid", { name: "Sources" });
const ranges = (page: Page): Locator => page.getByRole("grid", { name: "Ranges" });
const strip = (page: Page): Locator => page.getByRole("application", { name: /^Bytes of the source/ });
const readout = (page: Page): Locator => page.getByRole("region", { name: "Source" }).getByRole("status");
const facts = (page: Page): Locator => page.getByRole("list", { name: "About its bytes" });

const target = (page: Page, name: string): Locator =>
  targets(page)
    .getByRole("row")
    .filter({ has: page.getByRole("rowheader", { name }) });
const tab = (page: Page, name: string) => page.getByRole("tab", { name, exact: true });

async function goToByte(page: Page, byte: string): Promise<void> {
  await page.getByRole("textbox", { name: "Go to byte" }).fill(byte);
  await page.keyboard.press("Enter");
  await idle(page);
}

test("from the set to a target, to a byte, to its chunk, and back", async ({ page }) => {
  await openSample(page);
  await showView(page, "Sources");
  await expect(page.getByRole("heading", { name: "2 sources" })).toBeVisible();
  await target(page, "ocean-b.nc").click();
  await idle(page);
  await expect(target(page, "ocean-b.nc")).toHaveAttribute("aria-selected", "true");
  expect(new URL(page.url()).hash).toContain("target=ocean-b.nc");
  await goToByte(page, "20,000");
  await expect(readout(page)).toContainText("Byte 20,000: sst/3.0.0");
  await page.getByRole("button", { name: "Go to sst/3.0.0" }).click();
  await idle(page);
  await expect(chunk(page).getByRole("heading", { level: 2 })).toContainText("sst / 3.0.0");
  await expect(tab(page, "Sources")).toHaveAttribute("aria-selected", "true");
  await selectArray(page, "u");
  await openPage(page, "#url=samples/ocean.v1.json&array=u&chunk=1.0.0&view=chunks&tab=request");
  await chunk(page).getByRole("button", { name: "Show in Sources" }).click();
  await idle(page);
  await expect(target(page, "ocean-b.nc")).toHaveAttribute("aria-selected", "true");
  await expect(readout(page)).toContainText("u/1.0.0: bytes");
  await expect(ranges(page).locator('[aria-selected="true"]')).toContainText("u/1.0.0");
});

test("asked for their size, targets show what reaches past their end", async ({ page }) => {
  await openPage(page, "#url=samples/ocean-broken.json&view=sources&target=ocean-b.nc");
  await expect(facts(page)).toContainText("size not known");
  await page.getByRole("button", { name: /^Check the sources · about \d+ requests$/ }).click();
  await idle(page);
  await expect(facts(page)).toContainText("past the end");
  await expect(target(page, "ocean-z.nc")).toContainText("✕");
  await page.keyboard.press("Escape");
  await strip(page).focus();
  await page.keyboard.press("End");
  await idle(page);
  await expect(readout(page)).toContainText("past the end");
});

test("by the keyboard alone: a target, from range to range, to the chunk", async ({ page }) => {
  await openPage(page, "#url=samples/ocean.v1.json&view=sources");
  await targets(page).focus();
  await page.keyboard.press("End");
  await page.keyboard.press("Enter");
  await idle(page);
  await expect(targets(page).locator('[aria-selected="true"]')).toHaveAttribute("aria-rowindex", "3");
  await strip(page).focus();
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowRight");
  await idle(page);
  await expect(ranges(page).locator('[aria-selected="true"]')).toHaveAttribute("aria-rowindex", "3");
  const key = await ranges(page).locator('[aria-selected="true"]').getByRole("rowheader").innerText();
  await page.keyboard.press("Enter");
  await idle(page);
  await showTab(page, "Values");
  expect(decodeURIComponent(new URL(page.url()).hash)).toContain(`array=${key.slice(0, key.indexOf("/"))}&chunk=`);
});

test("a prefix is replaced: seen before, applied, taken back", async ({ page }) => {
  await openPage(page, "#url=samples/ocean-broken.json&view=sources");
  await tab(page, "Replace a prefix").click();
  const apply = page.getByRole("button", { name: "Apply" });
  await expect(apply).toBeDisabled();
  await page.getByRole("textbox", { name: "Replace" }).fill("ocean-z");
  await page.getByRole("textbox", { name: "with" }).fill("ocean-a");
  await page.getByRole("button", { name: "Preview" }).click();
  await idle(page);
  const preview = page.getByRole("region", { name: "Preview" });
  await expect(preview).toContainText("1 of 3 sources and 1 reference would change.");
  await expect(preview).toContainText("two files would become one");
  await expect(page.getByRole("heading", { name: "3 sources" })).toBeVisible();
  await apply.click();
  await idle(page);
  await expect(page.getByRole("heading", { name: "2 sources" })).toBeVisible();
  await expect(page.getByText("Applied: Replace the prefix ocean-z with ocean-a.")).toBeVisible();
  await page.getByRole("button", { name: "Undo" }).click();
  await idle(page);
  await expect(page.getByRole("heading", { name: "3 sources" })).toBeVisible();
});

test("prefixes are a tree: opened by pointer and keys, it filters the list", { tag: "@deep" }, async ({ page }) => {
  const zarray = '{"zarr_format":2,"shape":[6],"chunks":[1],"dtype":"|u1","compressor":null,"filters":null,"order":"C","fill_value":null}'; // prettier-ignore
  const urls = ["s3://ocean-data/2025/a.nc", "s3://ocean-data/2025/b.nc", "s3://ocean-data/2026/05/a.nc", "s3://ocean-data/2026/06/a.nc", "https://data.example/x.nc"]; // prettier-ignore
  const refs = Object.fromEntries(urls.map((url, at) => [`v/${at}`, [url, 0, 10]]));
  const server = await startRangeServer({
    files: { "/refs.json": JSON.stringify({ version: 1, refs: { "v/.zarray": zarray, ...refs } }) },
  });
  await openPage(page, `#url=${encodeURIComponent(server.url("/refs.json"))}&view=sources`);
  const tree = page.getByRole("tree", { name: "Prefixes" });
  const item = (name: string) => tree.getByRole("treeitem", { name });
  await item("s3://ocean-data/, 4 sources").click();
  await idle(page);
  await expect(targets(page)).toHaveAttribute("aria-rowcount", "5");
  await page.keyboard.press("ArrowRight");
  await idle(page);
  await page.keyboard.press("ArrowRight");
  await expect(item("2025/, 2 sources")).toBeFocused();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await idle(page);
  await expect(item("2026/, 2 sources")).toHaveAttribute("aria-selected", "true");
  await expect(targets(page)).toHaveAttribute("aria-rowcount", "3");
  await page.getByRole("searchbox", { name: "Filter sources" }).fill("06");
  await idle(page);
  await expect(targets(page)).toHaveAttribute("aria-rowcount", "2");
  await page.getByRole("searchbox", { name: "Filter sources" }).fill("nothing");
  await page.getByRole("button", { name: "Show all sources" }).click();
  await idle(page);
  await expect(targets(page)).toHaveAttribute("aria-rowcount", "6");
  await server.stop();
});

test("arrays have neither the red of what failed nor the green of what is right; how Python gets at them is said", async ({
  page,
}) => {
  await openPage(page, "#url=samples/ocean.v1.json&view=sources");
  const named = page.getByRole("list", { name: "Legend" }).getByRole("listitem");
  const arrays = named.filter({ hasText: /^(sst|u|ice|sparse|lat|lon)$/ });
  await expect(arrays).toHaveCount(6);
  for (const array of await arrays.all()) {
    const hue = await array.locator("> :first-child").evaluate((swatch) => {
      const [r = 0, g = 0, b = 0] = getComputedStyle(swatch)
        .backgroundColor.match(/[\d.]+/g)!
        .map(Number);
      const [most, least] = [Math.max(r, g, b), Math.min(r, g, b)];
      const [from, difference] = most === r ? [0, g - b] : most === g ? [120, b - r] : [240, r - g];
      return (from + (60 * difference) / (most - least) + 360) % 360;
    });
    const isRed = hue < 20 || hue > 340;
    const isGreen = hue > 90 && hue < 165;
    expect({ array: await array.innerText(), hue, isRed, isGreen }).toMatchObject({ isRed: false, isGreen: false });
  }
  await tab(page, "In Python").click();
  await idle(page);
  const python = page.getByLabel("Python that reads the sources");
  await expect(python).toContainText('engine="kerchunk"');
  await expect(page.getByRole("button", { name: "Copy Python" })).toBeVisible();
});

test("of references by page it is said what is not here yet; where nothing can be edited, a way round is offered", async ({
  page,
}) => {
  const server = await startRangeServer({ root: PARQUET });
  await openPage(page, `#url=${encodeURIComponent(server.url("/"))}&view=sources`);
  await expect(page.getByText("No source file known yet")).toBeVisible();
  await page.getByRole("button", { name: "Read the rest" }).click();
  await idle(page);
  await expect(page.getByRole("heading", { name: "4 sources" })).toBeVisible();
  await expect(page.getByRole("tree", { name: "Prefixes" })).toHaveCount(0);
  await tab(page, "Replace a prefix").click();
  await page.getByRole("region", { name: "Source" }).getByRole("button", { name: "Locations…" }).click();
  await expect(page.getByRole("dialog", { name: "Locations of source files" })).toBeVisible();
  await server.stop();
});
