/** Values compared across chunks and files: what a deep check finds is shown as a plot, on the map and in the table. */
import { expect, test, type Locator, type Page } from "@playwright/test";
import { idle, manifest, openPage, problems, selectArray, showView, tree } from "./support/app.ts";
import { violations } from "./support/axe.ts";
import { startRangeServer, type RangeServer } from "./support/range-server.ts";

/** Files of a day each, ten of each array's chunks in a file. */
const [FILES, STEPS, ROWS, COLUMNS] = [20, 10, 6, 9];
/** From this file on the values are ten times as large; and the file in which a chunk is no zlib stream. */
const [CHANGED, DAMAGED] = [12, 5];
const CHUNK = ROWS * COLUMNS * 4;

let server: RangeServer;

const field = (time: number, y: number, x: number): number =>
  285 + 6 * Math.sin(0.4 * y - 0.8) + 4 * Math.cos(0.35 * x + 0.05 * time) + 3 * Math.sin(time / 30);

/** The bytes of a step: little-endian, as the metadata say. */
function step(time: number): Uint8Array {
  const view = new DataView(new ArrayBuffer(CHUNK));
  const factor = time >= CHANGED * STEPS ? 10 : 1;
  for (let at = 0; at < ROWS * COLUMNS; at += 1)
    view.setFloat32(at * 4, factor * field(time, Math.floor(at / COLUMNS), at % COLUMNS), true);
  return new Uint8Array(view.buffer);
}

const fileName = (file: number): string => `sea_2001${String(file + 1).padStart(2, "0")}.bin`;

function metadata(shape: readonly number[], chunks: readonly number[], dtype: string, compressor: object | null) {
  return { zarr_format: 2, shape, chunks, dtype, compressor, filters: null, order: "C", fill_value: null };
}

function made(): Record<string, Uint8Array | string> {
  const times = new DataView(new ArrayBuffer(FILES * STEPS * 4));
  const refs: Record<string, unknown> = {
    ".zgroup": { zarr_format: 2 },
    "temp/.zarray": metadata([FILES * STEPS, ROWS, COLUMNS], [1, ROWS, COLUMNS], "<f4", null),
    "temp/.zattrs": { _ARRAY_DIMENSIONS: ["time", "y", "x"], units: "K" },
    "packed/.zarray": metadata([FILES, CHUNK / 4], [1, CHUNK / 4], "<f4", { id: "zlib", level: 1 }),
    "packed/.zattrs": { _ARRAY_DIMENSIONS: ["file", "cell"] },
    "time/.zarray": metadata([FILES * STEPS], [FILES * STEPS], "<i4", null),
    "time/.zattrs": { _ARRAY_DIMENSIONS: ["time"], units: "days since 2001-01-01" },
  };
  const files: Record<string, Uint8Array | string> = {};
  for (let file = 0; file < FILES; file += 1) {
    const bytes = new Uint8Array(STEPS * CHUNK);
    for (let at = 0; at < STEPS; at += 1) {
      const time = file * STEPS + at;
      bytes.set(step(time), at * CHUNK);
      refs[`temp/${time}.0.0`] = [fileName(file), at * CHUNK, CHUNK];
      times.setInt32(time * 4, time, true);
    }
    files[`/${fileName(file)}`] = bytes;
  }
  refs[`packed/${DAMAGED}.0`] = [fileName(DAMAGED), 0, CHUNK];
  refs["time/0"] = `base64:${Buffer.from(times.buffer).toString("base64")}`;
  return { ...files, "/sea.json": JSON.stringify({ version: 1, refs }) };
}

test.beforeAll(async () => {
  server = await startRangeServer({ files: made() });
});

test.afterAll(async () => {
  await server.stop();
});

const open = (page: Page): Promise<void> =>
  openPage(page, `#url=${encodeURIComponent(server.url("/sea.json"))}&view=check`);

const evidence = (cause: Locator): Locator => cause.getByRole("region", { name: "Evidence" });
const plot = (within: Locator): Locator => within.getByRole("application", { name: /^Values of / });

async function checkAll(page: Page): Promise<void> {
  await page.getByRole("button", { name: /^Check all · \d/ }).click();
  await idle(page);
}

test("a step at a file's border is a cause with a plot that marks it, by pointer and by keys", async ({ page }) => {
  await open(page);
  await checkAll(page);
  const cause = problems(page).locator('[data-code="steps-read-otherwise"]');
  await expect(cause).toHaveCount(1);
  await expect(cause.locator("svg [data-marked]").first()).toBeVisible();
  await cause.getByRole("button", { name: "More" }).click();
  const shown = plot(evidence(cause));
  await expect(shown).toHaveAccessibleName(
    /^Values of temp\. Marked: 2001-05-01 – 07-19\. There 2\d{3}(\.\d+)? to [23]\d{3}(\.\d+)? K; elsewhere 2\d\d(\.\d+)? to (29|30)\d(\.\d+)? K\. The step is/,
  );
  await expect(shown).toHaveAttribute("data-bins", String(FILES * STEPS));
  await expect(shown).toHaveAttribute("data-marked", String((FILES - CHANGED) * STEPS));
  await expect(evidence(cause)).toContainText("lines where a file begins");
  await shown.focus();
  await page.keyboard.press("ArrowRight");
  await expect(evidence(cause)).toContainText(`2001-05-01 · ${fileName(CHANGED)} ·`);
  await page.keyboard.press("Home");
  await expect(evidence(cause)).toContainText(`2001-01-01 · ${fileName(0)} ·`);
  await page.keyboard.press("Escape");
  await expect(evidence(cause)).toContainText("Marked: 2001-05-01 – 07-19.");
  const box = await shown.boundingBox();
  if (box === null) throw new Error("The plot is not on the screen.");
  await page.mouse.move(box.x + box.width - 2, box.y + box.height / 2);
  await expect(evidence(cause)).toContainText(`2001-07-19 · ${fileName(FILES - 1)} ·`);
});

test("values of every array are there to be seen, and nothing of them before", { tag: "@deep" }, async ({ page }) => {
  await open(page);
  const values = page.getByRole("region", { name: "Values by chunk" });
  await expect(values).toHaveCount(0);
  await checkAll(page);
  await expect(plot(values)).toHaveAccessibleName(/^Values of temp along time: 27\d(\.\d+)? to [23]\d{3}(\.\d+)? K$/);
  await values.getByRole("button", { name: "temp" }).click();
  await idle(page);
  await expect(page.getByRole("tab", { name: "Chunks" })).toHaveAttribute("aria-selected", "true");
});

test(
  "what a deep check read is said on the map and in the table, failures in words",
  { tag: "@deep" },
  async ({ page }) => {
    await open(page);
    await checkAll(page);
    await selectArray(page, "packed");
    await showView(page, "Chunks");
    await page.getByRole("combobox", { name: "Colour by" }).selectOption("reading");
    await idle(page);
    await expect(page.getByRole("list", { name: "Legend" })).toContainText(/failed\s*1/);
    await expect(manifest(page).locator('[data-result="failed"]')).toHaveText(/zlib/);
    await selectArray(page, "temp");
    await idle(page);
    await expect(manifest(page).locator('[data-result="ok"]').first()).toContainText("216 B");
    await expect(manifest(page).locator('[data-result="not tried"]')).toHaveCount(0);
  },
);

test("a sample says its chunks, its bytes and its confidence, and reads no more", async ({ page }) => {
  await open(page);
  await page.getByRole("button", { name: "Check a sample" }).click();
  const dialog = page.getByRole("dialog", { name: "Check a sample" });
  await idle(page);
  await expect(dialog).toContainText("Finds a problem that affects 5% of an array’s chunks with 95% confidence.");
  const button = dialog.getByRole("button", { name: /^Check a sample of \d+ chunks · [\d.,]+ k?B/ }).first();
  const chunks = Number(/of (\d+)/.exec(await button.innerText())?.[1]);
  expect(chunks).toBeGreaterThan(59);
  expect(chunks).toBeLessThan(FILES * STEPS);
  await button.click();
  await idle(page);
  const bars = page.getByRole("list", { name: "Coverage of the check" });
  await expect(bars).toContainText(`of ${FILES * STEPS + 2} chunks`);
  // Doubtful chunks were read before, unasked.
  const decoded = Number(/decoded (\d+)/.exec(await bars.innerText())?.[1]);
  expect(decoded).toBeGreaterThanOrEqual(chunks);
  expect(decoded).toBeLessThan(chunks + 30);
  await expect(page.getByRole("region", { name: "Values by chunk" })).toContainText(/\d+ of 200 chunks decoded/);
});

test("an array alone is checked for what it costs", { tag: "@deep" }, async ({ page }) => {
  await open(page);
  await checkAll(page);
  await expect(page.getByRole("button", { name: /^Check temp/ })).toHaveCount(0);
  await openPage(page, "#url=samples/ocean-broken.json&view=check");
  await page.getByRole("button", { name: "Check a sample" }).click();
  await page.getByRole("button", { name: /^Check sst · 5\d\d kB$/ }).click();
  await idle(page);
  await expect(page.getByRole("region", { name: "Values by chunk" })).toContainText(
    "50 of 54 chunks decoded, 3 failed",
  );
  await expect(page.getByRole("button", { name: /^Check sst/ })).toHaveCount(0);
});

test("every cause about chunks has a picture: of the data, or of the lengths of chunks", async ({ page }) => {
  await openPage(page, "#url=samples/ocean-broken.json&view=check");
  await idle(page);
  const pictures = problems(page).locator('li:not([data-severity="info"])', { has: page.locator("canvas") });
  await expect(pictures).toHaveCount(5);
  await expect(page.getByText(/2 pictures took \d+ kB\./)).toBeVisible();
  await expect(tree(page).getByRole("treeitem", { name: "sst", exact: true }).locator("canvas")).toHaveCount(1);
});

for (const colorScheme of ["light", "dark"] as const)
  test(`nothing is wrong for those who do not see plots: ${colorScheme}`, { tag: "@deep" }, async ({ page }) => {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await open(page);
    await checkAll(page);
    await problems(page).locator('[data-code="steps-read-otherwise"]').getByRole("button", { name: "More" }).click();
    await idle(page);
    expect(await violations(page, { rules: "all", part: undefined })).toEqual([]);
  });
