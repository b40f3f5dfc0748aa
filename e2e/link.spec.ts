/** A link to a chunk lands in somebody's inbox: opening it is being there. */
import { expect, test } from "@playwright/test";
import { chunk, idle, manifest, openPage, showView, tree } from "./support/app.ts";

test("open by link and be where the link says", async ({ page, baseURL }) => {
  const url = new URL("samples/ocean.v1.json", baseURL).href;
  await openPage(page, `#url=${encodeURIComponent(url)}&array=sst&chunk=2.0.1&view=manifest`);
  await expect(tree(page).getByRole("treeitem", { name: "sst", exact: true })).toHaveAttribute("aria-selected", "true");
  await expect(page.getByRole("tab", { name: "Manifest" })).toHaveAttribute("aria-selected", "true");
  await expect(manifest(page).getByRole("row", { name: /sst\/2\.0\.1\b/ })).toHaveAttribute("aria-selected", "true");
  await expect(chunk(page).getByText("sst / 2.0.1").first()).toBeVisible();
  await expect(chunk(page).locator("dt", { hasText: /^Mean$/ })).toBeVisible();
});

test("the address follows the selection, and going there again gives the same", async ({ page, baseURL }) => {
  const url = new URL("samples/ocean.v1.json", baseURL).href;
  await openPage(page, `#url=${encodeURIComponent(url)}&array=ice&view=grid`);
  await showView(page, "Manifest");
  await manifest(page)
    .getByRole("row", { name: /ice\/1\.0\.1\b/ })
    .click();
  await idle(page);
  const address = new URL(page.url()).hash;
  expect(address).toContain("array=ice");
  expect(address).toContain("chunk=1.0.1");
  expect(address).toContain("view=manifest");
  await page.goto("about:blank");
  await openPage(page, address);
  await expect(chunk(page).getByText("ice / 1.0.1").first()).toBeVisible();
});
