/** The documentation beside the page: a finding and the help lead to it, and axe-core finds nothing on its pages. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, test, type Page } from "@playwright/test";
import { idle, problems } from "./support/app.ts";
import { violations } from "./support/axe.ts";

const ROOT = resolve(import.meta.dirname, "..");
let folder: string;

test.beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "refscope-docs-"));
  execFileSync(process.execPath, ["--import", "tsx", "tools/docs.ts", "--out", folder], { cwd: ROOT });
});
test.afterAll(() => rmSync(folder, { recursive: true, force: true }));

const TYPES: Readonly<Record<string, string>> = { css: "text/css", html: "text/html", json: "application/json" };

/** As `npm run docs` leaves the built page, or as a build alone does, whichever of them was done last. */
async function withDocs(page: Page, isThere = true): Promise<void> {
  const context = page.context();
  await context.route(/\/docs\//, (route) => {
    const path = new URL(route.request().url()).pathname.replace(/^\/docs\//, "");
    const contentType = TYPES[path.split(".").at(-1) ?? ""] ?? "text/plain";
    return route.fulfill({ body: readFileSync(join(folder, path)), contentType });
  });
  await context.route(/\/$/, async (route) => {
    const response = await route.fetch();
    await route.fulfill({
      response,
      body: (await response.text()).replace(/<html (?:data-docs )?/, isThere ? "<html data-docs " : "<html "),
    });
  });
}

test("a finding and the help lead to pages of the documentation", async ({ page }) => {
  await withDocs(page);
  await page.goto("/#url=samples/ocean-broken.json&view=check");
  await idle(page);
  await problems(page).locator("[data-code=range-past-end]").getByRole("button", { expanded: false }).first().click();
  const [opened] = await Promise.all([
    page.waitForEvent("popup"),
    page.getByRole("link", { name: "More about range-past-end" }).click(),
  ]);
  await expect(opened.getByRole("heading", { level: 1 })).toHaveText("Range past the end of the source file");
  await page.getByRole("button", { name: "Help: all keys" }).click();
  await expect(page.getByRole("link", { name: "Documentation" })).toHaveAttribute("href", "docs/index.html");
});

test("without documentation nothing leads there", async ({ page }) => {
  await withDocs(page, false);
  await page.goto("/#url=samples/ocean-broken.json&view=check");
  await idle(page);
  await problems(page).getByRole("button", { expanded: false }).first().click();
  await expect(page.getByRole("button", { name: "About this code" }).first()).toBeVisible();
  await expect(page.getByRole("link", { name: /^More about/ })).toHaveCount(0);
});

for (const width of [1440, 390])
  test(`its pages at ${width}`, async ({ page }) => {
    await withDocs(page);
    await page.setViewportSize({ width, height: 900 });
    const found: string[] = [];
    for (const path of [
      "index",
      "nan",
      "check",
      "terminal",
      "json",
      "codes",
      "codes/range-past-end",
      "codecs",
      "package",
    ]) {
      await page.goto(`/docs/${path}.html`);
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme });
        const lines = await violations(page, { rules: colorScheme === "light" ? "all" : "colours", part: undefined });
        found.push(...lines.map((line) => `${path}, ${colorScheme}: ${line}`));
      }
      const wide = await page.evaluate(() => document.documentElement.scrollWidth);
      if (wide > width) found.push(`${path}: ${wide} pixels wide`);
    }
    expect(found).toEqual([]);
  });
