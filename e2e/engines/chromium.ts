/** Chromium through Playwright, which drives it in the other stories too. */
import { chromium as browserType } from "@playwright/test";
import { scriptOf, WINDOW, type Engine, type EnginePage } from "./page.ts";
import { installed } from "./processes.ts";

export const chromium = {
  name: "Chromium",
  async launch(): Promise<Engine | undefined> {
    const own = browserType.executablePath();
    const executablePath =
      process.env.REFSCOPE_CHROMIUM ?? installed("chromium-headless-shell", "chromium", "google-chrome", own);
    if (executablePath === undefined) return undefined;
    const browser = await browserType.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
    const page = await browser.newPage({ viewport: WINDOW });
    const driven: EnginePage = {
      async goto(url) {
        await page.goto("about:blank");
        await page.goto(url);
      },
      run: (task, ...args) => page.evaluate(`${scriptOf(task)}(...${JSON.stringify(args)})`),
      click: (x, y, times = 1) => page.mouse.click(x, y, { clickCount: times }),
      press: (...keys) => page.keyboard.press(keys.join("+")),
      type: (text) => page.keyboard.type(text),
    };
    return { version: browser.version(), page: driven, stop: () => browser.close() };
  },
};
