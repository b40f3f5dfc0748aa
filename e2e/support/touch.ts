/** Whether what can be pressed is large enough for a finger, and nothing is wider than the screen. */
import type { Locator, Page } from "@playwright/test";

/**
 * Controls below 44 px. Those in the row of a table, links and fields within sentences, and boxes with a label beside them may have
 * 24 px (WCAG 2.2, 2.5.8).
 */
export function smallTargets(page: Page, part = ":root"): Promise<readonly string[]> {
  return page.evaluate((part) => {
    const CONTROLS =
      "button, select, textarea, summary, input, [role=tab], [role=radio], [role=option], [role=treeitem]";
    const TIGHT = "[role=row] *, td *, th *, p input, [data-kind=link], [type=checkbox], [type=radio]";
    const found: string[] = [];
    const wider = document.documentElement.scrollWidth - innerWidth;
    if (wider > 0) found.push(`the page is ${wider} px wider than the screen`);
    for (const control of document.querySelectorAll(`:is(${part}) :is(${CONTROLS})`)) {
      const { width, height } = control.getBoundingClientRect();
      // Monaco's own; nothing of what is hidden can be pressed.
      if (control.closest(".monaco-editor") !== null || !control.checkVisibility({ visibilityProperty: true }))
        continue;
      const least = control.matches(TIGHT) ? 24 : 44;
      // Half a pixel is the rounding of the layout; labels that are read aloud alone have no size.
      if ((width <= 1 && height <= 1) || Math.min(width, height) >= least - 0.5) continue;
      const name = control.getAttribute("aria-label") ?? control.textContent ?? "";
      found.push(
        `${control.tagName.toLowerCase()} “${name.trim().slice(0, 40)}” has ${Math.round(width)} × ${Math.round(height)} px`,
      );
    }
    return found;
  }, part);
}

/** Two fingers that part, across the middle. */
export async function pinch(page: Page, picture: Locator): Promise<void> {
  const { x, y, width, height } = (await picture.boundingBox())!;
  const session = await page.context().newCDPSession(page);
  const fingers = (apart: number) =>
    [-1, 1].map((side) => ({ x: x + width / 2 + side * apart, y: y + height / 2, id: side + 1 }));
  await session.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: fingers(30) });
  for (const apart of [50, 80, 110]) {
    await session.send("Input.dispatchTouchEvent", { type: "touchMove", touchPoints: fingers(apart) });
  }
  await session.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
}
