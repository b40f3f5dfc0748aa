import { describe, expect, it } from "vitest";
import type { NodeChange, RepositoryHistory, SnapshotEntry } from "#core/repository.ts";
import {
  changesSentence,
  chosenElsewhere,
  endSentence,
  messageLine,
  refOfShown,
  refWords,
  shortId,
  statusWords,
} from "./history-words.ts";
import { chainChoices, knownRefs, refRows } from "./ref-rows.ts";
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

  it("are named as they are opened", () => {
    expect(refOfShown(HISTORY.shown)).toBe("tag:v1");
    expect(refWords(HISTORY.shown)).toBe("tag v1");
    expect(refWords({ kind: "snapshot", snapshot: id("A") })).toBe("snapshot AAAAAAAA…");
    expect(shortId("AB")).toBe("AB");
  });
});

describe("words", () => {
  it("say why a chain ends, and nothing where it goes on", () => {
    expect(endSentence("limit", 100)).toBeUndefined();
    const ends = [
      endSentence("first", 4),
      endSentence("first", 1),
      endSentence("missing", 2),
      endSentence("circle", 2),
    ];
    expect(new Set(ends).size).toBe(4);
    expect(endSentence("missing", 0)).toContain("expired");
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

  it("name what was chosen in another chain", () => {
    const listed = [entry("A"), entry("B")];
    const known = new Map([[id("C"), { ...entry("C"), message: "one\ntwo" }]]);
    expect(chosenElsewhere({ from: id("B"), to: undefined }, listed, known)).toBeUndefined();
    const words = chosenElsewhere({ from: id("C"), to: id("A") }, listed, known);
    expect(words).toBe("Chosen, but not in this list: From: CCCCCCCC… (one two).");
    expect(chosenElsewhere({ from: id("C"), to: id("D") }, listed, known)).toContain("To: DDDDDDDD….");
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
