/** What is read before anybody asks is at most what the start page says, whatever the set is made of. */
import { expect, test } from "@playwright/test";
import { idle, openPage, showView } from "./support/app.ts";
import { startRangeServer, type RangeServer } from "./support/range-server.ts";
import { heavySet } from "./support/small-sets.ts";

let server: RangeServer;
test.beforeAll(async () => {
  server = await startRangeServer();
  for (const [name, content] of Object.entries(heavySet())) server.put(`/${name}`, content);
});
test.afterAll(() => server.stop());

test("Overview, Check and Sources together read no more of a set than the start page says", async ({ page }) => {
  await openPage(page);
  const facts = await page.getByText("Previews load automatically").innerText();
  const most = Number(/up to (\d+(?:\.\d+)?) MB per dataset/.exec(facts)?.[1]) * 1e6;
  expect(most).toBeGreaterThan(1e6);
  server.reset();
  await openPage(page, `#url=${encodeURIComponent(server.url("/heavy.json"))}&view=overview`);
  await page.getByRole("list", { name: "Data variables", exact: true }).waitFor();
  const read = () =>
    server.requests.reduce((sum, { path, sent }) => sum + (path.startsWith("/heavy.json") ? 0 : sent), 0);
  // Pictures are there at all.
  expect(read()).toBeGreaterThan(5e6);
  expect(read()).toBeLessThanOrEqual(most);
  await showView(page, "Check");
  await page.getByRole("list", { name: "Problems" }).waitFor();
  await idle(page);
  await showView(page, "Sources");
  await showView(page, "Overview");
  expect(read()).toBeLessThanOrEqual(most);
});
