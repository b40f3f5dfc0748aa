/** `blame` and `bisect` as they are given, on a repository with a recorded history. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { recordedHistories } from "../engine/repository/blame/testing/histories.ts";
import { runCommand } from "./testing/run-command.ts";

const { files, truth } = recordedHistories()["format-2"]!;
const folder = mkdtempSync(join(tmpdir(), "refscope-history-"));
afterAll(() => rmSync(folder, { recursive: true }));
for (const [path, bytes] of files) {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), bytes);
}
const [head = ""] = truth.ancestry["branch:main"] ?? [];

describe("blame", () => {
  it.each(Object.entries(truth.snapshots[head]?.arrays ?? {}))(
    "prints every chunk of %s as JSON",
    async (array, expected) => {
      const { status, stdout } = await runCommand(["blame", folder, "--array", array, "--json"]);
      expect(status).toBe(0);
      const { chunks, absent } = JSON.parse(stdout) as {
        readonly absent: number;
        readonly chunks: readonly {
          readonly chunk: string;
          readonly snapshot: string;
          readonly kind: string;
          readonly written: string;
        }[];
      };
      const found = Object.fromEntries(chunks.map(({ chunk, snapshot, kind }) => [chunk, `${kind} ${snapshot}`]));
      const gone = Object.entries(expected.gone).map(([chunk, { by }]) => [chunk, `deleted ${by}`] as const);
      const there = Object.entries(expected.chunks).map(([chunk, { by, kind }]) => [chunk, `${kind} ${by}`] as const);
      expect(found).toEqual(Object.fromEntries([...there, ...gone]));
      expect(absent).toBe(expected.absent.length);
      for (const { snapshot, written } of chunks)
        expect(Date.parse(written)).toBe(Date.parse(truth.times[snapshot] ?? ""));
    },
  );

  it("prints commits with their chunks, and the life of one chunk", async () => {
    const [array, { chunks }] = Object.entries(truth.snapshots[head]!.arrays)[0]!;
    const [chunk, { by }] = Object.entries(chunks)[0]!;
    const all = await runCommand(["blame", folder, "--array", `/${array}`]);
    expect(all.stdout).toMatch(new RegExp(`${by} .*chunk.*\\[.*\\]`));
    const one = await runCommand(["blame", folder, "--array", array, "--chunk", chunk]);
    expect(one.stdout.split("\n")[1]).toContain(by);
    const json = await runCommand(["blame", folder, "--array", array, "--chunk", chunk, "--json"]);
    const life = JSON.parse(json.stdout) as { readonly chunks: readonly object[]; readonly events: readonly object[] };
    expect(life.chunks).toMatchObject([{ chunk, snapshot: by }]);
    expect(life.events[0]).toMatchObject({ commit: { id: by }, did: "wrote" });
  });

  it("refuses an array and a chunk that are not there", async () => {
    expect((await runCommand(["blame", folder])).status).toBe(2);
    expect((await runCommand(["blame", folder, "--array", "no-such"])).status).toBe(2);
    expect((await runCommand(["blame", folder, "--array", "q", "--chunk", "99"])).stderr).toContain(
      "[99] is outside it",
    );
  });
});

describe("bisect", () => {
  const { code, array, first, before } = truth.bisect;

  it("prints the first bad commit and the one before, and says first what that costs", async () => {
    const { status, stdout, stderr } = await runCommand(["bisect", folder, "--code", code, "--array", array, "--json"]);
    expect(status).toBe(0);
    expect(stderr).toMatch(/^At most \d checks of \d+ commits\. Each reads metadata and references/);
    expect(JSON.parse(stdout)).toMatchObject({ first, before, outcome: "found" });
    const text = await runCommand(["bisect", folder, "--code", code]);
    expect(text.stdout).toMatch(new RegExp(`first bad  ${first}.*\\n  before     ${before}`));
  });

  it("exits with 1 where nothing is wrong, and with 2 where it cannot be asked", async () => {
    expect((await runCommand(["bisect", folder, "--code", code, "--bad", `snapshot:${before}`])).status).toBe(1);
    for (const asked of [["--code", "no-such"], ["--is", "> 1"], ["--code", code, "--expect", "a.json"], []])
      expect((await runCommand(["bisect", folder, ...asked])).status).toBe(2);
  });
});
