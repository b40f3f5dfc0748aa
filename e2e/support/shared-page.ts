/**
 * `test` for files of stories that only look (with `mode: "default"`, so that they are told one after another): the page
 * is started once, and each begins at the start page. Starting it takes most of a short story's processor time. What a
 * story keeps in the browser and its routes go; one that changes how sets are looked at, or how code is fetched, has a page
 * of its own.
 */
import { test as base, type Page } from "@playwright/test";
import { idle } from "./app.ts";

let started: { readonly page: Page; readonly file: string } | undefined;

export const test = base.extend({
  page: async ({ browser, viewport, baseURL }, use, { file }) => {
    if (started?.file !== file) {
      await started?.page.close();
      started = { page: await browser.newPage({ viewport, ...(baseURL === undefined ? {} : { baseURL }) }), file };
    }
    const { page } = started;
    await page.unrouteAll();
    page.removeAllListeners("pageerror");
    // A dialog that a story left open would lie over the next.
    while ((await page.locator("dialog[open]").count()) > 0) await page.keyboard.press("Escape");
    await page.goto("/#");
    await idle(page);
    await page.evaluate(() => {
      localStorage.clear();
      sessionStorage.clear();
    });
    await use(page);
  },
});
