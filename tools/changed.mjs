/** Tells what changed, so that tests of parts that rarely do need not always run. */
import { spawnSync } from "node:child_process";
import { ROOT } from "./ensure.mjs";

/** Runs git; its output, or `undefined` if it failed. */
function git(...args) {
  const { status, stdout } = spawnSync("git", args, { cwd: ROOT, encoding: "utf8" });
  return status === 0 ? stdout.trim() : undefined;
}

/**
 * True if a path differs from the main branch of the remote, or on that branch from the commit before; also if something
 * is not committed, or git cannot tell.
 */
export function hasChanged(...paths) {
  const head = git("rev-parse", "HEAD");
  const shared = git("merge-base", "HEAD", "origin/HEAD");
  const base = shared === undefined || shared === head ? git("rev-parse", "HEAD~1") : shared;
  if (base === undefined) return true;
  const untracked = git("ls-files", "--others", "--exclude-standard", "--", ...paths);
  return git("diff", "--quiet", base, "--", ...paths) === undefined || untracked !== "";
}
