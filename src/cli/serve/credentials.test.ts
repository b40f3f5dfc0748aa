import { createServer, type IncomingMessage, type RequestListener, type Server } from "node:http";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { awsProfile, s3By } from "./aws-profile.ts";
import { EMPTY_HASH, signedHeaders } from "./aws-signature.ts";
import { headersOf, logIn, parseNetrc } from "./log-in.ts";
import { ask } from "./upstream.ts";
import { wayOf } from "./way.ts";

const folder = await mkdtemp(join(tmpdir(), "refscope-credentials-"));
const servers: Server[] = [];
const NEVER = new AbortController().signal;

afterAll(async () => {
  for (const server of servers) server.close();
  await rm(folder, { recursive: true });
});

async function started(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  servers.push(server);
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function textOf({ message }: { readonly message: IncomingMessage }): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of message) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString();
}

describe("Signature Version 4", () => {
  const signatureOf = ({ authorization }: { readonly authorization: string }) => authorization.split("Signature=")[1];

  // AWS Signature Version 4 test suite, get-vanilla.
  test("of AWS's test suite: get-vanilla", () => {
    const signed = signedHeaders({
      method: "GET",
      url: new URL("https://example.amazonaws.com/"),
      headers: {},
      keys: { id: "AKIDEXAMPLE", secret: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY" },
      region: "us-east-1",
      service: "service",
      date: "20150830T123600Z",
    });
    expect(signed.authorization).toBe(
      "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, SignedHeaders=host;x-amz-date, " +
        "Signature=5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31",
    );
  });

  // Amazon S3 API reference, "Authenticating Requests: Using the Authorization Header", GET Object and GET Bucket Lifecycle.
  const S3 = {
    method: "GET",
    keys: { id: "AKIAIOSFODNN7EXAMPLE", secret: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY" },
    region: "us-east-1",
    service: "s3",
    date: "20130524T000000Z",
  } as const;

  test("of S3's documentation: GET Object", () => {
    const url = new URL("https://examplebucket.s3.amazonaws.com/test.txt");
    const signed = signedHeaders({ ...S3, url, headers: { range: "bytes=0-9", "x-amz-content-sha256": EMPTY_HASH } });
    expect(signed.authorization).toContain("SignedHeaders=host;range;x-amz-content-sha256;x-amz-date");
    expect(signatureOf(signed)).toBe("f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41");
  });

  test.each([
    ["?lifecycle", "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543"],
    ["?max-keys=2&prefix=J", "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7"],
  ])("of S3's documentation: GET with %s", (query, expected) => {
    const url = new URL(`https://examplebucket.s3.amazonaws.com/${query}`);
    const signed = signedHeaders({ ...S3, url, headers: { "x-amz-content-sha256": EMPTY_HASH } });
    expect(signatureOf(signed)).toBe(expected);
  });
});

describe("a profile of AWS", () => {
  const KEYS = { id: "AKID", secret: "from/the+file" };
  const environment = {
    AWS_SHARED_CREDENTIALS_FILE: join(folder, "credentials"),
    AWS_CONFIG_FILE: join(folder, "config"),
  };

  beforeAll(async () => {
    await writeFile(
      environment.AWS_SHARED_CREDENTIALS_FILE,
      `[default]\naws_access_key_id=other\naws_secret_access_key=other\n\n[me]\naws_access_key_id = ${KEYS.id}\naws_secret_access_key = ${KEYS.secret}\naws_session_token = session\n`,
    );
    await writeFile(
      environment.AWS_CONFIG_FILE,
      "[profile me]\nregion = eu-central-1\ns3 =\n  region = x\n[profile role]\nrole_arn = x\n",
    );
  });

  test("has the keys of its own section, and its region", async () => {
    const me = await awsProfile("me", environment);
    expect(me).toEqual({ keys: { ...KEYS, session: "session" }, region: "eu-central-1", endpoint: undefined });
    const there = await awsProfile("me", {
      ...environment,
      AWS_REGION: "us-west-2",
      AWS_ENDPOINT_URL: "http://127.0.0.1:9",
    });
    expect(there).toMatchObject({ region: "us-west-2", endpoint: "http://127.0.0.1:9" });
    const given = { AWS_ACCESS_KEY_ID: "a", AWS_SECRET_ACCESS_KEY: "b" };
    expect((await awsProfile("role", { ...environment, ...given })).keys).toEqual({
      id: "a",
      secret: "b",
      session: undefined,
    });
    await expect(awsProfile("role", environment)).rejects.toThrow(/“role” has no access key/);
  });

  test("is at the bucket's own host, or below an endpoint", () => {
    const wish = { method: "GET", range: undefined, signal: NEVER } as const;
    const at = (address: string, endpoint?: string) =>
      s3By({ keys: KEYS, region: "eu-west-1", endpoint }, true).request(address, wish).url.href;
    expect(at("s3://bucket/a/b%20c.nc")).toBe("https://bucket.s3.eu-west-1.amazonaws.com/a/b%20c.nc");
    expect(at("s3://with.dots/a%2Bb(1)")).toBe("https://s3.eu-west-1.amazonaws.com/with.dots/a%2Bb%281%29");
    expect(at("s3://bucket/k", "http://127.0.0.1:9000")).toBe("http://127.0.0.1:9000/bucket/k");
  });

  /** Verifies the signature as S3 does: by the signed headers, as they came. */
  function isSigned({ method = "", url = "", headers }: IncomingMessage, secret: string): boolean {
    const [, names = ""] = /SignedHeaders=([^,]+)/.exec(headers.authorization ?? "") ?? [];
    const [, date = ""] = /Credential=[^/]+\/(\d{8})\//.exec(headers.authorization ?? "") ?? [];
    const own = names.split(";").filter((name) => !/^host$|^x-amz-date$|^x-amz-security-token$/.test(name));
    const again = signedHeaders({
      method,
      url: new URL(url, `http://${headers.host}`),
      headers: Object.fromEntries(own.map((name) => [name, String(headers[name])])),
      keys: { id: KEYS.id, secret, session: headers["x-amz-security-token"] as string | undefined },
      region: "eu-central-1",
      service: "s3",
      date: String(headers["x-amz-date"]),
    });
    return String(headers["x-amz-date"]).startsWith(date) && again.authorization === headers.authorization;
  }

  test("reads from a server that verifies signatures: range, payer and session are signed", async () => {
    const host = await started((asked, response) => {
      const { authorization = "", range } = asked.headers;
      const all = ["range", "x-amz-request-payer", "x-amz-security-token", "x-amz-date", "host"];
      const isWhole = all.every((name) => authorization.includes(name));
      if (!isWhole || !isSigned(asked, KEYS.secret) || asked.headers["x-amz-request-payer"] !== "requester")
        return void response.writeHead(403).end("SignatureDoesNotMatch");
      response.writeHead(206).end(`${asked.url} ${range}`);
    });
    const me = { ...(await awsProfile("me", environment)), endpoint: `http://${host}` };
    const way = (secret: string) => ({
      trusts: () => false,
      takes: () => false,
      headersFor: () => ({}),
      s3: s3By({ ...me, keys: { ...me.keys, secret } }, true),
    });
    const wish = { method: "GET", range: "bytes=0-3", signal: NEVER } as const;
    const read = await ask(way(KEYS.secret), "s3://bucket/folder/a%20(1).nc", wish);
    expect(read.message.statusCode).toBe(206);
    expect(await textOf(read)).toBe("/bucket/folder/a%20%281%29.nc bytes=0-3");
    const wrong = await ask(way("another"), "s3://bucket/folder/a.nc", wish);
    expect(wrong.message.statusCode).toBe(403);
    wrong.message.destroy();
  });

  test("asks again in the region that S3 names", () => {
    const s3 = s3By({ keys: KEYS, region: "us-east-1", endpoint: undefined }, false);
    expect(s3.isElsewhere("s3://bucket/k", "us-east-1")).toBe(false);
    expect(s3.isElsewhere("s3://bucket/k", "eu-west-3")).toBe(true);
    expect(s3.isElsewhere("s3://bucket/k", "eu-west-3")).toBe(false);
    const { url } = s3.request("s3://bucket/k", { method: "GET", range: undefined });
    expect(url.host).toBe("bucket.s3.eu-west-3.amazonaws.com");
  });
});

describe("logging in", () => {
  test("reads netrc as curl does, and knows no default", () => {
    const known = parseNetrc(
      '# machine no\nmachine a.example login me password "p\\"w d"\nmachine b.example\n  login x\n  password y\nmachine c.example login only\ndefault login z password z',
    );
    expect([...known.keys()]).toEqual(["a.example", "b.example"]);
    expect(headersOf({ netrc: known, bearer: undefined }, new URL("https://a.example/x"))).toEqual({
      authorization: `Basic ${btoa('me:p"w d')}`,
    });
    expect(headersOf({ netrc: known, bearer: undefined }, new URL("https://other.example/x"))).toEqual({});
  });

  test("says what is not there, and never what is", async () => {
    await expect(logIn({ bearerEnv: "NO_TOKEN" }, {})).rejects.toThrow("NO_TOKEN holds no token");
    await expect(logIn({ netrc: true }, { NETRC: join(folder, "none") })).rejects.toThrow("cannot be read");
    const broken = logIn({ bearerEnv: "TOKEN" }, { TOKEN: "two\nlines" });
    await expect(broken).rejects.toThrow(/^(?!.*lines)/);
  });

  test.each(["bearer", "netrc"] as const)(
    "by %s goes to the first host, and to none that it redirects to",
    async (by) => {
      const signed = await started((asked, response) => {
        response.end(`signed ${asked.headers.authorization ?? "without"} ${asked.headers.range}`);
      });
      let first: string | undefined;
      const host = await started((asked, response) => {
        first = asked.headers.authorization;
        response.writeHead(302, { location: `http://${signed}${asked.url}?X-Amz-Signature=abc` }).end();
      });
      await writeFile(join(folder, "netrc"), "machine 127.0.0.1 login me password pw");
      const before = { ...process.env };
      Object.assign(process.env, { NETRC: join(folder, "netrc"), A_TOKEN: "t0ken" });
      const how = by === "bearer" ? { bearerEnv: "A_TOKEN" } : { netrc: true };
      const { way } = await wayOf(undefined, { ...how, relay: [[`http://${host}/`], [`http://${signed}/`]] });
      process.env = before;
      const answer = await ask(way, `http://${host}/x.nc`, { method: "GET", range: "bytes=0-1", signal: NEVER });
      expect(first).toBe(by === "bearer" ? "Bearer t0ken" : `Basic ${btoa("me:pw")}`);
      expect(await textOf(answer)).toBe("signed without bytes=0-1");
      expect(answer.from).toBe(`http://${signed}/x.nc`);
    },
  );

  test("goes to the hosts that the user's own file names, where none is named by hand, and not in the clear", async () => {
    process.env["A_TOKEN"] = "t0ken";
    const far = await wayOf("https://docs.example/refs.json", { bearerEnv: "A_TOKEN" });
    far.book.add("https://data.example/a.nc");
    expect(far.way.headersFor(new URL("https://docs.example/x"))).toEqual({ authorization: "Bearer t0ken" });
    // A stranger's dataset can name any host.
    expect(far.way.headersFor(new URL("https://data.example/x"))).toEqual({});
    const own = await wayOf("refs.json", { bearerEnv: "A_TOKEN" });
    own.book.add("https://data.example/a.nc");
    own.book.add("http://plain.example/a.nc");
    const sent = (way: typeof own.way, url: string) => way.headersFor(new URL(url))["authorization"];
    expect(sent(own.way, "https://data.example/x")).toBe("Bearer t0ken");
    expect(sent(own.way, "http://plain.example/x")).toBeUndefined();
    expect(sent(own.way, "https://other.example/x")).toBeUndefined();
    const named = await wayOf("refs.json", { bearerEnv: "A_TOKEN", relay: [["https://mine.example/"]] });
    named.book.add("https://data.example/a.nc");
    expect(sent(named.way, "https://data.example/x")).toBeUndefined();
    expect(sent(named.way, "https://mine.example/x")).toBe("Bearer t0ken");
    delete process.env["A_TOKEN"];
  });
});
