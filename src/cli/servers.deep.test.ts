/**
 * Zarr v2 without consolidated metadata, behind real servers: what they list and leave out, and with which answers they
 * send CORS headers, must not change what is read. Servers that are not installed are skipped.
 */
import { spawn, type ChildProcess } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, describe, expect, it } from "vitest";
import { runCommand } from "./testing/run-command.ts";

const folder = mkdtempSync(join(tmpdir(), "refscope-servers-"));
const files = join(folder, "files");
const running: ChildProcess[] = [];

afterAll(async () => {
  await Promise.all(running.map(end));
  rmSync(folder, { recursive: true, force: true });
});

/** Two arrays of four floats in two chunks, each with a chunk that was never written. */
function writeStore(): void {
  const array = (fill: number) =>
    JSON.stringify({
      zarr_format: 2,
      shape: [4],
      chunks: [2],
      dtype: "<f4",
      order: "C",
      fill_value: fill,
      compressor: null,
      filters: null,
    });
  const write = (path: string, content: string | Uint8Array) => {
    mkdirSync(join(files, path, ".."), { recursive: true });
    writeFileSync(join(files, path), content);
  };
  write("a.zarr/.zgroup", '{"zarr_format": 2}');
  write("a.zarr/t/.zarray", array(-5));
  write("a.zarr/t/0", new Uint8Array(Float32Array.of(1, 2).buffer));
  write("a.zarr/g/.zgroup", '{"zarr_format": 2}');
  write("a.zarr/g/u/.zarray", array(7));
  write("a.zarr/g/u/1", new Uint8Array(Float32Array.of(3, 4).buffer));
}
writeStore();

interface Server {
  readonly name: string;
  readonly program: string;
  /** Its configuration, and the arguments that start it in the foreground. */
  readonly start: (port: number, path: (name: string) => string) => { config: string; args: readonly string[] };
  /** Which answers have CORS headers. */
  readonly cors: "all" | "success" | "none";
}

const SERVERS: readonly Server[] = [
  {
    name: "nginx",
    program: "nginx",
    cors: "success",
    start: (port, path) => ({
      config: `daemon off; master_process off; pid ${path("pid")}; error_log ${path("errors")};
events {}
http {
  access_log off;
  client_body_temp_path ${path("1")}; proxy_temp_path ${path("2")}; fastcgi_temp_path ${path("3")};
  uwsgi_temp_path ${path("4")}; scgi_temp_path ${path("5")};
  server {
    listen 127.0.0.1:${port};
    root ${files};
    autoindex on;
    add_header Access-Control-Allow-Origin *;
  }
}`,
      args: ["-e", path("errors"), "-c", path("config")],
    }),
  },
  {
    name: "Apache",
    program: "apache2",
    cors: "success",
    start: (port, path) => ({
      config: `ServerName localhost
ServerRoot ${folder}
Listen 127.0.0.1:${port}
PidFile ${path("pid")}
DefaultRuntimeDir ${folder}
ErrorLog ${path("errors")}
${["mpm_event", "authz_core", "dir", "autoindex", "headers", "mime"]
  .map((name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`)
  .join("\n")}
TypesConfig /dev/null
DocumentRoot ${files}
<Directory ${files}>
  Options Indexes
  Require all granted
</Directory>
IndexIgnore .??*
Header set Access-Control-Allow-Origin *`,
      args: ["-X", "-f", path("config")],
    }),
  },
  {
    name: "lighttpd",
    program: "lighttpd",
    cors: "all",
    start: (port, path) => ({
      config: `server.document-root = "${files}"
server.port = ${port}
server.bind = "127.0.0.1"
server.errorlog = "${path("errors")}"
server.modules = ("mod_dirlisting", "mod_setenv")
dir-listing.activate = "enable"
setenv.add-response-header = ("Access-Control-Allow-Origin" => "*")`,
      args: ["-D", "-f", path("config")],
    }),
  },
  {
    name: "Caddy",
    program: "caddy",
    cors: "all",
    start: (port, path) => ({
      config: `{
  admin off
  auto_https off
  storage file_system ${path("storage")}
}
http://127.0.0.1:${port} {
  root * ${files}
  header Access-Control-Allow-Origin *
  file_server browse
}`,
      args: ["run", "--adapter", "caddyfile", "--config", path("config")],
    }),
  },
  {
    name: "rclone",
    program: "rclone",
    cors: "none",
    start: (port, path) => ({
      config: "",
      args: ["--config", path("config"), "serve", "http", files, "--addr", `127.0.0.1:${port}`],
    }),
  },
];

const pathOf = (program: string): string | undefined =>
  [...(process.env.PATH ?? "").split(delimiter), "/usr/sbin"]
    .map((place) => join(place, program))
    .find((path) => existsSync(path));

async function freePort(): Promise<number> {
  const taken = createServer();
  await new Promise<void>((done) => void taken.listen(0, "127.0.0.1", done));
  const { port } = taken.address() as AddressInfo;
  await new Promise((done) => void taken.close(done));
  return port;
}

async function started({ name, start }: Server, program: string): Promise<string> {
  const port = await freePort();
  const path = (part: string) => join(folder, `${name}.${part}`);
  const { config, args } = start(port, path);
  writeFileSync(path("config"), config);
  const child = spawn(program, args, { stdio: "ignore", env: { PATH: process.env.PATH, HOME: folder } });
  running.push(child);
  const url = `http://127.0.0.1:${port}/a.zarr`;
  for (let attempt = 0; attempt < 100; attempt += 1) {
    if (child.exitCode !== null) throw new Error(`${name} ended with ${child.exitCode}`);
    const answer = await fetch(`${url}/t/0`).catch(() => undefined);
    if (answer?.ok === true) return url;
    await sleep(100);
  }
  throw new Error(`${name} does not answer`);
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((done) => void child.once("exit", done));
  child.kill();
  await ended;
}

describe.each(SERVERS.map((server) => ({ ...server, server, at: pathOf(server.program) })))(
  "$name",
  ({ server, at, cors }) => {
    it.skipIf(at === undefined)(
      at === undefined ? "is not installed" : "gives every array, by name and by list, and doctor says what is missing",
      { timeout: 120_000 },
      async () => {
        const url = await started(server, at ?? "");
        const run = (...words: readonly string[]) => runCommand([...words, "--json"]);
        const digest = (await run("digest", url)).stdout;
        const local = (await run("digest", join(files, "a.zarr"))).stdout;
        const hashes = (text: string) => text.match(/[0-9a-f]{64}/g)?.toSorted();
        expect(hashes(local)).toHaveLength(2);
        expect(hashes(digest)).toEqual(hashes(local));
        expect((await runCommand(["info", url])).stdout).toMatch(/2 arrays, 2 groups/);
        expect((await runCommand(["read", url, "--array", "t"])).stdout).toMatch(/1 {2}2 {2}-5 {2}-5/);
        expect((await runCommand(["read", url, "--array", "g/u"])).stdout).toMatch(/7 {2}7 {2}3 {2}4/);
        const { findings } = JSON.parse((await run("doctor", `${url}/t/0`)).stdout) as {
          readonly findings: readonly { readonly code: string }[];
        };
        const codes = findings.map(({ code }) => code);
        expect(codes).toEqual(
          {
            none: ["cors-absent"],
            success: ["cors-absent-on-missing", "cors-headers-hidden"],
            all: ["cors-headers-hidden"],
          }[cors],
        );
      },
    );
  },
);
