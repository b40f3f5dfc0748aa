/** The start page: sets that were opened by address are kept in this browser, and forgotten when asked to. */
import { expect, test } from "@playwright/test";
import { idle, openPage, openSample, tree } from "./support/app.ts";

test("a set opened by address is among the recent ones, opens again, and is forgotten", async ({ page }) => {
  const recent = page.getByRole("region", { name: "Recent datasets" });
  await openPage(page);
  await expect(recent).toHaveCount(0);
  await openSample(page);
  await page.goto("about:blank");
  await openSample(page, "One file only");
  await page.goto("about:blank");
  await openPage(page);
  await expect(recent.getByRole("listitem")).toHaveCount(2);
  await expect(recent.getByRole("listitem").first()).toContainText("ocean-a.v1.json");
  await recent.getByRole("button", { name: "ocean.v1.json", exact: true }).click();
  await expect(tree(page)).toBeVisible();
  await idle(page);
  await page.goto("about:blank");
  await openPage(page);
  await expect(recent.getByRole("listitem").first()).toContainText("ocean.v1.json");
  await recent.getByRole("button", { name: "Forget ocean.v1.json" }).click();
  await expect(recent.getByRole("listitem")).toHaveCount(1);
  await recent.getByRole("button", { name: "Forget all" }).click();
  await expect(recent).toHaveCount(0);
  await page.reload();
  await idle(page);
  await expect(recent).toHaveCount(0);
});

test("pasted text is not kept: a page cannot open it again", async ({ page }) => {
  await openPage(page);
  await page.getByRole("button", { name: "Paste JSON" }).click();
  await page
    .getByRole("textbox", { name: /^The text of a reference set/ })
    .fill('{".zgroup": "{\\"zarr_format\\": 2}"}');
  await page.getByRole("button", { name: "Open pasted JSON" }).click();
  await expect(tree(page)).toBeVisible();
  await page.goto("about:blank");
  await openPage(page);
  await expect(page.getByRole("region", { name: "Recent datasets" })).toHaveCount(0);
});
