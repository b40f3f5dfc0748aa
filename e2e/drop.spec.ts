/** Somebody drops a reference file together with the files it points at. */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test, type Page } from "@playwright/test";
import {
  chunk,
  dropFiles,
  expectRequest,
  goToChunk,
  idle,
  openPage,
  openSample,
  SAMPLES,
  selectArray,
  storedStatistic,
  tree,
  truthOf,
  showProblems,
  paste,
} from "./support/app.ts";
import { expectRows, openExample, result } from "./support/studio.ts";

async function readSomeChunk(page: Page): Promise<void> {
  await selectArray(page, "sst");
  await goToChunk(page, "sst/5.0.0");
  expect(Number(await storedStatistic(page, "Maximum"))).toBe(truthOf("sst", "5.0.0").max);
}

test("a reference file with its targets", async ({ page }) => {
  await openPage(page);
  await dropFiles(
    page,
    ["ocean.v1.json", "ocean-a.nc", "ocean-b.nc"].map((name) => join(SAMPLES, name)),
  );
  await expect(tree(page)).toBeVisible();
  await readSomeChunk(page);
  await expectRequest(page, "ocean-b.nc");
});

test("references that name paths of another machine find dropped files by name", { tag: "@deep" }, async ({ page }) => {
  const folder = mkdtempSync(join(tmpdir(), "refscope-"));
  const refs = readFileSync(join(SAMPLES, "ocean.v1.json"), "utf8").replaceAll('"ocean-', '"/home/writer/data/ocean-');
  writeFileSync(join(folder, "refs.json"), refs);
  await openPage(page);
  await dropFiles(page, [join(folder, "refs.json"), join(SAMPLES, "ocean-a.nc"), join(SAMPLES, "ocean-b.nc")]);
  await expect(tree(page)).toBeVisible();
  await readSomeChunk(page);
});

test("a folder, dropped whole", async ({ page }) => {
  const folder = mkdtempSync(join(tmpdir(), "refscope-"));
  const set = join(folder, "my set");
  mkdirSync(join(set, "données"), { recursive: true });
  for (const name of ["ocean-a.nc", "ocean-b.nc"]) cpSync(join(SAMPLES, name), join(set, "données", name));
  const refs = readFileSync(join(SAMPLES, "ocean.v1.json"), "utf8").replaceAll('"ocean-', '"données/ocean-');
  writeFileSync(join(set, "refs.json"), refs);
  await openPage(page);
  await dropFiles(page, [set]);
  await expect(tree(page)).toBeVisible();
  await readSomeChunk(page);
});

test("targets dropped later are found", { tag: "@deep" }, async ({ page }) => {
  await openPage(page);
  await dropFiles(page, [join(SAMPLES, "ocean.v1.json")]);
  await expect(tree(page)).toBeVisible();
  await selectArray(page, "sst");
  await goToChunk(page, "sst/5.0.0");
  await expect(chunk(page).getByRole("alert")).toBeVisible();
  await expect(
    (await showProblems(page)).locator('[data-code="target-missing"]', { hasText: "ocean-a.nc" }),
  ).toHaveCount(1);
  await dropFiles(
    page,
    ["ocean-a.nc", "ocean-b.nc"].map((name) => join(SAMPLES, name)),
  );
  await idle(page);
  await selectArray(page, "sst");
  await goToChunk(page, "sst/5.0.0");
  await expect(chunk(page).locator("dt", { hasText: /^Mean$/ })).toBeVisible();
});

const OTHER = JSON.stringify({ version: 1, refs: { ".zgroup": '{"zarr_format":2}', "other/.zgroup": "{}" } });
const other = (page: Page) => tree(page).getByRole("treeitem", { name: "other", exact: true });

test("a stray paste replaces what is open only when asked to", async ({ page }) => {
  await openSample(page);
  await paste(page, OTHER);
  await expect(page.getByText(/^Pasted: a JSON document of \d+ B/)).toBeVisible();
  await page.getByRole("button", { name: "Go back" }).click();
  await expect(page.getByText(/^Pasted: a JSON/)).toHaveCount(0);
  await idle(page);
  await expect(tree(page).getByRole("treeitem", { name: "sst", exact: true })).toBeVisible();
  await paste(page, OTHER);
  await page.getByRole("button", { name: "Open it" }).click();
  await expect(other(page)).toBeVisible();
  await expect(page.getByText(/^Pasted: a JSON/)).toHaveCount(0);
});

test("a stray paste in the studio leaves the document", { tag: "@deep" }, async ({ page }) => {
  await openExample(page);
  await result(page).focus();
  await paste(page, OTHER);
  await idle(page);
  await expect(page.getByText("Nothing was pasted. In Edit")).toBeVisible();
  await expectRows(page, 9);
  await expect(page.getByRole("button", { name: "Open it" })).toHaveCount(0);
});
