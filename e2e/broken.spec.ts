/** A user's dataset reads NaN: each fault of the broken sample is found, at its stage, by name. */
import { expect, test } from "@playwright/test";
import { chunk, goToChunk, idle, manifest, openSample, showProblems, selectArray, showView } from "./support/app.ts";

const FAULTS = [
  { array: "sst", name: "0.0.1", why: "a shifted offset", code: "ranges-overlap" },
  { array: "sst", name: "1.0.0", why: "a target that does not exist", code: "target-gone" },
  { array: "sst", name: "5.2.2", why: "a range past the end of the file", code: "range-past-end" },
  { array: "sst", name: "2.0.1", why: "a truncated length", code: "range-length-wrong" },
  { array: "ice", name: "0.0.0", why: "declared zlib and is not", code: "range-of-other-array" },
];

test("find why chunks of the broken sample fail", { tag: "@deep" }, async ({ page }) => {
  await openSample(page, "Ocean sample, broken on purpose");
  for (const { array, name, why, code } of FAULTS) {
    await test.step(why, async () => {
      await selectArray(page, array);
      await goToChunk(page, `${array}/${name}`);
      await expect(chunk(page).getByRole("alert")).toBeVisible();
      await expect(chunk(page).locator("dt", { hasText: /^Minimum$/ })).toHaveCount(0); // never shown as values
      const found = await showProblems(page);
      await expect(found.locator(`[data-code="${code}"]`, { hasText: new RegExp(`${array}[ /]${name}`) })).toHaveCount(
        1,
      );
    });
  }
});

test("a key outside the grid is a problem that leads to its row", async ({ page }) => {
  await openSample(page, "Ocean sample, broken on purpose");
  const outside = (await showProblems(page)).locator('[data-code="key-outside-grid"]');
  await expect(outside).toContainText("sst/6.0.0");
  await outside.getByRole("button").first().click();
  await idle(page);
  await showView(page, "Chunks");
  await expect(manifest(page)).toHaveAttribute("aria-rowcount", "56"); // 54 chunks, the stray, the header
});
