/** Somebody drops a reference file together with the files it points at. */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test, type Page } from "@playwright/test";
import {
  chunk,
  dropFiles,
  goToChunk,
  idle,
  openPage,
  problems,
  SAMPLES,
  selectArray,
  statistic,
  tree,
  truthOf,
} from "./support/app.ts";

async function readSomeChunk(page: Page): Promise<void> {
  await selectArray(page, "sst");
  await goToChunk(page, "sst/5.0.0");
  expect(Number(await statistic(page, "Maximum"))).toBe(truthOf("sst", "5.0.0").max);
}

test("a reference file with its targets", async ({ page }) => {
  await openPage(page);
  await dropFiles(
    page,
    ["ocean.v1.json", "ocean-a.nc", "ocean-b.nc"].map((name) => join(SAMPLES, name)),
  );
  await expect(tree(page)).toBeVisible();
  await readSomeChunk(page);
  await expect(chunk(page)).toContainText("ocean-b.nc");
});

test("references that name paths of another machine find dropped files by name", async ({ page }) => {
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

test("targets dropped later are found", async ({ page }) => {
  await openPage(page);
  await dropFiles(page, [join(SAMPLES, "ocean.v1.json")]);
  await expect(tree(page)).toBeVisible();
  await selectArray(page, "sst");
  await goToChunk(page, "sst/5.0.0");
  await expect(chunk(page).getByRole("alert")).toBeVisible();
  await expect(problems(page).locator('[data-code="target-relative"]')).toHaveCount(1);
  await dropFiles(
    page,
    ["ocean-a.nc", "ocean-b.nc"].map((name) => join(SAMPLES, name)),
  );
  await idle(page);
  await expect(chunk(page).locator("dt", { hasText: /^Mean$/ })).toBeVisible();
});
