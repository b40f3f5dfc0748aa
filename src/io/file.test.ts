import { describe, expect, it } from "vitest";
import type { CallContext } from "../core/byte-source.ts";
import { isAbort } from "../core/findings/finding.ts";
import { blobSource, bytesSource } from "./file.ts";

const calm: CallContext = { signal: new AbortController().signal, report: () => undefined };
const source = bytesSource(Uint8Array.from([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]), "a.bin");

describe("a local file", () => {
  it("gives ranges and everything", async () => {
    const { bytes, request } = await source.read({ offset: 3, length: 4 }, calm);
    expect([...bytes]).toEqual([3, 4, 5, 6]);
    expect(request).toMatchObject({ url: "a.bin", bytesExpected: 4, bytesReceived: 4, targetSize: 10, attempts: 1 });
    expect((await source.read(undefined, calm)).bytes.byteLength).toBe(10);
    expect((await source.read({ offset: 10, length: 0 }, calm)).bytes.byteLength).toBe(0);
    expect(source.size).toBe(10);
  });

  it.each([
    [10, 1, "range-past-end"],
    [8, 3, "short-read"],
    [-1, 3, "range-invalid"],
    [0, 1.5, "range-invalid"],
  ])("never gives less: offset %d, length %d is %s", async (offset, length, code) => {
    await expect(source.read({ offset, length }, calm)).rejects.toMatchObject({ code });
  });

  it("says when it was changed, and when it has gone", async () => {
    const file = new File(["abc"], "x", { lastModified: 0 });
    const { request } = await blobSource(file, "x").read(undefined, calm);
    expect(request.lastModified).toBe("Thu, 01 Jan 1970 00:00:00 GMT");
    const gone = new Blob(["abc"]);
    gone.slice = () => Object.assign(new Blob([]), { arrayBuffer: () => Promise.reject(new Error("NotReadable")) });
    const failed = blobSource(gone, "x").read(undefined, calm);
    await expect(failed).rejects.toMatchObject({
      code: "file-unreadable",
      finding: { facts: { reason: "NotReadable" } },
    });
  });

  it("streams into the reader's own buffer", async () => {
    const { body, size } = await source.stream(calm);
    const reader = body.getReader({ mode: "byob" });
    const { value } = await reader.read(new Uint8Array(4));
    expect([size, ...(value ?? [])]).toEqual([10, 0, 1, 2, 3]);
    await reader.cancel();
  });

  it("that stops coming fails, and does not hang", async () => {
    const stuck = new Blob(["abc"]);
    stuck.stream = () => new ReadableStream({ type: "bytes", pull: () => new Promise(() => undefined) });
    const { body } = await blobSource(stuck, "x", 20).stream(calm);
    await expect(new Response(body).text()).rejects.toMatchObject({ code: "timeout" });
  });

  it("is not read once cancelled", async () => {
    const context = { ...calm, signal: AbortSignal.abort() };
    await expect(source.read(undefined, context)).rejects.toSatisfy(isAbort);
    await expect(source.stream(context)).rejects.toSatisfy(isAbort);
  });
});
