/** A dataset as a commit at the end of a branch, made again on what other writers committed meanwhile. */
import { compressZstd } from "#codecs/zstd/zstd-encoder.ts";
import type { CallContext } from "#core/byte-source.ts";
import type { AppendProblem } from "#core/findings/catalogue/formats/icechunk.ts";
import { finding, type Finding, WHOLE_SET } from "#core/findings/finding.ts";
import { inThread } from "#engine/chunk/chunk-decoder.ts";
import type { EngineSet } from "#engine/engine-set.ts";
import { icechunkZstd } from "#engine/repository/objects.ts";
import { fetchSnapshot, type IcechunkObjects } from "#formats/icechunk/index.ts";
import { branchPath, MAIN, overwrittenPath, REPO_PATH } from "#formats/icechunk/paths.ts";
import { readRepoInfo, readStoredRepo } from "#formats/icechunk/repository.ts";
import { newId } from "#formats/icechunk/write/index.ts";
import { writeRepoInfo } from "#formats/icechunk/write/repo.ts";
import { planAppend } from "./append.ts";
import { appendFiles, type AppendedCommit, committedRepo } from "./append-files.ts";
import { writtenMessage } from "./files.ts";
import { type IcechunkPlan, planIcechunk } from "./plan.ts";

/** A repository that can be written. */
export interface WritableRepository extends IcechunkObjects {
  /** The set at the end of a branch. */
  readonly open: (branch: string) => Promise<EngineSet>;
  readonly put: (path: string, bytes: Uint8Array) => Promise<void>;
  /** Replaces `repo`, which no other writer must do between. */
  readonly replace: (replacement: Replacement) => Promise<void>;
}

export interface Replacement {
  /**
   * The new `repo` from the present one, and the path at which the present one is kept; `undefined` where nothing is to
   * be done any more. Throws what keeps the commit from being made.
   */
  readonly make: (bytes: Uint8Array) => Promise<{ readonly bytes: Uint8Array; readonly backup: string } | undefined>;
  /** True if `repo` has the commit. */
  readonly has: (bytes: Uint8Array) => Promise<boolean>;
}

export interface CommitWish {
  readonly branch?: string | undefined;
  readonly along?: string | undefined;
  readonly prefix?: string | undefined;
  readonly message?: string | undefined;
}

export interface Appended {
  readonly snapshot: string;
  readonly references: number;
  readonly files: number;
  readonly bytes: number;
  /** Parts of the dataset that a repository cannot hold. */
  readonly findings: readonly Finding[];
}

/** Reasons for which nothing was written. */
type Refused = { readonly problems: readonly Finding[] };

/** Commits of others in a row, of which each came between. */
const MOST_ATTEMPTS = 100;

/** Throws what opening and reading throw. */
export async function appendTo(
  repository: WritableRepository,
  openSet: () => Promise<EngineSet>,
  { branch = MAIN, along, prefix, message }: CommitWish,
  context: CallContext,
): Promise<Appended | Refused> {
  const zstd = icechunkZstd(context.signal);
  let [set, plan]: [EngineSet?, IcechunkPlan?] = [];
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt += 1) {
    const why = await whyNot(repository, context);
    if (why !== undefined) return { problems: [problem(why)] };
    set ??= await openSet();
    const base = await repository.open(branch);
    const head = base.repository?.summary.shown.snapshot ?? "";
    plan ??= await planIcechunk(set, { prefix }, context);
    const snapshot = await fetchSnapshot(repository, zstd, head);
    const append = await planAppend(plan, { set: base, snapshot }, { along, decoder: inThread }, context);
    if (append.problems.length > 0) return { problems: append.problems };
    const totals = { references: 0, files: 0, bytes: 0 };
    const commit = await written(repository, appendFiles(append, message ?? writtenMessage(set), context), totals);
    if (await isCommitted(repository, { branch, head, commit, plan }, context))
      return { snapshot: commit.id, ...totals, findings: append.plan.findings };
  }
  return { problems: [problem("overtaken")] };
}

const problem = (why: AppendProblem): Finding =>
  finding("append-refused", WHOLE_SET, { problem: why, array: "", name: "", expected: "", found: "" });

async function whyNot({ get }: IcechunkObjects, { signal }: CallContext): Promise<AppendProblem | undefined> {
  const repo = await get(REPO_PATH);
  if (repo === undefined) return (await get(branchPath(MAIN))) === undefined ? "no-repository" : "format-1";
  const { status } = await readRepoInfo(repo, icechunkZstd(signal));
  return status.availability === "online" ? undefined : "read-only";
}

async function written(
  { put }: WritableRepository,
  files: ReturnType<typeof appendFiles>,
  totals: { references: number; files: number; bytes: number },
): Promise<AppendedCommit> {
  for (;;) {
    const next = await files.next();
    if (next.done === true) return next.value;
    const { path, bytes, references } = next.value;
    await put(path, bytes);
    totals.references += references;
    totals.files += 1;
    totals.bytes += bytes.length;
  }
}

interface Committing {
  readonly branch: string;
  /** End of the branch that the commit continues. */
  readonly head: string;
  readonly commit: AppendedCommit;
  readonly plan: IcechunkPlan;
}

/** False if the branch ends elsewhere by now: then nothing refers to the files of the commit. */
async function isCommitted(
  { replace }: WritableRepository,
  { branch, head, commit, plan: { containers } }: Committing,
  { signal }: CallContext,
): Promise<boolean> {
  const zstd = icechunkZstd(signal);
  let isDone = false;
  await replace({
    async make(bytes) {
      const info = await readStoredRepo(bytes, zstd);
      isDone = info.branches.get(branch) === head && info.status.availability === "online";
      if (!isDone) return undefined;
      const backup = backupName();
      const repo = committedRepo(info, { branch, commit, backup, containers });
      return { bytes: await writeRepoInfo(repo, compressZstd), backup: overwrittenPath(backup) };
    },
    has: async (bytes) => (await readRepoInfo(bytes, zstd)).snapshots.has(commit.id),
  });
  return isDone;
}

/** The youngest sorts first. */
const backupName = (): string => `repo.${Date.UTC(3000, 0, 1) - Date.now()}.${newId(12)}`;
