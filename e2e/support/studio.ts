/** The studio as its users find it: the editor by its name, the result by its grid. */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, type Locator, type Page } from "@playwright/test";
import { idle, openPage, SAMPLES } from "./app.ts";

export const EXAMPLE = readFileSync(resolve(SAMPLES, "specification.v1.json"), "utf8");

/** What the specification prints for its example, in its order. */
export const EXAMPLE_VERSION_0: Readonly<Record<string, unknown>> = {
  key0: "data",
  key1: ["http://target_url", 10000, 100],
  key2: ["http://server.domain/path", 10000, 100],
  key3: ["http://text", 10000, 100],
  gen_key0: ["http://server.domain/path_0", 1000, 1000],
  gen_key1: ["http://server.domain/path_1", 2000, 1000],
  gen_key2: ["http://server.domain/path_2", 3000, 1000],
  gen_key3: ["http://server.domain/path_3", 4000, 1000],
  gen_key4: ["http://server.domain/path_4", 5000, 1000],
};

export const editor = (page: Page): Locator => page.getByRole("textbox", { name: "Reference document" });
export const result = (page: Page): Locator => page.getByRole("grid", { name: "Version 0" });
export const documentPart = (page: Page): Locator => page.getByRole("region", { name: "Document" });
export const suggestions = (page: Page): Locator => page.locator(".suggest-widget.visible");

/** A line that is in sight in the editor. */
export const line = (page: Page, text: string | RegExp): Locator =>
  documentPart(page).locator(".view-line").filter({ hasText: text });

/** References rendered, of the whole document. */
export async function expectRows(page: Page, count: number): Promise<void> {
  await expect(result(page)).toHaveAttribute("aria-rowcount", String(count + 1));
  await settled(page);
}

/** What is shown is of the text as it stands. */
export async function settled(page: Page): Promise<void> {
  await expect(page.getByRole("region", { name: "Version 0 result" })).not.toContainText("rendering…");
  await expect(result(page)).toHaveAttribute("aria-busy", "false");
  await idle(page);
}

export async function openInStudio(page: Page, name: string): Promise<void> {
  await openPage(page);
  await page.getByRole("button", { name, exact: true }).click();
  await idle(page);
  if (!(await result(page).isVisible())) await page.getByRole("button", { name: "Edit", exact: true }).click();
  await expect(editor(page)).toBeAttached();
  await settled(page);
}

export async function openNewDocument(page: Page): Promise<void> {
  await openPage(page);
  await page.getByRole("button", { name: "Write a new document" }).click();
  await expect(editor(page)).toBeAttached();
  await idle(page);
}

/** Puts a text in the place of all that is there, as pasting does. */
export async function write(page: Page, text: string): Promise<void> {
  await editor(page).focus();
  await page.keyboard.press("Control+a");
  await page.keyboard.insertText(text);
}

/** Doubles-clicks a word of a line: it is selected, and what is typed takes its place. */
export async function selectWord(page: Page, lineText: string | RegExp, word: string): Promise<void> {
  await line(page, lineText).first().getByText(word, { exact: true }).first().dblclick();
}

/** The result's rows in sight: target, offset and length as shown, by key, in order. */
export function shownRows(page: Page): Promise<readonly (readonly string[])[]> {
  return result(page)
    .locator("[data-row]")
    .evaluateAll((rows) =>
      rows
        .map((row) => ({
          at: Number(row.getAttribute("aria-rowindex")),
          cells: [...row.querySelectorAll("[data-column]")].map((cell) => (cell.textContent ?? "").trim()),
        }))
        .sort((a, b) => a.at - b.at)
        .map(({ cells }) => cells.slice(0, 4)),
    );
}

/** A reference set as `shownRows` gives it. */
export function asShown(refs: Readonly<Record<string, unknown>>): readonly (readonly string[])[] {
  const count = (value: unknown) => Number(value).toLocaleString("en");
  return Object.entries(refs).map(([key, value]) => {
    if (!Array.isArray(value)) return [key, String(value), "", count(String(value).length)];
    const [url, offset, length] = value as unknown[];
    return value.length === 1 ? [key, String(url), "", ""] : [key, String(url), count(offset), count(length)];
  });
}
