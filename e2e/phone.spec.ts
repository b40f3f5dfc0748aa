/** A small screen: the tree is a sheet, nothing overflows, and what the frame offers is large enough for a finger. */
import { expect, test } from "@playwright/test";
import { idle, openPage, tree } from "./support/app.ts";

test.use({ hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } });

test("the tree is a sheet that closes with what is chosen", async ({ page }) => {
  await openPage(page, "#url=samples/ocean-broken.json&view=chunks");
  await expect(tree(page)).toHaveCount(0);
  await page.getByRole("button", { name: "Arrays" }).click();
  const item = tree(page).getByRole("treeitem", { name: "sst", exact: true });
  expect((await item.boundingBox())?.height).toBeGreaterThanOrEqual(44);
  await item.click();
  await idle(page);
  await expect(tree(page)).toHaveCount(0);
  await expect(page).toHaveURL(/array=sst/);
  await page.keyboard.press("/");
  await expect(page.getByRole("searchbox", { name: "Filter arrays" })).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(tree(page)).toHaveCount(0);
});

test("nothing overflows, and the frame is for fingers", async ({ page }) => {
  for (const hash of ["", "#url=samples/ocean-broken.json&array=sst&view=chunks"]) {
    await openPage(page, hash);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
  }
  const frame = page
    .getByRole("banner")
    .locator(":scope > button:visible")
    .or(page.getByRole("tablist", { name: "Views" }).getByRole("tab"));
  const heights = await frame.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().height));
  expect(heights.length).toBeGreaterThan(5);
  expect(Math.min(...heights)).toBeGreaterThanOrEqual(44);
});
