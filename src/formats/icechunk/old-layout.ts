/**
 * Repositories of before 1.0: branches were a file a commit (`refs/branch.main/ZZZZZZZY.json`, in the alpha releases of
 * 2024 `refs/branch:main/ZZZZZZZY.json`), named so that the newest comes first. They are recognised, and refused with what wrote them, as the official reader refuses them.
 */
import { icechunkFault } from "./fault.ts";
import { hasMagic, writerName } from "./header.ts";
import { isObjectId } from "./object-id.ts";
import { refSnapshot } from "./refs.ts";
import { snapshotPath } from "./paths.ts";
import type { IcechunkObjects } from "./types.ts";

/** What the first commit on a branch is named: it is there as long as nobody deleted it. */
const FIRST_VERSION = "ZZZZZZZZ";
const VERSION = /^refs\/branch[.:]([^/]+)\/[0-9A-HJKMNP-TV-Z]{8}\.json$/;

/** The failure that says so, where the objects are such a repository. */
export async function oldLayoutFault(
  objects: IcechunkObjects,
  listed: readonly string[] | undefined,
): Promise<Error | undefined> {
  const ref = await firstRef(objects, listed);
  if (ref === undefined) return undefined;
  const { path, bytes } = ref;
  return icechunkFault(
    { what: "repository", path },
    {
      code: "icechunk-too-old",
      expected: "a repository of Icechunk 1.0 or later, format 1 or 2",
      found: `branches as versions before 1.0 kept them, and snapshots written by ${await writerOf(objects, bytes, path)}`,
      advice: "Icechunk 1.0 and later cannot read it either: copy the data with the version that wrote it.",
    },
  );
}

async function firstRef(objects: IcechunkObjects, listed: readonly string[] | undefined) {
  const paths = listed?.filter((at) => VERSION.test(at)).slice(0, 1) ?? [
    `refs/branch.main/${FIRST_VERSION}.json`,
    `refs/branch:main/${FIRST_VERSION}.json`,
  ];
  for (const path of paths) {
    const bytes = await objects.get(path);
    if (bytes !== undefined) return { path, bytes };
  }
  return undefined;
}

async function writerOf(objects: IcechunkObjects, ref: Uint8Array, path: string): Promise<string> {
  const unnamed = "a development version of Icechunk 0.1";
  const id = safeSnapshot(ref, path);
  const snapshot = id === undefined ? undefined : await objects.get(snapshotPath(id));
  if (snapshot === undefined) return unnamed;
  if (!hasMagic(snapshot)) return `${unnamed}, whose files have no header`;
  return `${writerName(snapshot)} in version ${snapshot[36] ?? 0} of the format`;
}

function safeSnapshot(ref: Uint8Array, path: string): string | undefined {
  try {
    const id = refSnapshot(ref, { what: "branch", path });
    return isObjectId(id) ? id : undefined;
  } catch {
    return undefined;
  }
}
