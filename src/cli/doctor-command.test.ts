/** `doctor` at a misbehaving server, and `check --network`. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer as createHttpServer } from "node:http";
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startRangeServer, type RangeServer } from "../../e2e/support/range-server.ts";
import { zarrayWith } from "../core/testing/zarr-documents.ts";
import { runCommand } from "./testing/run-command.ts";

let server: RangeServer;
beforeAll(async () => {
  server = await startRangeServer({
    files: { "/a.nc": new Uint8Array(2000).fill(7), "/p.html": "<!doctype html>Sign in" },
  });
});
afterAll(() => server.stop());
beforeEach(() => server.reset());

const doctor = (url: string, ...more: readonly string[]) => runCommand(["doctor", url, ...more]);

interface Answer {
  readonly findings: readonly { readonly code: string; readonly message: string }[];
  readonly remedies: readonly { readonly id: string }[];
  readonly connection: { readonly failed?: { readonly step: string; readonly reason: string } };
  readonly redirects: readonly unknown[];
}

describe("doctor", () => {
  it.each([
    ["expose", 0, []],
    ["", 0, ["cors-headers-hidden"]],
    ["no-cors", 1, ["cors-absent"]],
    ["ignore-range,expose", 1, ["range-ignored"]],
    ["gzip,expose", 1, ["range-encoded"]],
    ["wrong-range,expose", 1, ["range-mismatch"]],
    ["403", 1, ["http-status"]],
    ["404", 1, ["target-gone"]],
    ["redirect:/p.html", 1, ["web-page", "cors-headers-hidden"]],
  ])("at a server that does “%s” ends with %i", async (fault, status, codes) => {
    const ran = await doctor(server.url("/a.nc", fault), "--json");
    const answer = JSON.parse(ran.stdout) as Answer;
    expect(answer.findings.map(({ code }) => code)).toEqual(codes);
    expect(ran.status).toBe(status);
    expect(answer.redirects).toHaveLength(fault.startsWith("redirect") ? 1 : 0);
  });

  it("says each step, and prints what to paste", async () => {
    const { stdout } = await doctor(server.url("/a.nc", "no-cors"));
    for (const text of [
      "Connection  Port",
      "Status      206.",
      "Size        2,000 bytes.",
      "no Access-Control-Allow-Origin",
    ])
      expect(stdout).toContain(text);
    expect(stdout).toContain("# nginx\nlocation");
    expect(stdout).toContain("# The same by hand\ncurl ");
  });

  it("sees a redirect that lets no page on, though the file at its end would", async () => {
    const open = server.url("/a.nc", "expose");
    const { stdout, status } = await doctor(server.url("/a.nc", `no-cors,redirect:${open}`), "--json");
    expect((JSON.parse(stdout) as Answer).findings.map(({ code }) => code)).toEqual(["cors-absent"]);
    expect(status).toBe(1);
  });

  /** A server like real ones (nginx 1.22, Apache 2.4); the range server answers 404 with CORS headers. */
  async function at(answer: (request: IncomingMessage, response: ServerResponse) => void, path = "/a.bin") {
    const made = createHttpServer(answer);
    await new Promise<void>((done) => void made.listen(0, "127.0.0.1", done));
    const url = `http://127.0.0.1:${(made.address() as AddressInfo).port}${path}`;
    try {
      const json = await doctor(url, "--json");
      const { findings } = JSON.parse(json.stdout) as Answer;
      return { findings, status: json.status, text: (await doctor(url)).stdout };
    } finally {
      await new Promise((done) => void made.close(done));
    }
  }
  const OPEN = { "Access-Control-Allow-Origin": "*", "Access-Control-Expose-Headers": "Content-Range, ETag" };
  const send = (request: IncomingMessage, response: ServerResponse, headers: OutgoingHttpHeaders) => {
    const [, from = "0", to = "99"] = /bytes=(\d+)-(\d+)/.exec(request.headers.range ?? "") ?? [];
    const last = Math.min(Number(to), 99);
    const length = last - Number(from) + 1;
    response.writeHead(206, { "Content-Range": `bytes ${from}-${last}/100`, "Content-Length": length, ...headers });
    response.end(request.method === "HEAD" ? undefined : Buffer.alloc(length, 7));
  };

  it("quotes what a server that refuses says, and names what was opened, as `check` does", async () => {
    const body =
      "<?xml version='1.0'?><Error><Code>PublicAccessNotPermitted</Code><Message>Not permitted.\nRequestId:1</Message></Error>";
    const made = createHttpServer((request, response) => {
      const status = request.url?.includes("denied") === true ? 403 : 409;
      response.writeHead(status, { "Content-Type": "application/xml" });
      response.end(request.method === "HEAD" ? undefined : body);
    });
    await new Promise<void>((done) => void made.listen(0, "127.0.0.1", done));
    const origin = `http://127.0.0.1:${(made.address() as AddressInfo).port}`;
    try {
      expect((await doctor(`${origin}/a.nc`)).stdout).toMatch(
        /Status +409 \(PublicAccessNotPermitted\)\.\n +HEAD +409\./,
      );
      for (const name of ["store.zarr", "refs.json", "file.nc", "denied.zarr", "denied.icechunk"]) {
        const { stdout } = await runCommand(["check", `${origin}/${name}`, "--json"]);
        const [found, ...rest] = (JSON.parse(stdout) as { findings: readonly Record<string, string>[] }).findings;
        expect(rest).toEqual([]);
        expect(found).toMatchObject({
          cause: "Access denied (PublicAccessNotPermitted)",
          target: `${origin}/${name}`,
          message: expect.stringContaining("The server says PublicAccessNotPermitted: “Not permitted”.") as string,
          advice: expect.stringContaining("credentials") as string,
        });
        expect(JSON.stringify(found)).not.toMatch(/branch\.main\/ref\.json"/);
      }
    } finally {
      await new Promise((done) => void made.close(done));
    }
  });

  it("says that errors are sent without the header, where files have it", async () => {
    const { findings, status } = await at((request, response) => {
      if (request.url === "/a.bin" && request.method !== "OPTIONS") send(request, response, OPEN);
      else response.writeHead(request.method === "OPTIONS" ? 405 : 404).end();
    });
    expect(findings.map(({ code }) => code)).toEqual(["cors-absent-on-missing"]);
    expect(status).toBe(1);
  });

  it("speaks of a redirect without the header, of a preflight for ranges from the end, and of HEAD", async () => {
    const { findings, status, text } = await at((request, response) => {
      if (request.url === "/old") response.writeHead(302, { Location: "/new" }).end();
      else if (request.method === "OPTIONS" || request.method === "HEAD") response.writeHead(405, OPEN).end();
      else if (request.url === "/new") send(request, response, OPEN);
      else response.writeHead(404, OPEN).end();
    }, "/old");
    expect(findings).toMatchObject([
      { code: "cors-absent", message: expect.stringContaining("The redirect (status 302)") },
    ]);
    expect(status).toBe(1);
    expect(text).toContain("ranges from the end");
    expect(text).not.toContain("only needed with credentials");
  });

  it("says that the header is sent twice", async () => {
    const { findings } = await at((request, response) => {
      send(request, response, { ...OPEN, "Access-Control-Allow-Origin": ["*", "*"] });
    });
    expect(findings[0]).toMatchObject({ code: "cors-absent", message: expect.stringContaining("more than once") });
  });

  it("knows a server that does not speak HTTP/1.1", async () => {
    const made = createServer((socket) => {
      socket.on("error", () => undefined).resume();
      socket.end("\0\0\x12\x04\0\0\0\0\0");
    });
    await new Promise<void>((done) => void made.listen(0, "127.0.0.1", done));
    const ran = await doctor(`http://127.0.0.1:${(made.address() as AddressInfo).port}/x`, "--json");
    await new Promise((done) => void made.close(done));
    expect(ran.stdout).toContain("not in HTTP/1.1");
    expect(ran.stdout).not.toContain("does not exist");
  });

  it("knows which step fails where nobody listens, or the certificate is none", async () => {
    const silent = createServer((socket) => socket.destroy());
    await new Promise<void>((done) => void silent.listen(0, "127.0.0.1", done));
    const { port } = silent.address() as AddressInfo;
    const tls = JSON.parse((await doctor(`https://127.0.0.1:${port}/x`, "--json")).stdout) as Answer;
    expect(tls.connection.failed).toMatchObject({ step: "tls" });
    await new Promise((done) => void silent.close(done));
    const refused = await doctor(`http://127.0.0.1:${port}/x`, "--json");
    const answer = JSON.parse(refused.stdout) as Answer;
    expect(answer.connection.failed).toEqual({ step: "connect", reason: "ECONNREFUSED" });
    expect(answer.findings).toMatchObject([{ code: "host-unreachable" }]);
    expect(answer.findings[0]?.message).toContain("nothing is listening");
    expect(refused.status).toBe(1);
  });

  it("wants an address, and an origin that is one", async () => {
    expect(await doctor("nonsense")).toMatchObject({ status: 2 });
    expect(await doctor("http://127.0.0.1:1/", "--origin", "x")).toMatchObject({ status: 2 });
  });
});

describe("check --network", () => {
  const folder = mkdtempSync(join(tmpdir(), "refscope-network-"));
  afterAll(() => rmSync(folder, { recursive: true }));
  const refs = {
    ".zgroup": { zarr_format: 2 },
    "a/.zarray": zarrayWith({ shape: [2], chunks: [1] }),
    "a/0": ["ocean-a.nc", 0, 4],
    "a/1": ["ocaen-a.nc", 0, 4],
  };
  writeFileSync(join(folder, "refs.json"), JSON.stringify({ version: 1, refs }));
  writeFileSync(join(folder, "ocean-a.nc"), new Uint8Array(4));
  const check = (...more: readonly string[]) => runCommand(["check", join(folder, "refs.json"), "--json", ...more]);

  it("looks at local files in any case, and asks other targets only when told to", async () => {
    const without = JSON.parse((await check("--root", folder)).stdout) as object;
    expect(without).toMatchObject({
      verdict: { sources: { answer: "partly" } },
      findings: [{ code: "target-missing", target: "ocaen-a.nc", severity: "error" }],
    });
    const remote = join(folder, "remote.json");
    writeFileSync(remote, JSON.stringify({ ...refs, "a/0": ["https://data.invalid/a.nc", 0, 4], "a/1": "x" }));
    expect(JSON.parse((await runCommand(["check", remote, "--json"])).stdout)).toMatchObject({
      verdict: { sources: { answer: "not-checked" } },
      checked: { targets: { of: 1, asked: 0 } },
    });
    const { stdout, status } = await check("--root", folder, "--network");
    expect(status).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      verdict: { sources: { answer: "partly" } },
      findings: [{ code: "target-missing", target: "ocaen-a.nc", array: "a", chunks: ["a/1"], severity: "error" }],
      checked: { targets: { of: 2, asked: 2, answered: 1 } },
    });
  });

  it("of as many as are told", async () => {
    const { stdout } = await check("--root", folder, "--network", "--limit-targets", "1");
    expect(JSON.parse(stdout)).toMatchObject({ checked: { targets: { of: 2, asked: 1 } } });
    expect(await check("--limit-targets", "none")).toMatchObject({ status: 2 });
  });

  it("prints of what the page offers beside a cause where to read on, and Python with its access; JSON has all of it", async () => {
    const served = {
      "a/.zarray": zarrayWith({ shape: [3], chunks: [1] }),
      "a/0": [server.url("/a.nc", "no-cors"), 0, 4],
      "a/1": [server.url("/a.nc", "403"), 0, 4],
      "a/2": [server.url("/$(touch x).nc", "403"), 0, 4],
    };
    writeFileSync(join(folder, "served.json"), JSON.stringify({ version: 1, refs: served }));
    const run = (...more: readonly string[]) =>
      runCommand(["check", join(folder, "served.json"), "--network", "--allow-private", ...more]);
    const { stdout } = await run();
    // Check leaves the steps to doctor.
    expect(stdout).toMatch(/\[cors-absent\]: (?:.*\n)*? {4}Step by step: refscope doctor 'http:.*\?fault=…'/);
    expect(stdout).toMatch(/\[http-status\]: (?:.*\n)*? {4}Step by step: refscope doctor 'http:.*\?fault=…'/);
    expect(stdout).not.toMatch(/nginx|Apache|curl/);
    expect(stdout).toMatch(/ {4}In Python, with the access it asks for:\n {6}# A server asked for a token\./);
    expect(stdout).toContain("      ds = xr.open_dataset(\n");
    const { findings } = JSON.parse((await run("--json")).stdout) as {
      readonly findings: readonly { readonly code: string; readonly remedies?: readonly { readonly id: string }[] }[];
    };
    const ids = (code: string) => findings.find((one) => one.code === code)?.remedies?.map(({ id }) => id);
    expect(ids("cors-absent")).toEqual(["nginx", "apache", "s3", "curl", "doctor"]);
    expect(ids("http-status")).toEqual(["curl", "doctor", "python"]);
    // Chunks that were read tell as much as targets that were asked.
    const deep = await runCommand(["check", join(folder, "served.json"), "--deep", "all", "--allow-private"]);
    expect(deep.stdout).toMatch(/ {4}In Python, with the access it asks for:\n {6}# A server asked for a token\./);
  });
});
