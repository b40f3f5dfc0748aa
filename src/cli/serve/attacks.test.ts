import { createServer, request, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { connect, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Session } from "#core/relay.ts";
import attacks from "./fixtures/attacks.json" with { type: "json" };
import type { Loopback } from "./loopback.ts";
import { openServer } from "./open-command.ts";
import type { Page } from "./page.ts";
import type { Way } from "./upstream.ts";
import { bytesArray } from "./testing/bytes-array.ts";

/** It need not be built: these are not about it. */
const page: Page = {
  async send({ path }, response) {
    if (path === "") response.writeHead(200).end("the page");
    else response.writeHead(404).end();
  },
};

interface Case {
  readonly name: string;
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly status: number;
  readonly problem?: string;
  readonly body?: string;
}

const folder = await mkdtemp(join(tmpdir(), "refscope-attacks-"));
const root = join(folder, "root");
const seen: IncomingHttpHeaders[] = [];
let others = 0;

const PAGE = "<script>top.x</script>";
const data = createServer((asked: IncomingMessage, response: ServerResponse) => {
  seen.push({ ...asked.headers, path: asked.url ?? "" });
  response.setHeader("Set-Cookie", "who=me");
  const to = /^\/to\/(.*)$/.exec(asked.url ?? "")?.[1];
  const location = to === undefined ? (asked.url === "/loop" ? "/loop" : undefined) : decodeURIComponent(to);
  if (location !== undefined) return void response.writeHead(302, { location }).end();
  if (asked.url === "/page.html") return void response.setHeader("content-type", "text/html").end(PAGE);
  if (asked.url !== "/data.bin") return void response.writeHead(404).end();
  const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(asked.headers.range ?? "") ?? [];
  const bytes = Buffer.from("0123456789").subarray(Number(first ?? 0), Number(last ?? 9) + 1);
  response.writeHead(first === undefined ? 200 : 206, { "content-length": bytes.length }).end(bytes);
});
const other = createServer((_, response) => {
  others += 1;
  response.end("other");
});

let server: Loopback;
let words: ReadonlyMap<string, string>;
let session: Session;

const lookup = ((name: string, _: unknown, done: (...found: unknown[]) => void) =>
  name === "private.example"
    ? done(null, [{ address: "10.0.0.7", family: 4 }])
    : done(new Error("unknown"))) as unknown;

const filled = (text: string): string => text.replaceAll(/\{(\w+)\}/g, (_, name: string) => words.get(name) ?? "");

beforeAll(async () => {
  const port = async (of: typeof data) => {
    await new Promise<void>((done) => of.listen(0, "127.0.0.1", done));
    return String((of.address() as AddressInfo).port);
  };
  words = new Map([
    ["data", await port(data)],
    ["other", await port(other)],
  ]);
  await mkdir(root);
  await mkdir(join(folder, "outside"));
  await writeFile(join(root, "inside.txt"), "inside");
  for (const secret of ["secret.txt", "outside/secret.txt"]) await writeFile(join(folder, secret), "secret");
  await symlink("../secret.txt", join(root, "out.txt"));
  await mkdir(join(root, ".git"));
  for (const hidden of [".env", ".zshrc", ".git/config"]) await writeFile(join(root, hidden), "secret");
  await symlink(".env", join(root, "seen.txt"));
  await writeFile(join(root, "page.html"), PAGE);
  await writeFile(join(root, ".zgroup"), "{}");
  await symlink("../outside", join(root, "outside"));
  const refs = {
    ".zgroup": '{"zarr_format":2}',
    "a/.zarray": bytesArray(attacks.targets.length),
    ...Object.fromEntries(attacks.targets.map((target, chunk) => [`a/${chunk}`, [filled(target), 0, 1]])),
  };
  await writeFile(join(root, "refs.json"), JSON.stringify(refs));
  const context = { signal: new AbortController().signal, report: () => undefined };
  const options = { relay: [[`http://127.0.0.1:${words.get("data")}/`]] };
  server = await openServer(join(root, "refs.json"), options, context, { lookup: lookup as Way["lookup"] & {}, page });
  const { port: own, pathname } = new URL(server.base);
  const token = pathname.slice(1, -1);
  session = (await (await fetch(`${server.base}session.json`)).json()) as Session;
  const at = (prefix: string) => session.relays.find((one) => one.prefix === prefix)?.at ?? "not relayed";
  words = new Map([
    ...words,
    ["token", token],
    ["wrong", "A".repeat(token.length)],
    ["part", token.slice(0, 8)],
    ["port", own],
    ["relay", at(`http://127.0.0.1:${words.get("data")}/`)],
    ["private", at("https://private.example/")],
  ]);
});

afterAll(async () => {
  server.close();
  data.close();
  other.close();
  await rm(folder, { recursive: true });
});

/** Sends the request with the path unchanged. */
function sent({
  method = "GET",
  path,
  headers = {},
}: Case): Promise<{ status: number; headers: string; body: string }> {
  return new Promise((resolve, reject) => {
    const all = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, filled(value)]));
    const asked = request({ host: "127.0.0.1", port: words.get("port"), method, path: filled(path), headers: all });
    asked.on("error", reject);
    asked.on("response", (response) => {
      const pieces: Buffer[] = [];
      response.on("data", (piece: Buffer) => pieces.push(piece));
      response.on("end", () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.rawHeaders.join("\n"),
          body: Buffer.concat(pieces).toString(),
        }),
      );
    });
    asked.end();
  });
}

describe("the page's server on this computer", () => {
  test.each([...attacks.requests, ...attacks.allowed] as Case[])("$name", async (one) => {
    const { status, headers, body } = await sent(one);
    expect(status).toBe(one.status);
    if (one.body !== undefined) expect(body).toBe(one.body);
    if (one.problem !== undefined) expect(JSON.parse(body)).toMatchObject({ problem: one.problem });
    expect(body).not.toContain("secret");
    for (const text of [headers, body]) expect(text).not.toContain(words.get("token"));
    expect(headers).not.toMatch(/cookie/i);
    expect(headers).toMatch(/nosniff/);
    expect(headers).toMatch(/no-referrer/);
    expect(headers).toMatch(/SAMEORIGIN/);
    if (status > 206 || !/\/(?:files\/|\{relay\})/.test(one.path)) return;
    for (const inert of [/\napplication\/octet-stream\n/, /\nattachment\n/, /\ndefault-src 'none'; sandbox;/])
      expect(headers).toMatch(inert);
  });

  test("names the folder and the hosts that may be asked, and no private one", () => {
    const prefixes = session.relays.map(({ prefix }) => prefix);
    expect(prefixes[0]).toBe(`file://${root}/`);
    expect(prefixes).toContain("https://private.example/");
    for (const prefix of attacks.notRelayed) expect(prefixes).not.toContain(filled(prefix));
    expect(JSON.stringify(session)).not.toContain(words.get("token"));
  });

  test("tells those that it asks nothing of who asked", () => {
    expect(others).toBe(0);
    expect(seen.length).toBeGreaterThan(4);
    expect(JSON.stringify(seen)).not.toContain(words.get("token"));
    for (const headers of seen)
      for (const name of ["referer", "cookie", "origin", "authorization"]) expect(headers).not.toHaveProperty(name);
  });

  test("answers beside a hundred connections that say nothing", async () => {
    const idle = Array.from({ length: 100 }, () => connect(Number(words.get("port")), "127.0.0.1"));
    await Promise.all(idle.map((one) => new Promise((done) => one.once("connect", done))));
    const started = performance.now();
    expect((await fetch(`${server.base}session.json`)).status).toBe(200);
    expect(performance.now() - started).toBeLessThan(1000);
    for (const one of idle) one.destroy();
  });
});
