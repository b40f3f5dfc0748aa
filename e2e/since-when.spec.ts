/** “Since when?” at a problem of a repository: the cost first, then the first bad commit and the one before. */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect } from "@playwright/test";
import { idle, openPage } from "./support/app.ts";
import { startRangeServer } from "./support/range-server.ts";
import { putStore } from "./support/stores.ts";
import { test } from "./support/shared-page.ts";

interface History {
  readonly files: Readonly<Record<string, string>>;
  readonly truth: {
    readonly messages: Readonly<Record<string, string>>;
    readonly bisect: {
      readonly first: string;
      readonly before: string;
      readonly snapshots: number;
      readonly code: string;
    };
  };
}

const FIXTURES = resolve(import.meta.dirname, "../src/engine/repository/blame/fixtures/histories.json");
const { files, truth } = (JSON.parse(readFileSync(FIXTURES, "utf8")) as Readonly<Record<string, History>>)["format-2"]!;
const { first, before, snapshots, code } = truth.bisect;

test("finds the first bad commit of a problem, and opens both sides", async ({ page }) => {
  const server = await startRangeServer();
  const stored = Object.entries(files).map(([path, text]) => [path, Buffer.from(text, "base64")] as const);
  putStore(server, "/ice", Object.fromEntries(stored));
  await openPage(page, `#url=${server.url("/ice")}&view=check`);
  await idle(page);
  await page.getByRole("list", { name: "Problems" }).waitFor();
  const worst = await page
    .getByRole("list", { name: "Problems" })
    .locator("[data-code]")
    .first()
    .getAttribute("data-code");
  const problem = page.locator(`[data-code="${code}"]`).first();
  await problem.getByRole("button", { name: "More", exact: true }).click();
  const button = problem.getByRole("button", { name: "Since when?" });
  await button.focus();
  await page.keyboard.press("Enter");
  const dialog = problem.getByRole("region", { name: "Since when", exact: true });
  await expect(dialog).toContainText(`of ${snapshots} commits. Each reads metadata and references`);
  await dialog.getByRole("button", { name: "Find the first commit" }).click();
  const bad = dialog.getByRole("region", { name: "First bad commit" });
  await expect(bad).toContainText(truth.messages[first]!.slice(0, 30));
  await expect(dialog.getByRole("region", { name: "Before" })).toContainText(truth.messages[before]!.slice(0, 30));
  await expect(bad.getByRole("button", { name: `Open ${first.slice(0, 8)}` })).toBeVisible();
  await dialog.getByRole("region", { name: "Before" }).getByRole("button", { name: /^Open/ }).click();
  await idle(page);
  await expect(page.locator(`[data-code="${code}"]`)).toHaveCount(0);

  // History leads to the worst problem, with the search opened.
  await openPage(page, `#url=${server.url("/ice")}&view=history`);
  await page.getByRole("button", { name: "Since when is it wrong?" }).press("Enter");
  await expect(page.getByRole("tab", { name: "Check" })).toHaveAttribute("aria-selected", "true");
  const opened = page.locator(`[data-code="${worst}"]`).first();
  await expect(opened.getByRole("button", { name: "Since when?" })).toHaveAttribute("aria-expanded", "true");
  await expect(opened.getByRole("region", { name: "Since when", exact: true })).toBeVisible();
  await server.stop();
});
