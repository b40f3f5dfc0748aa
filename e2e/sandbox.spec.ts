/**
 * The JavaScript reader's sandbox, attacked. Templates run any code in nunjucks: here they do, in the real page and the
 * real nunjucks.html, and reach nothing. The page's own module is served beside the page, so that it is held to the
 * page's policy; the page itself shows nothing of it to scripts.
 */
import { createHash } from "node:crypto";
import { resolve } from "node:path";
import { type CDPSession, expect, type Page, test } from "@playwright/test";
import { build } from "vite";
import type { runJavaScriptReader } from "../src/store/reader-comparison.ts";
import { openPage } from "./support/app.ts";
import { type RangeServer, startRangeServer } from "./support/range-server.ts";

type Outcome =
  | { readonly kind: "answer"; readonly text: string }
  | { readonly kind: "timeout"; readonly milliseconds: number }
  | { readonly kind: "unavailable"; readonly reason: string };

interface Module {
  readonly runJavaScriptReader: typeof runJavaScriptReader;
}

const MODULE = "/sandbox-frame.js";
let source = "";
let server: RangeServer;

test.beforeAll(async () => {
  const entry = resolve(import.meta.dirname, "../src/store/reader-comparison.ts");
  const built = await build({
    configFile: false,
    publicDir: false,
    logLevel: "silent",
    build: { write: false, target: "es2023", lib: { entry, formats: ["es"], fileName: "module" } },
  });
  source = (built as { output: { code: string }[] }[])[0]!.output[0]!.code;
  server = await startRangeServer({
    files: { "/x.js": "export const x = 1;", "/x.json": "{}", "/t.html": "template" },
  });
});

test.beforeEach(async ({ page }) => {
  server.reset();
  await page.route(`**${MODULE}`, (route) => route.fulfill({ contentType: "text/javascript", body: source }));
  await openPage(page);
});

test.afterAll(async () => {
  await server.stop();
});

/** Runs a document as the page does. */
function run(page: Page, document: unknown, limit = 5000): Promise<Outcome> {
  const text = typeof document === "string" ? document : JSON.stringify(document);
  return page.evaluate(
    async ([path, text, limit]) => {
      const { runJavaScriptReader } = (await import(path)) as Module;
      const signal = new AbortController().signal;
      const outcome = await runJavaScriptReader(new TextEncoder().encode(text), { limit, signal });
      if (outcome.kind !== "answer") return outcome;
      return { kind: "answer" as const, text: new TextDecoder().decode(outcome.bytes) };
    },
    [MODULE, text, limit] as const,
  );
}

/** A document whose one template runs `code`, the body of a function. */
const attack = (code: string, call = "range.constructor(code)()") => ({
  version: 1,
  gen: [{ key: "k", url: `{{ ${call} }}`, dimensions: { i: [1], code: [code] } }],
});

/** What `code` returned, as the template printed it (nunjucks escapes it as HTML). */
async function result(page: Page, code: string, call?: string): Promise<string> {
  const outcome = await run(page, attack(code, call));
  expect(outcome.kind, JSON.stringify(outcome)).toBe("answer");
  const answer = JSON.parse((outcome as { text: string }).text) as { refs?: [string, [string]][] };
  expect(answer.refs, JSON.stringify(answer)).toHaveLength(1);
  return answer.refs![0]![1][0];
}

/** Keeps the reader from answering, so that its event loop goes on until the limit. */
const STAY = `JSON.stringify = () => { throw new Error("stay"); };`;

/**
 * Serves nunjucks.html with all that is otherwise taken from the reader's scope, so that the policy stands alone; and
 * with another policy where one is given. From a real server (without headers): Chromium also tells documents by the
 * address they came from.
 */
async function unstripped(page: Page, policy = (own: string) => own): Promise<void> {
  const whole = await (await page.request.get("/nunjucks.html")).text();
  const stripped = "stripScope(globalThis);";
  expect(whole.split(stripped)).toHaveLength(2);
  const text = whole.replace(stripped, "globalThis.toldParent = post;");
  const script = /<script>([^]*)<\/script>/.exec(text)![1]!;
  const hash = createHash("sha256").update(script).digest("base64");
  server.put(
    "/variant.html",
    text.replace(
      /(http-equiv="Content-Security-Policy" content=")([^"]+)/,
      (_, start: string, own: string) => start + policy(own.replace(/sha256-[^']+/, `sha256-${hash}`)),
    ),
  );
  await page.route("**/nunjucks.html", (route) => route.continue({ url: server.url("/variant.html") }));
}

/** What the server was asked for, other than the document itself. */
const asked = () => server.requests.map(({ path }) => path).filter((path) => path !== "/variant.html");

test("an honest document: the README's example gives its ten rows", async ({ page }) => {
  const outcome = await run(page, {
    version: 1,
    templates: { u: "server.domain/path", f: "{{ c }}" },
    gen: [
      {
        key: "gen_key{{ i }}",
        url: "http://{{ u }}_{{ i }}",
        offset: "{{ (i + 1) * 1000 }}",
        length: "1000",
        dimensions: { i: { stop: 5 } },
      },
    ],
    refs: {
      key0: "data",
      key1: ["http://target_url", 10000, 100],
      key2: ["http://{{ u }}", 10000, 100],
      key3: ["http://{{ f(c='text') }}", 10000, 100],
      key4: ["http://{{ f(c='text') }}"],
    },
  });
  expect(outcome.kind).toBe("answer");
  expect(JSON.parse((outcome as { text: string }).text)).toEqual({
    refs: [
      ["key0", "data"],
      ["key1", ["http://target_url", 10000, 100]],
      ["key2", ["http://server.domain/path", 10000, 100]],
      ["key3", ["http://text", 10000, 100]],
      ["key4", ["http://text"]],
      ...[0, 1, 2, 3, 4].map((i) => [`gen_key${i}`, [`http://server.domain/path_${i}`, (i + 1) * 1000, 1000]]),
    ],
  });
  await expect(page.locator("iframe")).toHaveCount(0);
});

test("what the reader throws, and invalid numbers, are reported", async ({ page }) => {
  expect(await run(page, "{,}")).toMatchObject({
    kind: "answer",
    text: expect.stringContaining('"name":"SyntaxError"'),
  });
  expect(await run(page, { version: 1, templates: { u: 5 } })).toMatchObject({
    text: expect.stringMatching(/^\{"error":\{"name":"TypeError","message":".*includes/),
  });
  const gen = [{ key: "k", url: "u", offset: "{{ '%d' % i }}", length: "2", dimensions: { i: { stop: 1 } } }];
  expect(await run(page, { version: 1, gen, refs: { a: ["u", 1] } })).toMatchObject({
    text: '{"refs":[["a",["u",1,{"$":"undefined"}]],["k",["u",{"$":"NaN"},2]]]}',
  });
});

const CALLS = [
  "range.constructor(code)()",
  'range["constructor"](code)()',
  "i.constructor.constructor(code)()",
  '"".constructor.constructor(code)()',
  "[].constructor.constructor(code)()",
  "{}.constructor.constructor(code)()",
  "true.constructor.constructor(code)()",
  "cycler.constructor(code)()",
  "cycler(1).next.constructor(code)()",
  "joiner.constructor(code)()",
  "joiner(1).constructor(code)()",
];

// One page for all: each run has a frame of its own.
test("every way to a function runs its code in an empty place", async ({ page }) => {
  for (const call of CALLS) {
    const seen = await result(
      page,
      `const names = [];
      for (let at = globalThis; at !== null; at = Object.getPrototypeOf(at))
        if (at !== Object.prototype) names.push(...Object.getOwnPropertyNames(at));
      return names.filter((name) => /^[a-z]/.test(name)).sort().join(" ")`,
      call,
    );
    expect(seen, call).toBe(
      "clearTimeout decodeURI decodeURIComponent encodeURI encodeURIComponent escape eval globalThis isFinite isNaN " +
        "parseFloat parseInt self setTimeout undefined unescape",
    );
    const reached = await result(page, "return [6 * 7, typeof fetch, typeof postMessage]", call);
    expect(reached, call).toBe("42,undefined,undefined");
  }
});

test("code in a key, an offset, a template, a reference and a macro is locked up just the same", async ({ page }) => {
  const code = "range.constructor('return typeof fetch + typeof Worker + typeof indexedDB')()";
  const none = "undefined".repeat(3);
  const outcome = await run(page, {
    version: 1,
    templates: { t: `{{ ${code} }}` },
    gen: [
      { key: `a{{ ${code} }}`, url: "u", offset: `{{ ${code} }}`, length: "1", dimensions: { i: [1] } },
      { key: "b", url: `{% macro m() %}{{ ${code} }}{% endmacro %}{{ m() }}`, dimensions: { i: [1] } },
    ],
    refs: { r: ["{{ t() }}"] },
  });
  expect(JSON.parse((outcome as { text: string }).text)).toEqual({
    refs: [
      ["r", [none]],
      [`a${none}`, ["u", { $: "NaN" }, 1]],
      ["b", [none]],
    ],
  });
});

/** Every way to the network that a worker has, one after the other, each on its own path. */
const reach = (origin: string) => `
  const opened = (it) => new Promise((yes, no) => { it.onopen = yes; it.onerror = no; });
  const tries = {
    fetch: () => fetch("${origin}/fetch"),
    beacon: () => navigator.sendBeacon("${origin}/beacon"),
    xhr: () => { const x = new XMLHttpRequest(); x.open("GET", "${origin}/xhr", false); x.send(); },
    socket: () => opened(new WebSocket("${origin.replace("http", "ws")}/socket")),
    events: () => opened(new EventSource("${origin}/events")),
    transport: () => new WebTransport("${origin.replace("http", "https")}/transport").ready,
    scripts: () => importScripts("${origin}/x.js"),
    module: () => import("${origin}/x.js"),
    data: () => import("data:text/javascript,export const x = 1"),
    font: () => { const f = new FontFace("f", "url(${origin}/font)"); fonts.add(f); return f.load(); },
    worker: () => { const w = new Worker("${origin}/x.js"); return new Promise((y, n) => { w.onerror = n; }); },
    blob: () => { const w = new Worker(URL.createObjectURL(new Blob(["fetch('${origin}/nested').catch(() => 1)"])));
      return new Promise((y, n) => { setTimeout(n, 500); }); },
    shared: () => new SharedWorker("${origin}/x.js"),
    page: () => fetch(location.ancestorOrigins ? "/" : "${origin}/"),
    caches: () => caches.open("a"),
    database: () => indexedDB.open("a"),
    files: () => navigator.storage.getDirectory(),
    serviceWorker: () => navigator.serviceWorker.register("${origin}/x.js"),
    cookies: () => cookieStore.getAll(),
    channel: () => { const c = new BroadcastChannel("refscope"); c.postMessage("forged"); throw 0; },
    locks: () => navigator.locks.request("a", () => 1),
    openWindow: () => clients.openWindow("${origin}/"),
    open: () => open("${origin}/"),
    parent: () => parent.document.body,
    top: () => { top.location = "${origin}/"; },
    document: () => document.cookie,
    storage: () => localStorage.getItem("a"),
    opener: () => opener.document,
  };
  globalThis.outcomes = {};
  globalThis.all = Promise.all(Object.entries(tries).map(async ([name, attempt]) => {
    try { await attempt(); outcomes[name] = "did"; } catch { outcomes[name] = "failed"; }
  }));`;

test("with all of its event loop and two seconds, code reaches no network, storage or page", async ({ page }) => {
  // What the page itself still loads is not the code's doing.
  await page.waitForLoadState("networkidle");
  const answered: string[] = [];
  page.on("response", (response) => answered.push(response.url()));
  expect(await run(page, attack(STAY + reach(server.origin)), 2000)).toEqual({ kind: "timeout", milliseconds: 2000 });
  expect(asked()).toEqual([]);
  expect(answered.filter((url) => !/\/(nunjucks\.html|sandbox-frame\.js)$|^blob:/.test(url))).toEqual([]);
});

test("the policy alone stops as much, with nothing taken away", async ({ page }) => {
  await unstripped(page);
  const heard = await messagesDuring(page, async () => {
    const code = `${STAY}${reach(server.origin)}
      all.then(() => { toldParent(new TextEncoder().encode(Object.keys(outcomes).filter((n) => outcomes[n] === "did").join()).buffer); });
      setTimeout(() => toldParent(new TextEncoder().encode("hung " + Object.keys(outcomes)).buffer), 3000)`;
    expect(await run(page, attack(code), 6000)).toEqual({ kind: "answer", text: "" });
  });
  expect(asked()).toEqual([]);
  expect(heard).toEqual(['{"kind":"ready"}']);
  expect(page.context().pages()).toHaveLength(1);
  expect(page.url()).toMatch(/\/#?$/);
});

test("the same attempts do arrive where the policy lets them: the test can fail", async ({ page }) => {
  await unstripped(page, (own) =>
    own
      .replace("connect-src 'none'", "connect-src *")
      .replace("script-src ", `script-src ${server.origin} `)
      .replace("worker-src ", "worker-src *: "),
  );
  await run(page, attack(STAY + reach(server.origin)), 1500);
  const paths = asked();
  for (const path of ["/fetch", "/xhr", "/events", "/socket", "/x.js", "/nested"]) expect(paths).toContain(path);
});

/** What the page gets by `window.postMessage` meanwhile. */
async function messagesDuring(page: Page, work: () => Promise<void>): Promise<readonly string[]> {
  await page.evaluate(() => {
    const heard: string[] = [];
    Object.assign(window, { heard });
    addEventListener("message", ({ data }) => heard.push(JSON.stringify(data)));
  });
  await work();
  return page.evaluate(() => (window as unknown as { heard: string[] }).heard);
}

test("{% include %} of an address loads nothing", async ({ page }) => {
  for (const prepare of [() => Promise.resolve(), () => unstripped(page)]) {
    await prepare();
    const outcome = await run(page, {
      version: 1,
      gen: [{ key: "k", url: `{% include "${server.origin}/t.html" %}`, dimensions: { i: [1] } }],
    });
    expect(outcome).toMatchObject({ kind: "answer", text: expect.stringContaining('{"error"') });
  }
  expect(asked()).toEqual([]);
});

test("nothing stays from one run to the next", { tag: "@deep" }, async ({ page }) => {
  const code = `Object.prototype.left = 1; globalThis.left = 1; Array.prototype.map = () => []; return "was here"`;
  await run(page, attack(code));
  expect(await result(page, "return [typeof globalThis.left, typeof {}.left, [1].map((x) => x + 1)]")).toBe(
    "undefined,undefined,2",
  );
  expect(await page.evaluate(() => "left" in Object.prototype)).toBe(false);
});

test("forged answers are refused by their form", { tag: "@deep" }, async ({ page }) => {
  await unstripped(page);
  for (const forged of [
    "{ kind: 'answer', bytes: new ArrayBuffer(8) }",
    "'ready'",
    "{ kind: 'started' }",
    "new ArrayBuffer(8, { maxByteLength: 16 })",
    "new ArrayBuffer(257 * 2 ** 20)",
    "Array.from({ length: 1e6 }, (_, i) => ({ i }))",
  ]) {
    // A busy machine takes long to copy an answer of this size; a refusal ends the run before the limit.
    expect(await run(page, attack(`toldParent(${forged}); return 1`), 60_000)).toMatchObject({
      kind: "unavailable",
      reason: expect.stringContaining("not of the expected form"),
    });
  }
});

test("an answer over the cap is not passed on", { tag: "@deep" }, async ({ page }) => {
  const code = "return 'x'.repeat(135 * 2 ** 20)";
  const gen = [0, 1].map((i) => ({
    key: `k${i}`,
    url: "{{ range.constructor(code)() }}",
    dimensions: { code: [code] },
  }));
  expect(await run(page, { version: 1, gen }, 120_000)).toMatchObject({
    kind: "unavailable",
    reason: expect.stringContaining("larger than 256 MiB"),
  });
});

/** Seconds of processor time of all renderers, ours and those of frames. */
async function rendererTime(session: CDPSession): Promise<number> {
  const { processInfo } = await session.send("SystemInfo.getProcessInfo");
  return processInfo.reduce((sum, { type, cpuTime }) => (type === "renderer" ? sum + cpuTime : sum), 0);
}

/** Waits until the renderers leave the processor alone: less than 0.3 of a core since the look before. */
async function quietAfter(page: Page): Promise<void> {
  const session = await page.context().browser()!.newBrowserCDPSession();
  const look = async () => ({ at: performance.now() / 1000, used: await rendererTime(session) });
  let before = await look();
  const share = async (): Promise<number> => {
    const now = await look();
    const seconds = now.at - before.at;
    const used = now.used - before.used;
    if (seconds < SHORTEST_LOOK) return Number.POSITIVE_INFINITY;
    before = now;
    return used / seconds;
  };
  await expect.poll(share, { intervals: [1000 * SHORTEST_LOOK], timeout: 15_000 }).toBeLessThan(0.3);
  await session.detach();
}

/** Seconds over which the use of the processor says something. */
const SHORTEST_LOOK = 0.4;

/** Longest pause between two frames of the page while a document runs, ms, and how many frames there were. */
async function framesDuring(page: Page, work: () => Promise<void>): Promise<{ longest: number; frames: number }> {
  await page.evaluate(() => {
    const times: number[] = [];
    Object.assign(window, { times });
    const tick = (time: number) => {
      times.push(time);
      requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  });
  await work();
  return page.evaluate(() => {
    const { times } = window as unknown as { times: number[] };
    return { longest: Math.max(...times.slice(1).map((time, at) => time - times[at]!)), frames: times.length };
  });
}

for (const [name, document] of [
  ["code that never ends", attack("for (;;);")],
  ["a step of 0", { version: 1, gen: [{ key: "k", url: "u", dimensions: { i: { stop: 5, step: 0 } } }] }],
  [
    "a loop in a template",
    { version: 1, gen: [{ key: "k", url: "{% for a in range(3000000000) %}{% endfor %}", dimensions: { i: [1] } }] },
  ],
] as const) {
  test(
    `${name} is ended on time, and the page goes on`,
    { tag: name === "a loop in a template" ? [] : "@deep" },
    async ({ page }) => {
      const { longest, frames } = await framesDuring(page, async () => {
        const start = Date.now();
        expect(await run(page, document, 1500)).toEqual({ kind: "timeout", milliseconds: 1500 });
        expect(Date.now() - start).toBeLessThan(5000);
      });
      expect(frames).toBeGreaterThan(20);
      expect(longest).toBeLessThan(1000);
      await expect(page.locator("iframe")).toHaveCount(0);
      await quietAfter(page);
    },
  );
}

test("workers that the code starts do not outlive it", { tag: "@deep" }, async ({ page }) => {
  await unstripped(page);
  const code = `for (let i = 0; i < 3; i++) new Worker(URL.createObjectURL(new Blob(["for (;;);"]))); ${STAY} for (;;);`;
  expect(await run(page, attack(code), 1500)).toEqual({ kind: "timeout", milliseconds: 1500 });
  await quietAfter(page);
});

test("memory taken until death kills the sandbox's process, not the page", { tag: "@deep" }, async ({ page }) => {
  // Over the page's own session: Playwright takes the death of a frame's process for that of the page.
  const browser = await page.context().browser()!.newBrowserCDPSession();
  const session = await page.context().newCDPSession(page);
  const evaluate = async (expression: string) =>
    (await session.send("Runtime.evaluate", { expression, awaitPromise: true, returnByValue: true })).result
      .value as unknown;
  const frames = async () =>
    (await browser.send("Target.getTargets")).targetInfos.filter(({ url }) => url.includes("nunjucks.html")).length;
  const text = JSON.stringify(attack("const all = []; for (;;) all.push(new Array(1e6).fill(all.length + 0.5))"));
  await evaluate(`void import("${MODULE}").then(async ({ runJavaScriptReader }) => {
    const signal = new AbortController().signal;
    const outcome = await runJavaScriptReader(new TextEncoder().encode(${JSON.stringify(text)}), { limit: 10_000, signal });
    window.ended = JSON.stringify(outcome);
  })`);
  await expect.poll(frames).toBe(1);
  await expect.poll(frames, { timeout: 15_000 }).toBe(0);
  expect(await evaluate("document.title")).toBe("Refscope");
  await expect
    .poll(() => evaluate("window.ended"), { timeout: 20_000 })
    .toBe('{"kind":"timeout","milliseconds":10000}');
  expect(await evaluate("document.querySelectorAll('iframe').length")).toBe(0);
});

test("aborted, it rejects with the reason, and nothing is left", { tag: "@deep" }, async ({ page }) => {
  const name = await page.evaluate(
    async ([path, text]) => {
      const { runJavaScriptReader } = (await import(path)) as Module;
      const signal = AbortSignal.timeout(800);
      return runJavaScriptReader(new TextEncoder().encode(text), { limit: 60_000, signal }).catch(
        (error: unknown) => (error as Error).name,
      );
    },
    [MODULE, JSON.stringify(attack("for (;;);"))] as const,
  );
  expect(name).toBe("TimeoutError");
  await expect(page.locator("iframe")).toHaveCount(0);
  await quietAfter(page);
});

test("code from strings is forbidden to the page and to the engine's worker", async ({ page }) => {
  // Later, since what the test itself evaluates is exempt.
  const attempt = () =>
    new Promise<string>((done) => {
      setTimeout(() => {
        try {
          done(String((Reflect.construct(Function, ["return 1"]) as () => unknown)()));
        } catch (error) {
          done((error as Error).name);
        }
      });
    });
  expect(await page.evaluate(attempt)).toBe("EvalError");
  const engine = page.workers().find((worker) => worker.url().includes("engine.worker"));
  expect(await engine!.evaluate(attempt)).toBe("EvalError");
  const policy = (await page.request.get("/")).headers()["content-security-policy"];
  expect(policy).not.toContain("'unsafe-eval'");
  expect(policy).toContain("frame-src 'self'");
});

test("on a host without headers the document's own policy is enough", { tag: "@deep" }, async ({ page }) => {
  server.put("/variant.html", await (await page.request.get("/nunjucks.html")).text());
  await page.route("**/nunjucks.html", (route) => route.continue({ url: server.url("/variant.html") }));
  expect(await result(page, "return 6 * 7")).toBe("42");
  expect(await run(page, attack(STAY + reach(server.origin)), 1000)).toMatchObject({ kind: "timeout" });
  expect(asked()).toEqual([]);
});

test("a host that sends its page's policy with everything hears what to change", { tag: "@deep" }, async ({ page }) => {
  const policy = (await page.request.get("/")).headers()["content-security-policy"]!;
  await page.route("**/nunjucks.html", async (route) => {
    const response = await route.fetch();
    const headers = { "content-type": "text/html", "content-security-policy": policy };
    await route.fulfill({ body: await response.text(), headers });
  });
  expect(await run(page, attack("return 1"))).toMatchObject({
    kind: "unavailable",
    reason: expect.stringMatching(/polic|Policy/),
  });
});

test("without nunjucks.html the reader is unavailable, not silent", { tag: "@deep" }, async ({ page }) => {
  await page.route("**/nunjucks.html", (route) => route.fulfill({ status: 404, body: "no such file" }));
  expect(await run(page, attack("return 1"))).toMatchObject({ kind: "unavailable" });
});

test("opened otherwise, the sandbox's document does nothing", { tag: "@deep" }, async ({ page }) => {
  // The host's header is taken away: only the document's own check stands.
  await page.route("**/nunjucks.html", async (route) => {
    const response = await route.fetch();
    await route.fulfill({ body: await response.text(), headers: { "content-type": "text/html" } });
  });
  const said = await page.evaluate(async () => {
    const frame = document.createElement("iframe");
    frame.src = "nunjucks.html"; // no sandbox attribute: the page's own origin
    const first = new Promise((done) => {
      addEventListener("message", ({ data }) => done(data), { once: true });
    });
    document.body.append(frame);
    const data = await first;
    const channel = new MessageChannel();
    const start = { kind: "start", document: new TextEncoder().encode("{}").buffer, limit: 1000, port: channel.port2 };
    const answer = new Promise((done) => {
      channel.port1.onmessage = done;
      setTimeout(done, 1500, "nothing");
    });
    frame.contentWindow!.postMessage(start, "*", [channel.port2]);
    return [data, await answer];
  });
  expect(said).toEqual([expect.objectContaining({ kind: "unavailable" }), "nothing"]);
});

test("the host's header gives the document no origin, however it is opened", async ({ page }) => {
  await page.goto("/nunjucks.html");
  expect(await page.evaluate(() => window.origin)).toBe("null");
});
