import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import type { CommandOptions } from "./options.ts";
import { digestCommand } from "./digest-command.ts";
import { documentText, textFailure } from "./render-command.ts";
import { terminalContext } from "./open-refs.ts";

const OPTIONS: CommandOptions = {
  json: true,
  chunks: false,
  offline: true,
  root: undefined,
  target: undefined,
  choice: undefined,
};
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "refscope-text-"));
});
afterAll(() => rm(folder, { recursive: true }));

it("a document that is not UTF-8 is refused", async () => {
  const path = join(folder, "latin.json");
  await writeFile(path, Uint8Array.of(0x22, 0xe9, 0x22));
  await expect(documentText(path, OPTIONS, terminalContext())).rejects.toMatchObject({
    code: "not-utf-8",
    finding: { place: { kind: "target", target: path } },
  });
});

it("reads no more of what begins like no document, though it has no end", async () => {
  expect(await documentText("/dev/zero", OPTIONS, terminalContext())).toMatch(/^\0+$/);
});

it("a document that no string holds is refused", () => {
  const tooLong = () => "x".repeat(2 ** 29).repeat(2);
  expect(tooLong).toThrow(RangeError);
  try {
    tooLong();
  } catch (cause) {
    expect(textFailure("x.json", cause)).toMatchObject({ code: "document-too-large" });
  }
});

it("a digest of what does not open says so as a finding", async () => {
  const log = vi.spyOn(console, "log").mockReturnValue();
  expect(await digestCommand([join(folder, "none.json")], { ...OPTIONS, threads: 0 })).toBe(2);
  expect(JSON.parse(String(log.mock.calls[0]?.[0]))).toMatchObject({ findings: [{ code: "not-opened" }] });
  log.mockRestore();
});
