/**
 * Targets for which a file was taken because it has the same name. That is a guess, and is said; where the file is
 * another target's, or the others lie where references say, it is a wrong one.
 */
import { groupedBy } from "../../../core/grouped.ts";
import { cause, type Cause } from "./cause.ts";
import type { AskedTarget } from "./probe-targets.ts";

type Named = Pick<AskedTarget, "target" | "resolution">;

interface Matched {
  readonly target: string;
  readonly file: string;
  readonly byName: boolean;
  /** Last components of the path that target and file have in common. */
  readonly shared: number;
}

/** `undefined` for targets whose file lies where they say, and for all that are no files. */
export function causeByName(asked: readonly Named[]): (one: Named) => Cause | undefined {
  const matched = asked.flatMap((one) => matchOf(one) ?? []);
  const byFile = groupedBy(matched, ({ file }) => file);
  const isInPlace = matched.some(({ byName, target }) => !byName && /[^/]\//.test(bare(target)));
  return (one) => {
    const match = matchOf(one);
    if (match === undefined || !match.byName) return undefined;
    const { file } = match;
    const why = whyWrong(match, byFile.get(file) ?? [], isInPlace);
    return why === undefined
      ? cause("target-matched-by-name", { file })
      : cause("target-name-elsewhere", { file, why }, `${why} ${file}`);
  };
}

function whyWrong({ target, file, shared }: Matched, same: readonly Matched[], isInPlace: boolean) {
  const others = same.filter((other) => folderOf(other.target) !== folderOf(target));
  if (others.some((other) => !other.byName || other.shared > shared)) return "taken";
  if (others.some((other) => other.shared === shared)) return "shared";
  // Whole addresses lie nowhere among files.
  const isPath = !/^[a-z][a-z0-9+.-]*:\/\//i.test(target);
  return isInPlace && isPath && file.includes("/") ? "others-in-place" : undefined;
}

function matchOf({ target, resolution }: Named): Matched | undefined {
  if (target === null || resolution.kind !== "file") return undefined;
  const { path, byName = false } = resolution;
  return { target, file: path, byName, shared: sharedEnd(bare(target).split("/"), path.split("/")) };
}

function sharedEnd(one: readonly string[], other: readonly string[]): number {
  let shared = 0;
  while (shared < Math.min(one.length, other.length) && one.at(-1 - shared) === other.at(-1 - shared)) shared += 1;
  return shared;
}

/** Without scheme, `./`, query and fragment. */
const bare = (target: string): string =>
  target
    .replace(/^[a-z][a-z0-9+.-]*:\/+/i, "")
    .replace(/[?#].*$/s, "")
    .replaceAll("\\", "/")
    .replace(/^(?:\.\/)+/, "");

const folderOf = (target: string): string => {
  const path = bare(target);
  return path.slice(0, path.lastIndexOf("/") + 1);
};
