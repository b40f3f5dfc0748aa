/** Without a mouse: from the start page to the values of a chunk. */
import { expect, test, type Page } from "@playwright/test";
import { chunk, idle, manifest, openPage, storedStatistic, tree, truthOf } from "./support/app.ts";

/** Presses Tab until the wanted element has focus. */
async function tabTo(page: Page, reached: () => Promise<boolean>, most = 60): Promise<void> {
  for (let pressed = 0; pressed < most; pressed += 1) {
    if (await reached()) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`not reached with ${most} Tabs`);
}

const focused = (page: Page) => page.locator(":focus");

test("keyboard only, from start page to chunk values", async ({ page }) => {
  await openPage(page);
  const sample = page.getByRole("button", { name: "Ocean sample", exact: true });
  await tabTo(page, async () => sample.evaluate((element) => element === document.activeElement));
  await page.keyboard.press("Enter");
  await expect(tree(page)).toBeVisible();
  await idle(page);

  await tabTo(
    page,
    async () =>
      (await focused(page).getAttribute("role")) === "treeitem" ||
      (await focused(page).getAttribute("role")) === "tree",
  );
  await page.keyboard.type("ss"); // type-ahead to sst
  await page.keyboard.press("Enter");
  await idle(page);
  await expect(tree(page).getByRole("treeitem", { name: "sst", exact: true })).toHaveAttribute("aria-selected", "true");

  await tabTo(page, async () => (await focused(page).getAttribute("role")) === "tab");
  for (let moves = 0; moves < 6; moves += 1) {
    const tab = page.getByRole("tab", { name: "Chunks" });
    if ((await tab.getAttribute("aria-selected")) === "true") break;
    await page.keyboard.press("ArrowRight");
    if ((await tab.getAttribute("aria-selected")) !== "true" && (await focused(page).innerText()) === "Chunks") {
      await page.keyboard.press("Enter");
    }
  }
  await idle(page);
  await tabTo(page, async () =>
    focused(page).evaluate((element) => element.matches('[role="gridcell"], [role="rowheader"], [role="grid"]')),
  );
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Control+Home");
  await page.keyboard.press("Enter");
  await idle(page);
  await expect(chunk(page).getByText("sst / 0.0.0").first()).toBeVisible();
  expect(Number(await storedStatistic(page, "Maximum"))).toBe(truthOf("sst", "0.0.0").max);
  await expect(manifest(page).getByRole("row", { name: /sst\/0\.0\.0\b/ })).toHaveAttribute("aria-selected", "true");
});

test("what has the focus can be seen, and the palette finds arrays", { tag: "@deep" }, async ({ page }) => {
  await openPage(page, "#url=samples/ocean.v1.json&view=chunks");
  await expect(tree(page)).toBeVisible();
  await page.keyboard.press("Control+k");
  await expect(page.getByRole("dialog", { name: "Commands" })).toBeVisible();
  await page.keyboard.type("ice");
  await page.keyboard.press("Enter");
  await idle(page);
  await expect(tree(page).getByRole("treeitem", { name: "ice", exact: true })).toHaveAttribute("aria-selected", "true");
  await page.keyboard.press("Tab");
  const outline = await focused(page).evaluate((element) => {
    const style = getComputedStyle(element);
    return style.outlineStyle !== "none" || style.boxShadow !== "none";
  });
  expect(outline).toBe(true);
});

test("a slash filters arrays right after opening, and a view's key leads into the view", async ({ page }) => {
  await openPage(page);
  await page.getByRole("button", { name: "Ocean sample", exact: true }).press("Enter");
  await expect(tree(page)).toBeVisible();
  await idle(page);
  await expect(focused(page)).toHaveAttribute("role", "treeitem");
  await page.keyboard.press("/");
  await expect(page.getByRole("searchbox", { name: "Filter arrays" })).toBeFocused();
  await page.keyboard.press("Alt+5");
  await expect(manifest(page)).toBeFocused();
  await tree(page).getByRole("treeitem", { name: "sst", exact: true }).click();
  await idle(page);
  await page.keyboard.press("Alt+4");
  await expect(page.getByRole("application", { name: "Data" })).toBeFocused();
});

test("the focus stays with the chunk when its fix is applied", async ({ page }) => {
  await openPage(page, "#url=samples/ocean-broken.json&array=sst&view=data&chunk=0.0.1");
  const apply = chunk(page).getByRole("button", { name: "Apply", exact: true });
  await apply.press("Enter");
  await expect(page.getByRole("status", { name: "Applied fix" })).toContainText("the chunk decodes");
  await idle(page);
  await expect(chunk(page)).toBeFocused();
});

test("commands are found by what they do, and leave the focus in the page; a digit is a view, f the full screen", async ({
  page,
}) => {
  await openPage(page, "#url=samples/ocean.v1.json&array=sst&view=data");
  const nowhere = () => page.evaluate(() => document.activeElement === document.body);
  const command = page.getByRole("combobox", { name: "Commands" });
  await page.evaluate(() => (document.activeElement as HTMLElement).blur());
  await page.keyboard.press("Control+k");
  await expect(command).toBeFocused();
  await page.keyboard.type("save");
  await expect(page.getByRole("listbox", { name: "Commands" }).getByRole("option")).toHaveText([
    /Export: save the dataset/,
    /Save the slice/,
    /Save the series/,
  ]);
  await page.keyboard.press("Escape");
  expect(await nowhere()).toBe(false);
  await page.keyboard.press("Control+k");
  await page.keyboard.type("theme dark");
  await page.keyboard.press("Enter");
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  expect(await nowhere()).toBe(false);
  await page.keyboard.press("Control+k");
  await page.keyboard.type("save the slice");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog", { name: "Save sst, 2026-01-01" })).toBeVisible();
  await page.keyboard.press("Escape");
  await page.keyboard.press("?");
  await expect(page.getByRole("dialog", { name: "Keys" })).toContainText("2 or Alt+2");
  await page.keyboard.press("Escape");
  const isFull = () => page.evaluate(() => document.fullscreenElement?.tagName);
  await page.keyboard.press("f");
  await expect.poll(isFull).toBe("MAIN");
  await page.keyboard.press("f");
  await expect.poll(isFull).toBeUndefined();
  await page.keyboard.press("2");
  await expect(page).toHaveURL(/view=check/);
  expect(await nowhere()).toBe(false);
});
