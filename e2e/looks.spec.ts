/** Light and dark, narrow and wide: nothing overflows, and a picture of each is kept with the results. */
import { expect, test } from "@playwright/test";
import { chunk, openPage, showView, tree } from "./support/app.ts";

const HASH = "#url=samples/ocean.v1.json&array=sst&chunk=2.0.1&view=chunks";

for (const colorScheme of ["light", "dark"] as const) {
  for (const width of [1024, 1440, 1920]) {
    // The narrowest and darkest; all others are told by `npm run test:deep`.
    const tag = colorScheme === "dark" && width === 1024 ? [] : ["@deep"];
    test(`${colorScheme}, ${width} px wide`, { tag }, async ({ page }, info) => {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 900 });
      await openPage(page);
      await info.attach("start", { body: await page.screenshot(), contentType: "image/png" });
      await openPage(page, HASH);
      await expect(tree(page)).toBeVisible();
      await expect(chunk(page).locator("dt", { hasText: /^Mean$/ })).toBeVisible();
      for (const view of ["Data", "Chunks", "Metadata", "Check", "Overview"]) {
        await showView(page, view);
        await info.attach(view, { body: await page.screenshot(), contentType: "image/png" });
        const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
        expect(overflow).toBeLessThanOrEqual(0);
      }
      const dark = await page.evaluate(() => {
        const probe = document.createElement("canvas").getContext("2d")!;
        probe.fillStyle = getComputedStyle(document.body).backgroundColor;
        probe.fillRect(0, 0, 1, 1);
        return probe.getImageData(0, 0, 1, 1).data[0]! < 128;
      });
      expect(dark).toBe(colorScheme === "dark");
    });
  }
}

test.describe("with a finger", () => {
  test.use({ hasTouch: true, isMobile: true, viewport: { width: 412, height: 900 } });

  test("no target is smaller than 24 px", { tag: "@deep" }, async ({ page }) => {
    const small = () =>
      page.evaluate(() =>
        [...document.querySelectorAll("button, select, summary, input, [role=tab], [role=radio]")]
          .map((element) => ({ element, box: element.getBoundingClientRect() }))
          .filter(({ box }) => box.width > 0 && (box.width < 23.9 || box.height < 23.9))
          .map(({ element, box }) => `${element.outerHTML.slice(0, 120)}: ${box.width} × ${box.height}`),
      );
    await openPage(page);
    await expect.poll(() => small()).toEqual([]);
    for (const view of ["overview", "check", "data", "chunks", "metadata", "edit"]) {
      await openPage(page, `#url=samples/ocean.v1.json&array=sst&chunk=2.0.1&view=${view}`);
      await expect.poll(() => small(), { message: view }).toEqual([]);
    }
  });
});
