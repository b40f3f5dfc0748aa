/**
 * What a server does wrong, as Check names it: one cause with its class, its severity and what to do, on opening the view
 * and after all was checked; and what is no fault is none.
 */
import { expect, test, type Locator, type Page } from "@playwright/test";
import { chunk, idle, openPage, problems, statistic } from "./support/app.ts";
import { startRangeServer, type RangeServer } from "./support/range-server.ts";

const DATA = Uint8Array.from({ length: 40_960 }, (_, at) => at % 251);
const PAGE = "<!doctype html><html><title>Sign in</title><body>Please sign in.</body></html>".padEnd(4000);

/** What is known of a cause and said with it. */
interface Expected {
  readonly code: string;
  readonly severity: "error" | "warning";
  /** Whether the sources are there: none of them, or not as they should be. */
  readonly sources: "no" | "partly";
  readonly says: RegExp;
  readonly remedy: RegExp;
  /** Configurations of servers to paste, the likeliest open. */
  readonly configurations?: boolean;
  /** Chunks are read all the same. */
  readonly reads?: true;
  /** Another reference may be what is meant. */
  readonly mendable?: true;
}

interface Misbehaviour {
  readonly what: string;
  /** Of `e2e/support/range-server.ts`, at the target. */
  readonly fault?: string;
  /** Where it is not the server of the set: what references name. */
  readonly target?: () => Promise<string>;
  readonly content?: string;
  /** Absent: it is no fault. */
  readonly cause?: Expected;
}

let server: RangeServer;
/** Of another origin, which lets no page read. */
let closed: RangeServer;

async function deadHost(): Promise<string> {
  const gone = await startRangeServer();
  await gone.stop();
  return `${gone.origin}/gone.bin`;
}

const SHORT: Expected = {
  code: "range-short",
  severity: "error",
  sources: "partly",
  says: /^The source file has 40,960 bytes, but of a range of 512 bytes within it only 256 arrived\.$/,
  remedy: /^What to do: The references are right, but the server or a proxy truncates its responses/,
};
const LONG: Expected = {
  code: "range-mismatch",
  severity: "error",
  sources: "partly",
  says: /^The range has 512 bytes; the server sent \d+\.$/,
  remedy: /^What to do: The response cannot be used\. Serve the file from another host/,
};
const COMPRESSED: Expected = {
  code: "range-encoded",
  severity: "warning",
  sources: "partly",
  says: /^The server sends ranges as compressed bytes \(Content-Encoding\)\. Chrome refuses these/,
  remedy: /^What to do: Configure the server not to compress these files \(nginx: gzip off;/,
  reads: true,
};
const status = (code: string, number: number, remedy: RegExp): Expected => ({
  code,
  severity: "error",
  sources: "no",
  says: new RegExp(`(?:status|returned) ${number}`),
  remedy,
  ...(number === 404 || number === 416 ? { mendable: true } : {}),
});

const MISBEHAVIOURS: readonly Misbehaviour[] = [
  {
    what: "no CORS",
    fault: "no-cors",
    cause: {
      code: "cors-missing",
      severity: "error",
      sources: "no",
      // The document came from the same host.
      says: /^Pages may read other files of this host, but not its answer for this one/,
      remedy: /^What to do: Ask for the file in a terminal/,
      configurations: true,
    },
  },
  {
    what: "a dead host",
    target: deadHost,
    cause: {
      code: "host-unreachable",
      severity: "error",
      sources: "no",
      says: /^No response: the host does not exist, is down, refuses the connection/,
      remedy: /^What to do: Check the host name\./,
    },
  },
  {
    what: "an answer to HEAD alone, of which a browser cannot say why",
    fault: "only-head",
    cause: {
      code: "unreachable-undecided",
      severity: "error",
      sources: "no",
      says: /^The host responds, but not to this request, and the browser does not say why\.$/,
      remedy: /^What to do: Find out in a terminal: “refscope doctor http:/,
    },
  },
  {
    what: "403",
    fault: "403",
    cause: status("http-status", 403, /^What to do: Check that the source exists and is public, or add credentials/),
  },
  { what: "404", fault: "404", cause: status("target-gone", 404, /^What to do: If the data has moved, correct/) },
  { what: "500", fault: "500", cause: status("http-status", 500, /^What to do: The server failed\. Try again/) },
  { what: "429 always", fault: "429", cause: status("http-status", 429, /^What to do: Wait a while/) },
  { what: "429, then what was asked for", fault: "429:2" },
  {
    what: "the whole file instead of a range",
    fault: "ignore-range",
    cause: {
      code: "range-ignored",
      severity: "warning",
      sources: "partly",
      says: /Every chunk read from it costs all 40,960 bytes\.$/,
      remedy: /^What to do: Serve the file from a host that supports range requests/,
      reads: true,
    },
  },
  {
    what: "another range",
    fault: "wrong-range,expose",
    cause: { ...LONG, says: /^By its Content-Range the server sent bytes 1–512, not the requested ones/ },
  },
  { what: "fewer bytes than were asked for", fault: "short-206", cause: SHORT },
  { what: "fewer bytes than its Content-Range says", fault: "short-206,expose", cause: SHORT },
  { what: "more bytes than were asked for", fault: "long-206", cause: LONG },
  { what: "a Content-Length that is too high", fault: "lying-length", cause: LONG },
  {
    what: "416 to every range",
    fault: "416",
    cause: status("http-status", 416, /^What to do: Serve the source file from a host that supports range requests/),
  },
  { what: "gzip to a range", fault: "gzip", cause: COMPRESSED },
  { what: "gzip to a range, and says so to pages", fault: "gzip,expose", cause: COMPRESSED },
  { what: "a slow beginning, and slowly", fault: "slow-start:400,slow:4000" },
  { what: "a redirect", fault: "redirect:/elsewhere.bin" },
  {
    what: "a redirect to where pages may not read",
    fault: "redirect:CLOSED/elsewhere.bin",
    cause: {
      code: "cors-missing",
      severity: "error",
      sources: "no",
      says: /^The host redirects to a place that other sites' pages may not read \(CORS\)\./,
      remedy: /^What to do: Find out in a terminal where the redirect leads/,
      configurations: true,
    },
  },
  {
    what: "an HTML page",
    content: PAGE,
    cause: {
      code: "web-page",
      severity: "error",
      sources: "partly",
      says: /^The server sent a web page \(HTML\) instead of data: “Sign in”\.$/,
      remedy: /^What to do: Sign in at the provider/,
      reads: true,
    },
  },
];

function references(target: string): string {
  const more = { compressor: null, filters: null, fill_value: 0, order: "C" };
  const zarray = { zarr_format: 2, shape: [256], chunks: [64], dtype: "|u1", ...more };
  const chunks = [0, 1, 2, 3].map((at) => [`a/${at}`, [target, 100 + at * 64, 64]]);
  const refs = { ".zgroup": '{"zarr_format":2}', "a/.zarray": JSON.stringify(zarray) };
  return JSON.stringify({ version: 1, refs: { ...refs, ...Object.fromEntries(chunks) } });
}

test.beforeAll(async () => {
  server = await startRangeServer({ files: { "/elsewhere.bin": DATA } });
  closed = await startRangeServer({ files: { "/elsewhere.bin": DATA } });
  closed.misbehave("/elsewhere.bin", "no-cors");
});
test.afterAll(async () => {
  await server.stop();
  await closed.stop();
});

const answer = (page: Page, question: string): Locator =>
  page.getByRole("region", { name: "Verdict" }).locator("[data-question]", { hasText: question }).locator("dd");
const sources = (page: Page): Locator => answer(page, "Are the sources available");
const causes = (page: Page): Locator => problems(page).locator('li[data-code]:not([data-severity="info"])');

/** Gives the address of the target as pages ask for it. */
async function open(page: Page, at: number, { fault = "", target, content = "" }: Misbehaviour): Promise<string> {
  const path = `/target-${at}.bin`;
  server.put(path, content === "" ? DATA : content);
  server.misbehave(path, fault.replace("CLOSED", closed.origin));
  const named = (await target?.()) ?? path.slice(1);
  server.put(`/set-${at}.json`, references(named));
  await openPage(page, `#url=${encodeURIComponent(server.url(`/set-${at}.json`))}&view=check`);
  return new URL(named, server.origin).href;
}

/** One cause, of the class; opened, what to do and what to paste stand with it. */
async function expectCause(page: Page, expected: Expected, address: string): Promise<void> {
  const { code, severity, says, remedy } = expected;
  await expect(causes(page)).toHaveCount(1);
  const cause = causes(page);
  await expect(cause).toHaveAttribute("data-code", code);
  await expect(cause).toHaveAttribute("data-severity", severity);
  await expect(sources(page)).toHaveAttribute("data-answer", expected.sources);
  const more = cause.getByRole("button", { name: "More", exact: true });
  if ((await more.count()) > 0) await more.click();
  await expect(cause.getByText(says).last()).toBeVisible();
  await expect(cause.getByText(remedy)).toBeVisible();
  await expect(cause.getByText(`refscope doctor ${address}`, { exact: true })).toBeVisible();
  if (expected.mendable !== true)
    await expect(cause.locator("button, span").filter({ hasText: /Find a fix|Searching for a fix/ })).toHaveCount(0);
  await expect(cause.getByText("Amazon S3, and stores that speak its language")).toHaveCount(
    expected.configurations === true ? 1 : 0,
  );
}

/** Where the cause leads: its first chunk, read or not. */
async function expectChunk(page: Page, { reads }: Expected): Promise<void> {
  await causes(page).getByRole("button").first().click();
  await idle(page);
  await expect(chunk(page)).toContainText("a / 0");
  if (reads === true) await expect.poll(() => statistic(page, "Count")).toBe("64");
  else await expect(chunk(page).getByRole("alert")).toBeVisible();
}

/** Codes of sources of which nothing came. */
const OUT_OF_REACH = new Set([
  "host-unreachable",
  "cors-missing",
  "target-gone",
  "http-status",
  "unreachable-undecided",
]);

/** One of each kind: no access, no file, no ranges. The others are told by `npm run test:deep`. */
const OFTEN = new Set(["no CORS", "404", "the whole file instead of a range"]);

for (const [at, misbehaviour] of MISBEHAVIOURS.entries()) {
  const { what, cause } = misbehaviour;
  const tag = OFTEN.has(what) ? [] : ["@deep"];
  test(`a server that answers with ${what}: ${cause?.code ?? "nothing is wrong"}`, { tag }, async ({ page }) => {
    const address = await open(page, at, misbehaviour);
    if (cause !== undefined) await expectCause(page, cause, address);
    await page.getByRole("button", { name: /^Check all · \d/ }).click();
    await idle(page);
    const isRight = cause === undefined || cause.severity === "warning";
    // If nothing came of the source, no value was checked. A server that answers 416 has the source.
    const isAway = cause !== undefined && OUT_OF_REACH.has(cause.code) && !what.startsWith("416");
    const wrong = isAway ? "not-checked" : "no";
    await expect(answer(page, "Are the values right?")).toHaveAttribute("data-answer", isRight ? "yes" : wrong);
    if (cause === undefined) {
      // What was refused and asked again is told: other readers take it for missing.
      const repeated = what.startsWith("429");
      await expect(causes(page)).toHaveCount(repeated ? 1 : 0);
      if (repeated) await expect(causes(page)).toHaveAttribute("data-code", "requests-repeated");
      else await expect(sources(page)).toHaveAttribute("data-answer", "yes");
    } else {
      await expectCause(page, cause, address);
      await expectChunk(page, cause);
    }
  });
}
