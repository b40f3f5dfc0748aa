/** Levels that a group declares: named in the tree, listed in its overview, faults said. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, test } from "@playwright/test";
import { violations } from "./support/axe.ts";
import { dropFiles, idle, openPage, showProblems, tree } from "./support/app.ts";

const group = (attributes: object = {}) => ({ zarr_format: 3, node_type: "group", attributes });

const array = (length: number) => ({
  zarr_format: 3,
  node_type: "array",
  shape: [length, length],
  data_type: "uint8",
  chunk_grid: { name: "regular", configuration: { chunk_shape: [4, 4] } },
  chunk_key_encoding: { name: "default" },
  codecs: [{ name: "bytes" }],
  fill_value: 0,
});

const LAYOUT = [
  { asset: "full", transform: { scale: [1, 1] }, "spatial:transform": [10, 0, 0, 0, -10, 0] },
  { asset: "half", derived_from: "full", transform: { scale: [2, 2] }, "spatial:transform": [20, 0, 0, 0, -20, 0] },
  { asset: "gone", derived_from: "half", transform: { scale: [2, 2] } },
];

const DOCUMENTS: Readonly<Record<string, object>> = {
  "zarr.json": group({ multiscales: { layout: LAYOUT }, "proj:code": "EPSG:32633" }),
  "full/zarr.json": array(8),
  "half/zarr.json": array(4),
};

let folder: string;
test.beforeAll(() => {
  folder = join(mkdtempSync(join(tmpdir(), "refscope-levels-")), "pyramid");
  for (const [path, document] of Object.entries(DOCUMENTS)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), JSON.stringify(document));
  }
});
test.afterAll(() => rmSync(dirname(folder), { recursive: true }));

test("levels are named in the tree, and the overview lists them with the CRS", async ({ page }) => {
  await openPage(page);
  await dropFiles(page, [folder]);
  await expect(tree(page)).toBeVisible();
  await idle(page);
  const half = tree(page).getByRole("treeitem", { name: "half", exact: true });
  await expect(half).toContainText("level 1, 1:2");
  const levels = page.getByRole("region", { name: "Levels" });
  const rows = levels.getByRole("row");
  await expect(rows).toHaveText([
    /Level.*Path.*Shape.*Chunks.*Element size/,
    /level 0, full resolution.*full.*8 × 8.*4 × 4.*10 × 10/,
    /level 1, 1:2.*half.*4 × 4.*4 × 4.*20 × 20/,
    /level 2, 1:4.*gone.*not there/,
  ]);
  await expect(page.getByRole("region", { name: "Georeference" })).toContainText("EPSG:32633");
  expect(await violations(page, { rules: "all", part: undefined })).toEqual([]);
  await expect(await showProblems(page)).toContainText("Multiscale level not found");
});

test("a level leads to its array", async ({ page }) => {
  await openPage(page);
  await dropFiles(page, [folder]);
  await page.getByRole("region", { name: "Levels" }).getByRole("button", { name: "half" }).click();
  await idle(page);
  await expect(tree(page).getByRole("treeitem", { name: "half", exact: true })).toHaveAttribute(
    "aria-selected",
    "true",
  );
});
