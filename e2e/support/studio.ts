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

export async function openExample(page: Page): Promise<void> {
  await openPage(page);
  await page.getByRole("button", { name: "The specification's example", exact: true }).click();
  await expect(editor(page)).toBeAttached();
  await expectRows(page, 9);
}

export async function openNewDocument(page: Page): Promise<void> {
  await openPage(page);
  await page.getByRole("button", { name: "Write a new document" }).click();
  await expect(editor(page)).toBeAttached();
  await idle(page);
}

/** Pastes a text over all that is there. */
export async function write(page: Page, text: string): Promise<void> {
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.evaluate((text) => navigator.clipboard.writeText(text), text);
  await editor(page).focus();
  await page.keyboard.press("Control+a");
  await page.keyboard.press("Control+v");
}

/** Where a text stands within a line that is in sight, in CSS pixels of the page. */
export function placeIn(page: Page, lineText: string, text: string): Promise<DOMRect> {
  return line(page, lineText)
    .first()
    .evaluate((element, text) => {
      const at = (element.textContent ?? "").replaceAll("\u00a0", " ").indexOf(text);
      const range = document.createRange();
      const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
      let passed = 0;
      for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
        const { length } = node as Text;
        const begins = at >= passed && at < passed + length;
        const end = at + text.length;
        if (begins) range.setStart(node, at - passed);
        if (end > passed && end <= passed + length) range.setEnd(node, end - passed);
        passed += length;
      }
      return range.getBoundingClientRect().toJSON() as DOMRect;
    }, text);
}

/** As `placeIn`, once two frames running agree: answers that come above the text move it. */
async function stillPlaceIn(page: Page, lineText: string, text: string): Promise<DOMRect> {
  let place = await placeIn(page, lineText, text);
  await expect(async () => {
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
    const before = place;
    place = await placeIn(page, lineText, text);
    expect(place).toEqual(before);
  }).toPass();
  return place;
}

/** Double-clicks what is bracketed in `around`, as in `{{[u]}}`: it is selected, and what is typed takes its place. */
export async function selectWord(page: Page, lineText: string, around: string): Promise<void> {
  const [before = "", rest = ""] = around.split("[");
  const word = rest.slice(0, rest.indexOf("]"));
  const whole = before + word + rest.slice(word.length + 1);
  const place = await stillPlaceIn(page, lineText, whole);
  const letter = place.width / whole.length;
  // The editor takes two presses for one where more than 400 ms lie between them, as on a busy machine.
  await expect(async () => {
    await page.mouse.dblclick(place.x + letter * (before.length + word.length / 2), place.y + place.height / 2);
    await expect(page.locator(".monaco-editor .selected-text").first()).toBeAttached({ timeout: 1000 });
  }).toPass();
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
