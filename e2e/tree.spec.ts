/** The tree: what there is of the set, arrays told apart by their dimensions, and how their chunks are. */
import { expect } from "@playwright/test";
import { idle, openPage, problems, tree } from "./support/app.ts";
import { startRangeServer } from "./support/range-server.ts";
import { test } from "./support/shared-page.ts";
import { smallStore } from "./support/small-sets.ts";
import { putStore } from "./support/stores.ts";

test.describe.configure({ mode: "default" });

const BROKEN = "#url=samples/ocean-broken.json&view=chunks";

test("filter arrays by a slash, go into the tree, and clear the filter", async ({ page }) => {
  await openPage(page, BROKEN);
  const items = tree(page).getByRole("treeitem");
  await expect(items).toHaveCount(9);
  for (const [at, name] of ["/", "ice", "sst", "u", "lat", "lon", "time", "mask", "sparse"].entries()) {
    await expect(items.nth(at)).toHaveAccessibleName(name);
  }
  await page.keyboard.press("/");
  const field = page.getByRole("searchbox", { name: "Filter arrays" });
  await expect(field).toBeFocused();
  await page.keyboard.type("S");
  await expect(items).toHaveCount(4); // with the group above them
  await expect(page.getByText("3 matches")).toBeVisible();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("End");
  await page.keyboard.press("Enter");
  await idle(page);
  await expect(tree(page).getByRole("treeitem", { name: "sparse", exact: true })).toHaveAttribute(
    "aria-selected",
    "true",
  );
  await field.press("Escape");
  await expect(items).toHaveCount(9);
  // Enter opens what matches: of several the one of that name, else the first.
  await field.fill("u");
  await field.press("Enter");
  await idle(page);
  await expect(tree(page).getByRole("treeitem", { name: "u", exact: true })).toHaveAttribute("aria-selected", "true");
  await field.fill("");
});

test("arrays say what of their chunks is missing, was read, or failed", async ({ page }) => {
  await openPage(page, `${BROKEN}&array=sst&chunk=0.0.1`);
  const item = (name: string) => tree(page).getByRole("treeitem", { name, exact: true });
  await expect(item("sst")).toHaveAttribute("title", /1 chunk failed of 1 read/);
  await expect(item("sparse")).toContainText("5 / 25");
  await expect(item("u")).toHaveAttribute("title", /No chunk was read yet/);
});

test("the set's own views stand above its arrays", async ({ page }) => {
  await openPage(page, `${BROKEN}&array=sst&chunk=0.0.1`);
  const ofSet = page.getByRole("list", { name: "Of the set" });
  await expect(ofSet.getByRole("button", { name: "Check" })).toContainText("problems");
  await ofSet.getByRole("button", { name: "Check" }).click();
  await expect(ofSet.getByRole("button", { name: "Check" })).toHaveAttribute("aria-current", "page");
  await expect(problems(page).locator("[data-code=ranges-overlap]")).toContainText(/sst[ /]0\.0\.1/);
  await ofSet.getByRole("button", { name: "Overview" }).click();
  await idle(page);
  await expect(page.getByRole("tab", { name: "Overview" })).toHaveAttribute("aria-selected", "true");
  await expect(ofSet.getByRole("button", { name: "Overview" })).toHaveAttribute("aria-current", "page");
});

test("a link to an array that is not there says so, and keeps saying it until one is selected", async ({ page }) => {
  await openPage(page, "#url=samples/ocean-broken.json&array=nope");
  const notice = page.getByRole("alert").filter({ hasText: "nope" });
  await expect(notice).toContainText("no group or array at that path");
  expect(new URL(page.url()).hash).toContain("array=nope");
  await page.getByRole("list", { name: "Of the set" }).getByRole("button", { name: "Check" }).click();
  await expect(notice).toBeVisible();
  await tree(page).getByRole("treeitem", { name: "sst", exact: true }).click();
  await idle(page);
  await expect(notice).toHaveCount(0);
  expect(new URL(page.url()).hash).toContain("array=sst");
});

test("pictures stay when the document is edited, and nothing is marked that nobody went to", async ({ page }) => {
  await openPage(page, "#url=samples/ocean-broken.json");
  const item = (name: string) => tree(page).getByRole("treeitem", { name, exact: true });
  await expect(item("/")).toBeFocused();
  await expect(item("/")).toHaveCSS("outline-style", "none");
  await page.keyboard.press("ArrowDown");
  await expect(item("ice")).not.toHaveCSS("outline-style", "none");
  await expect(item("u").locator("canvas")).toHaveCount(1);
  await page.getByRole("list", { name: "Of the set" }).getByRole("button", { name: "Check" }).click();
  await idle(page);
  await page.getByRole("button", { name: "Read 7 bytes earlier" }).click();
  await idle(page);
  await expect(page.getByRole("banner")).toContainText("edited");
  await expect(item("u").locator("canvas")).toHaveCount(1);
});

test("what a store that cannot be listed asks for stays inside the tree's column", async ({ page }) => {
  const server = await startRangeServer();
  putStore(server, "/store.zarr", smallStore(2, false));
  await openPage(page, `#url=${encodeURIComponent(server.url("/store.zarr"))}`);
  const column = page.getByRole("navigation", { name: "Hierarchy of groups and arrays" });
  await expect(column.getByRole("button", { name: "Look" })).toBeVisible();
  const beyond = await column.evaluate((nav) => {
    const { right } = nav.getBoundingClientRect();
    return [...nav.querySelectorAll("*")].filter((one) => one.getBoundingClientRect().right > right + 0.5).length;
  });
  expect(beyond).toBe(0);
  await server.stop();
});
