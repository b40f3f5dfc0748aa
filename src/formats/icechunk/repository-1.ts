/** Opening a repository of format 1: refs are files of their own, and so is the configuration. */
import { RefscopeError } from "../../core/errors.ts";
import { configurationOf } from "./configuration.ts";
import { readConfigurationFile } from "./configuration-file.ts";
import { icechunkFault } from "./fault.ts";
import { oldLayoutFault } from "./old-layout.ts";
import { CONFIG_PATH, MAIN, REFS_PREFIX, REPO_PATH } from "./paths.ts";
import { fetchRef, readListedRefs } from "./refs.ts";
import { REPOSITORY, type Repository } from "./repository.ts";
import type { IcechunkObjects } from "./types.ts";

/** @throws RefscopeError `icechunk-no-repository`, `icechunk-too-old` */
export async function openFormat1(objects: IcechunkObjects): Promise<Repository> {
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
