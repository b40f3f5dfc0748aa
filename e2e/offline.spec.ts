/** Being offline is no fault of the data: it is said once, and what waits is read when the network is back. */
import { expect, test } from "@playwright/test";
import config from "../playwright.config.ts";
import { idle, openPage, statistic } from "./support/app.ts";
import { startRangeServer, type RangeServer } from "./support/range-server.ts";

const launch = config.use?.launchOptions ?? {};
// A public name for the server of this story: hosts of this machine may well answer offline.
test.use({
  launchOptions: { ...launch, args: [...(launch.args ?? []), "--host-resolver-rules=MAP data.example 127.0.0.1"] },
});

const zarray = { zarr_format: 2, shape: [128], chunks: [64], dtype: "|u1", compressor: null, filters: null };
const refs = {
  ".zgroup": '{"zarr_format":2}',
  "a/.zarray": JSON.stringify({ ...zarray, fill_value: 0, order: "C" }),
  "a/0": ["data.bin", 0, 64],
  "a/1": ["data.bin", 64, 64],
};

let server: RangeServer;
test.beforeAll(async () => {
  const files = {
    "/refs.json": JSON.stringify({ version: 1, refs }),
    "/data.bin": new Uint8Array(128).fill(7, 0, 64).fill(9, 64),
  };
  server = await startRangeServer({ files });
});
test.afterAll(() => server.stop());

test("offline, nothing is said to be lost, and a chunk is read once the network is back", async ({ page, context }) => {
  const address = server.url("/refs.json").replace(/localhost|127\.0\.0\.1/, "data.example");
  const link = `#url=${encodeURIComponent(address)}&array=a&view=chunks`;
  await openPage(page, `${link}&chunk=0`);
  await expect.poll(() => statistic(page, "Minimum")).toBe("7");
  await context.setOffline(true);
  const notice = page.getByRole("status", { name: "Network" });
  await expect(notice).toContainText("You appear to be offline");
  await page.evaluate((hash) => {
    location.hash = hash;
  }, `${link}&chunk=1`);
  await expect(page.getByRole("status", { name: "Progress" })).toContainText("Reading");
  await expect(page.getByText("cannot be read")).toHaveCount(0);
  await context.setOffline(false);
  await expect(notice).toHaveCount(0);
  await expect.poll(() => statistic(page, "Minimum")).toBe("9");
});

test("offline, Check says so once and fails nothing; it goes on once the network is back", async ({
  page,
  context,
}) => {
  const address = server.url("/refs.json").replace(/localhost|127\.0\.0\.1/, "data.example");
  const link = `#url=${encodeURIComponent(address)}`;
  const go = (to: string) =>
    page.evaluate((hash) => {
      location.hash = hash;
    }, to);
  // The code of Check comes from the network, too: it is there before the network goes.
  await openPage(page, "#url=samples/ocean.v1.json&view=check");
  await go(`${link}&view=chunks`);
  await idle(page);
  await context.setOffline(true);
  const notice = page.getByRole("status", { name: "Network" });
  await expect(notice).toContainText("Remote sources are not checked");
  await go(`${link}&view=check`);
  const sources = page.getByRole("region", { name: "Verdict" }).locator('[data-question="sources"] dd');
  await expect(sources).toHaveAttribute("data-answer", "not-checked");
  await expect(page.getByRole("list", { name: "Problems" }).locator("li")).toHaveText([]);
  await context.setOffline(false);
  await expect(notice).toHaveCount(0);
  await expect(sources).toHaveAttribute("data-answer", "yes");
  await expect(page.getByRole("list", { name: "Problems" }).locator("li")).toHaveText([]);
});

/** 40 chunks of an array at a host. */
function farRefs(origin: string): string {
  const chunks = Array.from({ length: 40 }, (_, at) => [`far/${at}.0`, [`${origin}/far.bin`, at * 64, 64]]);
  const far = { ...zarray, shape: [40, 64], chunks: [1, 64], fill_value: 0, order: "C" };
  const near = Object.entries(refs).filter(([key]) => key !== ".zgroup");
  return JSON.stringify({
    version: 1,
    refs: {
      ".zgroup": refs[".zgroup"],
      "far/.zarray": JSON.stringify(far),
      ...Object.fromEntries([...near, ...chunks]),
    },
  });
}

test("a host where nobody answers is one sentence and one try: nothing fails, and Retry reads on", async ({ page }) => {
  const gone = await startRangeServer();
  await gone.stop();
  server.put("/far.json", farRefs(gone.origin));
  const asked: string[] = [];
  page.on("request", (request) => {
    if (request.url().startsWith(gone.origin) && request.method() === "GET") asked.push(request.url());
  });
  const link = `#url=${encodeURIComponent(server.url("/far.json"))}`;
  await openPage(page, `${link}&array=far&view=data`);
  const notice = page.getByRole("status", { name: "Hosts that do not respond" });
  await expect(notice).toContainText(`${new URL(gone.origin).host} cannot be reached`);
  const data = page.locator('[aria-label="Data"][data-failed]');
  await expect(data).toHaveAttribute("data-failed", "0");
  await expect(data).toHaveAttribute("data-read", "0");
  await expect(data).toHaveAttribute("data-unreached", "40");
  await expect(page.getByText("40 out of reach")).toBeVisible();
  expect(asked.length).toBeLessThan(12);
  await page.evaluate((hash) => {
    location.hash = hash;
  }, `${link}&view=check`);
  await idle(page);
  // One number, wherever it is said: headline, answers, problems, footer and tree.
  const check = page.getByRole("region", { name: "Check", exact: true });
  await expect(check.getByRole("heading", { level: 2 })).toHaveText(
    "Opens, but 40 chunks could not be checked: their sources are out of reach",
  );
  for (const question of ["complete", "values"])
    await expect(check.locator(`[data-question="${question}"] dd`)).toContainText(
      "40 chunks could not be checked: their sources are out of reach.",
    );
  const problem = page.getByRole("list", { name: "Problems" }).locator('li[data-severity="error"]');
  await expect(problem).toHaveCount(1);
  await expect(problem).toContainText("40 chunks");
  await expect(problem).not.toContainText("lost");
  await expect(page.locator("footer")).toContainText("40 out of reach");
  await expect(page.locator("footer")).not.toContainText("fail");
  const far = page.getByRole("tree", { name: "Hierarchy" }).getByRole("treeitem", { name: "far" });
  await expect(far).toContainText("40");
  await expect(far).toHaveAttribute("title", /40 chunks out of reach/);
  await expect(notice).toBeVisible();
  const back = await startRangeServer({
    port: Number(new URL(gone.origin).port),
    files: { "/far.bin": new Uint8Array(40 * 64).fill(5) },
  });
  try {
    await notice.getByRole("button", { name: "Retry" }).click();
    await expect(notice).toHaveCount(0);
    await page.evaluate((hash) => {
      location.hash = hash;
    }, `${link}&array=far&view=data`);
    await expect(data).toHaveAttribute("data-read", "40");
  } finally {
    await back.stop();
  }
});
