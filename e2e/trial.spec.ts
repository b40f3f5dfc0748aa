/** Trials of a chunk that does not read: is it the offset, the codec, or the data? */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, type Page } from "@playwright/test";
import {
  chunk,
  compared,
  comparison,
  goToChunk,
  idle,
  onTab,
  openPage,
  SAMPLES,
  showTab,
  storedStatistic,
  trialPart,
  truthOf,
  tree,
} from "./support/app.ts";
import { startRangeServer, type RangeServer } from "./support/range-server.ts";
import { version2Store } from "./support/stores.ts";

let server: RangeServer;

type Refs = Record<string, unknown>;

/** The ocean sample with something wrong in it. */
function damaged(damage: (refs: Refs) => void): string {
  const document = JSON.parse(readFileSync(join(SAMPLES, "ocean.v1.json"), "utf8")) as { readonly refs: Refs };
  damage(document.refs);
  return JSON.stringify(document);
}

const shuffledBy4 = (refs: Refs) => {
  refs["sst/.zarray"] = String(refs["sst/.zarray"]).replace('"elementsize":2', '"elementsize":4');
};

const shifted = (refs: Refs) => {
  const [url, offset, length] = refs["sst/2.0.1"] as [string, number, number];
  refs["sst/2.0.1"] = [url, offset - 3, length];
};

test.beforeAll(async () => {
  const files = { "/shuffled.json": damaged(shuffledBy4), "/shifted.json": damaged(shifted) };
  const store = Object.entries(version2Store()).map(([key, content]) => [`/store.zarr/${key}`, content] as const);
  server = await startRangeServer({ root: SAMPLES, files: { ...files, ...Object.fromEntries(store) } });
});

test.afterAll(async () => {
  await server.stop();
});

const open = (page: Page, file: string, key = "2.0.1") =>
  openPage(page, `#url=${server.url(`/${file}`)}&array=sst&chunk=${key}&view=chunks`);

const openTrial = async (page: Page) => {
  await showTab(page, "Decode");
  await chunk(page).getByRole("button", { name: "Trial", exact: true }).click();
  await expect(trialPart(page)).toBeVisible();
  const beyond = await trialPart(page).evaluate((part) => {
    const right = part.getBoundingClientRect().right - parseFloat(getComputedStyle(part).paddingRight);
    return [...part.querySelectorAll("button")].filter((one) => one.getBoundingClientRect().right > right + 1).length;
  });
  expect(beyond, "steps beyond the edge").toBe(0);
};

async function figures(page: Page): Promise<object> {
  const [minimum, maximum, mean] = await onTab(page, "Values", async () =>
    [
      await storedStatistic(page, "Minimum"),
      await storedStatistic(page, "Maximum"),
      await storedStatistic(page, "Mean"),
    ].map(Number),
  );
  return { min: minimum, max: maximum, mean };
}

function truth(name: string): object {
  const { min, max, mean } = truthOf("sst", name);
  return { min, max, mean };
}

/** The steps of the trial in the order of decoding. */
const steps = (page: Page) =>
  trialPart(page)
    .getByRole("checkbox")
    .evaluateAll((boxes) => boxes.map((box) => box.closest("label")?.textContent ?? ""));

test(
  "a wrong shuffle size: suggested, tried, applied to the array, and taken back",
  { tag: "@deep" },
  async ({ page }) => {
    await open(page, "shuffled.json");
    await expect.poll(() => figures(page)).not.toEqual(truth("2.0.1"));
    const wrong = await figures(page);

    await showTab(page, "Decode");
    await chunk(page).getByRole("button", { name: "Suggest fixes" }).click();
    const first = chunk(page).getByRole("list", { name: "Suggestions" }).locator(":scope > li").first();
    await expect(first).toHaveAttribute("data-kind", "element-size");
    await first.getByRole("button", { name: "Try" }).click();
    await expect(comparison(page)).toBeVisible();
    await idle(page);
    await expect.poll(() => figures(page)).toEqual(truth("2.0.1"));
    await expect.poll(async () => (await compared(page, "Minimum")).at(-1)).toBe("−32768");
    await showTab(page, "Values");
    await expect(chunk(page).locator("dt", { hasText: /^Minimum$/ })).toHaveCount(1);
    await showTab(page, "Decode");

    // What is tried is tried on every chunk of the array, and says nothing of what was read.
    await goToChunk(page, "0.0.0");
    await expect.poll(() => figures(page)).toEqual(truth("0.0.0"));
    await chunk(page)
      .getByRole("radiogroup", { name: "Reading shown" })
      .getByRole("radio", { name: "As declared" })
      .click();
    await idle(page);
    await expect.poll(() => figures(page)).not.toEqual(truth("0.0.0"));
    await goToChunk(page, "2.0.1");
    await expect.poll(() => figures(page)).toEqual(wrong);

    await trialPart(page).getByRole("button", { name: "Apply to the array" }).click();
    const check = chunk(page).getByRole("region", { name: "Fix for the array" });
    await expect(check.getByRole("status")).toContainText(/Tested on \d+ of \d+ chunks: \d+ better/);
    await expect(check).toContainText("filters[0].elementsize");
    await check.getByRole("button", { name: /^Apply to all \d+ chunks$/ }).click();
    const applied = chunk(page).getByRole("status", { name: "Applied fix" });
    await expect(applied).toContainText(/Read again: all \d+ chunks.* You are viewing the edited dataset\./);
    await idle(page);
    await expect(trialPart(page)).toHaveCount(0);
    await expect.poll(() => figures(page)).toEqual(truth("2.0.1"));
    await expect(page.getByText("edited", { exact: true })).toBeVisible();
    await goToChunk(page, "0.0.0");
    await expect.poll(() => figures(page)).toEqual(truth("0.0.0"));

    await applied.getByRole("button", { name: "Undo" }).click();
    await expect(applied).toHaveCount(0);
    await idle(page);
    await expect.poll(() => figures(page)).not.toEqual(truth("0.0.0"));
  },
);

test(
  "a step switched off, moved, inserted and removed: both readings stand beside each other",
  { tag: "@deep" },
  async ({ page }) => {
    await openPage(page, "#url=samples/ocean.v1.json&array=sst&chunk=2.0.1&view=chunks");
    await openTrial(page);
    await expect.poll(() => steps(page)).toEqual(["zlib", "shuffle"]);
    await trialPart(page).getByRole("checkbox", { name: "shuffle" }).uncheck();
    await idle(page);
    const [declared, trial] = await compared(page, "Maximum");
    expect(declared).toBe(String(truthOf("sst", "2.0.1").max));
    expect(trial).toBe(await storedStatistic(page, "Maximum"));
    expect(trial).not.toBe(declared);
    await expect.poll(() => compared(page, "Bytes out")).toEqual(["✓ 20,480", "✓ 20,480"]);

    await trialPart(page).getByRole("checkbox", { name: "shuffle" }).check();
    await trialPart(page).getByRole("button", { name: "Decode shuffle earlier" }).click();
    await idle(page);
    await expect.poll(() => steps(page)).toEqual(["shuffle", "✕ zlib"]);
    await expect(comparison(page)).toContainText("✕ no: zlib fails");
    await expect(chunk(page).getByRole("alert")).toContainText("zlib");
    await showTab(page, "Values");
    await expect(chunk(page).locator("dt", { hasText: /^Minimum$/ })).toHaveCount(0);
    await showTab(page, "Decode");

    await chunk(page).getByRole("button", { name: "Reset" }).click();
    await idle(page);
    await expect.poll(() => figures(page)).toEqual(truth("2.0.1"));
    await trialPart(page).getByRole("button", { name: "Remove zlib" }).click();
    await trialPart(page).getByRole("radio", { name: "Bytes as stored" }).check();
    await trialPart(page).getByRole("combobox", { name: "Codec to insert" }).selectOption("zlib");
    await trialPart(page).getByRole("button", { name: "Insert", exact: true }).click();
    await idle(page);
    await expect.poll(() => steps(page)).toEqual(["zlib", "shuffle"]);
    await expect.poll(() => compared(page, "Reads")).toEqual(["✓ yes", "✓ yes"]);
  },
);

test("a configuration that is not JSON is said, and the last result stays", { tag: "@deep" }, async ({ page }) => {
  await openPage(page, "#url=samples/ocean.v1.json&array=sst&chunk=2.0.1&view=chunks");
  await openTrial(page);
  await trialPart(page).getByRole("combobox", { name: "elementsize of shuffle" }).fill("4");
  await idle(page);
  const [, before] = await compared(page, "Minimum");
  const text = trialPart(page).getByRole("textbox", { name: "Configuration of shuffle" });
  await expect(text).toHaveValue('{"elementsize":4}');
  await text.fill('{"elementsize":');
  await idle(page);
  await expect(text).toHaveAttribute("aria-invalid", "true");
  await expect(trialPart(page)).toContainText("Not read: shuffle: This is not JSON");
  await expect.poll(async () => (await compared(page, "Minimum"))[1]).toBe(before);
  await text.fill('{"elementsize":2}');
  await idle(page);
  await expect(comparison(page)).toHaveCount(0);
});

test("an offset shifted by hand until it reads, applied to the chunk alone", { tag: "@deep" }, async ({ page }) => {
  await open(page, "shifted.json");
  await expect(chunk(page).getByRole("alert")).toBeVisible();
  await openTrial(page);
  for (let press = 0; press < 3; press += 1) {
    await trialPart(page).getByRole("button", { name: "Offset +1" }).click();
  }
  await idle(page);
  await expect(trialPart(page)).toContainText('["ocean-a.nc", 182785, 12300]');
  await expect.poll(() => figures(page)).toEqual(truth("2.0.1"));
  await expect(chunk(page).getByRole("alert")).toHaveCount(0);
  // The hex view describes the bytes where they now lie.
  await trialPart(page).getByRole("radio", { name: "Bytes as stored" }).check();
  await showTab(page, "Hex");
  await expect(chunk(page).getByRole("grid", { name: "Bytes as stored" })).toContainText("78");
  await expect(chunk(page).getByRole("region", { name: "Bytes" })).toContainText("at 182,785 in the file");
  await showTab(page, "Decode");

  await trialPart(page).getByRole("button", { name: "Apply to this chunk" }).click();
  const applied = chunk(page).getByRole("status", { name: "Applied fix" });
  await expect(applied).toContainText(/3 bytes later.*Read again: the chunk decodes/);
  await idle(page);
  await expect.poll(() => figures(page)).toEqual(truth("2.0.1"));
  await goToChunk(page, "0.0.0");
  await expect.poll(() => figures(page)).toEqual(truth("0.0.0"));
});

test(
  "a repair of one chunk is not offered for the array that it would spoil, and leaves other findings",
  { tag: "@deep" },
  async ({ page }) => {
    await openPage(page, "#url=samples/ocean-broken.json&array=sst&chunk=1.0.0&view=chunks");
    await goToChunk(page, "0.0.1");
    const sst = tree(page).getByRole("treeitem", { name: "sst", exact: true });
    // The source of the other one is out of reach.
    await expect(sst).toHaveAttribute("title", /1 chunk failed/);
    await chunk(page).getByRole("button", { name: "Suggest fixes" }).click();
    const first = chunk(page).getByRole("list", { name: "Suggestions" }).locator(":scope > li").first();
    await first.getByRole("button", { name: "Apply to the array" }).click();
    const check = chunk(page).getByRole("region", { name: "Fix for the array" });
    await expect(check).toContainText(/Not offered for the array: 1 better, \d\d worse/);
    await expect(check.getByRole("button", { name: /^Apply/ })).toHaveCount(0);
    await first.getByRole("button", { name: "Apply to this chunk" }).click();
    await expect(chunk(page).getByRole("status", { name: "Applied fix" })).toContainText("Read again");
    await idle(page);
    await expect(sst).not.toHaveAttribute("title", /failed/);
  },
);

test("keyboard only: the trial opened, a step moved, the offset typed", { tag: "@deep" }, async ({ page }) => {
  await open(page, "shifted.json");
  await page.keyboard.press("Alt+t");
  await expect(trialPart(page)).toBeFocused();
  const focused = page.locator(":focus");
  const tabTo = async (name: string) => {
    for (let pressed = 0; pressed < 40; pressed += 1) {
      if ((await focused.count()) > 0 && (await focused.evaluate(nameOf)) === name) return;
      await page.keyboard.press("Tab");
    }
    throw new Error(`${name} was not reached`);
  };
  await tabTo("shuffle");
  await page.keyboard.press("Alt+ArrowUp");
  await idle(page);
  await expect.poll(async () => (await steps(page))[0]).toContain("shuffle");
  expect(await focused.evaluate(nameOf)).toContain("shuffle");
  await page.keyboard.press("Alt+ArrowDown");
  await page.keyboard.press("Space");
  await expect(trialPart(page).getByRole("checkbox", { name: "shuffle" })).not.toBeChecked();
  await page.keyboard.press("Space");
  await tabTo("Offset");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Shift+ArrowUp");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown"); // 1 + 4 − 1 − 1: the three bytes that it is off by
  await idle(page);
  await expect.poll(() => figures(page)).toEqual(truth("2.0.1"));
  await page.keyboard.press("Control+k");
  await page.keyboard.type("trial: decode");
  await page.keyboard.press("Enter");
  await expect(trialPart(page)).toHaveCount(0);
});

/** What an element is called, near enough: its own label, or the text of the label around it. */
function nameOf(element: Element): string {
  const labels = element instanceof HTMLInputElement ? [...(element.labels ?? [])] : [];
  return element.getAttribute("aria-label") ?? labels.map((label) => label.textContent).join(" ");
}

test("each step says what its bytes look like", async ({ page }) => {
  await openPage(page, "#url=samples/ocean.v1.json&array=sst&chunk=2.0.1&view=chunks&tab=decode");
  const stages = chunk(page).getByRole("radiogroup", { name: "Bytes after stage" }).getByRole("radio");
  await expect(stages).toHaveCount(3);
  await expect(stages.first()).toContainText("78 9c");
  await expect(stages.first()).toContainText("zlib");
  await expect(stages.first()).toContainText(/7\.\d\d bit/);
  await stages.first().click();
  await showTab(page, "Hex");
  await expect(chunk(page).locator('[data-mark="true"]').first()).toHaveText("78");
});

test("where nothing can be edited, the buttons say why", { tag: "@deep" }, async ({ page }) => {
  await openPage(page, `#url=${server.url("/store.zarr/")}&array=temp&chunk=0.0`);
  await openTrial(page);
  await trialPart(page).getByRole("combobox", { name: "Byte order" }).selectOption("big");
  await idle(page);
  await expect.poll(() => storedStatistic(page, "Maximum")).toBe("83886080"); // 5, its bytes the other way round
  const apply = trialPart(page).getByRole("button", { name: "Apply to the array" });
  await expect(apply).toHaveAttribute("aria-disabled", "true");
  await expect(trialPart(page)).toContainText("Only Kerchunk JSON files can be edited");
});

test("a trial whose bytes do not come is cancelled, and says so", async ({ page }) => {
  server.put("/late.nc", readFileSync(join(SAMPLES, "ocean-a.nc")));
  server.put("/late.json", damaged(shifted).replaceAll("ocean-a.nc", "late.nc"));
  await open(page, "late.json");
  await openTrial(page);
  server.misbehave("/late.nc", "hang");
  await trialPart(page).getByRole("button", { name: "Offset +1" }).click();
  const cancel = page.getByRole("status").getByRole("button", { name: /Cancel/ });
  await cancel.click();
  await expect(chunk(page).locator("[data-code=trial-cancelled]")).toBeVisible();
  await idle(page);
});
