/**
 * Repositories of before 1.0: branches were a file a commit (`refs/branch.main/ZZZZZZZY.json`, in the alpha releases of
 * 2024 `refs/branch:main/ZZZZZZZY.json`), named so that the newest comes first. They are recognised, and refused with what wrote them, as the official reader refuses them.
 */
import type { RefscopeError } from "../../core/errors.ts";
import type { FactsOf } from "../../core/findings/finding.ts";
import { failure } from "../../core/findings/failure.ts";
import { targetAt } from "../../core/findings/place.ts";
import { hasMagic, writerName } from "./header.ts";
import { isObjectId } from "./object-id.ts";
import { refSnapshot } from "./refs.ts";
import { snapshotPath } from "./paths.ts";
import type { IcechunkObjects } from "./types.ts";

/** What the first commit on a branch is named: it exists unless it was deleted. */
const FIRST_VERSION = "ZZZZZZZZ";
const VERSION = /^refs\/branch[.:]([^/]+)\/[0-9A-HJKMNP-TV-Z]{8}\.json$/;

/** The failure that says so, where the objects are such a repository. */
export async function oldLayoutFault(
  objects: IcechunkObjects,
  listed: readonly string[] | undefined,
): Promise<RefscopeError | undefined> {
  const ref = await firstRef(objects, listed);
  if (ref === undefined) return undefined;
  return failure("icechunk-too-old", targetAt(ref.path), await writerOf(objects, ref.bytes, ref.path));
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

async function writerOf(objects: IcechunkObjects, ref: Uint8Array, path: string): Promise<FactsOf<"icechunk-too-old">> {
  const id = safeSnapshot(ref, path);
  const snapshot = id === undefined ? undefined : await objects.get(snapshotPath(id));
  const named = snapshot !== undefined && hasMagic(snapshot);
  return {
    writer: named ? writerName(snapshot) : undefined,
    format: named ? snapshot[36] : undefined,
    headless: snapshot !== undefined && !named,
  };
}

function safeSnapshot(ref: Uint8Array, path: string): string | undefined {
  try {
    const id = refSnapshot(ref, { kind: "branch", path });
    return isObjectId(id) ? id : undefined;
  } catch {
    return undefined;
  }
}
