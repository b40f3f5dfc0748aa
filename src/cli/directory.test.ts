import { mkdir, mkdtemp, rm, symlink, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CallContext } from "../core/byte-source.ts";
import { isAbort } from "../core/findings/finding.ts";
import { filesStore } from "../io/store.ts";
import { runCommand } from "./testing/run-command.ts";
import { directoryFiles, filesOfDirectory, pathSource, siblingFiles } from "./directory.ts";

const calm: CallContext = { signal: new AbortController().signal, report: () => undefined };
let root: string;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "refscope-directory-"));
  await mkdir(join(root, "s.zarr/a/c/0"), { recursive: true });
  await writeFile(join(root, "s.zarr/zarr.json"), "{}");
  for (let at = 0; at < 300; at += 1) await writeFile(join(root, `s.zarr/a/c/0/${at}`), "x".repeat(at));
  await symlink("/etc/hostname", join(root, "s.zarr/link"));
  await symlink("/etc", join(root, "s.zarr/folder"));
  await symlink("a/c/0/7", join(root, "s.zarr/inner-link"));
  await symlink("loop", join(root, "s.zarr/loop"));
  await utimes(join(root, "s.zarr/zarr.json"), 0, Date.UTC(2024, 4, 6, 7, 8, 9, 500) / 1000);
});
afterAll(() => rm(root, { recursive: true }));

describe("a directory", () => {
  it("is a store of its files; links out of it are there, but are not read", async () => {
    const files = await filesOfDirectory(join(root, "s.zarr"));
    const store = filesStore(files ?? (await directoryFiles("/none")), "");
    expect(store.keys).toHaveLength(304);
    const there = ["link", "inner-link", "folder/hostname", "../s.zarr/zarr.json"].map((key) => store.has(key));
    expect(there).toEqual([true, true, false, false]);
    await expect(store.get("link", calm)).rejects.toMatchObject({ code: "link-leads-out" });
    expect(await store.get("inner-link", calm)).toMatchObject({ kind: "present", request: { bytesReceived: 7 } });
    expect(store.sizeOf("a/c/0/299")).toBe(299);
    expect(await store.get("zarr.json", calm)).toMatchObject({ kind: "present", request: { bytesReceived: 2 } });
  });

  it("is distinguished from a file, and from nothing", async () => {
    expect(await filesOfDirectory(join(root, "s.zarr/zarr.json"))).toBeUndefined();
    await expect(filesOfDirectory(join(root, "none"))).rejects.toMatchObject({ code: "file-unreadable" });
    await expect(pathSource(root)).rejects.toMatchObject({ code: "directory-given" });
  });

  it("has at a full path that file, whatever others below it are called", async () => {
    const twice = join(root, "twice");
    for (const name of ["data", "healthy/data"]) {
      await mkdir(join(twice, name), { recursive: true });
      await writeFile(join(twice, name, "a.nc"), "");
    }
    const files = await directoryFiles(twice);
    expect(files.find("/elsewhere/data/a.nc")).toMatchObject({ kind: "ambiguous" });
    for (const path of ["data/a.nc", "healthy/data/a.nc"])
      expect(files.find(join(twice, path))).toEqual({ kind: "match", path, how: "path" });
    const refs = join(root, "full.json");
    await writeFile(refs, JSON.stringify({ "a/0": [join(twice, "data/a.nc"), 0, 0] }));
    const { stderr } = await runCommand(["info", refs, "--root", twice]);
    expect(stderr).not.toContain("found by its name");
  });

  it("says when a file was last changed, as servers do", async () => {
    for (const files of [await directoryFiles(root), siblingFiles(root)]) {
      const read = await files.source("s.zarr/zarr.json")?.read(undefined, calm);
      expect(read?.request.lastModified).toBe("Mon, 06 May 2024 07:08:09 GMT");
    }
  });

  it("is looked at without opening each file by a source: its size, its time and its first bytes", async () => {
    const files = await directoryFiles(root);
    expect(files.look?.("s.zarr/zarr.json", 512)).toEqual({
      size: 2,
      modified: new Date(Date.UTC(2024, 4, 6, 7, 8, 9, 500)),
      head: new TextEncoder().encode("{}"),
    });
    expect(files.look?.("s.zarr/a/c/0/100", 16)).toMatchObject({ size: 100, head: { length: 16 } });
    // The source explains why these are absent.
    for (const path of ["s.zarr/link", "s.zarr/none", "../etc/hostname"])
      expect(files.look?.(path, 16)).toBeUndefined();
  });

  it("reads ranges that exist, until aborted", async () => {
    const source = (await directoryFiles(root)).source("s.zarr/a/c/0/100");
    expect((await source?.read({ offset: 90, length: 10 }, calm))?.bytes.byteLength).toBe(10);
    await expect(source?.read({ offset: -5, length: 5 }, calm)).rejects.toMatchObject({ code: "range-invalid" });
    await expect(source?.read({ offset: 95, length: 10 }, calm)).rejects.toMatchObject({ code: "short-read" });
    const signal = AbortSignal.abort();
    await expect(source?.read(undefined, { ...calm, signal })).rejects.toSatisfy(isAbort);
  });
});

describe("what lies beside a document", () => {
  it("is found by its path in that folder, and nothing outside it", () => {
    const beside = siblingFiles(join(root, "s.zarr", "a"));
    expect(beside.find("c/0/7")).toMatchObject({ kind: "match", path: "c/0/7" });
    expect(beside.find("c/../c/0/7").kind).toBe("match");
    for (const path of ["../zarr.json", "c/../../zarr.json", "../a/../zarr.json", "..", "/etc/hostname"]) {
      expect([beside.find(path).kind, beside.source(path)]).toEqual(["none", undefined]);
    }
  });

  it("follows links as below a root: to files in the folder, and nowhere else", async () => {
    const beside = siblingFiles(join(root, "s.zarr"));
    expect(beside.find("link")).toMatchObject({ kind: "match" });
    await expect(beside.source("link")?.read(undefined, calm)).rejects.toMatchObject({ code: "link-leads-out" });
    await expect(beside.source("link")?.stream(calm)).rejects.toMatchObject({ code: "link-leads-out" });
    expect((await beside.source("inner-link")?.read(undefined, calm))?.bytes).toHaveLength(7);
    expect([beside.find("folder").kind, beside.find("folder/hostname").kind]).toEqual(["none", "none"]);
  });

  it.each(["nul\0", "x".repeat(5000), "loop", "loop/x"])(
    "what cannot be looked at fails when read: %j",
    async (path) => {
      const beside = siblingFiles(join(root, "s.zarr"));
      expect(beside.find(path)).toMatchObject({ kind: "match" });
      await expect(beside.source(path)?.read(undefined, calm)).rejects.toMatchObject({ code: "file-unreadable" });
    },
  );

  it("has nothing below a file", () => {
    expect(siblingFiles(join(root, "s.zarr")).find("zarr.json/x")).toEqual({ kind: "none" });
  });
});
