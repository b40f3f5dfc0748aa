/** A link to a chunk lands in somebody's inbox: opening it is being there. */
import { expect, test } from "@playwright/test";
import {
  chunk,
  goToChunk,
  idle,
  manifest,
  openPage,
  openSample,
  showProblems,
  selectArray,
  showView,
  tree,
} from "./support/app.ts";

test("open by link and be where the link says", async ({ page, baseURL }) => {
  const url = new URL("samples/ocean.v1.json", baseURL).href;
  await openPage(page, `#url=${encodeURIComponent(url)}&array=sst&chunk=2.0.1&view=chunks`);
  await expect(tree(page).getByRole("treeitem", { name: "sst", exact: true })).toHaveAttribute("aria-selected", "true");
  await expect(page.getByRole("tab", { name: "Chunks" })).toHaveAttribute("aria-selected", "true");
  await expect(manifest(page).getByRole("row", { name: /sst\/2\.0\.1\b/ })).toHaveAttribute("aria-selected", "true");
  await expect(chunk(page).getByText("sst / 2.0.1").first()).toBeVisible();
  await expect(chunk(page).locator("dt", { hasText: /^Mean$/ })).toBeVisible();
});

test("the address follows the selection, and going there again gives the same", async ({ page, baseURL }) => {
  const url = new URL("samples/ocean.v1.json", baseURL).href;
  await openPage(page, `#url=${encodeURIComponent(url)}&array=ice&view=chunks`);
  await showView(page, "Chunks");
  await manifest(page)
    .getByRole("row", { name: /ice\/1\.0\.1\b/ })
    .click();
  await idle(page);
  const address = new URL(page.url()).hash;
  expect(address).toContain("array=ice");
  expect(address).toContain("chunk=1.0.1");
  expect(address).toContain("view=chunks");
  await page.goto("about:blank");
  await openPage(page, address);
  await expect(chunk(page).getByText("ice / 1.0.1").first()).toBeVisible();
});

test("Back and Forward go through what was opened, selected and shown", async ({ page }) => {
  await openSample(page);
  await selectArray(page, "sst");
  await showView(page, "Chunks");
  for (const key of ["sst/0.0.0", "sst/0.0.1", "sst/0.1.0"]) await goToChunk(page, key);
  await expect(chunk(page).getByText("sst / 0.1.0").first()).toBeVisible();
  const selected = tree(page).getByRole("treeitem", { name: "sst", exact: true });
  const view = (name: string) => page.getByRole("tab", { name, exact: true });

  await page.goBack();
  await expect(view("Data")).toHaveAttribute("aria-selected", "true");
  await expect(selected).toHaveAttribute("aria-selected", "true");
  await page.goBack();
  await expect(selected).toHaveAttribute("aria-selected", "false");
  await page.goBack();
  await expect(page.getByRole("region", { name: "Open a dataset" })).toBeVisible();
  await expect(tree(page)).toBeHidden();
  expect(new URL(page.url()).hash).toBe("");

  await page.goForward();
  await expect(tree(page)).toBeVisible();
  await idle(page);
  await page.goForward();
  await expect(selected).toHaveAttribute("aria-selected", "true");
  await page.goForward();
  await expect(view("Chunks")).toHaveAttribute("aria-selected", "true");
  await expect(chunk(page).getByText("sst / 0.1.0").first()).toBeVisible();
});

test("clearing the address by hand leads to the start page", async ({ page }) => {
  await openSample(page);
  await page.evaluate(() => {
    location.hash = "";
  });
  await expect(page.getByRole("region", { name: "Open a dataset" })).toBeVisible();
  await page.goBack();
  await expect(tree(page)).toBeVisible();
});

test("a problem about a key that is not a chunk leads to its row", { tag: "@deep" }, async ({ page }) => {
  await openPage(page, "#url=samples/ocean-broken.json");
  const problem = (await showProblems(page)).locator("[data-code=key-outside-grid]").getByRole("button").first();
  await problem.click();
  await expect(page.getByRole("tab", { name: "Chunks" })).toHaveAttribute("aria-selected", "true");
  await expect(page.getByRole("status").filter({ hasText: "is not a chunk" })).toBeVisible();
  await expect(manifest(page).getByRole("row", { name: /sst\/6\.0\.0/ })).toHaveAttribute("aria-selected", "true");
});
