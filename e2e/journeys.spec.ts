/** How many actions the ways take that newcomers go: clicks and typed lines are counted, waiting is not. */
import { expect, type Locator, test } from "@playwright/test";
import { chunk, idle, openPage, tree } from "./support/app.ts";

/** Clicks, and counts them. */
function counted() {
  let count = 0;
  return {
    get count() {
      return count;
    },
    async click(target: Locator): Promise<void> {
      count += 1;
      await target.click();
    },
  };
}

test("the first picture takes two actions, from the start page", async ({ page }, info) => {
  const actions = counted();
  await openPage(page);
  const started = Date.now();
  await actions.click(page.getByRole("button", { name: "Ocean sample", exact: true }));
  await actions.click(tree(page).getByRole("treeitem", { name: "sst", exact: true }));
  await expect(page.getByRole("application", { name: "Data" })).toHaveAttribute("data-read", "9");
  info.annotations.push({ type: "first picture", description: `${Date.now() - started} ms` });
  expect(actions.count).toBe(2);
});

test("a link to a chunk that fails is understood without a click", async ({ page }) => {
  await openPage(page, "#url=samples/ocean-broken.json&array=sst&view=data&chunk=0.0.1");
  await idle(page);
  await expect(chunk(page)).toContainText("zlib · expected a zlib header");
  await expect(chunk(page).getByRole("heading", { name: /^sst \/ 0\.0\.1/ })).toBeVisible();
});
