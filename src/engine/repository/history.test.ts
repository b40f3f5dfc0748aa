/** Histories of repositories against what the official library recorded. */
import { describe, expect, it } from "vitest";
import type { JsonValue } from "#core/json/json.ts";
import recorded from "#formats/icechunk/fixtures/expected.json" with { type: "json" };
import { configurationOf } from "#formats/icechunk/index.ts";
import type { ExpectedRepository } from "#formats/icechunk/testing/expected.ts";
import { fixtureFiles } from "#formats/icechunk/testing/objects.ts";
import { operationText } from "#core/words/operation-words.ts";
import { containerSummary } from "./history.ts";
import { CONTEXT, openRepositoryOf, openServed } from "./testing/open.ts";

const expected = recorded as unknown as Readonly<Record<string, ExpectedRepository>>;
const NAMES = ["v1", "v2", "v2dict"] as const;

describe.each(NAMES)("the history of %s", (name) => {
  const { branches, tags, deletedTags, spec, ancestry } = expected[name]!;

  it("has branches and tags", async () => {
    const repository = await openRepositoryOf(fixtureFiles(name), "branch:main");
    const { summary } = repository;
    const history = await repository.history(CONTEXT);
    expect(Object.fromEntries(history.branches.map(({ name, snapshot }) => [name, snapshot]))).toEqual(branches);
    expect(Object.fromEntries(history.tags.map(({ name, snapshot }) => [name, snapshot]))).toEqual(tags);
    expect(history).toMatchObject({ ...summary, deletedTags, refsComplete: true, format: String(spec) });
    expect(summary.shown).toEqual({ kind: "branch", name: "main", snapshot: branches["main"] });
  });

  it.each(Object.entries(ancestry))("has the chain of %s", async (_ref, entries) => {
    const repository = await openRepositoryOf(fixtureFiles(name));
    const { entries: found, end } = await repository.ancestry(entries[0]!.id, 100, CONTEXT);
    expect(end).toBe("first");
    const plain = found.map(({ id, metadata, parent = null, time, message }) => {
      const values = metadata.map(([name, json]) => [name, JSON.parse(json) as unknown]);
      return { id, time, message, parent, metadata: Object.fromEntries(values) as unknown };
    });
    expect(plain).toEqual(entries);
    expect(await repository.ancestry(entries[0]!.id, 1, CONTEXT)).toMatchObject({ end: "limit", entries: [{}] });
  });
});

describe("format 2", () => {
  it("has operations, older ones too, and snapshots at no branch", async () => {
    const repository = await openRepositoryOf(fixtureFiles("v2"));
    const { updates, detached, writer, status } = await repository.history(CONTEXT);
    expect(updates.map(({ at }) => at)).toEqual((expected["v2"]!.updates as { at: string }[]).map(({ at }) => at));
    expect(updates.slice(0, 9).map(operationText)).toEqual([
      "commit XRNVGQP6… to “main”",
      "branch “gone” deleted, it was CMK0963K…",
      "branch “gone” created",
      "tag “doomed” deleted, it was CMK0963K…",
      "tag “doomed” created",
      "branch “tmp” deleted, it was CMK0963K…",
      "branch “tmp” reset, it was 8NMS03QZ…",
      "branch “tmp” created",
      "feature flag create_tag enabled",
    ]);
    expect(updates[0]).toMatchObject({ kind: "commit", snapshot: "XRNVGQP6GPPQ73NDBMF0" });
    expect(detached.map(({ id }) => id)).toContain("57WFCN8A32K3ZNWHET5G");
    expect(writer).toBe("ic-2.2.2");
    expect(status).toMatchObject({ availability: "online" });
    const file = [...fixtureFiles("v2").keys()].find((path) => path.startsWith("overwritten/"))!;
    const older = await repository.olderOperations(file.slice("overwritten/".length), CONTEXT);
    expect(older.updates.at(-1)).toMatchObject({ kind: "initialized" });
    await expect(repository.olderOperations("../repo", CONTEXT)).rejects.toMatchObject({
      code: "icechunk-file-damaged",
    });
  });

  it("refuses what is not a snapshot", async () => {
    const repository = await openRepositoryOf(fixtureFiles("v2"));
    for (const id of ["main", "../x", "00000000000000000000"]) {
      await expect(repository.ancestry(id, 10, CONTEXT)).rejects.toMatchObject({ code: "icechunk-ref-missing" });
    }
  });
});

describe("format 1", () => {
  const main = expected["v1"]!.branches["main"]!;

  it("over HTTP reads a file an entry, once, and reports each", async () => {
    const { asked, repository } = await openServed(fixtureFiles("v1"));
    asked.length = 0;
    const reported: number[] = [];
    const context = { ...CONTEXT, report: ({ done }: { done: number }) => reported.push(done) };
    expect((await repository.ancestry(main, 50, context)).entries).toHaveLength(4);
    expect(reported).toEqual(expect.arrayContaining([1, 2, 3, 4]));
    expect(asked.filter((path) => path.startsWith("snapshots/"))).toHaveLength(4);
    await repository.ancestry(main, 50, CONTEXT);
    expect(asked.filter((path) => path.startsWith("snapshots/"))).toHaveLength(4);
    expect((await repository.history(CONTEXT)).refsComplete).toBe(false);
  });

  it("ends at a parent that is gone, and can be cancelled", async () => {
    const files = new Map(fixtureFiles("v1"));
    files.delete("snapshots/1CECHNKREP0F1RSTCMT0");
    const repository = await openRepositoryOf(files);
    expect(await repository.ancestry(main, 50, CONTEXT)).toMatchObject({ end: "missing", entries: [{}, {}, {}] });
    await expect(repository.ancestry("1CECHNKREP0F1RSTCMT0", 50, CONTEXT)).rejects.toMatchObject({
      code: "icechunk-ref-missing",
    });
    const other = await openRepositoryOf(files);
    const cancelled = other.ancestry(main, 50, { ...CONTEXT, signal: AbortSignal.abort() });
    await expect(cancelled).rejects.toMatchObject({ name: "AbortError" });
  });
});

describe("containers", () => {
  const summaryOf = (prefix: string, store: JsonValue) => {
    const container = new Map<string, JsonValue>([
      ["name", "c"],
      ["url_prefix", prefix],
      ["store", store],
    ]);
    const all = configurationOf(new Map([["virtual_chunk_containers", new Map([["c", container]])]]));
    return containerSummary(all.containers[0]!);
  };
  const options = (...entries: readonly (readonly [string, JsonValue])[]) => new Map(entries);

  it("are listed with what they need, and without secrets", () => {
    const bearer = "Bearer abcdef";
    const { options: given, sendsHeaders } = summaryOf(
      "https://a.example/",
      options([
        "http",
        options(
          ["headers", options(["Authorization", bearer], ["X-Other", "mine"], ["Accept", "a/b"])],
          ["allow_http", "true"],
          ["proxy", "http://me:secret@proxy/?x=1&X-Amz-Signature=abc"],
          ["url", "https://ghp_token@a.example/x@y"],
          ["odd", "https://me:p@ss@a.example/"],
          ["ConnectionString", "AccountKey=abc"],
          ["long", "x".repeat(100_000)],
        ),
      ]),
    );
    expect(given).toEqual([
      ["headers", '{"Authorization":"(there, not shown)","X-Other":"(there, not shown)","Accept":"a/b"}'],
      ["allow_http", "true"],
      ["proxy", "http://…@proxy/?x=1&X-Amz-Signature=…"],
      ["url", "https://…@a.example/x@y"],
      ["odd", "https://…@a.example/"],
      ["ConnectionString", "(there, not shown)"],
      ["long", `${"x".repeat(2000)}… (100000 characters)`],
    ]);
    expect(sendsHeaders).toBe(true);
    const s3 = summaryOf(
      "s3://b/",
      options([
        "s3",
        options(["region", "eu"], ["endpoint_url", null], ["secret_access_key", "k"], ["anonymous", true]),
      ]),
    );
    expect(s3.options).toEqual([
      ["region", "eu"],
      ["secret_access_key", "(there, not shown)"],
      ["anonymous", "true"],
    ]);
    expect(s3).not.toHaveProperty("endpoint");
    const elsewhere = summaryOf("s3://b/", options(["s3", options(["endpoint_url", "https://me:p@o.example"])]));
    expect(elsewhere.endpoint).toBe("https://…@o.example");
    const local = summaryOf("file:///data", options(["local_file_system", "/data"]));
    expect(local).toMatchObject({ prefix: "file:///data/", options: [["path", "/data"]], name: "c" });
    expect(summaryOf("http://x/", "http")).toMatchObject({
      options: [],
      sendsHeaders: false,
    });
    expect(summaryOf("az://c/", options(["s3", options()])).ignored).toMatchObject({
      code: "icechunk-container-ignored",
      facts: { problem: "store", prefix: "az://c/", store: "s3" },
    });
  });
});
