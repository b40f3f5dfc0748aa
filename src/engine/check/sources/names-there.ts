/** Names of targets and files that are there, for those that are not. */
import { nearName } from "../../../core/near-name.ts";
import type { EngineSet } from "../../engine-set.ts";
import type { AskedTarget } from "./probe-targets.ts";

export interface NamesThere {
  /** A name like that of this target, in the same folder as references write it; `undefined` where none is alone near. */
  readonly near: (target: string) => string | undefined;
  /** Path of a file given whose name is like this target's. */
  readonly nearFile: (target: string) => string | undefined;
  /** Whether another target of the same name was found, by its folder: then a name alone says nothing. */
  readonly isNameOfAnother: (target: string) => boolean;
}

/** Targets for which names are compared: where more are missing they were hardly misspelt. */
const MAX_NEAR = 200;

export function namesThere({ targets }: EngineSet, asked: readonly AskedTarget[]): NamesThere {
  let folders: Map<string, Set<string>> | undefined;
  const sound = (): Map<string, Set<string>> => {
    const found = new Map<string, Set<string>>();
    for (const { target, probe } of asked) {
      if (target === null || (probe?.status !== 200 && probe?.status !== 206)) continue;
      const [folder, name] = parted(target);
      const names = found.get(folder) ?? new Set();
      found.set(folder, names.add(name));
    }
    return found;
  };
  let [files, found]: (Set<string> | undefined)[] = [];
  let left = MAX_NEAR;
  return {
    near(target) {
      if ((left -= 1) < 0) return undefined;
      const [folder, name] = parted(target);
      return nearName(name, (folders ??= sound()).get(folder) ?? []);
    },
    nearFile(target) {
      if ((left -= 1) < 0) return undefined;
      files ??= new Set((targets.files?.all ?? targets.files?.list ?? []).map((path) => parted(path)[1]));
      return nearName(parted(target)[1], files);
    },
    isNameOfAnother(target) {
      found ??= new Set(asked.flatMap((one) => (one.resolution.kind === "file" ? [parted(one.target ?? "")[1]] : [])));
      return found.has(parted(target)[1]);
    },
  };
}

function parted(path: string): readonly [folder: string, name: string] {
  const bare = path.replace(/[?#].*$/s, "");
  const at = bare.lastIndexOf("/") + 1;
  return [bare.slice(0, at), bare.slice(at)];
}
