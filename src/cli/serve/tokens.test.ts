/** Which hosts get a token: the list that the server in Python goes by as well. */
import { createServer, type RequestListener } from "node:http";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Session } from "#core/relay.ts";
import type { CommandOptions } from "../options.ts";
import { CONTEXT } from "../testing/open-corpus.ts";
import attacks from "./fixtures/attacks.json" with { type: "json" };
import type { Loopback } from "./loopback.ts";
import { openServer } from "./open-command.ts";
import { serveStore } from "./serve-command.ts";
import { bytesArray } from "./testing/bytes-array.ts";
import type { Way } from "./upstream.ts";

interface Case {
  readonly name: string;
  readonly target: string;
  readonly path?: string;
  readonly own?: boolean;
  readonly isRelative?: boolean;
}

const { targets } = attacks.tokens as { readonly targets: readonly Case[] };
const folder = await mkdtemp(join(tmpdir(), "refscope-tokens-"));
const seen: { readonly host: string; readonly path: string; readonly token: string | undefined }[] = [];
let words: Readonly<Record<string, string>> = {};
let server: Loopback | undefined;

const answer: RequestListener = ({ url = "", headers }, response) => {
  const { host = "", authorization: token } = headers;
  seen.push({ host, path: url, token });
  const to = /^\/to\/(.*)$/.exec(url)?.[1];
  if (to !== undefined) response.writeHead(302, { location: decodeURIComponent(to) }).end();
  else response.end(url === "/refs.json" ? document(targets) : "x");
};
const [data, other] = [createServer(answer), createServer(answer)];

const lookup = ((_: string, { all }: { readonly all?: boolean }, done: (...found: unknown[]) => void) =>
  all === true
    ? done(null, [{ address: "127.0.0.1", family: 4 }])
    : done(null, "127.0.0.1", 4)) as unknown as Way["lookup"];

const filled = (text: string): string => text.replaceAll(/\{(\w+)\}/g, (all, name: string) => words[name] ?? all);
const own = (): string => filled(attacks.tokens.own);

const document = (of: readonly Case[]): string =>
  JSON.stringify({
    ".zgroup": '{"zarr_format":2}',
    "a/.zarray": bytesArray(of.length),
    ...Object.fromEntries(of.map(({ target }, chunk) => [`a/${chunk}`, [filled(target)]])),
  });

beforeAll(async () => {
  for (const one of [data, other]) await new Promise<void>((done) => one.listen(0, "127.0.0.1", done));
  const port = (of: typeof data) => String((of.address() as AddressInfo).port);
  words = { data: port(data), other: port(other) };
  process.env["A_TOKEN"] = "t0ken";
});
beforeEach(() => seen.splice(0));
afterEach(() => server?.close());
afterAll(async () => {
  delete process.env["A_TOKEN"];
  data.close();
  other.close();
  await rm(folder, { recursive: true });
});

type Command = (refs: string, options: CommandOptions, of: readonly Case[]) => Promise<void>;

/** The page's requests for each target, by the longest prefix. */
const open: Command = async (refs, options, of) => {
  const page = { send: () => Promise.resolve() };
  server = await openServer(refs, options, CONTEXT, { ...(lookup && { lookup }), page });
  const { relays } = (await (await fetch(`${server.base}session.json`)).json()) as Session;
  for (const { target } of of) {
    const url = URL.canParse(filled(target), own()) ? new URL(filled(target), own()).href : "";
    const relay = relays.find(({ prefix }) => url.startsWith(prefix));
    if (relay !== undefined) await fetch(server.base + relay.at + url.slice(relay.prefix.length));
  }
};

const serve: Command = async (refs, options, of) => {
  server = await serveStore(refs, { threads: 0, ...options }, CONTEXT, lookup);
  for (const chunk of of.keys()) await fetch(`${server.base}a/${chunk}`);
};

const file = async (of: readonly Case[]): Promise<string> => {
  const path = join(folder, "refs.json");
  await writeFile(path, document(of));
  return path;
};
const options = { bearerEnv: "A_TOKEN", allowPrivate: true } as const;

function expectTokens(of: readonly Case[]): void {
  for (const { host, token } of seen) if (token !== undefined) expect(`http://${host}/`).toBe(own());
  for (const { name, path, own: isOwn = false } of of) {
    if (path === undefined) continue;
    const asked = seen.filter((one) => one.path === filled(path));
    expect([name, asked.length > 0]).toEqual([name, true]);
    for (const { token } of asked) expect([name, token]).toEqual([name, isOwn ? "Bearer t0ken" : undefined]);
  }
}

describe.each([
  ["open", open],
  ["serve", serve],
] as const)("%s: the token goes to", (_, command) => {
  test("the host of a dataset from elsewhere, whatever that names", async () => {
    await command(`${own()}refs.json`, options, targets);
    expectTokens(targets);
  });

  test("the host that is named by hand, whatever a file names", async () => {
    const of = targets.filter(({ isRelative }) => isRelative !== true);
    await command(await file(of), { ...options, relay: [[own()]] }, of);
    expectTokens(of);
  });

  test("the only host that a file names", async () => {
    const of = targets.filter(({ own: isOwn, isRelative }) => isOwn === true && isRelative !== true);
    await command(await file(of), options, of);
    expectTokens(of);
  });

  test("nobody where a file names several", async () => {
    const of = targets.filter(({ isRelative }) => isRelative !== true);
    const refused = command(await file(of), options, of);
    await expect(refused).rejects.toThrow(/^The references name \d+ hosts, and the token in A_TOKEN is for none/);
    for (const place of [own(), filled("http://evil.example:{data}/"), filled("http://good.example.:{data}/")])
      await expect(refused).rejects.toThrow(`\n  --relay ${place}\n`);
    await expect(refused).rejects.not.toThrow("t0ken");
    expect(seen).toEqual([]);
  });
});
