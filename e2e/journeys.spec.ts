/** How many actions the ways take that newcomers go: clicks and typed lines are counted, waiting is not. */
import { readFileSync } from "node:fs";
import { expect, type Locator, type Page } from "@playwright/test";
import { chunk, idle, openPage, problems, tree } from "./support/app.ts";
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

test("six faults are mended and the document is exported in ten actions", async ({ page }, info) => {
  const actions = counted();
  await actions.click(page.getByRole("button", { name: "Ocean sample, broken on purpose", exact: true }));
  await idle(page);
  await actions.click(page.getByRole("list", { name: "Of the set" }).getByRole("button", { name: /^Check/ }));
  const faults = problems(page).locator('li:not([data-severity="info"])');
  await expect(faults).toHaveCount(6);
  await idle(page);
  for (let left = 6; left > 0; left -= 1) {
    await actions.click(faults.first().getByRole("button", { name: /^(?:Read|Point|Remove)\b/ }));
    await idle(page);
    await expect(faults).toHaveCount(left - 1);
  }
  await actions.click(page.getByRole("button", { name: "Export…" }));
  const dialog = page.getByRole("dialog", { name: "Export" });
  const document = await saved(page, () => actions.click(dialog.getByRole("button", { name: "Export", exact: true })));
  expect(actions.count).toBeLessThanOrEqual(13);
  info.annotations.push({ type: "actions", description: String(actions.count) });
  const { refs } = JSON.parse(readFileSync("public/samples/ocean.v1.json", "utf8")) as { refs: Refs };
  const mended = JSON.parse(document) as Refs;
  for (const key of ["ice/0.0.0", "sst/2.0.1", "sst/0.0.1", "sst/1.0.0", "sst/5.2.2", "sst/6.0.0"])
    // Read from anywhere: it was opened by a URL.
    expect(mended[key]).toEqual(refs[key]?.with(0, new URL(`samples/${String(refs[key][0])}`, page.url()).href));
});

type Refs = Readonly<Record<string, readonly unknown[]>>;
