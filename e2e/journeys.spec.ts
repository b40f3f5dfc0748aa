/** How many actions the ways take that newcomers go: clicks and typed lines are counted, waiting is not. */
import { readFileSync } from "node:fs";
import { expect, type Locator, type Page } from "@playwright/test";
import { chunk, idle, openPage, problems, tree } from "./support/app.ts";
import { violations } from "./support/axe.ts";
import { startRangeServer } from "./support/range-server.ts";
import { test } from "./support/shared-page.ts";
import { dailySteps } from "./support/small-sets.ts";

test.describe.configure({ mode: "default" });

/** Acts, and counts how often. */
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
    /** A typed text with Enter. */
    async type(target: Locator, text: string): Promise<void> {
      count += 1;
      await target.fill(text);
      await target.press("Enter");
    },
  };
}

async function saved(page: Page, act: () => Promise<void>): Promise<string> {
  const coming = page.waitForEvent("download");
  await act();
  return readFileSync(await (await coming).path(), "utf8");
}

test("the first picture takes two actions, from the start page, and its series as CSV three more", async ({
  page,
}, info) => {
  const actions = counted();
  const started = Date.now();
  await actions.click(page.getByRole("button", { name: "Ocean sample", exact: true }));
  await actions.click(tree(page).getByRole("treeitem", { name: "sst", exact: true }));
  const picture = page.getByRole("application", { name: "Data" });
  await expect(picture).toHaveAttribute("data-read", "9");
  info.annotations.push({ type: "first picture", description: `${Date.now() - started} ms` });
  expect(actions.count).toBe(2);
  await actions.click(picture);
  await actions.click(page.getByRole("button", { name: "Save the series" }));
  const dialog = page.getByRole("dialog", { name: "Save sst at" });
  const csv = await saved(page, () => actions.click(dialog.getByRole("button", { name: "Values (CSV)" })));
  expect(csv.trimEnd().split("\r\n")).toHaveLength(25);
  expect(csv).toMatch(/^time,sst \(degC\)\r\n2026-01-01T00:00:00,/);
  expect(actions.count).toBeLessThanOrEqual(5);
});

test("a value at a typed place and date is a CSV in five actions, from the start page", async ({ page }, info) => {
  const actions = counted();
  await openPage(page);
  await actions.click(page.getByRole("button", { name: "Ocean sample", exact: true }));
  await tree(page).waitFor();
  await actions.click(page.getByRole("button", { name: /Ctrl\+K/ }));
  await actions.type(page.getByRole("combobox", { name: "Commands" }), "sst 45N 30W 2026-01-12");
  await idle(page);
  await actions.click(page.getByRole("button", { name: "Save the series" }));
  const dialog = page.getByRole("dialog", { name: "Save sst at 45°N" });
  const csv = await saved(page, () => actions.click(dialog.getByRole("button", { name: "Values (CSV)" })));
  expect(csv).toMatch(/\r\n2026-01-12T00:00:00,14\.122\r\n/);
  expect(actions.count).toBeLessThanOrEqual(6);
  info.annotations.push({ type: "actions", description: String(actions.count) });
});

test("a link to a chunk that fails is understood without a click", async ({ page }) => {
  await openPage(page, "#url=samples/ocean-broken.json&array=sst&view=data&chunk=0.0.1");
  await idle(page);
  await expect(chunk(page)).toContainText("zlib · expected a zlib header");
  await expect(chunk(page).getByRole("heading", { name: /^sst \/ 0\.0\.1/ })).toBeVisible();
});

test("a date three years off is one typed line away", async ({ page }) => {
  const server = await startRangeServer();
  for (const [name, content] of Object.entries(dailySteps())) server.put(`/${name}`, content);
  await openPage(page, `#url=${encodeURIComponent(server.url("/daily.json"))}&array=t2m&view=data`);
  const picture = page.getByRole("application", { name: "Data" });
  await expect(picture).toHaveAttribute("data-read", "1");
  const actions = counted();
  await actions.type(page.getByRole("textbox", { name: "Step along time" }), "2023-01-01");
  await idle(page);
  expect(actions.count).toBe(1);
  await expect(page).toHaveURL(/slice=1096,/);
  await expect(page.getByRole("region", { name: "Other dimensions" })).toContainText("2023-01-01");
  // The picture is that day's: its value is the number of the day.
  await picture.click();
  await idle(page);
  await expect(chunk(page).getByRole("heading", { name: /^t2m \/ 10\.0\.0/ })).toBeVisible();
  await expect(chunk(page)).toContainText("2023-01-01 · 37.375°N · 122.375°W");
  await expect(chunk(page)).toContainText("1096");
  await server.stop();
});

test("six faults are fixed and the document is exported in five actions", async ({ page }, info) => {
  const actions = counted();
  await actions.click(page.getByRole("button", { name: "Ocean sample, broken on purpose", exact: true }));
  await idle(page);
  await actions.click(page.getByRole("list", { name: "Of the set" }).getByRole("button", { name: /^Check/ }));
  const faults = problems(page).locator('li:not([data-severity="info"])');
  await expect(faults).toHaveCount(6);
  await idle(page);
  // A look at a problem takes nothing from what was found: it is not counted, since nobody needs it.
  const fixes = faults.getByRole("button", { name: /^(?:Read|Point|Remove)\b/ });
  // Unasked they are looked for within limits, time among them: a slow machine has to be asked.
  const more = faults.getByRole("button", { name: /^(?:Search more|Find a fix)$/ });
  for (let left = await more.count(); left > 0; left -= 1) {
    await more.first().click();
    await idle(page);
  }
  await expect(fixes).toHaveCount(6);
  for (const at of [0, 2]) {
    await faults.nth(at).getByRole("button").first().click();
    await idle(page);
    await page
      .getByRole("list", { name: "Of the set" })
      .getByRole("button", { name: /^Check/ })
      .click();
    await idle(page);
    await expect(fixes).toHaveCount(6);
  }
  await actions.click(page.getByRole("button", { name: "Fix all · tested" }));
  const preview = page.getByRole("dialog", { name: "Fix all · tested" });
  await expect(preview.getByRole("list", { name: "Changes" }).getByRole("listitem").locator("ins")).toHaveCount(5);
  await expect(preview.getByText("Tested on 1 of 1 chunk.")).toHaveCount(5);
  expect(await violations(page, { rules: "all", part: "dialog" })).toEqual([]);
  await actions.click(preview.getByRole("button", { name: "Apply and export…" }));
  await idle(page);
  const dialog = page.getByRole("dialog", { name: "Export" });
  const document = await saved(page, () => actions.click(dialog.getByRole("button", { name: "Export", exact: true })));
  expect(actions.count).toBe(5);
  info.annotations.push({ type: "actions", description: String(actions.count) });
  const { refs } = JSON.parse(readFileSync("public/samples/ocean.v1.json", "utf8")) as { refs: Refs };
  const mended = JSON.parse(document) as Refs;
  for (const key of ["ice/0.0.0", "sst/2.0.1", "sst/0.0.1", "sst/1.0.0", "sst/5.2.2", "sst/6.0.0"])
    // Read from anywhere: it was opened by a URL.
    expect(mended[key]).toEqual(refs[key]?.with(0, new URL(`samples/${String(refs[key][0])}`, page.url()).href));
  await page.keyboard.press("Escape");
  await expect(faults).toHaveCount(0);
  const applied = page.getByRole("status", { name: "Applied fix" });
  await expect(applied).toContainText("Applied: 6 fixes. Read again: all 5 chunks decode.");
  await applied.getByRole("button", { name: "Undo" }).click();
  await idle(page);
  await expect(faults).toHaveCount(6);
});

type Refs = Readonly<Record<string, readonly unknown[]>>;
