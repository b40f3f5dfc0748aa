import { expect, it } from "vitest";
import { comparisonReason } from "./comparison-words.ts";

it("says which snapshot is the older, and of how many commits there are logs", () => {
  const logs = { kind: "logs", reversed: false, commits: 1, expired: 0 } as const;
  expect(comparisonReason(logs)).toBe(
    "The first snapshot is an ancestor of the second: the transaction log of the commit after it records what was set or deleted.",
  );
  expect(comparisonReason({ ...logs, reversed: true, commits: 2, expired: 1 })).toBe(
    "The second snapshot is an ancestor of the first: the transaction logs of the 2 commits after it, and of 1 expired before them record what was set or deleted, here in reverse.",
  );
});

it("says why manifests were compared", () => {
  expect(comparisonReason({ kind: "unrelated" })).toContain("ancestor of the other, so no logs");
  expect(comparisonReason({ kind: "unrelated", among: 500 })).toContain("among the last 500 commits");
  expect(comparisonReason({ kind: "log-incomplete", path: "air", change: "updated" })).toContain(
    'do not record that the metadata of "/air" changed:',
  );
  expect(comparisonReason({ kind: "log-incomplete", path: "", change: "deleted" })).toContain('that "/" was deleted:');
});
