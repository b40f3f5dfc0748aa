/** The page as its users find it: by role and name, waiting on what the page itself says is under way. */
import { createHash } from "node:crypto";
import { expect, type Locator, type Page } from "@playwright/test";

export { SAMPLES, truthOf } from "./truth.ts";

/** Milliseconds: what a page has to do may take long on a machine that others use too. */
const MAX_WORK = 150_000;

/** Waits until nothing is under way. */
export async function idle(page: Page): Promise<void> {
  await expect(page.locator("html")).toHaveAttribute("data-pending", "0", { timeout: MAX_WORK });
}

/** Opens the page at an address and fails the test on anything the console calls an error. */
export async function openPage(page: Page, hash = ""): Promise<void> {
  page.on("pageerror", (error) => {
    throw error;
  });
  // With a fragment also at the start: where the page is there already, it is not loaded again.
  await page.goto(`/${hash === "" ? "#" : hash}`);
  await idle(page);
}

export const tree = (page: Page): Locator => page.getByRole("tree", { name: "Hierarchy" });
export const manifest = (page: Page): Locator => page.getByRole("grid", { name: "Manifest" });
export const chunk = (page: Page): Locator => page.getByRole("region", { name: "Chunk" });
const setViews = (page: Page): Locator => page.getByRole("list", { name: "Of the set" });
export const problems = (page: Page): Locator => page.getByRole("list", { name: "Problems" });

export async function openSample(page: Page, name = "Ocean sample"): Promise<void> {
  await openPage(page);
  await page.getByRole("button", { name, exact: true }).click();
  await expect(tree(page)).toBeVisible();
  await idle(page);
}

export async function selectArray(page: Page, name: string): Promise<void> {
  await tree(page).getByRole("treeitem", { name, exact: true }).click();
  await idle(page);
}

/** By the manifest's own field: rows further down are drawn when they are scrolled to. */
export async function goToChunk(page: Page, key: string): Promise<void> {
  await showView(page, "Chunks");
  await page.getByRole("textbox", { name: "Key or place" }).fill(key);
  await page.keyboard.press("Enter");
  await idle(page);
}

/** Views of the set stand above the tree, those of an array beside its name. */
export async function showView(page: Page, name: string): Promise<void> {
  if (["Overview", "Check", "Sources", "History", "Compare"].includes(name))
    await setViews(page).getByRole("button", { name }).click();
  else await page.getByRole("tablist", { name: "Views" }).getByRole("tab", { name, exact: true }).click();
  await idle(page);
}

/** What was found wrong so far, in the view that lists it. */
export async function showProblems(page: Page): Promise<Locator> {
  await showView(page, "Check");
  return problems(page);
}

const chunkTabs = (page: Page): Locator => chunk(page).getByRole("tablist", { name: "About the chunk" });

/** Shows a tab of the Chunk region: Values, Request, Decode or Hex. */
export async function showTab(page: Page, name: string): Promise<void> {
  await chunkTabs(page).getByRole("tab", { name, exact: true }).click();
  await idle(page);
}

/** What a tab of the Chunk region says; the tab that was shown is shown again. */
export async function onTab<T>(page: Page, name: string, read: () => Promise<T>): Promise<T> {
  const before = (await chunkTabs(page).getByRole("tab", { selected: true }).innerText()).trim();
  if (before === name) return read();
  await showTab(page, name);
  const found = await read();
  await showTab(page, before);
  return found;
}

/** Exact text of a statistic in the Chunk region. */
export async function statistic(page: Page, term: string): Promise<string> {
  const value = chunk(page)
    .locator("dt", { hasText: new RegExp(`^${term}$`) })
    .locator("xpath=following-sibling::dd[1]");
  return onTab(page, "Values", async () => (await value.getAttribute("title")) ?? "");
}

/** The same of values as they are stored, which are shown from now on. */
export async function storedStatistic(page: Page, term: string): Promise<string> {
  const raw = chunk(page).getByRole("radio", { name: "Raw" });
  return onTab(page, "Values", async () => {
    await expect(chunk(page).getByRole("region", { name: "Statistics" })).toBeVisible();
    if ((await raw.count()) > 0) await raw.click();
    return statistic(page, term);
  });
}

/** The reference as written and all else that led to the bytes, as the Chunk region says it. */
export async function expectRequest(page: Page, text: string | RegExp): Promise<void> {
  await onTab(page, "Request", () => expect(chunk(page)).toContainText(text));
}

export const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

/** Drops real files, as a file manager would: Chromium's own drag events, trusted, with paths on disk. */
export async function dropFiles(page: Page, paths: readonly string[]): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const data = { items: [], files: [...paths], dragOperationsMask: 1 };
  const { width, height } = page.viewportSize() ?? { width: 1440, height: 900 };
  const at = { x: Math.floor(width / 2), y: Math.floor(height / 2), data };
  await session.send("Input.dispatchDragEvent", { type: "dragEnter", ...at });
  await session.send("Input.dispatchDragEvent", { type: "dragOver", ...at });
  await session.send("Input.dispatchDragEvent", { type: "drop", ...at });
  await session.detach();
}

/** As Ctrl+V does where no field has the focus. `file`: the text is that of a file of this name, which was copied. */
export function paste(page: Page, text: string, file?: string): Promise<void> {
  return page.evaluate(
    ([text, file]) => {
      const clipboardData = new DataTransfer();
      if (file === undefined) clipboardData.setData("text/plain", text);
      else clipboardData.items.add(new File([text], file));
      (document.activeElement ?? document.body).dispatchEvent(
        new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }),
      );
    },
    [text, file] as const,
  );
}

export const trialPart = (page: Page): Locator => chunk(page).getByRole("group", { name: "Trial" });
export const comparison = (page: Page): Locator =>
  chunk(page).getByRole("table", { name: "As declared and trial", exact: true });

/** Texts of a row of the comparison: as declared, and the trial's. */
export async function compared(page: Page, term: string): Promise<readonly string[]> {
  const row = comparison(page)
    .getByRole("row")
    .filter({ has: page.getByRole("rowheader", { name: term, exact: true }) });
  return row.getByRole("cell").allInnerTexts();
}
