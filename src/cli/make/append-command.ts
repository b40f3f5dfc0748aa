/** `write --onto`: a dataset as a commit on a branch of a local Icechunk repository. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { CallContext } from "#core/byte-source.ts";
import { factsOfFailure } from "#core/findings/finding.ts";
import type { EngineSet } from "#engine/engine-set.ts";
import { type Appended, appendTo } from "#engine/write/icechunk/append-branch.ts";
import { openSet, terminalContext } from "../open-refs.ts";
import type { CommandOptions } from "../options.ts";
import { sayFindings } from "../print/say-findings.ts";
import { replaceRepo, writeObject } from "./commit-locally.ts";

/** `undefined` where nothing was written: why is printed. */
export async function appendLocally(
  root: string,
  refs: string,
  options: CommandOptions,
): Promise<(Appended & { readonly isWhole: boolean }) | undefined> {
  const context = terminalContext();
  const appended = await appendTo(
    {
      get: (path) => readFile(join(root, path)).catch(() => undefined),
      open: (branch) => openBase(root, { ...plainOptions(options), ref: `branch:${branch}` }, context),
      put: (path, bytes) => writeObject(root, path, bytes),
      replace: (replacement) => replaceRepo(root, replacement, context),
    },
    () => openSet(refs, options, context),
    { ...options, prefix: options.prefix || undefined },
    context,
  );
  const isWhole = await sayFindings("problems" in appended ? appended.problems : appended.findings);
  return "problems" in appended ? undefined : { ...appended, isWhole };
}

const MOST_OPENINGS = 10;

/** A folder is listed before it is read: what another writer replaces meanwhile is missing, or cut. */
async function openBase(root: string, options: CommandOptions, context: CallContext): Promise<EngineSet> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await openSet(root, options, context);
    } catch (error) {
      const replaced =
        factsOfFailure(error, "icechunk-object-missing") ?? factsOfFailure(error, "icechunk-file-damaged");
      if (replaced === undefined || attempt === MOST_OPENINGS) throw error;
      await pause(20 * attempt);
    }
  }
}

/** Options for opening the repository: those that say where sources lie. */
const plainOptions = ({ root, allowPrivate }: CommandOptions): CommandOptions => ({
  ...(root !== undefined && { root }),
  ...(allowPrivate !== undefined && { allowPrivate }),
});
