/** Opening a repository of format 1: refs are files of their own, and so is the configuration. */
import { RefscopeError } from "../../core/errors.ts";
import { failure } from "../../core/findings/failure.ts";
import { WHOLE_SET } from "../../core/findings/place.ts";
import { configurationOf } from "./configuration.ts";
import { readConfigurationFile } from "./configuration-file.ts";
import { oldLayoutFault } from "./old-layout.ts";
import { CONFIG_PATH, MAIN, REFS_PREFIX } from "./paths.ts";
import { fetchRef, readListedRefs } from "./refs.ts";
import type { Repository } from "./repository.ts";
import type { IcechunkObjects } from "./types.ts";

/** @throws RefscopeError `icechunk-no-repository`, `icechunk-too-old` */
export async function openFormat1(objects: IcechunkObjects): Promise<Repository> {
  const listed = await objects.list?.(REFS_PREFIX);
  const { findings, ...refs } = listed === undefined ? await onlyMain(objects) : await readListedRefs(objects, listed);
  if (!refs.branches.has(MAIN)) {
    throw (
      (await oldLayoutFault(objects, listed)) ?? failure("icechunk-no-repository", WHOLE_SET, { refs: listed?.length })
    );
  }
  const { configuration, unreadable } = await readConfiguration(objects);
  return {
    format: 1,
    ...refs,
    refsComplete: listed !== undefined,
    configuration,
    findings: unreadable === undefined ? findings : [...findings, unreadable],
    info: undefined,
  };
}

async function onlyMain(objects: IcechunkObjects) {
  const snapshot = await fetchRef(objects, { kind: "branch", name: MAIN });
  const branches = new Map(snapshot === undefined ? [] : [[MAIN, snapshot] as const]);
  return { branches, tags: new Map<string, string>(), deletedTags: [], findings: [] };
}

async function readConfiguration(objects: IcechunkObjects) {
  const bytes = await objects.get(CONFIG_PATH);
  if (bytes === undefined) return { configuration: configurationOf(undefined), unreadable: undefined };
  try {
    return { configuration: await readConfigurationFile(bytes), unreadable: undefined };
  } catch (error) {
    if (!(error instanceof RefscopeError)) throw error;
    return { configuration: configurationOf(undefined), unreadable: error.finding };
  }
}
