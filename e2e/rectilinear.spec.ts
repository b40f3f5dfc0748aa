/** An array with unequal chunks: its map to scale, a chunk in its own shape, a slice across chunks. */
import { expect, test, type Page } from "@playwright/test";
import { chunk, expectRequest, idle, manifest, openPage, showView, statistic } from "./support/app.ts";
import { startRangeServer, type RangeServer } from "./support/range-server.ts";
import { rectilinearSet, valueAt } from "./support/rectilinear.ts";

let server: RangeServer;

test.beforeAll(async () => {
  const { document, file } = rectilinearSet();
  server = await startRangeServer({ files: { "/set.json": document, "/t.bin": file } });
});
test.afterAll(() => server.stop());

const open = (page: Page, rest: string) =>
  openPage(page, `#url=${encodeURIComponent(server.url("/set.json"))}&array=t${rest}`);

const grid = (page: Page) => page.getByRole("group", { name: "Chunk grid" });
const data = (page: Page) => page.getByRole("application", { name: "Data" });
const name = (page: Page) => page.getByRole("heading", { name: /^t\b/ }).first().locator("xpath=..");

test(
  "the map is to scale: what is clicked is the chunk that is drawn there, read in its own shape",
  { tag: "@deep" },
  async ({ page }) => {
    await open(page, "&view=chunks");
    await expect(name(page)).toContainText("2 × 2 × 3 chunks of 28–31 × 2–6 × 1–8");
    await expect(manifest(page)).toHaveAttribute("aria-rowcount", "13");
    await grid(page).getByRole("button", { name: "Sides" }).click();
    await grid(page).getByRole("checkbox", { name: "One slice at a time" }).check();
    await page.keyboard.press("Escape");
    const slice = grid(page).getByRole("application");
    await slice.focus();
    await page.keyboard.press("Control+End");
    await page.keyboard.press("Enter");
    await idle(page);
    await expect(chunk(page).getByText("t / 0.1.2").first()).toBeVisible();
    await expect.poll(() => statistic(page, "Count")).toBe((31 * 6 * 6).toLocaleString("en"));
    await expect.poll(() => statistic(page, "Maximum")).toBe(String(valueAt(30, 7, 11)));
    await expectRequest(page, '["t.bin"');
    await expect(chunk(page)).toContainText("past the array’s edge: 2 of 8 along lon");
    // The column of one element is as wide as a twelfth of the map, and starts where five twelfths end.
    const at = await cellsOf(page);
    await slice.click({ position: { x: at.left + (5.5 / 12) * at.width, y: at.top + (1 / 8) * at.height } });
    await idle(page);
    await expect(chunk(page).getByText("t / 0.0.1").first()).toBeVisible();
    await expect.poll(() => statistic(page, "Count")).toBe(String(31 * 2));
    await slice.click({ position: { x: at.left + (7 / 12) * at.width, y: at.top + (3 / 8) * at.height } });
    await idle(page);
    await expect(chunk(page).getByText("t / 0.1.2").first()).toBeVisible();
  },
);

/** Where the cells of the map are: as high as a row of them is, ticks above and at the left. */
async function cellsOf(page: Page) {
  const box = (await grid(page).getByRole("application").boundingBox())!;
  const [left, top] = [52, 22];
  const side = Math.min((box.width - left - 6) / 3, (box.height - top - 6) / 2, 96);
  return { left, top, width: 3 * side, height: 2 * side };
}

test("a slice is put together from chunks of all sizes, and its places are those of their elements", async ({
  page,
}) => {
  await open(page, "&chunk=1.1.2&view=data");
  await expect(data(page)).toHaveAttribute("data-read", "5");
  await expect(data(page)).toHaveAttribute("data-failed", "0");
  const readout = page.locator(`[id="${await data(page).getAttribute("aria-describedby")}"]`);
  await expect(readout).toContainText("time index 31");
  await data(page).focus();
  await page.keyboard.press("Control+End");
  await expect(readout).toContainText("lat index 7");
  await expect(readout).toContainText("lon index 11");
  await expect(readout).toContainText(String(valueAt(31, 7, 11)));
  await page.keyboard.press("Control+Home");
  await expect(readout).toContainText(String(valueAt(31, 0, 0)));
});

test("the metadata say how the array is cut, and Python what it must be told", { tag: "@deep" }, async ({ page }) => {
  await open(page, "&view=overview");
  const panel = page.getByRole("main");
  await expect(panel).toContainText("rectilinear: chunks of unequal lengths");
  await expect(panel).toContainText("112 B to 2,976 B");
  const lon = panel.getByRole("row", { name: /^lon/ });
  await expect(lon).toContainText("1–8");
  await expect(lon).toContainText("5, 1, 8");
  await expect(panel).toContainText('zarr.config.set({"array.rectilinear_chunks": True})');
  await showView(page, "Chunks");
  await expect(manifest(page).getByRole("row").filter({ hasText: "c/1/0/1" })).toContainText("missing");
});
