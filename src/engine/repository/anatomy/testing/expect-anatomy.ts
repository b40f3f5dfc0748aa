/** For tests: the anatomy of a recorded history is what its truth says. */
import { expect } from "vitest";
import type { OrphanReason } from "#core/anatomy.ts";
import { CONTEXT, openRepositoryOf } from "#engine/repository/testing/open.ts";
import type { RecordedHistory } from "#engine/repository/testing/histories.ts";

/** Reasons as the truth words them; what a killed commit wrote is told from others by its snapshot alone. */
const REASONS: Readonly<Record<string, readonly OrphanReason[]>> = {
  "staged file of a local writer that was killed": ["unfinished"],
  "snapshot that no branch or tag reaches": ["unreached"],
  // Among them the truth has chunks that a session wrote and then wrote again.
  "only in snapshots that no branch or tag reaches": ["of-unreached", "unused"],
  "chunk of a session that never was committed": ["unused"],
  "commit killed before its branch was moved": ["unreached", "of-unreached"],
};

export async function expectAnatomy({ truth: { anatomy: truth }, files }: RecordedHistory): Promise<void> {
  const repository = await openRepositoryOf(files);
  const { bytes, arrays, snapshots, orphans, missingChunks, unread } = await repository.anatomy(CONTEXT);
  expect(bytes).toEqual(truth.bytes);
  expect(orphans.map(({ name }) => name).sort()).toEqual(Object.keys(truth.orphans).sort());
  const misnamed = orphans.filter(({ name, reason }) => REASONS[truth.orphans[name] ?? ""]?.includes(reason) !== true);
  expect(misnamed).toEqual([]);
  const { freed, kept, bytes: saved } = await repository.expiry(truth.expire.before, CONTEXT);
  expect(freed.toSorted()).toEqual(truth.expire.freed.toSorted());
  expect(saved).toBe(freed.reduce((sum, name) => sum + (truth.files[name] ?? NaN), 0));
  expect([kept, missingChunks, unread]).toEqual([truth.expire.snapshots.length, 0, 0]);
  // Arrays share out what is theirs, and each byte came with one snapshot.
  for (const part of ["native", "virtual", "inline", "manifests"] as const) {
    expect(arrays.reduce((sum, one) => sum + one.bytes[part], 0)).toBe(bytes[part]);
    expect(snapshots.reduce((sum, one) => sum + one.added[part], 0)).toBe(bytes[part]);
  }
}
