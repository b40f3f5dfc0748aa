/** Opening a repository: which format it has, its branches and tags as far as they can be known, its configuration. */
import { failure } from "../../core/findings/failure.ts";
import type { Finding } from "../../core/findings/finding.ts";
import { WHOLE_SET } from "../../core/findings/place.ts";
import { configurationOf, type Configuration } from "./configuration.ts";
import { isObjectId } from "./object-id.ts";
import { MAIN, REPO_PATH, snapshotPath } from "./paths.ts";
import type { RepoInfo } from "./repo-info.ts";
import type { IcechunkObjects, IcechunkZstd } from "./types.ts";

export interface Repository {
  readonly format: 1 | 2;
  readonly branches: ReadonlyMap<string, string>;
  readonly tags: ReadonlyMap<string, string>;
  readonly deletedTags: readonly string[];
  /** Whether these are all there are: format 1 over plain HTTP knows `main` alone until others are requested. */
  readonly refsComplete: boolean;
  readonly configuration: Configuration;
  /** Format 1: branches and tags that cannot be read, and why `config.yaml` cannot. */
  readonly findings: readonly Finding[];
  /** Format 2. */
  readonly info: RepoInfo | undefined;
}

/**
 * @throws RefscopeError `icechunk-no-repository`, `icechunk-too-old`, or what `readRepoInfo` throws
 */
export async function openRepository(objects: IcechunkObjects, zstd: IcechunkZstd): Promise<Repository> {
  const repo = await objects.get(REPO_PATH);
  if (repo !== undefined) return repositoryOf(await (await import("./format-2.ts")).readRepoInfo(repo, zstd));
  return (await import("./format-1.ts")).openFormat1(objects);
}

function repositoryOf(info: RepoInfo): Repository {
  return {
    format: 2,
    branches: info.branches,
    tags: info.tags,
    deletedTags: info.deletedTags,
    refsComplete: true,
    configuration: configurationOf(info.config),
    findings: [],
    info,
  };
}

/** What was asked for and what it is. */
export type FoundRef =
  | { readonly kind: "branch" | "tag"; readonly name: string; readonly snapshot: string }
  | { readonly kind: "snapshot"; readonly snapshot: string };

const KINDS = ["branch", "tag", "snapshot"] as const;

/**
 * What a text means in this repository: `branch:NAME`, `tag:NAME`, `snapshot:ID`, or the bare name of a branch, then
 * tag, then snapshot. Format 1 fetches a branch or tag that is not known yet. Without a text: `main`.
 * @throws RefscopeError `icechunk-ref-missing`
 */
export async function findRef(objects: IcechunkObjects, repository: Repository, text = MAIN): Promise<FoundRef> {
  const [, prefix, rest] = /^(branch|tag|snapshot):(.*)$/s.exec(text) ?? [];
  const name = rest ?? text;
  const kinds = prefix === undefined ? KINDS : KINDS.filter((kind) => kind === prefix);
  for (const kind of kinds) {
    if (kind === "snapshot") {
      const snapshot = await knownSnapshot(objects, repository, name);
      if (snapshot !== undefined) return { kind, snapshot };
    } else {
      const snapshot = await knownRef(objects, repository, { kind, name });
      if (snapshot !== undefined) return { kind, name, snapshot };
    }
  }
  throw missingRef(repository, text, name);
}

async function knownRef(
  objects: IcechunkObjects,
  { branches, tags, refsComplete }: Repository,
  ref: { readonly kind: "branch" | "tag"; readonly name: string },
): Promise<string | undefined> {
  const known = (ref.kind === "branch" ? branches : tags).get(ref.name);
  return known === undefined && !refsComplete ? (await import("./format-1.ts")).fetchRef(objects, ref) : known;
}

async function knownSnapshot(objects: IcechunkObjects, { info }: Repository, id: string): Promise<string | undefined> {
  if (!isObjectId(id)) return undefined;
  if (info !== undefined) return info.snapshots.has(id) ? id : undefined;
  return (await objects.get(snapshotPath(id))) === undefined ? undefined : id;
}

/** Names of branches and tags in a finding. */
const MAX_NAMED = 20;

function missingRef({ branches, tags, deletedTags, refsComplete }: Repository, text: string, name: string): Error {
  const names = [...[...branches.keys()].map((at) => `branch:${at}`), ...[...tags.keys()].map((at) => `tag:${at}`)];
  return failure("icechunk-ref-missing", WHOLE_SET, {
    problem: "unknown-ref",
    ref: text,
    known: names.slice(0, MAX_NAMED),
    count: names.length,
    complete: refsComplete,
    deleted: deletedTags.includes(name),
  });
}
