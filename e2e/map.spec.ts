/** Pictures made of cells, by fingers and wheel: the chunk grid, and the values of a chunk. */
import { expect, test, type Locator, type Page } from "@playwright/test";
import { chunk, idle, openPage } from "./support/app.ts";

test.use({ hasTouch: true });

const HASH = "#url=samples/ocean.v1.json&array=sst&chunk=2.0.1&view=chunks";
const grid = (page: Page) => page.getByRole("group", { name: "Chunk grid" });
const values = (page: Page) => chunk(page).getByRole("application", { name: /^Values of/ });

type Finger = readonly [x: number, y: number];

/** Fingers from where they are put down to where they are lifted, in pixels from the corner of what they touch. */
async function touch(page: Page, on: Locator, from: readonly Finger[], to: readonly Finger[]): Promise<void> {
  const box = (await on.boundingBox())!;
  const points = (fingers: readonly Finger[]) =>
    fingers.map(([x, y], id) => ({ x: Math.round(box.x + x), y: Math.round(box.y + y), id }));
  const session = await page.context().newCDPSession(page);
  const send = (type: "touchStart" | "touchMove" | "touchEnd", fingers: readonly Finger[]) =>
    session.send("Input.dispatchTouchEvent", { type, touchPoints: points(fingers) });
  await send("touchStart", from);
  if (from !== to) await send("touchMove", to);
  await send("touchEnd", []);
  await session.detach();
}

test("two fingers magnify the grid, a tap selects", async ({ page }) => {
  await openPage(page, HASH);
  await page.setViewportSize({ width: 1440, height: 1200 });
  await grid(page).getByRole("button", { name: "Sides" }).click();
  await grid(page).getByRole("checkbox", { name: "One slice at a time" }).check();
  await page.keyboard.press("Escape");
  const map = grid(page).getByRole("application");
  const box = (await map.boundingBox())!;
  const cell = (box.width - 52 - 6) / 3;
  const zoomOut = grid(page).getByRole("button", { name: "Zoom out" });
  await expect(zoomOut).toBeDisabled();
  await touch(page, map, [[120, 120], [180, 120]], [[60, 120], [300, 120]]); // prettier-ignore
  await expect(zoomOut).toBeEnabled();
  await expect(chunk(page).getByText("sst / 2.0.1").first()).toBeVisible();
  await grid(page).getByRole("button", { name: "Fit" }).click();
  const finger = [[52 + 2.5 * cell, 22 + 1.5 * cell]] as const;
  await touch(page, map, finger, finger);
  await idle(page);
  await expect(chunk(page).getByText("sst / 2.1.2").first()).toBeVisible();
});

test("the values are magnified at the pointer, and the value under it stays", async ({ page }) => {
  // The positions below are of a picture this wide.
  await page.setViewportSize({ width: 2000, height: 900 });
  await openPage(page, HASH);
  await chunk(page).getByRole("tab", { name: "Map" }).click();
  const map = values(page);
  const readout = chunk(page).locator(`[id="${await map.getAttribute("aria-describedby")}"]`);
  await map.scrollIntoViewIfNeeded();
  const at = async (y: number) => {
    await map.hover({ position: { x: 203, y } });
    return (await readout.innerText()).match(/lat (\d+)/)?.[1];
  };
  const below = await at(107);
  const above = await at(101);
  expect(Number(above)).toBe(Number(below) + 1);
  await page.keyboard.down("Control");
  await page.mouse.wheel(0, -400);
  await page.keyboard.up("Control");
  // Six pixels are no longer the way to the next value.
  await expect.poll(() => at(107)).toBe(above);
  await expect.poll(() => at(130)).toBe(below);
});
