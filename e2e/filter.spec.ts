/** Which chunks come from this file? The manifest, filtered to one target. */
import { expect, test } from "@playwright/test";
import { idle, manifest, openSample, selectArray, showView } from "./support/app.ts";

test("filter the manifest to one target", async ({ page }) => {
  await openSample(page);
  await selectArray(page, "sst");
  await showView(page, "Chunks");
  await expect(manifest(page)).toHaveAttribute("aria-rowcount", "55");
  await page.getByRole("button", { name: /^target all/ }).click();
  await page
    .getByRole("option", { name: /ocean-b\.nc/ })
    .or(page.getByRole("checkbox", { name: /ocean-b\.nc/ }))
    .click();
  await idle(page);
  await expect(manifest(page)).toHaveAttribute("aria-rowcount", "28"); // 27 chunks and the header
  await page.keyboard.press("Escape");
  await expect(manifest(page).getByRole("row").nth(1)).toContainText("ocean-b.nc");
  await expect(manifest(page).getByText("ocean-a.nc")).toHaveCount(0);
  await page.getByRole("button", { name: "Clear filters" }).click();
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
