/** Files by what they say of one thing, and findings about those that are not as most of them. */
import { type BarrierCode, barrierFacts } from "#core/check/preflight.ts";
import { type FactsOf, finding, type Finding, nodeAt, targetAt, WHOLE_SET } from "#core/findings/finding.ts";
import { groupedBy } from "#core/basics.ts";

export interface Named {
  readonly name: string;
}

/** Those that say the same. */
export interface Group<F extends Named = Named> {
  readonly value: string;
  readonly files: readonly F[];
}

/** The largest first, the first given of equal ones. */
export function groupsOf<F extends Named>(files: readonly F[], valueOf: (file: F) => string): readonly Group<F>[] {
  const groups = Array.from(groupedBy(files, valueOf), ([value, members]) => ({ value, files: members }));
  return groups.sort((one, other) => other.files.length - one.files.length);
}

export const others = <F extends Named>(groups: readonly Group<F>[]): readonly F[] =>
  groups.slice(1).flatMap(({ files }) => files);

const FILES_NAMED = 3;

/** Files as facts have them: few names stand for many. */
export const filesFact = (files: readonly Named[]) => ({
  count: files.length,
  first: files.slice(0, FILES_NAMED).map(({ name }) => name),
});

const GROUPS_NAMED = 4;

/** The largest groups, and how many more there are. */
export const groupFacts = (groups: readonly Group[], valueOf = (value: string): string => value) => ({
  groups: groups.slice(0, GROUPS_NAMED).map(({ value, files }) => ({ value: valueOf(value), files: filesFact(files) })),
  more: Math.max(0, groups.length - GROUPS_NAMED),
});

/** `variable`: "" where it is about files as a whole. */
export function barrier<C extends BarrierCode>(
  code: C,
  files: readonly Named[],
  variable: string,
  facts: Omit<FactsOf<C>, "files" | "variables">,
): Finding {
  const names = files.map(({ name }) => name);
  const all = { ...facts, files: names, variables: variable === "" ? [] : [variable] };
  const places = variable === "" ? names.map((name) => targetAt(name)) : [nodeAt(variable)];
  return { ...finding(code, places[0] ?? WHOLE_SET, all as never, files.length), places };
}

/** One finding of a code and its files, whichever variables have it: the facts are those of the first. */
export function joined(found: readonly Finding[]): readonly Finding[] {
  const groups = groupedBy(found, (one) => [one.code, ...barrierFacts(one).files].join("\n"));
  return Array.from(groups.values(), (alike) => {
    const [first] = alike;
    const variables = alike.flatMap((one) => barrierFacts(one).variables);
    return { ...first, facts: { ...first.facts, variables }, places: alike.map(({ place }) => place) };
  });
}
