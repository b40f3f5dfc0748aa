/** A small screen: the tree is a sheet, nothing overflows, and what the frame offers is large enough for a finger. */
import { expect, test } from "@playwright/test";
import { chunk, idle, manifest, openPage, tree } from "./support/app.ts";
import { pinch } from "./support/touch.ts";

test.use({ hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } });

test("the tree is a sheet that closes with what is chosen", async ({ page }) => {
  await openPage(page, "#url=samples/ocean-broken.json&view=chunks");
  await expect(tree(page)).toHaveCount(0);
  await page.getByRole("button", { name: "Arrays" }).click();
  const item = tree(page).getByRole("treeitem", { name: "sst", exact: true });
  await expect.poll(async () => (await item.boundingBox())?.height).toBeGreaterThanOrEqual(44);
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
    await expect
      .poll(() => page.evaluate(() => document.documentElement.scrollWidth - innerWidth))
      .toBeLessThanOrEqual(0);
  }
  const frame = page
    .getByRole("banner")
    .locator(":scope > button:visible")
    .or(page.getByRole("tablist", { name: "Views" }).getByRole("tab"));
  const heights = await frame.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().height));
  expect(heights.length).toBeGreaterThan(5);
  expect(Math.min(...heights)).toBeGreaterThanOrEqual(44);
});

test("a repository's history fits: a list of commits, and below it the one that is chosen", async ({ page }) => {
  await openPage(page, "#url=samples/ocean.icechunk&view=history");
  const panel = page.getByRole("region", { name: "History", exact: true });
  const commits = panel.getByRole("grid", { name: "Snapshots" });
  await expect(commits.getByRole("row", { name: /append March/ })).toContainText("tag v1.0");
  for (const part of [panel, commits]) {
    expect(await part.evaluate((one) => one.scrollWidth - one.clientWidth)).toBeLessThanOrEqual(0);
  }
  await commits.getByRole("row", { name: /append March/ }).click();
  await expect(panel.getByRole("region", { name: "Commit" })).toContainText("append March");
});

test("the chunk is a sheet at three heights, which opens on the reason where it failed", async ({ page }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await openPage(page, "#url=samples/ocean-broken.json&array=sst&view=chunks");
  await expect(chunk(page)).toHaveCount(0);
  await manifest(page)
    .getByRole("row", { name: /0\.0\.1/ })
    .click();
  await idle(page);
  const tabs = chunk(page).getByRole("tablist", { name: "About the chunk" });
  await expect(tabs.getByRole("tab", { name: "Decode" })).toHaveAttribute("aria-selected", "true");
  await expect(chunk(page).getByRole("alert")).toContainText("Decoding failed.");
  await expect(manifest(page)).toBeVisible();
  const height = async () => (await chunk(page).boundingBox())?.height ?? 0;
  await expect.poll(() => height()).toBeCloseTo(844 / 2, -1);

  await chunk(page).getByRole("button", { name: "Show the chunk on the whole screen" }).click();
  await expect(manifest(page)).toBeHidden();
  await expect(chunk(page).getByRole("button", { name: "Next chunk along lon" })).toBeVisible();
  await chunk(page).getByRole("button", { name: "Show only the chunk's name" }).click();
  await expect(tabs).toBeHidden();
  await expect(chunk(page)).toContainText("expected a zlib header");
  await expect.poll(() => height()).toBeLessThan(844 / 4);

  const handle = chunk(page)
    .getByRole("button", { name: /^Show / })
    .first();
  await handle.focus();
  await page.keyboard.press("ArrowUp");
  await expect(tabs).toBeVisible();
  await page.keyboard.press("ArrowUp");
  await expect(manifest(page)).toBeHidden();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await expect(tabs).toBeHidden();

  const { x, y, width } = (await handle.boundingBox())!;
  await page.mouse.move(x + width / 2, y + 10);
  await page.mouse.down();
  await page.mouse.move(x + width / 2, y - 100);
  await page.mouse.move(x + width / 2, y - 560);
  await page.mouse.up();
  await expect(manifest(page)).toBeHidden();
  await expect(tabs).toBeVisible();
});

test("the picture is what a phone shows: two rows of controls above it, the slider beside Play, two fingers in it", async ({
  page,
}) => {
  await openPage(page, "#url=samples/ocean-broken.json&array=sst&view=data");
  const data = page.getByRole("application", { name: "Data" });
  const box = (await data.boundingBox())!;
  expect(box.y).toBeLessThanOrEqual(0.15 * 844);
  const bar = page.getByRole("main").locator(":scope > div").first().getByRole("tab").or(page.getByRole("radio"));
  const tops = await bar.evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().top)));
  expect(new Set(tops).size).toBe(1);
  const middle = async (role: "button" | "slider", name: string) => {
    const { y, height } = (await page.getByRole(role, { name, exact: true }).boundingBox())!;
    return y + height / 2;
  };
  expect(Math.abs((await middle("button", "Play")) - (await middle("slider", "time")))).toBeLessThan(4);
  // What has no room in the bar is behind the sign beside it.
  await page.getByRole("button", { name: "Display" }).tap();
  await expect(page.getByRole("button", { name: "Save…" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Zoom out" })).toBeDisabled();
  await page.keyboard.press("Escape");
  await pinch(page, data);
  await idle(page);
  await expect(page).toHaveURL(/slice=0,\d+:\d+,\d+:\d+/);
});

test.describe("magnified to 200 % on a desk", () => {
  test.use({ hasTouch: false, isMobile: false, viewport: { width: 720, height: 450 } });

  test("half of the height is picture, with a chunk selected too", async ({ page }) => {
    await openPage(page, "#url=samples/ocean-broken.json&array=sst&view=data&point=0,29,29&chunk=0.0.0");
    await idle(page);
    const { y } = (await page.getByRole("application", { name: "Data" }).boundingBox())!;
    const below = (await chunk(page).boundingBox())!;
    expect(below.y - y).toBeGreaterThanOrEqual(225);
    await expect(chunk(page).getByRole("heading", { name: "sst / 0.0.0" })).toBeVisible();
  });
});
