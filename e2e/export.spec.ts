/** What somebody edited is written out, opened again, and read: rows, chunks, large sets. */
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { gunzipSync } from "node:zlib";
import { expect, test, type Page } from "@playwright/test";
import { violations } from "./support/axe.ts";
import { saveExport } from "./support/export.ts";
import {
  chunk,
  dropFiles,
  expectRequest,
  goToChunk,
  idle,
  openPage,
  SAMPLES,
  showView,
  storedStatistic,
  truthOf,
} from "./support/app.ts";
import {
  asShown,
  documentPart,
  editor,
  EXAMPLE_VERSION_0,
  expectRows,
  line,
  openExample,
  result,
  selectWord,
  settled,
  shownRows,
} from "./support/studio.ts";

const row = (page: Page, key: string) =>
  result(page)
    .getByRole("row")
    .filter({ has: page.getByRole("rowheader", { name: key, exact: true }) });

const newFolder = () => mkdtempSync(join(tmpdir(), "refscope-"));

/** Drops a file on the page and opens the studio on it. */
async function dropAndEdit(page: Page, paths: readonly string[], name: string): Promise<void> {
  await dropFiles(page, paths);
  await expect(page.locator("header").getByTitle(name, { exact: true })).toBeVisible();
  await idle(page);
  if (!(await editor(page).count())) await page.getByRole("button", { name: "Edit", exact: true }).click();
  await expect(editor(page)).toBeAttached();
  await settled(page);
}

/** Makes one change with the dialog "Change references". */
async function change(page: Page, kind: string, fields: Readonly<Record<string, string>>): Promise<void> {
  await documentPart(page).getByRole("button", { name: "Change…" }).click();
  const dialog = page.getByRole("dialog", { name: "Change references" });
  await dialog.getByLabel("Change", { exact: true }).selectOption({ label: kind });
  for (const [label, value] of Object.entries(fields)) await dialog.getByLabel(label, { exact: true }).fill(value);
  await dialog.getByRole("button", { name: "Apply" }).click();
  await expect(dialog.getByRole("status")).not.toBeEmpty();
  await dialog.getByRole("button", { name: "Close", exact: true }).click();
  await settled(page);
}

test("every form in every compression opens again as the same set", { tag: "@deep" }, async ({ page }) => {
  const folder = newFolder();
  await openExample(page);
  await selectWord(page, '"stop"', ": [5]");
  await page.keyboard.type("4");
  await expectRows(page, 8);
  const { gen_key4: _, ...version0 } = EXAMPLE_VERSION_0;
  const rows = asShown(version0);
  await expect.poll(() => shownRows(page)).toEqual(rows);
  await page.getByRole("button", { name: "Export…" }).click();
  const paths: string[] = [];
  for (const form of [/^As edited/, /^Version 0/, /^Version 1, flattened/]) {
    for (const compression of [/^None/, /^gzip/]) {
      paths.push(await saveExport(page, form, compression, folder));
    }
  }
  expect(new Set(paths).size).toBe(6);
  await page.keyboard.press("Escape");

  const texts = paths.map((path) => (path.endsWith(".gz") ? gunzipSync(readFileSync(path)) : readFileSync(path)));
  const documents = texts.map((text) => JSON.parse(text.toString()) as unknown);
  expect(texts[0]!.toString()).toContain('"i": { "stop": 4 }');
  expect(texts[1]!.equals(texts[0]!)).toBe(true);
  expect(documents.slice(2)).toEqual([
    version0,
    version0,
    { version: 1, refs: version0 },
    { version: 1, refs: version0 },
  ]);
  for (const path of paths) {
    await dropAndEdit(page, [path], path.slice(folder.length + 1));
    await expectRows(page, 8);
    await expect.poll(() => shownRows(page), { message: path }).toEqual(rows);
  }
});

/** The two chunks of `pre` where `kc3.json` looks for them; the fill value and some rain. */
function syntheticTarget(): Uint8Array {
  const bytes = new Uint8Array(47_534 + 2 * 368_880);
  const view = new DataView(bytes.buffer);
  for (let at = 0; at < 2 * 46_110; at += 1)
    view.setFloat64(47_534 + at * 8, at % 3 === 0 ? 9.969209968386869e36 : at / 7, true);
  return bytes;
}

test(
  "a template overridden to point at a file at hand: its chunk is read at once",
  { tag: "@deep" },
  async ({ page }) => {
    const real = resolve(import.meta.dirname, "../../shared/corpus/ceda-structure-expts/pre.nc");
    const bytes = existsSync(real) ? new Uint8Array(readFileSync(real)) : syntheticTarget();
    const folder = newFolder();
    const text = readFileSync(resolve(import.meta.dirname, "fixtures/kc3.json"), "utf8")
      .replaceAll('"pre.nc"', '"{{u}}"')
      .replace('"version": 1', '"version": 1, "templates": { "u": "https://archive.invalid/cru/pre-1901.nc" }');
    writeFileSync(join(folder, "kc3.json"), text);
    writeFileSync(join(folder, "pre.nc"), bytes);
    await page.route("https://archive.invalid/**", (route) => route.abort());
    await openPage(page);
    await dropAndEdit(page, [join(folder, "kc3.json"), join(folder, "pre.nc")], "kc3.json");
    await page.getByRole("searchbox", { name: "Filter keys and sources" }).fill("pre/1.0.0");
    await expect(row(page, "pre/1.0.0")).toContainText("https://archive.invalid/cru/pre-1901.nc");
    await row(page, "pre/1.0.0").click();
    await expect(chunk(page).getByRole("alert")).toBeVisible();
    await change(page, "Override a template", { Template: "u", "New text": "pre.nc" });
    await expect(line(page, '"templates"')).toContainText('"u": "pre.nc"');
    await expectRequest(page, '["pre.nc", 416414, 368880]');
    const values = [...new Float64Array(bytes.slice(416_414, 416_414 + 368_880).buffer)];
    expect(Number(await storedStatistic(page, "Maximum"))).toBe(Math.max(...values));
    expect(Number(await storedStatistic(page, "Minimum"))).toBe(Math.min(...values));
    await expectRequest(page, "Made by gen[0] · i=1");
  },
);

test("an offset changed in the text is read at once, and the whole page shows the edited set", async ({ page }) => {
  await openPage(page, "#url=samples/ocean.v1.json&view=edit");
  await expect(editor(page)).toBeAttached();
  await settled(page);
  await page.getByRole("searchbox", { name: "Filter keys and sources" }).fill("sst/5.0.0");
  await row(page, "sst/5.0.0").click();
  await idle(page);
  expect(Number(await storedStatistic(page, "Maximum"))).toBe(truthOf("sst", "5.0.0").max);
  await expect(line(page, '"sst/5.0.0"').first()).toBeVisible();
  const before = await row(page, "sst/5.0.0").locator("[data-column=offset]").innerText();
  await change(page, "Set a reference", { Key: "sst/5.0.0", Reference: '["ocean-b.nc", 1, 64]' });
  await expect(row(page, "sst/5.0.0").locator("[data-column=offset]")).toHaveText(/→1$/);
  await expect(chunk(page).getByRole("alert")).toBeVisible();
  const edited = page.locator("header").getByText("edited", { exact: true });
  await expect(edited).toBeVisible();
  await page.getByRole("button", { name: "Export…", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Export" });
  await dialog.getByRole("button", { name: "Close" }).click();
  await expect(dialog).toHaveCount(0);
  await page.keyboard.press("Alt+5");
  await expect(edited).toBeVisible();
  await goToChunk(page, "sst/5.0.0");
  const inManifest = page.getByRole("grid", { name: "Manifest" }).getByRole("row", { name: /sst\/5\.0\.0/ });
  await expect(inManifest).toContainText("ocean-b.nc16465");
  await showView(page, "Chunks");
  await expect(page.getByRole("tabpanel", { name: "Chunks" })).toContainText("sst");
  await expect(edited).toBeVisible();
  await showView(page, "Metadata");
  await expect(edited).toBeVisible();
  await page.getByRole("button", { name: "Edit", exact: true }).click();
  await expect(editor(page)).toBeAttached();
  await documentPart(page).getByRole("button", { name: "Undo" }).click();
  await settled(page);
  await page.getByRole("searchbox", { name: "Filter keys and sources" }).fill("sst/5.0.0");
  await expect(row(page, "sst/5.0.0").locator("[data-column=offset]")).toHaveText(before);
  expect(Number(await storedStatistic(page, "Maximum"))).toBe(truthOf("sst", "5.0.0").max);
});

const LARGE = 60_000;

function largeSet(): string {
  const zarray = {
    zarr_format: 2,
    shape: [LARGE],
    chunks: [1],
    dtype: "|u1",
    compressor: null,
    filters: null,
    fill_value: 0,
    order: "C",
  };
  const chunks = Array.from({ length: LARGE }, (_, at) => [
    `a/${at}`,
    [`https://archive.invalid/a/long/folder/name/of/a/file-${at % 50}.nc`, at * 10, 10],
  ]);
  return JSON.stringify({
    version: 1,
    refs: { ".zgroup": '{"zarr_format":2}', "a/.zarray": JSON.stringify(zarray), ...Object.fromEntries(chunks) },
  });
}

test("a set too large for a text editor is edited by operations, and exported", { tag: "@deep" }, async ({ page }) => {
  const folder = newFolder();
  const text = largeSet();
  expect(text.length).toBeGreaterThan(4 << 20);
  writeFileSync(join(folder, "large.json"), text);
  await openPage(page);
  await dropAndEdit(page, [join(folder, "large.json")], "large.json");
  await expect(documentPart(page)).toContainText("60,000 references stay in the table");
  await expectRows(page, LARGE + 2);
  await change(page, "Replace a URL prefix", {
    Prefix: "https://archive.invalid/a/long/folder/",
    "New prefix": "https://near.invalid/",
  });
  await expect(row(page, "a/0")).toContainText("https://near.invalid/name/of/a/file-0.nc");
  await expect(page.getByRole("button", { name: "60,000 changed" })).toBeVisible();
  await change(page, "Remove a reference", { Key: "a/1" });
  await expectRows(page, LARGE + 1);
  await change(page, "Remove a reference", { Key: "a/2" });
  await expectRows(page, LARGE);
  await documentPart(page).getByRole("button", { name: "Undo the last" }).click();
  await expectRows(page, LARGE + 1);

  await page.getByRole("button", { name: "Export…" }).click();
  const path = await saveExport(page, /^Version 0/, /^gzip/, folder);
  const wanted = JSON.parse(text.replaceAll("https://archive.invalid/a/long/folder/", "https://near.invalid/")) as {
    refs: Record<string, unknown>;
  };
  delete wanted.refs["a/1"];
  const written = JSON.parse(gunzipSync(readFileSync(path)).toString()) as Record<string, unknown>;
  expect(Object.keys(written)).toEqual(Object.keys(wanted.refs));
  expect(written).toEqual(wanted.refs);
});

test("Parquet, as an archive and in a folder, opens again as the same set; what it cannot hold is said before", async ({
  page,
}) => {
  const folder = newFolder();
  // Where the browser asks for a folder it gets one of the page's own.
  await page.addInitScript(() => {
    Object.assign(globalThis, { showDirectoryPicker: () => navigator.storage.getDirectory() });
  });
  const data = ["ocean-a.nc", "ocean-b.nc"].map((name) => join(SAMPLES, name));
  await openPage(page);
  await dropFiles(page, [join(SAMPLES, "ocean.v1.json"), ...data]);
  await expect(page.locator("header").getByText("ocean.v1.json")).toBeVisible();
  await page.getByRole("button", { name: "Export…" }).click();
  const dialog = page.getByRole("dialog", { name: "Export" });
  await dialog.getByRole("radio", { name: /^Kerchunk Parquet/ }).check();
  const how = dialog.getByRole("list", { name: "How it is written" });
  await expect(how).toContainText("2 source paths are relative to the folder that the dataset was opened from");
  // Published elsewhere: what is tried is said first, and Python opens that very file.
  await dialog.getByRole("radio", { name: /^Sources will lie at/ }).check();
  const place = new URL("samples", page.url()).href;
  await dialog.getByRole("textbox", { name: "URL of the sources' folder" }).fill(place);
  await dialog.getByText("Open the export in Python").click();
  await expect(dialog).toContainText(`ocean-a.nc becomes ${place}/ocean-a.nc`);
  await expect(how).toContainText("2 source paths rewritten to where the sources will lie");
  const python = dialog.getByLabel("Python that opens the export");
  await expect(python).toContainText('"ocean.parq"');
  await expect(python).toContainText('"remote_protocol": "http"');
  await expect(dialog).toContainText("Requests two small ranges of this file");
  await dialog.getByRole("button", { name: "Try it" }).click();
  await expect(dialog.getByText("This page can read it, range by range.")).toBeVisible();
  expect(await violations(page, { rules: "all", part: "dialog" })).toEqual([]);
  await dialog.getByRole("radio", { name: /^Paths as they are/ }).check();
  await expect(python).not.toContainText("http");
  const path = await saveExport(page, /^Kerchunk Parquet/, undefined, folder);
  expect(path).toMatch(/ocean\.parq\.zip$/);
  await expect(dialog.getByRole("status")).toContainText("9 files, 102 references");

  await dialog.getByRole("button", { name: "Choose a folder…" }).click();
  await expect(dialog.getByRole("status")).toContainText("ocean.parq: 9 files, 102 references");
  const inFolder = await page.evaluate(async () => {
    const made = await (await navigator.storage.getDirectory()).getDirectoryHandle("ocean.parq");
    const names: string[] = [];
    for await (const name of made.keys()) names.push(name);
    return names.toSorted();
  });
  expect(inFolder).toContain(".zmetadata");
  await dialog.getByRole("button", { name: "Choose a folder…" }).click();
  await expect(dialog.getByRole("alert")).toContainText("not empty");
  await dialog.getByRole("button", { name: "Close" }).click();

  await dropFiles(page, [path, ...data]);
  await expect(page.locator("header").getByText("Kerchunk Parquet")).toBeVisible();
  await goToChunk(page, "sst/5.0.0");
  expect(Number(await storedStatistic(page, "Maximum"))).toBe(truthOf("sst", "5.0.0").max);
  await expect(page.locator("header").first()).toContainText("102 chunks");

  await openPage(page, "#url=samples/ocean-broken.json");
  await page.getByRole("button", { name: "Export…" }).click();
  await dialog.getByRole("radio", { name: /^Kerchunk Parquet/ }).check();
  await expect(dialog.getByRole("list", { name: "Not written" })).toContainText("1 key of no chunk");
  await expect(how).toContainText("3 relative source paths written as URLs");
});

test("an Icechunk repository asks where the sources lie, and opens again as the same dataset", async ({ page }) => {
  const folder = newFolder();
  await openPage(page);
  await dropFiles(page, [join(SAMPLES, "ocean-a.v0.json"), join(SAMPLES, "ocean-a.nc")]);
  await idle(page);
  await page.getByRole("button", { name: "Export…", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Export" });
  await expect(dialog.getByText(/Open the export in Python/)).toBeVisible();
  await dialog.getByRole("radio", { name: /^Icechunk repository/ }).check();
  await expect(dialog.getByRole("alert")).toContainText("Icechunk needs absolute addresses");
  await expect(dialog.getByRole("button", { name: "Export .zip" })).toBeDisabled();
  await dialog.getByRole("radio", { name: /^Sources will lie at/ }).check();
  await dialog.getByRole("textbox", { name: "URL of the sources' folder" }).fill("https://data.example.org/ocean/");
  await page.keyboard.press("Enter");
  await dialog.getByText("Open the export in JavaScript").click();
  await expect(dialog.getByLabel("JavaScript that opens the export")).toContainText('{ type: "HttpAccess" }');
  expect(await violations(page, { rules: "all", part: "dialog" })).toEqual([]);
  const path = await saveExport(page, /^Icechunk repository/, undefined, folder);
  expect(path).toMatch(/ocean-a\.icechunk\.zip$/);
  await dialog.getByRole("button", { name: "Close" }).click();
  await dropFiles(page, [path]);
  await expect(page.locator("header").getByText("Icechunk, format 2")).toBeVisible();
  await idle(page);
  await goToChunk(page, "checked/c/0/0");
  await expect(chunk(page)).toContainText("https://data.example.org/ocean/ocean-a.nc");
});
