/** A data file is opened like any dataset: dropped, or by its address, whatever its name ends in. */
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, type Page } from "@playwright/test";
import { chunk, dropFiles, goToChunk, idle, openPage, SAMPLES, selectArray, showView, tree } from "./support/app.ts";
import { violations } from "./support/axe.ts";
import { saveExport } from "./support/export.ts";
import { startRangeServer } from "./support/range-server.ts";
import { test } from "./support/shared-page.ts";

test.describe.configure({ mode: "default" });

test("a NetCDF file that is dropped: its card, its first picture, its own structure", async ({ page }) => {
  await dropFiles(page, [join(SAMPLES, "ocean-a.nc")]);
  await expect(tree(page)).toBeVisible();
  await idle(page);
  const afar = page.getByRole("region", { name: "Reading it remotely" });
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
  // References with their sources are what is opened.
  await dropFiles(page, [file, path]);
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

const COMBINED = join(import.meta.dirname, "../src/engine/preflight/fixtures/files");

/** Drops files, which are examined as one dataset at once. */
async function examine(page: Page, ...names: readonly string[]) {
  await dropFiles(
    page,
    names.map((name) => join(COMBINED, `${name}.nc`)),
  );
  const dialog = page.getByRole("dialog", { name: `All ${names.length} as one dataset` });
  await idle(page);
  return {
    dialog,
    verdict: dialog.getByRole("status"),
    open: dialog.getByRole("button", { name: "Open as one dataset" }),
    rowOf: (name: string) => dialog.getByRole("row", { name }),
  };
}

test("three files that are one dataset: dropped, examined, opened, seen and exported as Parquet", async ({ page }) => {
  let actions = 0;
  const act = <T>(work: Promise<T>, of = 1): Promise<T> => ((actions += of), work);
  const { dialog, verdict, open, rowOf } = await act(examine(page, "lastp_0", "lastp_1", "lastp_2"));
  await expect(verdict).toHaveText("3 files can be combined along time ✓");
  await expect(dialog).toContainText(
    "All 3 files: format: NetCDF-4, superblock 2 · variables: tas · type of tas: float32",
  );
  await expect(rowOf("lastp_2.nc")).toContainText("2020-01-01 08:00:00 to 2020-01-01 10:00:00");
  await expect(open).toBeFocused();
  expect(await violations(page, { rules: "all", part: "dialog" })).toEqual([]);
  await act(page.keyboard.press("Enter"));
  await expect(tree(page)).toBeVisible();
  await expect(page.getByLabel("Python snippet", { exact: true })).toContainText("# Export first");
  await idle(page);
  // The picture leads to the data.
  await page.getByRole("img", { name: /^Picture of tas/ }).click({ force: true });
  await idle(page);
  const data = page.getByRole("application", { name: "Data" });
  await expect(data).toHaveAttribute("data-failed", "0");
  await expect(data).toHaveAttribute("data-read", "1");
  await act(page.getByRole("button", { name: "Export…" }).click());
  await expect(page.getByRole("dialog", { name: "Export" })).not.toContainText("templates and gen");
  const path = await act(saveExport(page, /^Kerchunk Parquet/, undefined, mkdtempSync(join(tmpdir(), "refscope-"))), 2);
  expect(path).toMatch(/along-time.*\.zip$/);
  expect(actions).toBe(5);
});

test("files that are not one dataset: what stands against it, in which file, the way back, and those that fit", async ({
  page,
}) => {
  const { dialog, verdict, open, rowOf } = await examine(page, "midp_0", "midp_1", "midp_2");
  await expect(verdict).toHaveText("Cannot be combined along time ✕");
  await expect(dialog.getByRole("listitem")).toContainText(["tas has 3 along time in midp_1.nc", "time has a gap"]);
  await expect(rowOf("midp_1.nc").getByRole("gridcell").last()).toContainText("3");
  await expect(rowOf("midp_1.nc").getByRole("img", { name: "error" })).toBeVisible();
  await expect(open).toBeDisabled();
  await expect(open).toHaveAccessibleDescription("1 blocker: a file ends inside a chunk.");
  expect(await violations(page, { rules: "all", part: "dialog" })).toEqual([]);
  await expect(dialog.getByText("A file ends inside a chunk: midp_1.nc")).toBeVisible();
  const fitting = dialog.getByRole("button", { name: "Open the 2 that fit" });
  await expect(fitting).toBeFocused();
  await dialog.getByRole("button", { name: "Open one of them" }).click();
  await expect(page.getByRole("combobox", { name: "Choices" })).toBeFocused();
  await page.keyboard.press("Enter");
  await idle(page);
  await fitting.click();
  await expect(tree(page).getByRole("treeitem", { name: "tas", exact: true })).toContainText("8 × 6 × 8");

  const { dialog: mixed, verdict: answer } = await examine(page, "lastp_0", "lastp_1", "re_r01", "re_r02");
  await mixed.getByRole("tab", { name: /^lastp_0\.nc/ }).click();
  await expect(answer).toHaveText("2 files can be combined along time ✓");
  expect(await violations(page, { rules: "all", part: "dialog" })).toEqual([]);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
});

test("the samples are one dataset without the variable that differs", async ({ page }) => {
  await dropFiles(
    page,
    ["a", "b"].map((name) => join(SAMPLES, `ocean-${name}.nc`)),
  );
  const dialog = page.getByRole("dialog", { name: "All 2 as one dataset" });
  const verdict = dialog.getByRole("status");
  await expect(verdict).toHaveText("Cannot be combined along time ✕");
  await dialog.getByRole("button", { name: "Leave out diagnostics/mean_sst" }).click();
  await expect(verdict).toHaveText("2 files can be combined along time ✓");
  await expect(dialog).toContainText("Left out: diagnostics/mean_sst.");
  await dialog.getByRole("button", { name: "Open as one dataset" }).click();
  await expect(tree(page).getByRole("treeitem", { name: "sst", exact: true })).toBeVisible();
  await idle(page);
});

test("files that are one dataset if times are written anew, or along another dimension", async ({ page }) => {
  const units = await examine(page, "unitscf_0", "unitscf_1", "unitscf_2");
  await expect(units.verdict).toHaveText("Can be combined along time. Refscope will convert time to one unit. ◐");
  await expect(units.rowOf("unitscf_1.nc").getByRole("img", { name: "warning" })).toBeVisible();
  await units.open.click();
  await expect(tree(page).getByRole("treeitem", { name: "time", exact: true })).toContainText("12");
  await idle(page);

  const runs = await examine(page, "re_r01", "re_r02", "re_r03");
  await expect(runs.verdict).toHaveText("Cannot be combined along time ✕");
  await runs.dialog.getByLabel("Along").selectOption("a new dimension, by file name");
  await expect(runs.verdict).toHaveText("3 files can be combined along the new dimension file ✓");
  const name = runs.dialog.getByRole("textbox", { name: "Name of the new dimension" });
  await name.fill("run");
  await name.press("Enter");
  await expect(name).toBeFocused();
  await expect(runs.verdict).toHaveText("3 files can be combined along the new dimension run ✓");
  await expect(runs.rowOf("re_r03.nc")).toContainText("3");
  await runs.open.click();
  await expect(tree(page).getByRole("treeitem", { name: "run", exact: true })).toBeVisible();
});
