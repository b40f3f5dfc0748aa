import { describe, expect, it } from "vitest";
import { historyEntries, readHistory, readOlderUpdates } from "./repository.ts";
import { configurationOf, findRef, openRepository, readSnapshot, resolveLocation } from "./index.ts";
import { readHeader } from "./header.ts";
import { fixtureFiles, objectsOf, testZstd, unlisted } from "./testing/objects.ts";
import { icechunkFile } from "./testing/flat-writer.ts";
import { targetAt } from "#core/findings/fact.ts";
import type { JsonValue } from "#core/json/json.ts";

const v1 = fixtureFiles("v1");
const v2 = fixtureFiles("v2");
const changed = (files: ReadonlyMap<string, Uint8Array>, ...entries: readonly [string, Uint8Array][]) =>
  new Map([...files, ...entries]);
const refused = (code: string, facts: object) => ({ code, finding: { facts } });

describe("opening", () => {
  it("a repository of the alpha releases, whose branches have a colon, is refused with what wrote it", async () => {
    const ref = new TextEncoder().encode('{"snapshot":"X5CWMD85X7QVEJG9XRFG"}');
    const files = new Map([
      ["refs/branch:main/ZZZZZZZY.json", ref],
      ["refs/branch:main/ZZZZZZZZ.json", ref],
      ["snapshots/X5CWMD85X7QVEJG9XRFG", Uint8Array.of(0x84, 0xa2)],
    ]);
    const failure = refused("icechunk-too-old", { writer: undefined, format: undefined, headless: true });
    await expect(openRepository(objectsOf(files), testZstd)).rejects.toMatchObject(failure);
    await expect(openRepository(unlisted(objectsOf(files)), testZstd)).rejects.toMatchObject(failure);
  });

  it("over plain HTTP knows main alone in format 1, and asks for what is wanted", async () => {
    const objects = unlisted(objectsOf(v1));
    const repository = await openRepository(objects, testZstd);
    expect([...repository.branches]).toEqual([["main", "X5CWMD85X7QVEJG9XRFG"]]);
    expect(repository).toMatchObject({ refsComplete: false, format: 1 });
    expect(await findRef(objects, repository)).toEqual({
      kind: "branch",
      name: "main",
      snapshot: "X5CWMD85X7QVEJG9XRFG",
    });
    expect(await findRef(objects, repository, "dev")).toMatchObject({
      kind: "branch",
      snapshot: "YB2JN8ZA3XR2J5AN6P1G",
    });
    expect(await findRef(objects, repository, "v1.0")).toMatchObject({ kind: "tag", snapshot: "5B4HT2418PWX78GWZDX0" });
    await expect(findRef(objects, repository, "tag:doomed")).rejects.toMatchObject(
      refused("icechunk-ref-missing", { problem: "unknown-ref", ref: "tag:doomed", complete: false }),
    );
  });

  it.each([v1, v2])("finds branches, tags and snapshots by name", async (files) => {
    const objects = objectsOf(files);
    const repository = await openRepository(objects, testZstd);
    const main = repository.branches.get("main")!;
    expect(await findRef(objects, repository, "branch:main")).toMatchObject({ kind: "branch", snapshot: main });
    expect(await findRef(objects, repository, main)).toEqual({ kind: "snapshot", snapshot: main });
    expect(await findRef(objects, repository, `snapshot:${main}`)).toEqual({ kind: "snapshot", snapshot: main });
    await expect(findRef(objects, repository, "doomed")).rejects.toMatchObject(
      refused("icechunk-ref-missing", {
        known: ["branch:dev", "branch:main", "tag:v1.0"],
        count: 3,
        complete: true,
        deleted: true,
      }),
    );
    await expect(findRef(objects, repository, "snapshot:../main")).rejects.toMatchObject({
      code: "icechunk-ref-missing",
    });
  });

  it("says where there is no repository, and which refs are damaged", async () => {
    await expect(openRepository(objectsOf(new Map()), testZstd)).rejects.toMatchObject(
      refused("icechunk-no-repository", { refs: 0 }),
    );
    const one = changed(v1, ["refs/branch.dev/ref.json", Buffer.from("{}")]);
    const repository = await openRepository(objectsOf(one), testZstd);
    expect([...repository.branches.keys()]).toEqual(["main"]);
    expect(repository.findings).toMatchObject([
      {
        code: "icechunk-file-damaged",
        place: targetAt("refs/branch.dev/ref.json"),
        facts: { file: "branch", found: '"{}"' },
      },
    ]);
    const main = changed(v1, ["refs/branch.main/ref.json", Buffer.from('{"snapshot":"../../x"}')]);
    await expect(openRepository(objectsOf(main), testZstd)).rejects.toMatchObject({ code: "icechunk-file-damaged" });
  });

  it("goes on without a configuration that cannot be read", async () => {
    const files = changed(v1, ["config.yaml", Buffer.from("a: {b: 1")]);
    const { configuration, findings } = await openRepository(objectsOf(files), testZstd);
    expect(configuration.containers).toEqual([]);
    expect(findings).toMatchObject([{ code: "icechunk-config-unreadable", place: targetAt("config.yaml") }]);
  });

  it("refuses repositories of before 1.0 with what wrote them", async () => {
    const objects = objectsOf(fixtureFiles("before1"));
    const failure = refused("icechunk-too-old", { writer: "ic-0.1.2", format: 1, headless: false });
    await expect(openRepository(objects, testZstd)).rejects.toMatchObject(failure);
    await expect(openRepository(unlisted(objects), testZstd)).rejects.toMatchObject(failure);
  });

  it("refuses other versions, file types and compressions by name", async () => {
    const read = (parts: Parameters<typeof icechunkFile>[1]) =>
      readSnapshot(icechunkFile(new Uint8Array(8), parts), "S", testZstd);
    await expect(read({ type: 1, format: 3, writer: "ic-3.0.0" })).rejects.toMatchObject(
      refused("icechunk-version-unknown", { file: "snapshot", format: 3, writer: "ic-3.0.0" }),
    );
    await expect(read({ type: 2 })).rejects.toMatchObject(
      refused("icechunk-file-damaged", { field: "file type", found: "2 (manifest)" }),
    );
    await expect(read({ type: 1, compression: 7 })).rejects.toMatchObject(
      refused("icechunk-file-damaged", { field: "compression", found: "7" }),
    );
    expect(() => readHeader(Buffer.from("\x89HDF\r\n\x1a\n"), { kind: "snapshot", path: "S" })).toThrow(
      expect.objectContaining({ code: "icechunk-not-icechunk" }) as Error,
    );
  });
});

describe("history", () => {
  it("ends at the limit, at what is missing, and where parents go in a circle", async () => {
    const objects = objectsOf(v1);
    const repository = await openRepository(objects, testZstd);
    const main = repository.branches.get("main")!;
    expect(await readHistory(historyEntries(objects, repository, testZstd), main, 2)).toMatchObject({
      end: "limit",
      entries: [{}, {}],
    });
    const cut = new Map(v1);
    cut.delete("snapshots/1CECHNKREP0F1RSTCMT0");
    expect((await readHistory(historyEntries(objectsOf(cut), repository, testZstd), main)).end).toBe("missing");
    const circle = changed(v1, ["snapshots/5B4HT2418PWX78GWZDX0", v1.get("snapshots/X5CWMD85X7QVEJG9XRFG")!]);
    expect((await readHistory(historyEntries(objectsOf(circle), repository, testZstd), main)).end).toBe("circle");
  });

  it("continues the log of operations in older states", async () => {
    const older = [...v2.keys()].find((path) => path.startsWith("overwritten/"))!;
    const { updates } = await readOlderUpdates(objectsOf(v2), testZstd, older.slice("overwritten/".length));
    expect(updates.at(-1)?.kind).toBe("initialized");
    await expect(readOlderUpdates(objectsOf(v2), testZstd, "repo.gone")).rejects.toMatchObject({
      code: "icechunk-object-missing",
      finding: { place: targetAt("overwritten/repo.gone"), facts: { file: "log of operations" } },
    });
  });
});

describe("virtual chunk containers", () => {
  const container = (prefix: string, store: string, name: string | null = null): [string, JsonValue] => [
    prefix,
    new Map<string, JsonValue>([
      ["name", name],
      ["url_prefix", prefix],
      ["store", new Map([[store, new Map()]])],
    ]),
  ];
  const configuration = configurationOf(
    new Map([
      [
        "virtual_chunk_containers",
        new Map([
          container("s3://bucket", "s3_compatible", "all"),
          container("s3://bucket/deep/er/", "s3", "inner"),
          container("https://host/", "http"),
          container("file:///data/", "local_file_system"),
          container("gcs", "gcs", "gcs"),
          container("s3://other/", "http", "wrong"),
        ]),
      ],
    ]),
  );

  it("are tried by length, those that the official reader leaves out not at all", () => {
    const prefixOf = (location: string) => resolveLocation(location, configuration).container?.prefix;
    expect(prefixOf("s3://bucket/deep/er/x.nc")).toBe("s3://bucket/deep/er/");
    expect(prefixOf("s3://bucket/deep/x.nc")).toBe("s3://bucket/");
    expect(prefixOf("s3://bucket/d%65ep/er/x.nc")).toBe("s3://bucket/deep/er/");
    expect(prefixOf("s3://bucketeer/x.nc")).toBeUndefined();
    expect(prefixOf("file:///data/x.nc")).toBe("file:///data/");
    expect(prefixOf("s3://other/x.nc")).toBeUndefined();
    expect(configuration.containers.filter(({ ignored }) => ignored !== undefined)).toMatchObject([
      { prefix: "s3://other/", ignored: "store" },
      { prefix: "gcs/", ignored: "prefix" },
    ]);
  });

  it("resolve vcc:// by name", () => {
    expect(resolveLocation("vcc://inner/a/b.nc", configuration).url).toBe("s3://bucket/deep/er/a/b.nc");
    expect(resolveLocation("vcc://all/a", configuration)).toMatchObject({
      url: "s3://bucket/a",
      container: { name: "all" },
    });
    for (const location of ["vcc://none/a", "vcc://inner", "vcc://wrong/a"]) {
      expect(() => resolveLocation(location, configuration)).toThrow(
        expect.objectContaining({ code: "icechunk-container-missing" }) as Error,
      );
    }
  });
});
