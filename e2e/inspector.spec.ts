/** The Chunk region: a header that stays, and below it the tab where there is something to see. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, type Page } from "@playwright/test";
import { chunk, expectRequest, goToChunk, idle, openPage, SAMPLES, showTab, statistic } from "./support/app.ts";
import { test } from "./support/shared-page.ts";

test.describe.configure({ mode: "default" });

const BROKEN = "#url=samples/ocean-broken.json&array=sst";
const tab = (page: Page, name: string) => chunk(page).getByRole("tab", { name, exact: true });
const expectTab = (page: Page, name: string) => expect(tab(page, name)).toHaveAttribute("aria-selected", "true");
const hash = (page: Page) => new URL(page.url()).hash;

test("a chunk opens where there is something to see", async ({ page }) => {
  await openPage(page, `${BROKEN}&chunk=0.0.0&view=chunks`);
  await expectTab(page, "Values");
  await expect(chunk(page)).toContainText("206 · 12.5 kB → 20.5 kB · zlib, shuffle");
  await goToChunk(page, "0.0.1");
  await expectTab(page, "Decode");
  await expect(chunk(page)).toContainText("zlib · expected a zlib header");
  await expect(chunk(page).getByRole("alert")).toBeVisible();
  await goToChunk(page, "1.0.0");
  await expectTab(page, "Request");
  await expect(chunk(page)).toContainText("404 · The server returned an error");
  await goToChunk(page, "0.0.2");
  await expectTab(page, "Values");
  expect(hash(page)).not.toContain("tab=");
});

test("a tab chosen by hand stays from chunk to chunk, and is in the address", async ({ page }) => {
  await openPage(page, `${BROKEN}&chunk=0.0.0&view=chunks`);
  await showTab(page, "Hex");
  expect(hash(page)).toContain("tab=hex");
  await chunk(page).getByRole("button", { name: "Next chunk along lon" }).click();
  await idle(page);
  await expectTab(page, "Hex");
  await expect(chunk(page)).toContainText("zlib · expected a zlib header"); // the header says it on every tab
  const address = hash(page);
  await page.goto("about:blank");
  await openPage(page, address);
  await expectTab(page, "Hex");
  await showTab(page, "Values");
  await expect(chunk(page)).toContainText("No values.");
  await chunk(page).getByRole("button", { name: "Show why" }).click();
  await expectTab(page, "Decode");
});

test("the place is said in coordinates, the indices beside it", async ({ page }) => {
  await openPage(page, `${BROKEN}&chunk=0.0.0&view=chunks`);
  await expect(chunk(page)).toContainText("2026-01-01 – 01-04");
  await expect(chunk(page)).toContainText("89°S – 11°S");
  await expect(chunk(page)).toContainText("time 0–3 · lat 0–39 · lon 0–63");
  // Alone, or with others that are wanted at the same time.
  await expectRequest(page, /(12,459 of 12,459|19,027 of 19,027) bytes/);
});

test("the place is whole, however long the names and dates are", async ({ page }) => {
  const text = readFileSync(join(SAMPLES, "ocean-a.v0.json"), "utf8")
    .replaceAll(/(?<=["/\\])(lat|lon)(?=["/\\])/g, (name) => (name === "lat" ? "latitude" : "longitude"))
    .replaceAll("days since", "minutes since");
  await page.route("**/samples/ocean-a.v0.json", (route) => route.fulfill({ body: text }));
  await openPage(page, "#url=samples/ocean-a.v0.json&array=sst&chunk=2.0.1&view=chunks");
  const places = chunk(page).locator("header dd:nth-child(2)");
  await expect(places).toHaveText([/^2026-01-01 00:08 – 00:11 /, /^89°S – 11°S /, /^51°W – 75°E /]);
  for (const place of await places.all()) {
    const beyond = await place.evaluate((element) => element.scrollWidth - element.clientWidth);
    expect(beyond).toBeLessThanOrEqual(0);
  }
  await page.unroute("**/samples/ocean-a.v0.json");
});

test("keyboard: arrows go from tab to tab, Alt with arrows from chunk to chunk", async ({ page }) => {
  await openPage(page, `${BROKEN}&chunk=0.0.2&view=chunks`);
  await tab(page, "Values").focus();
  await page.keyboard.press("ArrowRight");
  await expectTab(page, "Request");
  await expect(tab(page, "Request")).toBeFocused();
  await page.keyboard.press("Alt+ArrowDown");
  await idle(page);
  await expectTab(page, "Request");
  await expect(chunk(page).getByRole("heading", { name: "sst / 0.1.2" })).toBeVisible();
  await page.keyboard.press("Alt+t");
  await expectTab(page, "Decode");
  await expect(chunk(page).getByRole("group", { name: "Trial" })).toBeFocused();
  await expect.poll(() => statistic(page, "Count")).toBe("8,320");
});

test("the value, its place and its chunk follow Play, a typed step and the series, here and in the address", async ({
  page,
}) => {
  await openPage(page, `${BROKEN}&chunk=0.1.1&point=2,58,70&view=data`);
  const value = chunk(page).getByRole("tabpanel").first();
  const step = page.getByRole("textbox", { name: "Step along time" });
  // In the picture's words, and what is stored behind it.
  await expect(value).toContainText(/^2[\d.]+ °C.*2026-01-03 · 27°N · 39°W/);
  await expect(value).toContainText(/stored \d+ × 0\.002 \+ 10/);
  await expect(page.getByRole("radio", { name: "CF" })).toHaveCount(1);
  await step.fill("12");
  await step.press("Enter");
  await expect(chunk(page).getByRole("heading", { name: "sst / 3.1.1" })).toBeVisible();
  await expect(value).toContainText("2026-01-13 · 27°N · 39°W");
  await expect.poll(() => hash(page)).toMatch(/chunk=3\.1\.1&view=data&slice=12,:,:&point=12,58,70/);
  // One that failed has the fix that Check knows beside its reason, and Why leads there though it is shown already.
  await step.fill("4");
  await step.press("Enter");
  await chunk(page).getByRole("button", { name: "Previous chunk along lat" }).click();
  await chunk(page).getByRole("button", { name: "Previous chunk along lon" }).click();
  await idle(page);
  await expect(chunk(page).getByRole("heading", { name: "sst / 1.0.0" })).toBeVisible();
  await expect(chunk(page).getByRole("button", { name: "Point to ocean-a.nc" })).toHaveAttribute(
    "data-kind",
    "primary",
  );
  await page.getByRole("main").getByRole("button", { name: "Why" }).first().click();
  await expect(chunk(page).getByRole("alert")).toBeFocused();
  await chunk(page).getByRole("button", { name: "Point to ocean-a.nc" }).click();
  await expect(chunk(page).getByRole("status", { name: "Applied fix" })).toContainText("Read again: the chunk decodes");
  await idle(page);
  await expect(value).toContainText("2026-01-05");
});

test("the table has degrees as heads, north up as the picture, and its arrow keys move the point", async ({ page }) => {
  await openPage(page, `${BROKEN}&chunk=0.0.0&point=2,29,29&view=data`);
  const table = chunk(page).getByRole("grid", { name: "Values" });
  const heads = await table.getByRole("rowheader").allInnerTexts();
  expect(heads.indexOf("29°S")).toBe(heads.indexOf("31°S") - 1);
  await expect(table.getByRole("columnheader", { name: "121°W" })).toBeVisible();
  const marked = table.locator('[data-cursor="true"]');
  await expect(marked).toHaveText("17.05");
  await expect(marked).toHaveAttribute("style", /background-color/);
  await table.press("ArrowUp");
  await expect.poll(() => hash(page)).toContain("point=2,30,29");
  await expect(chunk(page).getByRole("tabpanel").first()).toContainText("2026-01-03 · 29°S · 121°W");
  // Chosen in one place, raw values are shown in both.
  await page.getByRole("radio", { name: "Raw" }).click();
  await expect(chunk(page).locator("dd").filter({ hasText: "−32768" })).toBeVisible();
  await page.getByRole("tablist", { name: "Views" }).getByRole("tab", { name: "Chunks" }).click();
  await expect(chunk(page).getByRole("radio", { name: "Raw" })).toBeChecked();
});
