/** Somebody clicks the sample and reads a chunk: what is shown is what Python reads. */
import { expect } from "@playwright/test";
import {
  chunk,
  goToChunk,
  idle,
  manifest,
  openSample,
  selectArray,
  showView,
  storedStatistic,
  tree,
  truthOf,
  showProblems,
} from "./support/app.ts";
import { test } from "./support/shared-page.ts";

test.describe.configure({ mode: "default" });

test("open the sample and read chunks whose statistics equal the truth file", async ({ page }) => {
  await openSample(page);
  for (const name of ["ice", "lat", "lon", "mask", "sparse", "sst", "time", "u"]) {
    await expect(tree(page).getByRole("treeitem", { name, exact: true })).toBeVisible();
  }
  for (const [array, name] of [
    ["ice", "0.0.0"],
    ["sst", "2.0.1"],
    ["u", "1.2.2"],
    ["mask", "0.1"],
    ["sparse", "1.1"],
  ] as const) {
    await selectArray(page, array);
    await goToChunk(page, `${array}/${name}`);
    const truth = truthOf(array, name);
    await expect(chunk(page).getByText(`${array} / ${name}`).first()).toBeVisible();
    expect(Number((await storedStatistic(page, "Count")).replaceAll(",", ""))).toBe(truth.count);
    expect(Number((await storedStatistic(page, "Missing")).replaceAll(",", ""))).toBe(truth.count! - truth.finite!);
    expect(Number(await storedStatistic(page, "Minimum"))).toBe(truth.min);
    expect(Number(await storedStatistic(page, "Maximum"))).toBe(truth.max);
    expect(Math.abs(Number(await storedStatistic(page, "Mean")) - truth.mean!)).toBeLessThan(
      1e-9 * Math.max(1, Math.abs(truth.mean!)),
    );
  }
});

test("a missing chunk is said to be missing, and has no values of its own", async ({ page }) => {
  await openSample(page);
  await selectArray(page, "sparse");
  await showView(page, "Chunks");
  await expect(manifest(page)).toHaveAttribute("aria-rowcount", "26"); // 25 chunks and the header
  await manifest(page)
    .getByRole("row", { name: /sparse\/0\.1\b/ })
    .click();
  await idle(page);
  await expect(chunk(page).getByText(/No reference/)).toBeVisible();
  await expect(chunk(page).getByRole("img")).toHaveCount(0);
});

test("the sample has no errors among its problems", async ({ page }) => {
  await openSample(page);
  await expect((await showProblems(page)).locator('[data-severity="error"]')).toHaveCount(0);
  await expect((await showProblems(page)).locator('[data-code="chunks-missing"]')).toHaveCount(1);
});
