import { describe, expect, it } from "vitest";
import type { NodeChange, RepositoryHistory, SnapshotEntry } from "#core/repository.ts";
import {
  changesLine,
  changesSentence,
  changeWords,
  endWords,
  messageLine,
  refCounts,
  refWords,
  shortId,
  statusWords,
} from "./history-words.ts";
import { itemsFor } from "./RefChooser.tsx";
import { chainChoices, knownRefs, refOfShown, refRows } from "./ref-rows.ts";
import { shortTime } from "./HistoryParts.tsx";

const id = (letter: string) => letter.repeat(20);

const entry = (letter: string): SnapshotEntry => ({
  id: id(letter),
  parent: undefined,
  time: undefined,
  message: "",
  author: undefined,
  metadata: [],
});

const HISTORY: RepositoryHistory = {
  format: "2",
  shown: { kind: "tag", name: "v1", snapshot: id("B") },
  branches: [
    { name: "dev", snapshot: id("C") },
    { name: "main", snapshot: id("A") },
  ],
  tags: [{ name: "v1", snapshot: id("B") }],
  deletedTags: ["gone"],
  refsComplete: true,
  containers: [],
  detached: [entry("D")],
  updates: [],
};

describe("branches and tags", () => {
  it("are listed with main first; what cannot be opened has no ref", () => {
    expect(refRows(HISTORY).map(({ kind, name, ref }) => [kind, name, ref])).toEqual([
      ["branch", "main", "branch:main"],
      ["branch", "dev", "branch:dev"],
      ["tag", "v1", "tag:v1"],
      ["deleted tag", "gone", undefined],
      ["detached", undefined, `snapshot:${id("D")}`],
    ]);
  });

  it("can be followed, and so can a snapshot that is shown by its id", () => {
    expect(chainChoices(HISTORY).map(([ref]) => ref)).toEqual([
      "branch:main",
      "branch:dev",
      "tag:v1",
      `snapshot:${id("D")}`,
    ]);
    const shown = { kind: "snapshot", snapshot: id("E") } as const;
    expect(chainChoices({ ...HISTORY, shown })[0]).toEqual([`snapshot:${id("E")}`, `snapshot ${id("E")}`, id("E")]);
  });

  it("are known where they are shown, even if they cannot be listed", () => {
    const unlisted = { ...HISTORY, format: "1", tags: [], deletedTags: [], detached: [], refsComplete: false };
    expect(refRows(unlisted).map(({ ref }) => ref)).toEqual(["branch:main", "branch:dev", "tag:v1"]);
    expect(knownRefs(unlisted, "tag")).toEqual([{ name: "v1", snapshot: id("B") }]);
    expect(knownRefs(HISTORY, "tag")).toBe(HISTORY.tags);
  });

  it("are found by a part of their name; what is typed may be another", () => {
    const labels = (query: string) => itemsFor(HISTORY, [entry("A")], query).map(({ label }) => label);
    expect(labels("")).toEqual(["branch main", "branch dev", "tag v1", `snapshot ${id("D")}`]);
    expect(labels("DEV")).toEqual(["branch dev", "Open “DEV”"]);
    expect(labels("main")).toEqual(["branch main"]);
    expect(itemsFor(undefined, [], "x")).toEqual([{ id: "x", label: "Open “x”" }]);
    expect(refCounts(HISTORY)).toBe("2 branches, 1 tag, 1 tag deleted");
  });

  it("are named as they are opened", () => {
    expect(refOfShown(HISTORY.shown)).toBe("tag:v1");
    expect(refWords(HISTORY.shown)).toBe("tag v1");
    expect(refWords({ kind: "snapshot", snapshot: id("A") })).toBe("snapshot AAAAAAAA…");
    expect(shortId("AB")).toBe("AB");
  });
});

describe("words", () => {
  it("say why a commit has no parent in the list, each for itself", () => {
    const ends = (["first", "limit", "missing", "circle", "unreadable"] as const).map(endWords);
    expect(new Set(ends).size).toBe(5);
    expect(endWords("missing")).toContain("expired");
  });

  it("say what a commit did, and no more than its log tells", () => {
    const none = { snapshot: id("A"), isUntold: false, arrays: [], nodes: [] };
    const sst = { path: "sst", count: 18, chunks: 54, isNew: false };
    expect(changesLine(none)).toBe("nothing");
    expect(changesLine({ ...none, isUntold: true })).toBe("no transaction log");
    expect(changesLine({ ...none, arrays: [sst] })).toBe("18 chunks of sst");
    expect(changesLine({ ...none, arrays: [sst, { count: 1, isNew: false }] })).toBe("19 chunks of 2 arrays");
    const added = (["a", "b"] as const).map((path) => ({ kind: "added", node: "array", path }) as const);
    const made = added.map(({ path }) => ({ path, count: 36, chunks: 36, isNew: true }));
    expect(changesLine({ ...none, arrays: made, nodes: added })).toBe("2 new arrays, 72 chunks");
    const moved = { kind: "moved", node: "array", path: "sea_ice", before: "ice" } as const;
    expect(changesLine({ ...none, nodes: [moved] })).toBe("sea_ice moved");
    expect(changesLine({ ...none, nodes: [{ kind: "removed", node: "array" }] })).toBe("1 array removed");
    expect(changesLine({ ...none, nodes: [{ kind: "updated", node: "group", path: "" }] })).toBe("metadata of /");
    expect(changeWords({ ...none, nodes: [moved], arrays: [sst, { count: 1, isNew: false }] })).toEqual([
      "array ice moved to sea_ice",
      "sst: 18 of 54 chunks",
      "an unnamed array: 1 chunk",
    ]);
  });

  it("put messages into a line", () => {
    expect(messageLine("one\n two\t")).toBe("one two");
    expect(messageLine("  ")).toBe("no message");
  });

  it("count what differs: a node that was moved and changed once", () => {
    const none = {
      from: "",
      to: "",
      method: "logs",
      because: { kind: "as-asked" },
      uncompared: 0,
      findings: [],
      nodes: [],
      arrays: [],
    } as const;
    expect(changesSentence(none)).toBe("The two snapshots do not differ.");
    const nodes = (["moved", "updated"] as const).map((kind) => ({ kind, node: "group", path: "a" }) as const);
    expect(changesSentence({ ...none, nodes })).toBe("Different: 1 group.");
    const kinds = { set: 1, added: 0, removed: 0, changed: 0 };
    const arrays = ["a", "b"].map((path) => ({ path, count: 1, kinds, shown: true }));
    expect(changesSentence({ ...none, nodes, arrays })).toBe("Different: 1 group, and chunks of 2 arrays.");
    const both = [...nodes, { kind: "added", node: "array", path: "b" }, { kind: "added", node: "array", path: "c" }];
    expect(changesSentence({ ...none, nodes: both as NodeChange[] })).toBe("Different: 1 group and 2 arrays.");
  });

  it("do not call snapshots equal that could not be compared", () => {
    const none = {
      from: "",
      to: "",
      method: "manifests",
      because: { kind: "as-asked" },
      findings: [],
      nodes: [],
      arrays: [],
    } as const;
    const equal = changesSentence({ ...none, uncompared: 0 });
    expect(equal).toBe("The two snapshots do not differ.");
    expect(changesSentence({ ...none, uncompared: 1 })).toContain("parts that could be compared");
    const nodes = [{ kind: "added", node: "group", path: "a" }] as const;
    const some = changesSentence({ ...none, nodes, uncompared: 1 });
    expect(some).toBe("Different in the parts that could be compared: 1 group.");
  });

  it("give the status with its reason", () => {
    expect(statusWords(undefined)).toBeUndefined();
    expect(statusWords({ availability: "read-only", since: undefined, reason: undefined })).toBe("read only");
    expect(statusWords({ availability: "offline", since: undefined, reason: "moved" })).toBe("offline: moved");
  });

  it("shorten times, but not what is none", () => {
    const local = new Date(2024, 4, 6, 7, 8, 9);
    expect(shortTime(local.toISOString().replace("Z", "123Z"))).toBe("2024-05-06 07:08");
    expect(shortTime("soon")).toBe("soon");
  });
});
