import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startRangeServer, type RangeServer } from "../../../e2e/support/range-server.ts";
import type { CallContext } from "#core/byte-source.ts";
import { explained } from "#core/findings/explain.ts";
import { isAbort } from "#core/findings/finding.ts";
import { hostLimit } from "./host-limit.ts";
import { httpSource, type HttpOptions } from "./http.ts";
import { rejectionOf } from "#core/testing/rejection.ts";

const content = Uint8Array.from({ length: 5000 }, (_, at) => (at * 7 + (at >> 8)) & 255);
let server: RangeServer;
let other: RangeServer;

beforeAll(async () => {
  server = await startRangeServer({ files: { "/a.bin": content, "/empty.bin": "" } });
  other = await startRangeServer({ files: { "/a.bin": content } });
});
afterAll(async () => {
  await server.stop();
  await other.stop();
});
beforeEach(() => {
  server.reset();
  other.reset();
});

const calm: CallContext = { signal: new AbortController().signal, report: () => undefined };

/** No real waiting between attempts; what would have been waited is kept. */
function quick(options: HttpOptions = {}): HttpOptions & { waits: number[] } {
  const waits: number[] = [];
  const sleep = async (milliseconds: number): Promise<void> => void waits.push(milliseconds);
  return { sleep, random: () => 0.5, ...options, waits };
}

const read = (faults?: string, options?: HttpOptions, range = { offset: 1000, length: 100 }) =>
  httpSource(server.url("/a.bin", faults), quick(options)).read(range, calm);
const wanted = content.slice(1000, 1100);

describe("a range of another origin that hides how it compresses", () => {
  const answers = (body: BodyInit) => async () => {
    const headers = { "Content-Length": "130" };
    return Object.defineProperty(new Response(body, { status: 206, headers }), "type", { value: "cors" });
  };

  it("is read where its bytes are as many as were asked for, whatever length it declares", async () => {
    const { bytes } = await read(undefined, { fetch: answers(wanted) });
    expect(bytes).toEqual(wanted);
  });

  it("is another range where it breaks off with more declared than was asked for", async () => {
    const body = new ReadableStream({ pull: (stream) => stream.error(new TypeError("network error")) });
    expect(await rejectionOf(read(undefined, { fetch: answers(body) }))).toMatchObject({ code: "range-mismatch" });
  });
});

describe("a range of a healthy server", () => {
  it("asks a closed range, sends nothing that needs asking first, and reports the request", async () => {
    const { bytes, request, findings } = await read();
    expect(bytes).toEqual(wanted);
    expect(findings).toEqual([]);
    expect(request).toMatchObject({
      range: { offset: 1000, length: 100 },
      attempts: 1,
      status: 206,
      rangeHonoured: true,
      bytesExpected: 100,
      bytesReceived: 100,
      targetSize: 5000,
      lastModified: "Wed, 01 Jan 2025 00:00:00 GMT",
    });
    const [logged] = server.requests;
    expect(logged?.range).toBe("bytes=1000-1099");
    for (const name of ["authorization", "cookie", "referer", "if-range", "if-match", "if-none-match"]) {
      expect(logged?.headers).not.toHaveProperty(name);
    }
  });

  it("makes fetch keep cookies, caches and the referrer out", async () => {
    let seen: RequestInit | undefined;
    await read(undefined, {
      fetch: (url, init) => {
        seen = init;
        return fetch(url, init);
      },
    });
    expect(seen).toMatchObject({ cache: "no-store", credentials: "omit", referrerPolicy: "no-referrer" });
    expect([...new Headers(seen?.headers).keys()]).toEqual(["range"]);
  });

  it("asks for nothing where no bytes are wanted", async () => {
    const { bytes, request } = await read(undefined, {}, { offset: 7, length: 0 });
    expect([bytes.byteLength, request.attempts, server.requests.length]).toEqual([0, 0, 0]);
  });

  it.each([
    [-1, 5],
    [0.5, 5],
    [2 ** 53, 5],
    [2 ** 53 - 1, 5],
    [0, -5],
    [Number.NaN, 5],
  ])("refuses offset %d, length %d", async (offset, length) => {
    expect((await rejectionOf(read(undefined, {}, { offset, length }))).code).toBe("range-invalid");
    expect(server.requests).toEqual([]);
  });

  it("follows a redirect, keeping the range", async () => {
    const { bytes } = await read(`redirect:${other.url("/a.bin")}`);
    expect(bytes).toEqual(wanted);
    expect(other.requests[0]?.range).toBe("bytes=1000-1099");
  });
});

describe("answers that are not the range", () => {
  it("cuts it out of a whole file, stops reading there, and says so", async () => {
    const { bytes, request, findings } = await read("ignore-range");
    expect(bytes).toEqual(wanted);
    expect(request).toMatchObject({ status: 200, rangeHonoured: false });
    expect(findings).toMatchObject([{ code: "range-ignored" }]);
  });

  it("drops the connection once the range has passed", async () => {
    server.put("/big.bin", new Uint8Array(8_000_000));
    const source = httpSource(server.url("/big.bin", "ignore-range,slow:400000"), quick());
    await source.read({ offset: 0, length: 1000 }, calm);
    await expect.poll(() => server.requests[0]?.aborted).toBe(true);
    expect(server.requests[0]?.sent).toBeLessThan(1_000_000);
  });

  it("does not waste many bytes", async () => {
    const error = await rejectionOf(read("ignore-range", { sliceLimit: 500 }));
    expect(error.finding).toMatchObject({ code: "range-ignored", facts: { outcome: "too-deep", limit: 500 } });
  });

  it("knows from a whole file that the range lies outside", async () => {
    const error = await rejectionOf(read("ignore-range", {}, { offset: 6000, length: 10 }));
    expect(error.finding).toMatchObject({ code: "range-past-end", facts: { size: 5000 } });
    const short = await rejectionOf(read("ignore-range", {}, { offset: 4990, length: 100 }));
    expect(short.code).toBe("short-read");
  });

  it("never passes few bytes for the range", async () => {
    const error = await rejectionOf(read("short-206:30"));
    expect(error.finding).toMatchObject({ code: "short-read", facts: { length: 100, received: 30 } });
    expect(error.finding?.place).toMatchObject({ kind: "target", range: { length: 100 } });
  });

  it("says where the target ends when the range crosses its end", async () => {
    const error = await rejectionOf(read(undefined, {}, { offset: 4950, length: 100 }));
    expect(error.finding).toMatchObject({ code: "short-read", facts: { received: 50, end: 5050, size: 5000 } });
  });

  it("says how long the target is when the range lies outside it", async () => {
    const error = await rejectionOf(read(undefined, {}, { offset: 9000, length: 10 }));
    expect(error.finding).toMatchObject({ code: "range-past-end", facts: { size: 5000 } });
    // Here the answer itself does not say it: HEAD does.
    const asked = await rejectionOf(read("416", {}, { offset: 9000, length: 10 }));
    expect(asked.finding).toMatchObject({ code: "range-past-end", facts: { size: 5000 } });
    const unknown = await rejectionOf(read("416,no-head", {}, { offset: 9000, length: 10 }));
    expect(unknown.finding).toMatchObject({ code: "range-past-end", facts: { size: undefined } });
  });

  it.each(["wrong-range", "long-206", "wrong-range,expose"])("refuses another range (%s)", async (fault) => {
    expect((await rejectionOf(read(fault))).code).toBe("range-mismatch");
  });

  it("refuses more bytes than asked where no length is declared", async () => {
    expect((await rejectionOf(read("long-206,no-length"))).code).toBe("range-mismatch");
  });

  it("asks once without a range where answers to ranges are compressed, and remembers it", async () => {
    const source = httpSource(server.url("/a.bin", "gzip"), quick());
    const first = await source.read({ offset: 1000, length: 100 }, calm);
    expect(first.bytes).toEqual(wanted);
    expect(first.findings).toMatchObject([{ code: "range-encoded" }]);
    expect(server.requests.map(({ range }) => range)).toEqual(["bytes=1000-1099", undefined]);
    await source.read({ offset: 0, length: 10 }, calm);
    expect(server.requests.map(({ range }) => range)).toEqual(["bytes=1000-1099", undefined, undefined]);
  });

  it("finds compressed answers out where fetch only says that it failed", async () => {
    const blind = (url: string, init: RequestInit): Promise<Response> =>
      new Headers(init.headers).has("range") ? Promise.reject(new TypeError("Failed to fetch")) : fetch(url, init);
    const { bytes, findings } = await read(undefined, { fetch: blind });
    expect(bytes).toEqual(wanted);
    expect(findings).toMatchObject([{ code: "range-encoded" }]);
  });
});

describe("refusals", () => {
  it.each(["403", "404", "410"])("reports %s at once", async (status) => {
    const options = quick();
    const error = await rejectionOf(httpSource(server.url("/a.bin", status), options).read(undefined, calm));
    expect(error.finding).toMatchObject({ code: "http-status", facts: { status: Number(status), attempts: 1 } });
    expect(server.requests.length).toBe(1);
    expect(options.waits).toEqual([]);
  });

  it.each([
    ["429", [0, 0]],
    ["500", [300, 600]],
    ["503", [300, 600]],
  ])("tries %s again, waiting in between, and gives up after three attempts", async (status, waits) => {
    const options = quick();
    const source = httpSource(server.url("/a.bin", status), options);
    const error = await rejectionOf(source.read({ offset: 0, length: 10 }, calm));
    expect(error.finding?.facts).toMatchObject({ status: Number(status), attempts: 3 });
    expect(server.requests.length).toBe(3);
    expect(options.waits).toEqual(waits);
  });

  it.each(["429:2", "500:2", "drop:2", "cut-body:40/2"])("gets through after %s", async (fault) => {
    const { bytes, request } = await read(fault);
    expect(bytes).toEqual(wanted);
    expect(request.attempts).toBe(3);
  });

  it("says that it tries again, and why", async () => {
    const labels: string[] = [];
    const context = { ...calm, report: ({ label }: { readonly label: string }) => void labels.push(label) };
    await httpSource(server.url("/a.bin", "500:1"), quick()).read({ offset: 0, length: 10 }, context);
    const { host } = new URL(server.url("/a.bin"));
    expect(labels).toContain(`${host} returned 500: trying again (2 of 3)`);
  });

  it("does not wait longer than it wants to, whatever Retry-After says", async () => {
    let first = true;
    const options = quick({
      longestWait: 1234,
      fetch: (url, init) => {
        if (!first) return fetch(url, init);
        first = false;
        return Promise.resolve(new Response("", { status: 429, headers: { "Retry-After": "86400" } }));
      },
    });
    await httpSource(server.url("/a.bin"), options).read({ offset: 0, length: 1 }, calm);
    expect(options.waits).toEqual([1234]);
  });

  it.each(["cut-body:40", "lying-length"])("reports a body that breaks off (%s)", async (fault) => {
    const error = await rejectionOf(read(fault, {}, { offset: 4900, length: 100 }));
    expect(["connection-dropped", "range-mismatch"]).toContain(error.code);
    if (fault === "cut-body:40") {
      const facts = { expected: 100, received: 40, attempts: 3 };
      expect(error.finding).toMatchObject({ code: "connection-dropped", facts });
    }
  });

  it("reports silence, before and within the body", async () => {
    const before = await rejectionOf(read("hang", { idleTimeout: 60 }));
    expect(before.finding).toMatchObject({ code: "timeout", facts: { idle: 60, received: 0 } });
    // Long enough for the head and the first bytes to arrive on a busy machine.
    const within = await rejectionOf(read("hang-body:40", { idleTimeout: 500 }));
    expect(within.finding).toMatchObject({ code: "timeout", facts: { idle: 500, received: 40 } });
    await expect.poll(() => server.requests.every(({ aborted }) => aborted)).toBe(true);
  });

  it("gives up what arrives a few bytes at a time, once", async () => {
    const pace = { bytes: 600, milliseconds: 400 };
    const before = server.requests.length;
    const error = await rejectionOf(read("slow:60", { pace }));
    const slow = { ...pace, arrived: expect.any(Number) as number };
    expect(error.finding).toMatchObject({ code: "timeout", facts: { slow } });
    expect(explained(error.finding).message).toMatch(/^Expected at least 600 bytes in 0\.4 seconds; \d+ arrived\.$/);
    expect(server.requests.length).toBe(before + 1);
    // A document, too; what its reader takes its time for is not counted.
    const { body } = await httpSource(server.url("/a.bin", "slow:60"), quick({ pace })).stream(calm);
    const reader = body.getReader();
    const all = async (): Promise<void> => {
      while (!(await reader.read()).done);
    };
    expect((await rejectionOf(all())).finding).toMatchObject({ code: "timeout", facts: { slow } });
  });

  it("does not take slowness for silence", async () => {
    const { bytes } = await read("slow:60", { idleTimeout: 1200 }); // About 1.7 s in all, 50 ms between pieces.;
    expect(bytes).toEqual(wanted);
  });

  it("does not blame the connection where memory runs out", async () => {
    const full = async (url: string, init: RequestInit): Promise<Response> => {
      const response = await fetch(url, init);
      const body = {
        getReader: () => ({ read: () => Promise.reject(new RangeError("no room")), cancel: async () => {} }),
      };
      return Object.defineProperty(response, "body", { value: body });
    };
    expect((await rejectionOf(read(undefined, { fetch: full }))).code).toBe("out-of-memory");
    expect(server.requests.length).toBe(1);
  });

  it("does not blame the network for a fault of our own", async () => {
    const fault = new TypeError("ReadableByteStreamController is not implemented");
    const broken: CallContext = {
      ...calm,
      report: () => {
        throw fault;
      },
    };
    const attempts = { fetch, sleep: () => Promise.reject(new Error("tried again")) };
    const source = httpSource(server.url("/a.bin"), attempts);
    await expect(source.read(undefined, broken)).rejects.toBe(fault);
    const spoilt = async (url: string, init: RequestInit): Promise<Response> => {
      const answer = await fetch(url, init);
      const headers = {
        get: () => {
          throw fault;
        },
      };
      return Object.defineProperty(answer, "headers", { value: headers });
    };
    const other = httpSource(server.url("/a.bin"), { ...attempts, fetch: spoilt });
    await expect(other.read({ offset: 0, length: 5 }, calm)).rejects.toBe(fault);
    await expect(other.stream(calm)).rejects.toBe(fault);
  });

  it("reports a dead host", async () => {
    const gone = await startRangeServer();
    await gone.stop();
    const source = httpSource(`${gone.origin}/a.bin`, quick());
    expect((await rejectionOf(source.read({ offset: 0, length: 1 }, calm))).code).toBe("host-unreachable");
    expect((await rejectionOf(source.stream(calm))).code).toBe("host-unreachable");
  });

  it("reports a host that answers but does not let pages read it", async () => {
    // Outside browsers there is no CORS: this fetch does what theirs does.
    const browser = async (url: string, init: RequestInit): Promise<Response> => {
      const response = await fetch(url, init);
      if (init.mode === "no-cors" || response.headers.has("Access-Control-Allow-Origin")) return response;
      throw new TypeError("Failed to fetch");
    };
    for (const range of [{ offset: 0, length: 1 }, undefined]) {
      const source = httpSource(server.url("/a.bin", "no-cors"), quick({ fetch: browser }));
      expect((await rejectionOf(source.read(range, calm))).code).toBe("cors-missing");
    }
    expect(server.requests.some(({ method }) => method === "HEAD")).toBe(true);
  });

  it("says so where the text is not a URL", async () => {
    expect((await rejectionOf(httpSource("nonsense", quick()).read(undefined, calm))).code).toBe("url-invalid");
  });
});

describe("credentials", () => {
  const credentials = (prefix: string): HttpOptions => ({
    credentials: [{ prefix, headers: [["Authorization", "Bearer secret"]] }],
  });

  it("go with URLs below their prefix and no others", async () => {
    await read(undefined, credentials(`${server.origin}/`));
    await read(undefined, credentials(`${server.origin}/a`));
    await read(undefined, credentials(`${other.origin}/`));
    expect(server.requests.map(({ headers }) => headers.authorization)).toEqual([
      "Bearer secret",
      undefined,
      undefined,
    ]);
  });

  it("never cross a redirect", async () => {
    const fault = `redirect:${other.url("/a.bin")}`;
    const error = await rejectionOf(read(fault, credentials(`${server.origin}/`)));
    expect(JSON.stringify(error.finding)).toContain("redirect");
    expect(JSON.stringify(error.finding)).not.toContain("secret");
    // The request that tests if the host lives is sent without the headers.
    expect(other.requests.filter(({ method }) => method === "GET")).toEqual([]);
    expect(other.requests.map(({ headers }) => headers.authorization).filter(Boolean)).toEqual([]);
  });

  it("that cannot be sent are named without their values", async () => {
    const error = await rejectionOf(
      read(undefined, { credentials: [{ prefix: server.origin, headers: [["bad name", "secret"]] }] }),
    );
    expect(error.finding).toMatchObject({ code: "credential-invalid", facts: { header: "bad name" } });
    expect(error.message).not.toContain("secret");
  });
});

describe("cancelling", () => {
  it.each(["hang", "hang-body:10"])("reaches the request (%s)", async (fault) => {
    const controller = new AbortController();
    const signals: (AbortSignal | null | undefined)[] = [];
    const options = quick({
      fetch: (url, init) => {
        signals.push(init.signal);
        return fetch(url, init);
      },
    });
    const source = httpSource(server.url("/a.bin", fault), options);
    const reading = source.read({ offset: 0, length: 100 }, { ...calm, signal: controller.signal });
    await expect.poll(() => server.requests.length).toBe(1);
    controller.abort();
    await expect(reading).rejects.toSatisfy(isAbort);
    expect(signals.map((signal) => signal?.aborted)).toEqual([true]);
    await expect.poll(() => server.requests[0]?.aborted).toBe(true);
  });

  it("ends the wait between attempts", async () => {
    const controller = new AbortController();
    const source = httpSource(server.url("/a.bin", "500"), { random: () => 1000, longestWait: 60_000 });
    const reading = source.read({ offset: 0, length: 100 }, { ...calm, signal: controller.signal });
    await expect.poll(() => server.requests.length).toBe(1);
    controller.abort();
    await expect(reading).rejects.toSatisfy(isAbort);
  });

  it("keeps what is already cancelled from being asked at all", async () => {
    const context = { ...calm, signal: AbortSignal.abort() };
    await expect(httpSource(server.url("/a.bin"), quick()).read(undefined, context)).rejects.toSatisfy(isAbort);
    expect(server.requests).toEqual([]);
  });
});

describe("whole files", () => {
  it("are read and counted", async () => {
    const source = httpSource(server.url("/a.bin"), quick());
    const { bytes, request } = await source.read(undefined, calm);
    expect(bytes).toEqual(content);
    expect(request).toMatchObject({ status: 200, bytesReceived: 5000, targetSize: 5000 });
    expect(request).not.toHaveProperty("rangeHonoured");
    expect(source.size).toBe(5000);
    expect((await httpSource(server.url("/empty.bin"), quick()).read(undefined, calm)).bytes.byteLength).toBe(0);
  });

  it.each([undefined, "no-length", "gzip"])("have a budget (%s)", async (fault) => {
    const source = httpSource(server.url("/a.bin", fault), quick({ maximumBytes: 4999 }));
    expect((await rejectionOf(source.read(undefined, calm))).code).toBe("response-too-large");
  });

  it("have the budget of ranges too", async () => {
    expect((await rejectionOf(read(undefined, { maximumBytes: 99 }))).code).toBe("response-too-large");
    expect(server.requests).toEqual([]);
  });
});

describe("streams", () => {
  const stream = (fault?: string, options?: HttpOptions) =>
    httpSource(server.url("/a.bin", fault), quick(options)).stream(calm);

  it("bring all bytes, into the reader's own buffer too, with their size", async () => {
    const { body, size } = await stream();
    expect(size).toBe(5000);
    const reader = body.getReader({ mode: "byob" });
    const got: number[] = [];
    let buffer = new Uint8Array(700);
    for (;;) {
      const { done, value } = await reader.read(buffer);
      if (done) break;
      got.push(...value);
      buffer = new Uint8Array(value.buffer);
    }
    expect(Uint8Array.from(got)).toEqual(content);
    expect(new Uint8Array(await new Response((await stream()).body).arrayBuffer())).toEqual(content);
  });

  it("have no size where the answer is compressed, and only a hint where that cannot be known", async () => {
    const compressed = await stream("gzip");
    expect(compressed.size).toBeUndefined();
    expect(new Uint8Array(await new Response(compressed.body).arrayBuffer())).toEqual(content);
    const cors = await stream(undefined, {
      fetch: async (url, init) => {
        const response = await fetch(url, init);
        return Object.defineProperty(response, "type", { value: "cors" });
      },
    });
    expect(cors).toMatchObject({ size: undefined, sizeHint: 5000 });
    await cors.body.cancel();
  });

  it.each([
    ["cut-body:40", "connection-dropped"],
    ["hang-body:40", "timeout"],
  ])("end with an error, not early (%s)", async (fault, code) => {
    const { body } = await stream(fault, { idleTimeout: 60 });
    expect((await rejectionOf(new Response(body).arrayBuffer())).code).toBe(code);
  });

  it("leave the clock to stand while nothing is read", async () => {
    // Long enough for the first byte on a busy machine.
    const { body } = await stream(undefined, { idleTimeout: 400 });
    await new Promise((done) => setTimeout(done, 500));
    expect((await new Response(body).arrayBuffer()).byteLength).toBe(5000);
  });

  it("are given up when no longer wanted", async () => {
    const { body } = await stream("hang-body:40");
    await body.cancel();
    await expect.poll(() => server.requests[0]?.aborted).toBe(true);
  });

  it.each(["404", "hang"])("fail before the first byte as reads do (%s)", async (fault) => {
    const error = await rejectionOf(stream(fault, { idleTimeout: 60 }));
    expect(error.code).toBe(fault === "404" ? "http-status" : "timeout");
  });
});

describe("many at once", () => {
  it("no more than the limit per host are under way, and a place in the queue can be left", async () => {
    let running = 0;
    let most = 0;
    const limit = hostLimit(2);
    const slow = async (url: string, init: RequestInit): Promise<Response> => {
      running += 1;
      most = Math.max(most, running);
      await Promise.resolve();
      return fetch(url, init).finally(() => (running -= 1));
    };
    const source = httpSource(server.url("/a.bin"), quick({ fetch: slow, limit }));
    const controller = new AbortController();
    const reads = Array.from({ length: 8 }, (_, at) => source.read({ offset: at, length: 1 }, calm));
    const leaver = source.read({ offset: 99, length: 1 }, { ...calm, signal: controller.signal });
    controller.abort();
    await expect(leaver).rejects.toSatisfy(isAbort);
    await Promise.all(reads);
    expect(most).toBe(2);
    expect(server.requests.map(({ range }) => range)).not.toContain("bytes=99-99");
  });
});
