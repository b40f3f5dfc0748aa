/** The anatomy of a repository in History: costs first, then what it weighs, what expiring frees, orphans. */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, type Locator, type Page } from "@playwright/test";
import { idle, openPage, showView } from "./support/app.ts";
import { startRangeServer, type RangeServer } from "./support/range-server.ts";
import { putStore, type StoreFiles, writeStore } from "./support/stores.ts";
import { test } from "./support/shared-page.ts";

interface Recorded {
  readonly truth: {
    readonly anatomy: { readonly orphans: Readonly<Record<string, string>>; readonly bytes: Record<string, number> };
  };
  readonly files: Readonly<Record<string, string>>;
}

const { truth, files } = JSON.parse(
  readFileSync(resolve(import.meta.dirname, "../src/engine/repository/fixtures/histories/river-04.json"), "utf8"),
) as Recorded;
const store: StoreFiles = Object.fromEntries(
  Object.entries(files).map(([path, base64]) => [path, Buffer.from(base64, "base64")]),
);

const history = (page: Page): Locator => page.getByRole("region", { name: "History", exact: true });
const table = (page: Page, name: string): Locator => history(page).getByRole("table", { name });

let server: RangeServer;

test.beforeEach(async () => {
  server = await startRangeServer();
});

test.afterEach(async () => {
  await server.stop();
});

test("a folder is weighed at once; expiring is simulated, orphans have their reasons", async ({ page }) => {
  await openPage(page, "");
  await page.locator("input[webkitdirectory]").first().setInputFiles(writeStore("river", store));
  await idle(page);
  await showView(page, "History");
  await history(page)
    .getByRole("button", { name: /^Anatomy · \d/ })
    .click();
  const map = history(page).getByRole("list", { name: "Bytes of files by array and kind" });
  await expect(map.getByRole("button")).not.toHaveCount(0);
  const facts = history(page).getByRole("definition");
  await expect(facts.filter({ hasText: "312 B" })).toHaveCount(1);
  expect(truth.anatomy.bytes["native"]).toBe(312);

  // One box is in the tab order; arrows go to the others, and say what they are.
  await map.getByRole("button").first().focus();
  await page.keyboard.press("ArrowRight");
  await expect(map.getByRole("button").nth(1)).toBeFocused();
  await expect(map.getByRole("button", { name: /^g\/a 1,839 B, manifests/ })).toBeVisible();
  await expect(table(page, "Bytes by array").getByRole("row", { name: /^g\/a / })).toContainText("1,839 B");

  const effect = history(page).getByRole("status");
  await expect(effect).toContainText("Collecting garbage would free 15 files");
  await history(page).getByLabel("Expire snapshots before").fill("2099-01-01");
  await expect(effect).toContainText(/Expiring \d+ of 12 snapshots before 2099-01-01 .* would free \d+ files/);
  await expect(map.getByRole("button", { name: /^metadata.* freed/ })).toBeVisible();
  await history(page).getByText("Files that would be freed").click();
  await expect(history(page).getByText("snapshots/DDVAXWJNKXKPDH0H0DJG")).toBeVisible();
  await history(page)
    .getByText(/^Orphans/)
    .click();
  await expect(table(page, "Orphans").getByRole("row")).toHaveCount(1 + Object.keys(truth.anatomy.orphans).length);
  await expect(table(page, "Orphans")).toContainText("staged by a local writer that did not finish");

  // The commit under the plot's cursor sets the date.
  await history(page)
    .getByRole("application", { name: /^Bytes stored up to each commit/ })
    .focus();
  await page.keyboard.press("Home");
  await history(page).getByRole("button", { name: "Expire before this" }).click();
  await expect(effect).toContainText("Expiring 0 of 12 snapshots");
  await expect(table(page, "Bytes by snapshot").getByRole("row")).toHaveCount(13);
  await expect(table(page, "Download before one chunk")).toContainText("g/a");
});

test("a server that lists nothing is read only when that is asked for, and the gaps are named", async ({ page }) => {
  putStore(server, "/repo", store);
  await openPage(page, `#url=${encodeURIComponent(server.url("/repo"))}&view=history`);
  await history(page).getByRole("button", { name: "Anatomy", exact: true }).click();
  await expect(history(page)).toContainText("Reads 12 snapshots and all of their manifests, one request each.");
  const asked = server.requests.filter(({ path }) => path.includes("/manifests/")).length;
  await history(page).getByRole("button", { name: "Weigh" }).click();
  await idle(page);
  await expect(history(page)).toContainText("The store cannot be listed: chunk sizes are those that references record");
  await expect(table(page, "Bytes by array").getByRole("row")).not.toHaveCount(0);
  expect(server.requests.filter(({ path }) => path.includes("/manifests/")).length).toBeGreaterThan(asked);
});
