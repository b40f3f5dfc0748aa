/** The Chunk region: a header that stays, and below it the tab where there is something to see. */
import { expect, type Page } from "@playwright/test";
import { chunk, expectRequest, goToChunk, idle, openPage, showTab, statistic } from "./support/app.ts";
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
  expect(await statistic(page, "Count")).toBe("8,320");
});
