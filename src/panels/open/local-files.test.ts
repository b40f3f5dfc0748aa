import { describe, expect, it } from "vitest";
import { listDropped, MAX_FILES, pickedFiles, takeDropped } from "./local-files.ts";

interface FakeEntry {
  readonly isFile: boolean;
  readonly isDirectory: boolean;
  readonly fullPath: string;
}

function file(fullPath: string): FakeEntry {
  const blob = new File(["x"], fullPath.split("/").at(-1) ?? "");
  return Object.assign(
    { isFile: true, isDirectory: false, fullPath },
    { file: (done: (f: File) => void) => done(blob) },
  );
}

/** Gives its children as Chromium does: a hundred at a time, then an empty batch. */
function folder(fullPath: string, children: readonly FakeEntry[]): FakeEntry {
  const createReader = () => {
    let at = 0;
    return {
      readEntries(done: (batch: readonly FakeEntry[]) => void) {
        done(children.slice(at, at + 100));
        at += 100;
      },
    };
  };
  return Object.assign({ isFile: false, isDirectory: true, fullPath }, { createReader });
}

const dropped = (entries: readonly FakeEntry[]) => entries as unknown as FileSystemEntry[];
const listing = () => ({ signal: new AbortController().signal, onCount: () => undefined });
const paths = (files: readonly { readonly path: string }[]) => files.map((one) => one.path);

describe("dropped files", () => {
  it("keep their path inside the folder, in order", async () => {
    const tree = folder("/run", [
      file("/run/refs.json"),
      folder("/run/data", [file("/run/data/a.nc")]),
      file("/run/z"),
    ]);
    expect(paths(await listDropped(dropped([tree, file("/solo.nc")]), listing()))).toEqual([
      "run/refs.json",
      "run/data/a.nc",
      "run/z",
      "solo.nc",
    ]);
  });

  it("are read batch by batch until an empty one", async () => {
    const many = Array.from({ length: 250 }, (_, index) => file(`/d/${index}`));
    expect(await listDropped(dropped([folder("/d", many)]), listing())).toHaveLength(250);
  });

  it("are asked for a hundred at a time", async () => {
    let [under, most] = [0, 0];
    const slow = (at: number) => {
      const ask = (done: (f: File) => void) => {
        most = Math.max(most, (under += 1));
        setTimeout(() => {
          under -= 1;
          done(new File([], String(at)));
        });
      };
      return { ...file(`/d/${at}`), file: ask };
    };
    const many = Array.from({ length: 250 }, (_, at) => slow(at));
    const found = await listDropped(dropped([folder("/d", many)]), listing());
    expect(paths(found)).toEqual(many.map(({ fullPath }) => fullPath.slice(1)));
    expect(most).toBe(100);
  });

  it("are refused beyond the budget, and listing stops when it is cancelled", async () => {
    const many = Array.from<FakeEntry>({ length: MAX_FILES + 1 }).fill(file("/d/x"));
    await expect(listDropped(dropped([folder("/d", many)]), listing())).rejects.toMatchObject({
      code: "too-many-files",
    });
    const cancelled = { signal: AbortSignal.abort(), onCount: () => undefined };
    await expect(listDropped(dropped([file("/x")]), cancelled)).rejects.toMatchObject({ name: "AbortError" });
  });

  it("come from the file list where there are no items of files", () => {
    const blob = new File(["x"], "x.json");
    const data = { items: [{ kind: "string" }], files: [blob] } as unknown as DataTransfer;
    expect(takeDropped(data)).toEqual([blob]);
  });

  it("are taken themselves, and folders as entries: an entry of a file that is not on the disk cannot be read", async () => {
    const blob = new File(["x"], "x.json");
    const fails = (_: unknown, failed: (error: Error) => void) => failed(new Error("Path does not exist"));
    const item = (entry: unknown) => ({ kind: "file", webkitGetAsEntry: () => entry, getAsFile: () => blob });
    const unreadable = Object.assign(file("/x.json"), { file: fails });
    const data = { items: [unreadable, folder("/d", [file("/d/a")]), null].map(item), files: [] };
    const taken = takeDropped(data as unknown as DataTransfer);
    expect(paths(await listDropped(taken, listing()))).toEqual(["x.json", "d/a", "x.json"]);
  });
});

describe("picked files", () => {
  it("have a relative path where a folder was picked", () => {
    const plain = new File(["x"], "x.json");
    const inFolder = Object.defineProperty(new File(["x"], "a.nc"), "webkitRelativePath", { value: "run/a.nc" });
    expect(paths(pickedFiles([plain, inFolder]))).toEqual(["x.json", "run/a.nc"]);
  });
});
