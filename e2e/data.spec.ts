/** Data: a whole slice across chunks, what it costs, what failed in it, and where each value comes from. */
import { readFileSync } from "node:fs";
import { expect, type Page } from "@playwright/test";
import { chunk, idle, openPage, tree } from "./support/app.ts";
import { startRangeServer, type RangeServer } from "./support/range-server.ts";
import { test } from "./support/shared-page.ts";

const data = (page: Page) => page.getByRole("application", { name: "Data" });
const values = (page: Page) => page.getByRole("group", { name: "Values across chunks" });
const readout = async (page: Page) => page.locator(`[id="${await data(page).getAttribute("aria-describedby")}"]`);

const SIDE = 10;
const STEPS = 70;
const METADATA = { zarr_format: 2, dtype: "|u1", compressor: null, filters: null, order: "C", fill_value: 0 };
/** 100 files of one value each, 70 of a step each, and 100 ranges of one file, of which one is past its end. */
const MANY = {
  version: 1,
  refs: {
    ".zgroup": '{"zarr_format":2}',
    ...arrayOf("files", (at) => [`f${at % 10}.bin`.replace("f", `${at}-f`)]),
    "deep/.zarray": JSON.stringify({ ...METADATA, shape: [3, SIDE, SIDE], chunks: [1, 1, 1] }),
    ...Object.fromEntries(
      Array.from({ length: 3 * SIDE * SIDE }, (_, at) => {
        const [step, of] = [Math.floor(at / (SIDE * SIDE)), at % (SIDE * SIDE)];
        return [`deep/${step}.${Math.floor(of / SIDE)}.${of % SIDE}`, [`${of}-f${of % 10}.bin`]];
      }),
    ),
    "steps/.zarray": JSON.stringify({ ...METADATA, shape: [STEPS, 2, 2], chunks: [1, 2, 2] }),
    ...Object.fromEntries(Array.from({ length: STEPS }, (_, at) => [`steps/${at}.0.0`, [`${at}-s.bin`]])),
    "line/.zarray": JSON.stringify({ ...METADATA, shape: [20], chunks: [10] }),
    "line/0": ["all.bin", 0, 10],
    "line/1": ["all.bin", 1e6, 10],
    ...arrayOf("ranges", (at) => ["all.bin", at === 42 ? 1e6 : at, 1]),
  },
};

/** Two levels of two days, inline, with coordinates. */
const LEVELS = {
  version: 1,
  refs: {
    ".zgroup": '{"zarr_format":2}',
    ...inline("time", [2], ["time"], "days since 2020-01-01", [0, 1]),
    ...inline("level", [2], ["level"], "hPa", [1000, 850]),
    ...inline("y", [3], ["y"], "degrees_north", [50, 45, 40]),
    ...inline("x", [4], ["x"], "degrees_east", [0, 5, 10, 15]),
    ...inline(
      "t",
      [2, 2, 3, 4],
      ["time", "level", "y", "x"],
      "K",
      Array.from({ length: 48 }, (_, at) => 250 + at),
    ),
  },
};

function inline(name: string, shape: number[], dimensions: string[], units: string, all: readonly number[]) {
  const bytes = Buffer.from(Float32Array.from(all).buffer).toString("base64");
  return {
    [`${name}/.zarray`]: JSON.stringify({ ...METADATA, dtype: "<f4", shape, chunks: shape, fill_value: null }),
    [`${name}/.zattrs`]: JSON.stringify({ _ARRAY_DIMENSIONS: dimensions, units }),
    [`${name}/${shape.map(() => 0).join(".")}`]: `base64:${bytes}`,
  };
}

function arrayOf(name: string, reference: (at: number) => unknown): Record<string, unknown> {
  const refs: Record<string, unknown> = {
    [`${name}/.zarray`]: JSON.stringify({ ...METADATA, shape: [SIDE, SIDE], chunks: [1, 1] }),
  };
  for (let at = 0; at < SIDE * SIDE; at += 1) refs[`${name}/${Math.floor(at / SIDE)}.${at % SIDE}`] = reference(at);
  return refs;
}

let server: RangeServer;
// One server, whose log is read.
test.describe.configure({ mode: "default" });
test.beforeAll(async () => {
  const single = Array.from({ length: SIDE * SIDE }, (_, at) => [`/${at}-f${at % 10}.bin`, Uint8Array.of(at)] as const);
  const all = Uint8Array.from({ length: SIDE * SIDE }, (_, at) => at);
  const steps = Array.from({ length: STEPS }, (_, at) => [`/${at}-s.bin`, Uint8Array.of(at, 1, 2, 3)] as const);
  server = await startRangeServer({
    files: {
      "/many.json": JSON.stringify(MANY),
      "/levels.json": JSON.stringify(LEVELS),
      "/all.bin": all,
      ...Object.fromEntries([...single, ...steps]),
    },
  });
});
test.beforeEach(() => server.reset());
test.afterAll(() => server.stop());

test("the whole slice of the sample, its places in dates and degrees, and the file behind a value in one click", async ({
  page,
}) => {
  await openPage(page, "#url=samples/ocean.v1.json&array=sst&view=data");
  await expect(data(page)).toHaveAttribute("data-read", "9");
  await expect(data(page)).toHaveAttribute("data-failed", "0");
  await page.getByRole("slider", { name: "time" }).fill("5");
  await idle(page);
  await expect(await readout(page)).toContainText("2026-01-06");
  await expect(page).toHaveURL(/view=data&slice=5,:,:/);
  const box = (await data(page).boundingBox())!;
  await data(page).click({ position: { x: box.width * 0.2, y: box.height * 0.8 } });
  await idle(page);
  await expect(chunk(page).getByRole("heading", { name: "sst / 1.0.0", exact: true })).toBeVisible();
  await expect(await readout(page)).toContainText(/°S.*°W.*chunk 1\.0\.0 · ocean-a\.nc at [\d,]+/);
  await page.getByRole("main").getByRole("radio", { name: "Raw" }).click();
  await expect(page).toHaveURL(/values=raw/);
  // A link reopens it.
  const link = page.url();
  await page.goto("about:blank");
  await page.goto(link);
  await idle(page);
  await expect(values(page).getByRole("slider", { name: "time" })).toHaveValue("5");
  await expect(page.getByRole("main").getByRole("radio", { name: "Raw" })).toBeChecked();
});

test("a slider that is dragged over slices that were read shows each at once, as it was, in colours that stay", async ({
  page,
}) => {
  await openPage(page, "#url=samples/ocean.v1.json&array=sst&view=data");
  const slider = page.getByRole("slider", { name: "time" });
  const low = page.getByRole("slider", { name: "Lowest colour" });
  await low.press("PageUp");
  await slider.focus();
  const pictures = new Map<string, string>();
  const look = (step: string) =>
    slider.evaluate(async (input: HTMLInputElement, to) => {
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set?.call(input, to);
      input.dispatchEvent(new Event("input", { bubbles: true }));
      const map = document.querySelector("[data-read]");
      return [map?.getAttribute("data-read"), map?.querySelector("canvas")?.toDataURL()] as const;
    }, step);
  for (const step of ["0", "1", "2"]) {
    await slider.fill(step);
    await idle(page);
    await expect(data(page)).toHaveAttribute("data-read", "9");
    pictures.set(step, (await look(step))[1] ?? "");
  }
  expect(new Set(pictures.values()).size).toBe(3);
  // Drawn, then copied.
  for (const step of ["1", "0", "2", "0", "1", "2"]) expect(await look(step)).toEqual(["9", pictures.get(step)]);
});

test("a link says the element and the part that is seen, and leads there again; the inspector shows that element", async ({
  page,
}) => {
  await openPage(page, "#url=samples/ocean.v1.json&array=sst&view=data&slice=2,:,:");
  const box = (await data(page).boundingBox())!;
  await data(page).click({ position: { x: box.width * 0.3, y: box.height * 0.6 } });
  await idle(page);
  await expect(page).toHaveURL(/chunk=0\.\d\.0.*&point=2,\d+,\d+/);
  const place = /\d+°[NS] · \d+°W/.exec((await (await readout(page)).textContent())!)![0];
  await expect(chunk(page).getByRole("tabpanel").first()).toContainText(place);
  await page.getByRole("button", { name: "Zoom in" }).click();
  await page.getByRole("button", { name: "Zoom in" }).click();
  await expect(page).toHaveURL(/slice=2,\d+:\d+,\d+:\d+&/);
  const link = page.url();
  await page.goto("about:blank");
  await page.goto(link);
  await idle(page);
  await expect(await readout(page)).toContainText(place);
  await expect(page.getByRole("button", { name: "Zoom out" })).toBeEnabled();
  await page.waitForFunction((seen) => location.href === seen, link);
  await page.getByRole("button", { name: "Fit" }).click();
  await expect(page).toHaveURL(/slice=2,:,:/);
  // A step in the inspector goes on to where that chunk begins.
  await chunk(page).getByRole("button", { name: "Next chunk along lon" }).click();
  await expect(await readout(page)).toContainText("51°W");
});

test("a window of any proportions is shown as it is", async ({ page }) => {
  await openPage(page, "#url=samples/ocean.v1.json&array=sst&view=data&slice=0,0:5,:&point=0,0,0");
  await expect(data(page)).toHaveAttribute("data-read", "9");
  const box = (await data(page).boundingBox())!;
  await data(page).hover({ position: { x: box.width * 0.5, y: box.height * 0.1 } });
  await expect(await readout(page)).toContainText("81°S");
  await expect(page).toHaveURL(/slice=0,:5,:/);
  await openPage(page, "#url=samples/ocean.v1.json&array=time&view=data&slice=5:9");
  await expect(data(page)).toHaveAttribute("data-read", "1");
  await data(page).focus();
  await page.keyboard.press("End");
  await expect(await readout(page)).toContainText("2026-01-09");
  await page.getByRole("button", { name: "Show the whole dimension" }).click();
  await data(page).focus();
  await page.keyboard.press("End");
  await expect(await readout(page)).toContainText("2026-01-24");
});

test("a chunk that failed is crossed and named, the others are shown, and Why leads to it", async ({ page }) => {
  await openPage(page, "#url=samples/ocean-broken.json&array=sst&view=data&slice=0,:,:");
  await expect(data(page)).toHaveAttribute("data-read", "8");
  await expect(data(page)).toHaveAttribute("data-failed", "1");
  await expect(page.getByText("0.0.1 failed")).toBeVisible();
  await expect(page.getByText("zlib: expected a zlib header", { exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Why" }).click();
  await idle(page);
  await expect(chunk(page).getByRole("heading", { name: "sst / 0.0.1", exact: true })).toBeVisible();
  await expect(chunk(page).getByRole("alert").first()).toBeVisible();
  // The series at the cursor is drawn by itself; the failed steps are said, with the way to their chunk.
  await expect(page.getByRole("img", { name: /^Series along time/ })).toHaveAccessibleName(/2 failed/);
  await expect(page.getByText("8 steps failed")).toBeVisible();
  await page.getByRole("slider", { name: "time" }).fill("0");
  await page.getByRole("button", { name: "Select the chunk 0.0.1" }).click();
});

test("the picture is bare until one points, and its colours and coasts follow what the array says of itself", async ({
  page,
}) => {
  await openPage(page, "#url=samples/ocean-broken.json&array=u&view=data&slice=0,:,:");
  const words = (await readout(page)).locator("..");
  await expect(words).toHaveAttribute("data-away", "true");
  await expect(page.getByLabel("Colours", { exact: true }).locator("option:checked")).toHaveText("Auto: blue–red");
  await expect(page.getByLabel("Range", { exact: true }).locator("option:checked")).toHaveText("Auto: around 0");
  const low = page.getByRole("slider", { name: "Lowest colour" });
  const high = page.getByRole("slider", { name: "Highest colour" });
  const at = async (end: typeof low) => Number(await end.getAttribute("aria-valuenow"));
  await expect.poll(async () => (await at(low)) + (await at(high))).toBe(0);
  // The land of the sample is made up.
  await expect(data(page)).toHaveAttribute("data-coasts", "0");
  await page.getByRole("button", { name: "Display" }).click();
  await page.getByRole("checkbox", { name: "Coastlines" }).check();
  await expect(data(page)).toHaveAttribute("data-coasts", "1");
  await page.keyboard.press("Escape");
  const box = (await data(page).boundingBox())!;
  await data(page).hover({ position: { x: box.width - 8, y: 30 } });
  await expect(words).toHaveAttribute("data-away", "false");
  // It is said inside of the figure, and nothing of it is cut.
  const said = (await words.boundingBox())!;
  expect(said.x + said.width).toBeLessThanOrEqual(box.x + box.width);
  await page.mouse.move(0, 0);
  await expect(words).toHaveAttribute("data-away", "true");
  // The switch is remembered; over a card that says why its chunk failed nothing is said twice.
  await openPage(page, "#url=samples/ocean-broken.json&array=sst&view=data&slice=0,:,:");
  await expect(data(page)).toHaveAttribute("data-coasts", "1");
  const card = (await page.getByText("0.0.1 failed").boundingBox())!;
  await page.mouse.move(card.x + 10, card.y + 60);
  await expect(await readout(page)).toContainText("failed");
  await expect((await readout(page)).locator("..")).toHaveAttribute("data-away", "true");
});

test("what costs much is read when it is asked for; what is missing is said to be", async ({ page }) => {
  await openPage(page, `#url=${server.url("/many.json")}&array=files&view=data`);
  const asked = () => server.requests.filter(({ path }) => path.includes("-f")).length;
  await expect(page.getByText("100 chunks of 100 files: 100 requests, 100 of unknown length")).toBeVisible();
  expect(asked()).toBe(0);
  await page.getByRole("button", { name: "Read every 2nd chunk" }).click();
  await idle(page);
  await expect(data(page)).toHaveAttribute("data-read", "25");
  expect(asked()).toBe(25);
  await openPage(page, "#url=samples/ocean.v1.json&array=sparse&view=data");
  await expect(data(page)).toHaveAttribute("data-missing", "20");
  await expect(data(page)).toHaveAttribute("data-read", "5");
});

test("one chunk in a hundred past the end of its file: all others are read, in few requests", async ({ page }) => {
  await openPage(page, `#url=${server.url("/many.json")}&array=ranges&view=data`);
  await expect(data(page)).toHaveAttribute("data-read", "99");
  await expect(data(page)).toHaveAttribute("data-failed", "1");
  const box = (await data(page).boundingBox())!;
  await data(page).hover({ position: { x: 52 + (box.width - 58) * 0.25, y: 22 + (box.height - 28) * 0.45 } });
  await expect(await readout(page)).toContainText(/failed.*chunk 4\.2/);
  expect(server.requests.filter(({ path }) => path === "/all.bin").length).toBeLessThan(10);
});

test("takes the larger part of the screen, and nothing moves while chunks come in", async ({ page }) => {
  await openPage(page, "#url=samples/ocean.v1.json&array=sst&view=data");
  await expect(data(page)).toHaveAttribute("data-read", "9");
  // It comes beside the array's name once the slice has rested.
  await expect(tree(page).locator("canvas")).toBeVisible();
  await idle(page);
  await page.evaluate(() => {
    const shifts = ((globalThis as { shifts?: number[] }).shifts = []) as number[];
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) shifts.push((entry as unknown as { value: number }).value);
    }).observe({ type: "layout-shift" });
  });
  await page.getByRole("slider", { name: "time" }).fill("20");
  await idle(page);
  const shifts = await page.evaluate(() => (globalThis as unknown as { shifts: number[] }).shifts);
  expect(shifts.reduce((sum, value) => sum + value, 0)).toBe(0);
  const { width, height } = (await data(page).boundingBox())!;
  expect((width * height) / (1440 * 900)).toBeGreaterThan(0.45);
});

test(
  "the ends of the colours are moved by key and pointer, typed, and set back",
  { tag: "@deep" },
  async ({ page }) => {
    await openPage(page, "#url=samples/ocean.v1.json&array=sst&view=data");
    await expect(data(page)).toHaveAttribute("data-read", "9");
    const low = page.getByRole("slider", { name: "Lowest colour" });
    const high = page.getByRole("slider", { name: "Highest colour" });
    const at = async (end: typeof low) => Number(await end.getAttribute("aria-valuenow"));
    const [first, last] = [await at(low), await at(high)];
    await low.focus();
    await page.keyboard.press("PageUp");
    await expect.poll(() => at(low)).toBeCloseTo(first + (last - first) / 10, 6);
    await expect(page.getByLabel("Range", { exact: true })).toHaveValue("fixed");
    const box = (await high.boundingBox())!;
    await page.mouse.move(box.x + box.width / 2, box.y + 20);
    await page.mouse.down();
    await page.mouse.move(box.x - 60, box.y + 20, { steps: 3 });
    await page.mouse.up();
    await expect.poll(() => at(high)).toBeLessThan(last - (last - first) / 10);
    await page.getByLabel("Lowest value").fill("3");
    await expect.poll(() => at(low)).toBe(3);
    await high.dblclick();
    expect([await at(low), await at(high)]).toEqual([first, last]);
  },
);

test("a series that costs much is read when it is asked for", { tag: "@deep" }, async ({ page }) => {
  await openPage(page, `#url=${server.url("/many.json")}&array=steps&view=data`);
  await expect(data(page)).toHaveAttribute("data-read", "1");
  const asked = () => server.requests.filter(({ path }) => path.includes("-s")).length;
  expect(asked()).toBe(1);
  await page.getByRole("button", { name: "Series along dimension 0" }).click();
  await idle(page);
  await expect(page.getByRole("img", { name: /^Series along dimension 0: 70 read/ })).toBeVisible();
  expect(asked()).toBe(70);
});

test(
  "leave to read holds for the slice whose cost was said; one chunk is read on its tile; files have edges",
  { tag: "@deep" },
  async ({ page }) => {
    await openPage(page, `#url=${server.url("/many.json")}&array=deep&view=data`);
    // The series at the cursor may have read one already.
    const cost = page.getByText(/^(?:99|100) chunks of \d+ files: \d+ requests, \d+ of unknown length/);
    await expect(cost).toBeVisible();
    await page.getByRole("button", { name: "Zoom in" }).click();
    await page
      .getByRole("button", { name: /^Read 0\.\d\.\d$/ })
      .first()
      .click();
    await idle(page);
    await expect(data(page)).toHaveAttribute("data-read", "1");
    await page.getByRole("button", { name: "Read this slice" }).click();
    await idle(page);
    await expect(data(page)).toHaveAttribute("data-read", "100");
    const plain = await data(page).screenshot();
    await page.getByRole("button", { name: "Display" }).click();
    await page.getByRole("checkbox", { name: "File edges" }).check();
    await page.keyboard.press("Escape");
    await idle(page);
    expect((await data(page).screenshot()).equals(plain)).toBe(false);
    const before = server.requests.length;
    await page.getByRole("slider", { name: "dimension 0" }).fill("1");
    await expect(cost).toBeVisible();
    await expect(data(page)).toHaveAttribute("data-read", "0");
    expect(server.requests.length).toBe(before);
    await page.getByRole("checkbox", { name: "and those after it" }).check();
    await page.getByRole("button", { name: "Read this slice" }).click();
    await idle(page);
    await expect(data(page)).toHaveAttribute("data-read", "100");
    await page.getByRole("slider", { name: "dimension 0" }).fill("2");
    await expect(data(page)).toHaveAttribute("data-read", "100");
  },
);

test("by keyboard, and out of the page as NumPy, CSV and Python", async ({ page }) => {
  await openPage(page, "#url=samples/ocean.v1.json&array=sst&view=data&slice=2,:,:");
  await data(page).focus();
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowRight");
  await expect(await readout(page)).toContainText("177°W");
  await page.keyboard.press("Enter");
  await idle(page);
  await expect(chunk(page).getByRole("heading", { name: /^sst \/ 0\.\d\.0$/ })).toBeVisible();
  await page.getByRole("button", { name: "Save…" }).click();
  const dialog = page.getByRole("dialog", { name: "Save sst, 2026-01-03" });
  await expect(dialog.getByLabel("Python snippet")).toContainText('values = ds["sst"].isel({"time": 2})');
  const save = async (name: string, to?: string, from = dialog) => {
    const coming = page.waitForEvent("download");
    await from.getByRole("button", { name }).click();
    const file = await coming;
    if (to !== undefined) expect(file.suggestedFilename()).toBe(to);
    return readFileSync(await file.path());
  };
  const npy = await save("Values (NumPy)");
  expect(npy.subarray(10, 128).toString("latin1")).toContain(
    "'descr': '<f8', 'fortran_order': False, 'shape': (90, 180)",
  );
  const rows = (await save("Values (CSV)", "sst-2026-01-03.csv")).toString().trimEnd().split("\r\n");
  expect(rows).toHaveLength(91);
  expect(rows[0]).toMatch(/^sst \(degC\) by lat \(degrees_north\) and lon \(degrees_east\),-179,-177,/);
  expect(rows[1]).toMatch(/^-89,-?\d+(?:\.\d{1,3})?,/);
  expect(Number(rows[1]!.split(",")[1])).toBeCloseTo(npy.readDoubleLE(128), 9);
  const picture = await save("Picture (PNG)");
  expect(picture.subarray(1, 4).toString()).toBe("PNG");
  const width = picture.readUInt32BE(16);
  expect(width).toBeGreaterThan(2 * ((await data(page).boundingBox())?.width ?? 0));
  // Axes, title and colour bar are lines and text, the cells are pixels; chunk edges only where they are wanted.
  const svg = (await save("Picture (SVG)", "sst-2026-01-03.svg")).toString();
  for (const part of ["sea surface temperature (°C)</text>", ">sst · 2026-01-03 · ocean.v1.json<", ">30°N<", ">20<"])
    expect(svg).toContain(part);
  expect(svg).toMatch(/<image [^>]*href="data:image\/png;base64,/);
  await dialog.getByRole("checkbox", { name: "Chunk edges" }).check();
  const edged = (await save("Picture (SVG)")).toString();
  expect(edged).not.toBe(svg);
  await dialog.getByRole("checkbox", { name: "Chunk edges" }).uncheck();
  await dialog.getByRole("checkbox", { name: "Smooth shading" }).check();
  expect([svg, edged]).not.toContain((await save("Picture (SVG)")).toString());
  await dialog.getByRole("radio", { name: "4×" }).click();
  expect((await save("Picture (PNG)")).readUInt32BE(16)).toBe(2 * width);
  // The series likewise.
  await page.keyboard.press("Escape");
  await openPage(page, "#url=samples/ocean-broken.json&array=sst&view=data&slice=2,:,:&point=2,29,29");
  await page.getByRole("button", { name: "Save the series" }).click();
  const series = page.getByRole("dialog", { name: "Save sst at 31°S 121°W" });
  const lines = (await save("Values (CSV)", "sst-at-31S-121W.csv", series)).toString().trimEnd().split("\r\n");
  expect(lines.slice(0, 6)).toEqual([
    "time,sst (degC)",
    "2026-01-01T00:00:00,17.488",
    "2026-01-02T00:00:00,17.116",
    "2026-01-03T00:00:00,17.052",
    "2026-01-04T00:00:00,17.522",
    "2026-01-05T00:00:00,",
  ]);
  await expect(series.getByText("1 chunk failed")).toBeVisible();
  const png = await save("Picture (PNG)", "sst-at-31S-121W.png", series);
  expect(png.readUInt32BE(16)).toBeGreaterThan(600);
  const line = (await save("Picture (SVG)", "sst-at-31S-121W.svg", series)).toString();
  for (const part of [">sst · 31°S · 121°W · ocean-broken.json<", ">2026-01-09<", ">17.2<", ">time<"])
    expect(line).toContain(part);
  expect(line).not.toContain("<image");
  await expect(series.getByLabel("Python snippet")).toContainText('ds["sst"].isel({"lat": 29, "lon": 29})');
});

test("a level is said by its value, in the picture and out of it", async ({ page }) => {
  await openPage(page, `#url=${encodeURIComponent(server.url("/levels.json"))}&array=t&view=data&point=1,0,1,2`);
  await idle(page);
  await expect(await readout(page)).toHaveText(/^280 K 2020-01-02 · 1000 hPa · 45°N · 10°E/);
  await expect(page.getByRole("region", { name: "Other dimensions" })).toContainText(/index\s+of 0–1/);
  await page.getByRole("button", { name: "Save…" }).click();
  const dialog = page.getByRole("dialog", { name: "Save t, 2020-01-02 1000 hPa" });
  const coming = page.waitForEvent("download");
  await dialog.getByRole("button", { name: "Picture (SVG)" }).click();
  const file = await coming;
  expect(file.suggestedFilename()).toBe("t-2020-01-02-1000-hPa.svg");
  expect(readFileSync(await file.path()).toString()).toContain(">2020-01-02 · 1000 hPa · levels.json<");
});

test("the series is a plot: values under the pointer, parts of it enlarged by drag and keys", async ({ page }) => {
  await openPage(page, "#url=samples/ocean-broken.json&array=sst&view=data&slice=2,:,:&point=2,29,29");
  const steps = page.getByRole("region", { name: "Other dimensions" });
  const plot = steps.getByRole("application", { name: /^Plot along time/ });
  const box = (await plot.boundingBox())!;
  const at = (step: number) => ({ x: ((step + 0.5) / 24) * box.width, y: 20 });
  await plot.hover({ position: at(8) });
  await expect(steps.getByText("17.396 °C 2026-01-09")).toBeVisible();
  await plot.hover({ position: at(5) });
  await expect(steps.getByText("no value 2026-01-06")).toBeVisible();
  await page.mouse.move(box.x + at(8).x, box.y + 20);
  await page.mouse.down();
  await page.mouse.move(box.x + at(15).x, box.y + 20, { steps: 3 });
  await page.mouse.up();
  const slider = steps.getByRole("slider", { name: "time" });
  await expect(slider).toHaveAttribute("min", "8");
  await expect(slider).toHaveAttribute("max", "15");
  await plot.press("+");
  await expect(slider).toHaveAttribute("max", "13");
  await plot.press("0");
  await expect(slider).toHaveAttribute("min", "0");
  await plot.click({ position: at(20) });
  await idle(page);
  await expect(page).toHaveURL(/slice=20,:,:/);
});

test("in a line a chunk that failed is crossed, with its reason and the way to it", async ({ page }) => {
  await openPage(page, `#url=${server.url("/many.json")}&array=line&view=data`);
  await expect(page.getByText("Chunk 1 failed")).toBeVisible();
  await page.getByRole("button", { name: "Why" }).click();
  await expect(chunk(page).getByRole("heading", { name: "line / 1", exact: true })).toBeVisible();
});

test("one dimension as a line, by keyboard too", async ({ page }) => {
  await openPage(page, "#url=samples/ocean.v1.json&array=time&view=data");
  await expect(data(page)).toHaveAttribute("data-read", "1");
  await expect(await readout(page)).toContainText("2026-01-01");
  await data(page).focus();
  await page.keyboard.press("ArrowRight");
  await idle(page);
  await expect(await readout(page)).toContainText("2026-01-02");
});

const HUGE = [
  ["a billion chunks along the slider", [1e9, 8, 8], [1, 8, 8]],
  ["a slice of 100 million chunks", [10_000, 10_000], [1, 1]],
  ["sides of 10^15", [1e15, 1e15], [1000, 1000]],
  ["a line of 150 million elements", [1.5e8], [1e7]],
  ["a line of three billion elements", [3e9], [1e9]],
] as const;

test("nothing grows with chunks or elements", { tag: "@deep" }, async ({ page }) => {
  for (const [name, shape, chunks] of HUGE) {
    const refs = { ".zgroup": '{"zarr_format":2}', "a/.zarray": JSON.stringify({ ...METADATA, shape, chunks }) };
    const served = await startRangeServer({ files: { "/huge.json": JSON.stringify({ version: 1, refs }) } });
    await openPage(page, `#url=${served.url("/huge.json")}&array=a&view=data`);
    await expect(page.getByRole("group", { name: "Values across chunks" }), name).toBeVisible();
    await idle(page);
    // It still answers.
    await page.getByRole("tablist", { name: "Views" }).getByRole("tab", { name: "Metadata", exact: true }).click();
    await idle(page);
    await served.stop();
  }
});

test("a link to a chunk of gigabytes says its size before it is read", async ({ page }) => {
  const metadata = { ...METADATA, dtype: "<f8", shape: [2e8], chunks: [1e8] };
  const refs = { ".zgroup": '{"zarr_format":2}', "a/.zarray": JSON.stringify(metadata), "a/0": "x" };
  const served = await startRangeServer({ files: { "/large.json": JSON.stringify({ version: 1, refs }) } });
  await openPage(page, `#url=${served.url("/large.json")}&array=a&chunk=0&view=metadata`);
  await expect(chunk(page)).toContainText("Chunk a / 0 decodes to 800 MB");
  await chunk(page).getByRole("button", { name: "Read chunk" }).click();
  await idle(page);
  await expect(chunk(page)).toContainText("found 1 byte");
  await served.stop();
});

test("what a slice and a series cost is told by reader and by chunk shape, at the speed that was measured", async ({
  page,
}) => {
  await openPage(page, "#url=samples/ocean.v1.json&array=sst&view=data");
  await expect(data(page)).toHaveAttribute("data-read", "9");
  await page.getByRole("button", { name: "Cost…" }).click();
  const dialog = page.getByRole("dialog", { name: "What reading sst costs" });
  const row = (name: string) => dialog.getByRole("row", { name });
  await expect(row("zarr-python 3").getByRole("cell").first()).toHaveText("9");
  await expect(row("zarr-python 2").getByRole("cell").first()).toHaveText("1");
  await expect(dialog.getByText(/to the first byte/)).toBeVisible();
  await dialog.getByRole("radio", { name: "Series along time" }).click();
  await expect(row("zarrita").getByRole("cell").first()).toHaveText("6");
  await expect(
    dialog.getByText(/^This series reads 6 chunks of .* would read 1 chunk; a slice lat × lon would still read 9/),
  ).toBeVisible();
  await expect(row("4 × 40 × 64 (now)")).toContainText("9 chunks");
});
