import type { NamedRef, RepositoryHistory, ShownRef, SnapshotEntry } from "#core/repository.ts";

/** `branch:NAME`, `tag:NAME`, `snapshot:ID`, as `openRef` and the address take it. */
export function refOfShown(shown: ShownRef): string {
  return shown.kind === "snapshot" ? `snapshot:${shown.snapshot}` : `${shown.kind}:${shown.name}`;
}

/** A line of the list of branches and tags. */
export interface RefRow {
  readonly kind: "branch" | "tag" | "deleted tag" | "detached";
  readonly name: string | undefined;
  readonly snapshot: string | undefined;
  /** Ref to open; absent = it cannot be opened. */
  readonly ref: string | undefined;
  readonly entry?: SnapshotEntry;
}

/** The branches or tags that are known. What is shown is one, even where they cannot be listed. */
export function knownRefs({ shown, ...history }: RepositoryHistory, kind: "branch" | "tag"): readonly NamedRef[] {
  const listed = kind === "branch" ? history.branches : history.tags;
  if (shown.kind !== kind || listed.some(({ name }) => name === shown.name)) return listed;
  return [...listed, { name: shown.name, snapshot: shown.snapshot }];
}

/** Branches (`main` first), tags, what was deleted, and snapshots that nothing leads to. */
export function refRows(history: RepositoryHistory): readonly RefRow[] {
  const { deletedTags, detached } = history;
  const branches = knownRefs(history, "branch");
  const named = (kind: "branch" | "tag") => (one: { readonly name: string; readonly snapshot: string }) => ({
    kind,
    ...one,
    ref: `${kind}:${one.name}`,
  });
  return [
    ...branches.filter(({ name }) => name === "main").map(named("branch")),
    ...branches.filter(({ name }) => name !== "main").map(named("branch")),
    ...knownRefs(history, "tag").map(named("tag")),
    ...deletedTags.map((name) => ({ kind: "deleted tag" as const, name, snapshot: undefined, ref: undefined })),
    ...detached.map((entry) => ({
      kind: "detached" as const,
      name: undefined,
      snapshot: entry.id,
      ref: `snapshot:${entry.id}`,
      entry,
    })),
  ];
}

/** Choices of chains: `[ref, words, snapshot]`; the shown snapshot comes first if it is neither branch nor tag. */
export function chainChoices(
  history: RepositoryHistory,
): readonly (readonly [ref: string, words: string, snapshot: string])[] {
  const { shown } = history;
  const rows = refRows(history).flatMap(({ kind, name, ref, snapshot }) =>
    ref === undefined || snapshot === undefined
      ? []
      : [[ref, name === undefined ? `snapshot ${snapshot}` : `${kind} ${name}`, snapshot] as const],
  );
  const ref = refOfShown(shown);
  if (rows.some(([known]) => known === ref)) return rows;
  const words = shown.kind === "snapshot" ? `snapshot ${shown.snapshot}` : `${shown.kind} ${shown.name}`;
  return [[ref, words, shown.snapshot], ...rows];
}
