/** Opening a repository: which format it has, its branches and tags as far as they can be known, its configuration. */
import { configurationOf, readConfigurationFile, type Configuration } from "./configuration.ts";
import { RefscopeError, type ErrorFields } from "../../core/errors.ts";
import { icechunkFault } from "./fault.ts";
import { oldLayoutFault } from "./old-layout.ts";
import { isObjectId } from "./object-id.ts";
import { CONFIG_PATH, REFS_PREFIX, REPO_PATH, snapshotPath } from "./paths.ts";
import { fetchRef, MAIN, readListedRefs } from "./refs.ts";
import { readRepoInfo, type RepoInfo } from "./repo-info.ts";
import type { IcechunkObjects, IcechunkZstd } from "./types.ts";

export interface Repository {
  readonly format: 1 | 2;
  readonly branches: ReadonlyMap<string, string>;
  readonly tags: ReadonlyMap<string, string>;
  readonly deletedTags: readonly string[];
  /** Whether these are all there are: format 1 over plain HTTP knows `main` alone until others are asked for. */
  readonly refsComplete: boolean;
  /** Format 1: branches and tags that could not be read. */
  readonly refProblems: readonly ErrorFields[];
  readonly configuration: Configuration;
  /** Format 1: why `config.yaml` could not be read. The official reader does not open the repository then. */
  readonly configurationProblem: ErrorFields | undefined;
  /** Format 2. */
  readonly info: RepoInfo | undefined;
}

const REPOSITORY = { what: "repository", path: "" };

/**
 * @throws RefscopeError `icechunk-no-repository`, `icechunk-too-old`, or what `readRepoInfo` throws
 */
export async function openRepository(objects: IcechunkObjects, zstd: IcechunkZstd): Promise<Repository> {
  const repo = await objects.get(REPO_PATH);
  if (repo !== undefined) return repositoryOf(await readRepoInfo(repo, zstd));
  const listed = await objects.list?.(REFS_PREFIX);
  const { problems, ...refs } = listed === undefined ? await onlyMain(objects) : await readListedRefs(objects, listed);
  if (!refs.branches.has(MAIN)) {
    throw (await oldLayoutFault(objects, listed)) ?? noRepository(listed);
  }
  return {
    format: 1,
    ...refs,
    refsComplete: listed !== undefined,
    refProblems: problems,
    ...(await readConfiguration(objects)),
    info: undefined,
  };
}

function repositoryOf(info: RepoInfo): Repository {
  return {
    format: 2,
    branches: info.branches,
    tags: info.tags,
    deletedTags: info.deletedTags,
    refsComplete: true,
    refProblems: [],
    configuration: configurationOf(info.config),
    configurationProblem: undefined,
    info,
  };
}

async function onlyMain(objects: IcechunkObjects) {
  const snapshot = await fetchRef(objects, { kind: "branch", name: MAIN });
  const branches = new Map(snapshot === undefined ? [] : [[MAIN, snapshot] as const]);
  return { branches, tags: new Map<string, string>(), deletedTags: [], problems: [] };
}

async function readConfiguration(objects: IcechunkObjects) {
  const bytes = await objects.get(CONFIG_PATH);
  if (bytes === undefined) return { configuration: configurationOf(undefined), configurationProblem: undefined };
  try {
    return { configuration: readConfigurationFile(bytes), configurationProblem: undefined };
  } catch (error) {
    if (!(error instanceof RefscopeError)) throw error;
    return { configuration: configurationOf(undefined), configurationProblem: error.fields };
  }
}

function noRepository(listed: readonly string[] | undefined): Error {
  return icechunkFault(REPOSITORY, {
    code: "icechunk-no-repository",
    expected: `the file ${REPO_PATH} (format 2) or refs/branch.main/ref.json (format 1)`,
    found: listed === undefined ? "neither" : `neither, and ${listed.length} objects in refs/`,
    advice: "Give the address of the folder that holds repo, or snapshots/ and refs/.",
  });
}

/** What was asked for and what it is. */
export type FoundRef =
  | { readonly kind: "branch" | "tag"; readonly name: string; readonly snapshot: string }
  | { readonly kind: "snapshot"; readonly snapshot: string };

/**
 * What a text means in this repository: `branch:NAME`, `tag:NAME`, `snapshot:ID`, or the bare name of a branch, then
 * tag, then snapshot. Format 1 fetches a branch or tag that is not known yet. Without a text: `main`.
 * @throws RefscopeError `icechunk-ref-missing`
 */
export async function findRef(objects: IcechunkObjects, repository: Repository, text = MAIN): Promise<FoundRef> {
  const [, prefix, rest] = /^(branch|tag|snapshot):(.*)$/s.exec(text) ?? [];
  const name = rest ?? text;
  const kinds = prefix === undefined ? (["branch", "tag", "snapshot"] as const) : ([prefix] as const);
  for (const kind of kinds) {
    const snapshot =
      kind === "snapshot"
        ? await knownSnapshot(objects, repository, name)
        : await knownRef(objects, repository, { kind: kind === "tag" ? "tag" : "branch", name });
    if (snapshot === undefined) continue;
    return kind === "snapshot" ? { kind, snapshot } : { kind: kind === "tag" ? "tag" : "branch", name, snapshot };
  }
  throw missingRef(repository, text, name);
}

async function knownRef(
  objects: IcechunkObjects,
  { branches, tags, refsComplete }: Repository,
  ref: { readonly kind: "branch" | "tag"; readonly name: string },
): Promise<string | undefined> {
  const known = (ref.kind === "branch" ? branches : tags).get(ref.name);
  return known === undefined && !refsComplete ? fetchRef(objects, ref) : known;
}

async function knownSnapshot(objects: IcechunkObjects, { info }: Repository, id: string): Promise<string | undefined> {
  if (!isObjectId(id)) return undefined;
  if (info !== undefined) return info.snapshots.has(id) ? id : undefined;
  return (await objects.get(snapshotPath(id))) === undefined ? undefined : id;
}

function missingRef({ branches, tags, deletedTags, refsComplete }: Repository, text: string, name: string): Error {
  const names = [...[...branches.keys()].map((at) => `branch:${at}`), ...[...tags.keys()].map((at) => `tag:${at}`)];
  const shown = names.slice(0, 20).join(", ") + (names.length > 20 ? `, and ${names.length - 20} more` : "");
  const deleted = deletedTags.includes(name) ? "; the tag was deleted" : "";
  return icechunkFault(REPOSITORY, {
    code: "icechunk-ref-missing",
    expected: `a branch, tag or snapshot ${JSON.stringify(text)}`,
    found: (shown === "" ? "none" : shown) + (refsComplete ? "" : ", others cannot be listed here") + deleted,
    advice: "Choose one of these, or give the id of a snapshot.",
  });
}
