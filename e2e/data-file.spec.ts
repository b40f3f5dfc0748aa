/** A data file is opened like any dataset: dropped, or by its address, whatever its name ends in. */
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "@playwright/test";
import { chunk, dropFiles, goToChunk, idle, openPage, SAMPLES, selectArray, showView, tree } from "./support/app.ts";
import { saveExport } from "./support/export.ts";
import { startRangeServer } from "./support/range-server.ts";
import { test } from "./support/shared-page.ts";

test.describe.configure({ mode: "default" });

test("a NetCDF file that is dropped: its card, its first picture, its own structure", async ({ page }) => {
  await dropFiles(page, [join(SAMPLES, "ocean-a.nc")]);
  await expect(tree(page)).toBeVisible();
  await idle(page);
  const afar = page.getByRole("region", { name: "How it reads from afar" });
  await expect(afar).toContainText(/Requests before the first value\d+/);
  await expect(afar).toContainText("h5repack -S PAGE -G 32768");

  await selectArray(page, "sst");
  await showView(page, "Data");
  await expect(page.getByRole("application", { name: "Data" })).toHaveAttribute("data-read", "9");

  await showView(page, "Metadata");
  await page.getByRole("tab", { name: "File structure" }).click();
  await idle(page);
  const structures = page.getByRole("grid", { name: "Structures of the file" });
  await expect(structures.getByRole("row").nth(1)).toContainText("superblock");
  await expect(structures.getByRole("row", { name: /8,624.*B-tree node.*sst/ })).toBeVisible();
  // Whose structure it is, is where it leads.
  await structures.getByRole("row", { name: /848.*object header.*lat/ }).click();
  await expect(tree(page).getByRole("treeitem", { name: "lat", exact: true })).toHaveAttribute("aria-selected", "true");

  await showView(page, "Check");
  await expect(page.getByRole("region", { name: "Verdict" })).toContainText("HDF5, superblock 0, 66 chunks");
});

test("a NetCDF file is exported as Parquet, and the archive beside it has its values", async ({ page }) => {
  const file = join(SAMPLES, "ocean-a.nc");
  await dropFiles(page, [file]);
  await expect(tree(page)).toBeVisible();
  await page.getByRole("button", { name: "Export…" }).click();
  const folder = mkdtempSync(join(tmpdir(), "refscope-"));
  const path = await saveExport(page, /^Kerchunk Parquet/, undefined, folder);
  await page.keyboard.press("Escape");
  await dropFiles(page, [path, file]);
  await page.getByRole("option", { name: /parq\.zip/ }).click();
  await expect(page.locator("header").getByText("Kerchunk Parquet")).toBeVisible();
  await selectArray(page, "sst");
  await showView(page, "Data");
  await expect(page.getByRole("application", { name: "Data" })).toHaveAttribute("data-read", "9");
  await expect(page.getByRole("application", { name: "Data" })).toHaveAttribute("data-failed", "0");
});

test("an HDF5 file by its address, under any name: few requests, none of them the whole file", async ({ page }) => {
  const server = await startRangeServer();
  try {
    const bytes = readFileSync(join(SAMPLES, "ocean-a.nc"));
    for (const name of ["/ocean.nc", "/ocean.swath"]) server.put(name, bytes);
    await openPage(page, `#url=${encodeURIComponent(server.url("/ocean.nc"))}&array=sst&view=metadata`);
    const ranges = server.requests.filter(({ method }) => method === "GET");
    expect(ranges.length).toBeLessThanOrEqual(24);
    expect(ranges.reduce((sum, { sent }) => sum + sent, 0)).toBeLessThan(bytes.length / 4);

    await openPage(page, `#url=${encodeURIComponent(server.url("/ocean.swath"))}&array=sst&view=chunks`);
    await goToChunk(page, "sst/0.0.0");
    await expect(chunk(page)).toContainText("206 · 12.5 kB");
  } finally {
    await server.stop();
  }
});

test("three files that are one dataset are dropped, opened as that, seen and exported", async ({ page }) => {
  const folder = join(import.meta.dirname, "../src/engine/preflight/fixtures/files");
  await dropFiles(
    page,
    ["lastp_0.nc", "lastp_1.nc", "lastp_2.nc"].map((name) => join(folder, name)),
  );
  await page.getByRole("option", { name: /^All 3 as one dataset/ }).click();
  await expect(tree(page)).toBeVisible();
  await idle(page);
  await selectArray(page, "tas");
  await showView(page, "Data");
  await expect(page.getByRole("application", { name: "Data" })).toHaveAttribute("data-failed", "0");
  await expect(page.getByRole("button", { name: "Export…" })).toBeEnabled();
});

test("files that are not one dataset say what stands against it", async ({ page }) => {
  const folder = join(import.meta.dirname, "../src/engine/preflight/fixtures/files");
  await dropFiles(
    page,
    ["pack_0.nc", "pack_1.nc"].map((name) => join(folder, name)),
  );
  await page.getByRole("option", { name: /^All 2 as one dataset/ }).click();
  await expect(page.getByText("These files are not one dataset")).toBeVisible();
  await expect(page.getByText(/273\.15/).first()).toBeVisible();
});
