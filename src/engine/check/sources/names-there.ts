/** Names of targets and files that are there, for those that are not. */
import { nearName } from "#core/words/near-name.ts";
import type { EngineSet } from "#engine/engine-set.ts";

export interface NamesThere {
  /** A name like that of this target, in the same folder as references write it; `undefined` where none is alone near. */
  readonly near: (target: string) => string | undefined;
  /** Path of a file given whose name is like this target's. */
  readonly nearFile: (target: string) => string | undefined;
  /** True if another target of the same name was found, by its folder: then a name alone says nothing. */
  readonly isNameOfAnother: (target: string) => boolean;
}

/** Results for requested targets, by their places. */
export interface FoundTargets {
  /** One of the below, or 0: nothing was found. */
  readonly there: Uint8Array;
  readonly nameAt: (at: number) => string;
}

export const [THERE_FILE, THERE_URL] = [1, 2] as const;

/** Names that are compared, of all targets together: a hint for the first that are missing is enough. */
const MAX_COMPARED = 400_000;

export function namesThere({ targets }: EngineSet, { there, nameAt }: FoundTargets): NamesThere {
  let folders: Map<string, Set<string>> | undefined;
  let rest = MAX_COMPARED;
  const nearest = (name: string, names: ReadonlySet<string>): string | undefined => {
    if (rest <= 0) return undefined;
    rest -= names.size;
    return nearName(name, names);
  };
  const partsOf = function* (kind: number) {
    for (const [at, one] of there.entries()) if (one === kind) yield parted(nameAt(at));
  };
  const namesOf = (kind: number): ReadonlySet<string> => {
    const all = new Set<string>();
    for (const [, name] of partsOf(kind)) all.add(name);
    return all;
  };
  const sound = (): Map<string, Set<string>> => {
    const found = new Map<string, Set<string>>();
    for (const [folder, name] of partsOf(THERE_URL)) {
      const names = found.get(folder) ?? new Set();
      found.set(folder, names.add(name));
    }
    return found;
  };
  const files = targets.files?.all ?? targets.files?.list ?? [];
  let names: Set<string> | undefined;
  let found: ReadonlySet<string> | undefined;
  return {
    near(target) {
      const [folder, name] = parted(target);
      return nearest(name, (folders ??= sound()).get(folder) ?? NONE);
    },
    nearFile(target) {
      const [, name] = parted(target);
      names ??= new Set(files.map((path) => parted(path)[1]));
      return nearest(name, names);
    },
    isNameOfAnother(target) {
      found ??= namesOf(THERE_FILE);
      return found.has(parted(target)[1]);
    },
  };
}

const NONE: ReadonlySet<string> = new Set();

function parted(path: string): readonly [folder: string, name: string] {
  const bare = /[?#]/.test(path) ? path.replace(/[?#].*$/s, "") : path;
  const at = bare.lastIndexOf("/") + 1;
  return [bare.slice(0, at), bare.slice(at)];
}
