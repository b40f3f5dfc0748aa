/** Half a window, or a notebook's frame: a rail, a sheet, and a picture that has half of the height. Nothing moves with the focus. */
import { expect, type Page, test } from "@playwright/test";
import { chunk, idle, openPage, tree } from "./support/app.ts";
import { violations } from "./support/axe.ts";

test.use({ contextOptions: { reducedMotion: "reduce" } });

const SST = "#url=samples/ocean-broken.json&array=sst&view=data";
const SIZES = [
  { width: 967, height: 800 },
  { width: 967, height: 640 },
  { width: 1024, height: 800 },
] as const;

for (const size of SIZES)
  test(`${size.width} × ${size.height}: half of the height is picture; time, series and range are in sight`, async ({
    page,
  }) => {
    await page.setViewportSize(size);
    await openPage(page, SST);
    const inSight = [
      page.getByRole("button", { name: "Play", exact: true }),
      page.getByRole("slider", { name: "time", exact: true }),
      page.getByRole("img", { name: /^Series/ }),
      page.getByRole("slider", { name: "Lowest colour" }),
      page.getByText("no data"),
    ];
    const inputs = page.getByRole("textbox", { name: "Step along time" });
    const picture = page.getByRole("application", { name: "Data" });
    const half = async () => {
      for (const part of [...inSight, inputs]) await expect(part).toBeInViewport({ ratio: 0.98 });
      expect((await picture.boundingBox())?.height).toBeGreaterThanOrEqual(size.height / 2);
    };
    await half();
    // With a failed chunk nothing lies on anything else.
    await page.getByRole("button", { name: "Why" }).click();
    await idle(page);
    await expect(chunk(page)).toContainText("expected a zlib header");
    if (size.height === 800) await half();
    const free = async (name: string) => {
      const button = page.getByRole("button", { name, exact: true });
      await button.click({ trial: true });
      return (await button.boundingBox())!;
    };
    const play = await free("Play");
    const step = (await inputs.boundingBox())!;
    const isApart = play.x + play.width <= step.x || play.y + play.height <= step.y;
    expect(isApart, "Play lies beside the step, or above it").toBe(true);
    expect(await violations(page, { rules: "all", part: undefined })).toEqual([]);
  });

test("a rail leads to the views and the arrays; after Alt+2 the first click in Check counts", async ({ page }) => {
  await page.setViewportSize({ width: 967, height: 800 });
  await openPage(page, SST);
  await expect(tree(page)).toHaveCount(0);
  await page.getByRole("button", { name: "Arrays" }).click();
  await tree(page).getByRole("treeitem", { name: "ice", exact: true }).click();
  await idle(page);
  await expect(tree(page)).toHaveCount(0);
  await expect(page).toHaveURL(/array=ice/);
  await page.keyboard.press("/");
  await expect(page.getByRole("searchbox", { name: "Filter arrays" })).toBeFocused();
  await page.keyboard.press("Escape");
  await page.keyboard.press("Alt+2");
  await idle(page);
  await page.getByRole("button", { name: "Report" }).click();
  await expect(page.getByRole("dialog").or(page.getByRole("menu")).or(page.locator(":popover-open"))).toBeVisible();
  await page.keyboard.press("Escape");
});

/** Moves the focus through the page and back: how far that moves what stands there. */
async function shiftOnTab(page: Page, presses: number): Promise<number> {
  await page.evaluate(() => {
    const shifts: number[] = [];
    Object.assign(globalThis, { shifts });
    new PerformanceObserver((list) => {
      // The status bar counts what is read meanwhile.
      const isMoved = ({ node }: { node: Node | null }) => node?.parentElement?.closest("footer") === null;
      for (const { value, sources } of list.getEntries() as unknown as { value: number; sources: { node: Node }[] }[])
        if (sources.some(isMoved)) shifts.push(value);
    }).observe({ type: "layout-shift" });
  });
  for (const key of ["Tab", "Shift+Tab"])
    for (let at = 0; at < presses; at += 1) {
      await page.keyboard.press(key);
      // A shift is noted with the frame in which it is drawn.
      if (at % 4 === 3) await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(drawn)));
    }
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
  return page.evaluate(() => (globalThis as unknown as { shifts: number[] }).shifts.reduce((a, b) => a + b, 0));
}

test("nothing moves with the focus, in any view", async ({ page }) => {
  for (const view of ["overview", "check", "data&chunk=0.0.1", "chunks", "metadata", "sources", "compare"]) {
    await openPage(page, SST.replace("data", view));
    await idle(page);
    expect(await shiftOnTab(page, 48), view).toBe(0);
  }
});
