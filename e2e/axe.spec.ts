/** axe-core finds nothing on any screen, light and dark, on a desk and on a phone; there, targets are for fingers. */
import { expect, test, type Page } from "@playwright/test";
import { openPage } from "./support/app.ts";
import { violations } from "./support/axe.ts";
import { startRangeServer, type RangeServer } from "./support/range-server.ts";
import { screens, show } from "./support/screens.ts";
import { smallTargets } from "./support/touch.ts";
import { SHARDED } from "./support/stores.ts";

let server: RangeServer;

test.beforeAll(async () => {
  server = await startRangeServer({ root: SHARDED });
});

test.afterAll(async () => {
  await server.stop();
});

// Colours that are on their way to others would be measured there.
test.use({ contextOptions: { reducedMotion: "reduce" } });

/** Computed colours are of the frame before until one has been drawn. */
async function scheme(page: Page, colorScheme: "light" | "dark"): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
}

/** In parts, so that they share the workers: `from` begins one where it does not stand on the screen before. */
const PARTS = [
  ["start", "Data"],
  ["Data", "trial"],
  ["trial", "sources"],
  ["sources", undefined],
] as const;

/** One of each kind: everybody waits for these, on a desk; the deep run looks at all. */
const USUAL = new Set([
  "start",
  "overview",
  "open",
  "Data",
  "chunks",
  "metadata",
  "inspector: decode of 0.0.1",
  "trial",
  "check",
  "sources",
  "history",
  "studio",
]);
const isDeep = process.env["REFSCOPE_DEEP"] === "1";

for (const [width, height] of [
  [1440, 900],
  [390, 844],
] as const)
  for (const [from, to] of PARTS)
    test(`${width} × ${height}, from ${from}`, { tag: isDeep || width < 760 ? "@deep" : [] }, async ({ page }) => {
      await page.setViewportSize({ width, height });
      await scheme(page, "light");
      await openPage(page);
      const found = new Map<string, string[]>();
      const note = (screen: string, lines: readonly string[]) => {
        for (const line of lines) found.set(line, [...(found.get(line) ?? []), screen]);
      };
      const all = screens(server.url("/end_plain"));
      const at = (name: string | undefined) =>
        name === undefined ? all.length : all.findIndex((one) => one.name === name);
      for (const screen of all.slice(at(from), at(to)).filter(({ name }) => isDeep || USUAL.has(name))) {
        const { part } = screen;
        await show(page, screen);
        // Only colours differ between the schemes: the rest is looked at once.
        note(screen.name, await violations(page, { rules: "all", part }));
        if (width < 760) note(screen.name, await smallTargets(page, part));
        await scheme(page, "dark");
        note(`${screen.name}, dark`, await violations(page, { rules: "colours", part }));
        await scheme(page, "light");
        await screen.close?.(page);
      }
      expect([...found].map(([line, where]) => `${line}\n  on ${where.join("; ")}`)).toEqual([]);
    });
