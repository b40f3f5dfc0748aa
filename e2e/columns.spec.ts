/** The columns of a grid: their places and widths, by keys, mouse and finger, and that they are kept. */
import { expect, test, type Locator, type Page } from "@playwright/test";
import { idle, manifest, openPage } from "./support/app.ts";
import { startRangeServer } from "./support/range-server.ts";

// All columns have room.
test.use({ hasTouch: true, viewport: { width: 2000, height: 900 } });

const HASH = "#url=samples/ocean.v1.json&array=sst&view=chunks";
const head = (page: Page, name: string) => manifest(page).getByRole("columnheader", { name: new RegExp(`^${name}`) });
const names = (grid: Locator) => async () =>
  (await grid.getByRole("columnheader").allInnerTexts()).map((name) => name.replace(/ [↑↓]$/, "").trim()).join();
const widthOf = (header: Locator) => header.evaluate((element) => Math.round(element.getBoundingClientRect().width));
const handle = (header: Locator) => header.locator("[title^=Drag]");

async function middle(of: Locator): Promise<{ readonly x: number; readonly y: number }> {
  const { x, y, width, height } = (await of.boundingBox())!;
  return { x: x + width / 2, y: y + height / 2 };
}

test("columns move by keys and by drag, are announced, and are still there after a reload", async ({ page }) => {
  await openPage(page, HASH);
  const order = names(manifest(page));
  await expect.poll(order).toBe("Key,Source,Offset,Length,End,Read");
  await manifest(page).focus();
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Alt+ArrowRight");
  await page.keyboard.press("Alt+ArrowRight");
  await expect.poll(order).toBe("Key,Offset,Length,Source,End,Read");
  await expect(page.getByText("Source: column 4 of 6")).toBeAttached();
  // The cursor goes with the column.
  await expect(head(page, "Source")).toHaveAttribute("data-active", "true");
  await page.keyboard.press("Alt+ArrowLeft");
  await expect.poll(order).toBe("Key,Offset,Source,Length,End,Read");

  const [from, to] = [await middle(head(page, "Read")), await middle(head(page, "Offset"))];
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(to.x, to.y, { steps: 3 });
  await page.mouse.up();
  await expect.poll(order).toBe("Key,Read,Offset,Source,Length,End");
  // Nothing was sorted by that.
  await expect(head(page, "Offset")).toHaveAttribute("aria-sort", "none");

  await page.reload();
  await expect.poll(order).toBe("Key,Read,Offset,Source,Length,End");
});

test("a stretched column is sized from the width that is seen, by mouse, finger and keys", async ({ page }) => {
  await openPage(page, HASH);
  const target = head(page, "Source");
  const seen = await widthOf(target);
  expect(seen).toBeGreaterThan(84);
  const start = await middle(handle(target));
  await page.mouse.move(start.x, start.y);
  await page.mouse.down();
  await page.mouse.move(start.x + 20, start.y, { steps: 2 });
  await page.mouse.up();
  await expect.poll(() => widthOf(target)).toBe(seen + 20);

  const session = await page.context().newCDPSession(page);
  const { x, y } = await middle(handle(target));
  await session.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: [{ x, y }] });
  await session.send("Input.dispatchTouchEvent", { type: "touchMove", touchPoints: [{ x: x - 30, y }] });
  await session.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
  await expect.poll(() => widthOf(target)).toBe(seen - 10);

  await manifest(page).focus();
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Shift+ArrowRight");
  await expect.poll(() => widthOf(target)).toBe(seen + 6);
  await handle(target).dblclick();
  await expect.poll(() => widthOf(target)).toBe(seen);
});

test("a layout kept by an older version is read, and what makes no sense in it is not", async ({ page }) => {
  await openPage(page, HASH);
  const kept = {
    sizing: { offset: 150, end: -7, key: "wide" },
    visibility: { coordinates: true, read: 3 },
  };
  await page.evaluate((text) => localStorage.setItem("refscope.manifest.1", text), JSON.stringify(kept));
  await page.reload();
  await expect.poll(names(manifest(page))).toBe("Key,Coordinates,Source,Offset,Length,End,Read");
  expect([await widthOf(head(page, "Offset")), await widthOf(head(page, "End"))]).toEqual([150, 56]);
});

test("a grid whose keys move among rows alone has its headers in the order of Tab", async ({ page }) => {
  await openPage(page, "#url=samples/ocean.v1.json&view=sources");
  const grid = page.getByRole("grid", { name: "Sources" });
  const share = grid.getByRole("columnheader", { name: "Share" });
  await share.focus();
  await page.keyboard.press("Alt+ArrowLeft");
  await expect.poll(names(grid)).toBe("Source file,References,Share,Bytes,Arrays and where,Status");
  await expect(share).toBeFocused();
  await grid.getByRole("button", { name: "Bytes" }).focus();
  await page.keyboard.press("Shift+ArrowRight");
  await expect.poll(() => widthOf(grid.getByRole("columnheader", { name: "Bytes" }))).toBe(100);
});

test("offsets of gigabytes are whole beside the map and a chunk", async ({ page }) => {
  const metadata = { zarr_format: 2, dtype: "|u1", compressor: null, filters: null, order: "C", fill_value: 0 };
  const server = await startRangeServer();
  server.put(
    "/big.json",
    JSON.stringify({
      ".zgroup": '{"zarr_format":2}',
      "x/.zarray": JSON.stringify({ ...metadata, shape: [4, 4], chunks: [2, 4] }),
      "x/0.0": ["big.nc", 8_765_432_100, 8],
      "x/1.0": ["big.nc", 8_765_432_108, 8],
    }),
  );
  await page.setViewportSize({ width: 1440, height: 900 });
  await openPage(page, `#url=${encodeURIComponent(server.url("/big.json"))}&array=x&view=chunks&chunk=0.0`);
  await idle(page);
  const cells = manifest(page).locator('[data-column="offset"]:has-text("8,765,432,1")');
  await expect(cells).toHaveCount(2);
  const cut = await cells.evaluateAll((all) =>
    all.map((one) =>
      Math.max(0, ...[one, ...one.querySelectorAll("*")].map((part) => part.scrollWidth - part.clientWidth)),
    ),
  );
  expect(Math.max(...cut)).toBeLessThanOrEqual(0);
  await server.stop();
});
