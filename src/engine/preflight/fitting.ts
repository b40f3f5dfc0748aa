/** Sorts data files by what they have in common, and finds the most of them that can be combined. */
import { barrierFacts, stopsCombining } from "#core/check/preflight.ts";
import type { Finding } from "#core/findings/finding.ts";
import { type Group, groupsOf } from "./groups.ts";
import { isData, type Plan } from "./plan.ts";
import type { Examined } from "./preflight.ts";
import type { SourcedFile } from "./sourced-file.ts";
import { likeness } from "./variable-barriers.ts";

/** Files whose variables are stored alike, the largest group first. */
export const kindsOf = (files: readonly SourcedFile[], plan: Plan): readonly Group<SourcedFile>[] =>
  groupsOf(files, ({ arrays }) => JSON.stringify([...arrays.values()].map((one) => likeness(one, plan)).sort()));

/** Names of their variables; where others have the same, of the first file. */
export function namesOfKinds(kinds: readonly Group<SourcedFile>[]): readonly string[] {
  const variables = kinds.map(({ files: [first] }) =>
    [...(first?.arrays.values() ?? [])].flatMap((one) => (isData(one) ? one.path : [])).join(", "),
  );
  return kinds.map(({ files }, at) => {
    const own = variables[at] ?? "";
    if (own !== "" && variables.indexOf(own) === variables.lastIndexOf(own)) return own;
    return `${(files[0]?.name ?? "").replace(/^.*\//s, "")}${files.length < 2 ? "" : " …"}`;
  });
}

export interface Fitting {
  readonly examined: Examined;
  readonly files: readonly SourcedFile[];
  /** Files that are left out, by the barrier that each met. */
  readonly left: ReadonlyMap<Finding, readonly string[]>;
}

/** Rounds: leaving files out may bring forth other barriers. */
const MOST_ROUNDS = 8;

/**
 * Leaves out the files of other kinds than the largest, then those that barriers name. `undefined` where fewer than two
 * are left.
 */
export async function fitting(
  files: readonly SourcedFile[],
  first: Examined,
  examine: (files: readonly SourcedFile[]) => Promise<Examined>,
): Promise<Fitting | undefined> {
  const left = new Map<Finding, string[]>();
  let [rest, examined] = [files, first];
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    // The fewer files a barrier names, the more it says of each.
    const stops = examined.answer.findings.filter(stopsCombining).sort((one, other) => one.count - other.count);
    const [barrier] = stops;
    if (barrier === undefined) return { examined, files: rest, left };
    const named = new Set(stops.flatMap((one) => barrierFacts(one).files));
    const [, ...others] = kindsOf(rest, examined.plan);
    const odd = others.length > 0 ? new Set(others.flatMap((kind) => kind.files.map(({ name }) => name))) : named;
    for (const name of odd) {
      const met = stops.find((one) => barrierFacts(one).files.includes(name)) ?? barrier;
      left.set(met, [...(left.get(met) ?? []), name]);
    }
    rest = rest.filter(({ name }) => !odd.has(name));
    if (rest.length < 2 || odd.size === 0) return undefined;
    examined = await examine(rest);
  }
  return undefined;
}
