/**
 * Targets for which a file was taken because it has the same name. That is a guess, and is said; where the file is
 * another target's, or the others lie where references say, it is a wrong one.
 */
import { cause, type Cause } from "./cause.ts";

/** A target and the file that was found for it. */
export interface FoundFile {
  readonly target: string;
  readonly file: string;
  readonly byName: boolean;
}

interface Matched extends FoundFile {
  /** Last components of the path that target and file have in common. */
  readonly shared: number;
}

export interface NameJudge {
  /** Nothing says that it is another file: so it is for nearly all of very many. */
  isLikely(one: FoundFile): boolean;
  /** `undefined` for targets whose file lies where they say. */
  causeOf(one: FoundFile): Cause | undefined;
}

/** `found`: gives all for which there is a file; it is looked through again, so that nothing need be kept of very many. */
export function judgeByName(found: () => Iterable<FoundFile>): NameJudge {
  const { isInPlace, several } = survey(found);
  const whyNot = (one: FoundFile) => {
    const same = several.get(one.file);
    // Most are alone.
    return same === undefined && !isInPlace ? undefined : whyWrong(matchOf(one), same ?? [], isInPlace);
  };
  return {
    isLikely: (one) => whyNot(one) === undefined,
    causeOf(one) {
      if (!one.byName) return undefined;
      const { file } = one;
      const why = whyNot(one);
      if (why === undefined) return cause("target-matched-by-name", { file });
      return cause("target-name-elsewhere", { file, why }, `${why} ${file}`);
    },
  };
}

/** Whether some lie in folders as references say, and which targets have one file. */
function survey(found: () => Iterable<FoundFile>) {
  const files = new Set<string>();
  const several = new Map<string, Matched[]>();
  let isInPlace = false;
  for (const { target, file, byName } of found()) {
    if (files.has(file)) several.set(file, []);
    files.add(file);
    isInPlace ||= !byName && /[^/]\//.test(bare(target));
  }
  if (several.size > 0) for (const one of found()) several.get(one.file)?.push(matchOf(one));
  return { isInPlace, several };
}

function whyWrong({ target, file, shared }: Matched, same: readonly Matched[], isInPlace: boolean) {
  const others = same.filter((other) => folderOf(other.target) !== folderOf(target));
  if (others.some((other) => !other.byName || other.shared > shared)) return "taken";
  if (others.some((other) => other.shared === shared)) return "shared";
  // Whole addresses lie nowhere among files.
  const isPath = !/^[a-z][a-z0-9+.-]*:\/\//i.test(target);
  return isInPlace && isPath && file.includes("/") ? "others-in-place" : undefined;
}

const matchOf = (one: FoundFile): Matched => ({
  ...one,
  shared: sharedEnd(bare(one.target).split("/"), one.file.split("/")),
});

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
