/** Tests of what the page is told: places of targets, at the start and as they become known. */
import { cp, mkdtemp, mkdir, rm, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, expect, test } from "vitest";
import { parquetWriteBuffer } from "hyparquet-writer";
import type { Session } from "#core/relay.ts";
import type { CommandOptions } from "../options.ts";
import { CONTEXT } from "../testing/open-corpus.ts";
import type { Loopback } from "./loopback.ts";
import { openServer } from "./open-command.ts";
import { serveStore } from "./serve-command.ts";
import { bytesArray } from "./testing/bytes-array.ts";

const folder = await mkdtemp(join(tmpdir(), "refscope-open-"));
let server: Loopback | undefined;

afterEach(() => server?.close());
afterAll(() => rm(folder, { recursive: true }));

async function opened(refs: string, options: CommandOptions = {}): Promise<Session> {
  server = await openServer(refs, options, CONTEXT, { page: { send: () => Promise.resolve() } });
  return (await (await fetch(`${server.base}session.json`)).json()) as Session;
}

async function document(name: string, targets: readonly string[]): Promise<string> {
  const refs = targets.map((target, chunk) => [`a/${chunk}`, [target, 0, 1]] as const);
  const path = join(folder, name);
  await writeFile(
    path,
    JSON.stringify({
      ".zgroup": '{"zarr_format":2}',
      "a/.zarray": bytesArray(targets.length),
      ...Object.fromEntries(refs),
    }),
  );
  return path;
}

const below = `file://${folder}/`;

test("the folder, and each host once, as it is asked", async () => {
  const targets = [
    "https://a.example/1",
    "https://a.example/2",
    "s3://bucket/x",
    "zip://m::https://z.example/a.zip",
    "gs://ggg/x",
    "beside.nc",
  ];
  const { open, name, relays } = await opened(await document("refs.json", targets));
  expect([open, name]).toEqual([`${below}refs.json`, "refs.json"]);
  expect(relays.map(({ prefix }) => prefix)).toEqual([
    below,
    "https://a.example/",
    "https://bucket.s3.amazonaws.com/",
    "https://z.example/",
    "https://storage.googleapis.com/",
  ]);
});

test("with a profile of AWS its buckets are asked for by their own name", async () => {
  const environment = { AWS_SHARED_CREDENTIALS_FILE: join(folder, "credentials"), AWS_CONFIG_FILE: "none" };
  await writeFile(
    environment.AWS_SHARED_CREDENTIALS_FILE,
    "[me]\naws_access_key_id = a\naws_secret_access_key = secret\n",
  );
  const before = { ...process.env };
  Object.assign(process.env, environment);
  const session = await opened(await document("s3.json", ["s3://bucket/x"]), { awsProfile: "me" });
  process.env = before;
  expect(session.relays[1]).toEqual({ prefix: "s3://bucket/", at: "relay/0/" });
  expect(JSON.stringify(session)).not.toContain("secret");
});

test("references and data in a bucket are read with its keys, which the page never sees", async () => {
  const asked: IncomingMessage[] = [];
  const refs = { ".zgroup": '{"zarr_format":2}', "a/.zarray": bytesArray(1), "a/0": ["s3://bucket/a b.bin", 1, 2] };
  const bucket = createServer((request, response) => {
    asked.push(request);
    const isSigned = request.headers.authorization?.startsWith("AWS4-HMAC-SHA256 Credential=id/") === true;
    if (!isSigned) return void response.writeHead(403).end();
    response.setHeader("x-amz-request-charged", "requester");
    if (request.url === "/bucket/refs.json") return void response.end(JSON.stringify(refs));
    response.writeHead(206, { "content-range": "bytes 1-2/9" }).end("bc");
  });
  await new Promise<void>((done) => bucket.listen(0, "127.0.0.1", done));
  const before = { ...process.env };
  const endpoint = `http://127.0.0.1:${(bucket.address() as AddressInfo).port}`;
  Object.assign(process.env, { AWS_ACCESS_KEY_ID: "id", AWS_SECRET_ACCESS_KEY: "secret", AWS_ENDPOINT_URL: endpoint });
  const given = { awsProfile: "none", requesterPays: true };
  const session = await opened("s3://bucket/refs.json", given);
  expect([session.open, session.relays[1]]).toEqual([
    "s3://bucket/refs.json",
    { prefix: "s3://bucket/", at: "relay/0/" },
  ]);
  const answer = await fetch(`${server?.base}relay/0/a%20b.bin`, { headers: { range: "bytes=1-2" } });
  expect([answer.status, await answer.text()]).toEqual([206, "bc"]);
  const store = await serveStore("s3://bucket/refs.json", { ...given, threads: 0 }, CONTEXT);
  expect(await (await fetch(`${store.base}a/0`)).text()).toBe("bc");
  store.close();
  process.env = before;
  expect(asked.at(-1)?.url).toBe("/bucket/a%20b.bin");
  expect(asked.every(({ headers }) => headers["x-amz-request-payer"] === "requester")).toBe(true);
  expect(JSON.stringify([session, [...answer.headers]])).not.toMatch(/secret|Credential|AWS4/);
  bucket.close();
});

test("files that --root finds elsewhere are where they lie", async () => {
  await mkdir(join(folder, "found"));
  await writeFile(join(folder, "found", "old name.nc"), "x");
  const { relays } = await opened(await document("moved.json", ["/scratch/run/old name.nc"]), { root: folder });
  expect(relays).toContainEqual({ prefix: "file:///scratch/run/old%20name.nc", at: "files/found/old%20name.nc" });
});

test("hosts of records of Parquet that are not read yet are learnt by a chunk of theirs", async () => {
  const store = join(folder, "many.parq");
  await mkdir(join(store, "a"), { recursive: true });
  const records = 70;
  const metadata = { ".zgroup": { zarr_format: 2 }, "a/.zarray": JSON.parse(bytesArray(records)) as unknown };
  await writeFile(join(store, ".zmetadata"), JSON.stringify({ metadata, record_size: 1 }));
  for (let at = 0; at < records; at += 1) {
    const columnData = [
      { name: "path", data: [`https://host${at % 2}.example/x.nc`], type: "STRING" as const },
      { name: "offset", data: [0n], type: "INT64" as const },
      { name: "size", data: [1n], type: "INT64" as const },
      { name: "raw", data: [null], type: "BYTE_ARRAY" as const, nullable: true },
    ];
    await writeFile(join(store, "a", `refs.${at}.parq`), Buffer.from(parquetWriteBuffer({ columnData })));
  }
  const session = await opened(store);
  expect(session.relays.map(({ prefix }) => prefix)).toEqual([below]);
  const learnt = async (query: string) =>
    (await fetch(`${server?.base}${session.learn}?${query}`)).json() as Promise<Session>;
  const hosts = ({ relays }: Session) => relays.map(({ prefix }) => prefix).slice(1);
  expect(hosts(await learnt("array=a&chunk=3"))).toEqual(["https://host1.example/"]);
  expect(hosts(await learnt("array=a&chunk=2"))).toEqual(["https://host1.example/", "https://host0.example/"]);
  for (const query of ["array=b&chunk=0", "array=a&chunk=x", "chunk=0"])
    expect([query, (await fetch(`${server?.base}learn?${query}`)).status]).toEqual([query, 404]);
});

test("a repository has the hosts of its virtual chunks", async () => {
  await cp("corpus/zarrs-icechunk-virtual", join(folder, "virtual"), { recursive: true });
  const { relays } = await opened(join(folder, "virtual"));
  expect(relays.slice(1)).toEqual([{ prefix: "https://github.com/", at: "relay/0/" }]);
});

test("of a document that holds several datasets, the hosts of all; what is inside of it stays in its address", async () => {
  const set = (host: string) => ({
    ".zgroup": '{"zarr_format":2}',
    "a/.zarray": bytesArray(1),
    "a/0": [`https://${host}/x`, 0, 1],
  });
  const messages = [1, 2].map((at) => ({ version: 1, refs: set(`host${at}.example`) }));
  await writeFile(join(folder, "list.json"), JSON.stringify(messages));
  const { relays } = await opened(join(folder, "list.json"));
  expect(relays.slice(1).map(({ prefix }) => prefix)).toEqual(["https://host1.example/", "https://host2.example/"]);
  server?.close();
  await cp("public/samples/ocean.icechunk", join(folder, "ocean.icechunk"), { recursive: true });
  const { open } = await opened(`${join(folder, "ocean.icechunk")}|icechunk:@branch.main/`);
  expect(open).toBe(`${below}ocean.icechunk/|icechunk:@branch.main/`);
});
