/** Files by what they say of one thing, and sentences about it. */
import { count, listed } from "../../core/words.ts";
import { type Barrier, BARRIERS } from "../../core/check/preflight.ts";
import { groupedBy } from "../../core/grouped.ts";

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

export const baseName = ({ name }: Named): string => name.slice(name.lastIndexOf("/") + 1);

export const filesWords = (files: readonly Named[]): string =>
  files.length < 4
    ? listed(files.map(baseName))
    : `${count(files.length)} files (${files.slice(0, 1).map(baseName).join()}, …)`;

const GROUPS_SAID = 4;

/** `4 in a.nc and 5 in b.nc`. */
export function groupsWords(groups: readonly Group[], word = (value: string): string => value): string {
  const said = groups.slice(0, GROUPS_SAID).map(({ value, files }) => `${word(value)} in ${filesWords(files)}`);
  const more = groups.length - said.length;
  return listed(more === 0 ? said : [...said, `${count(more)} other values in further files`]);
}

/** `Combine files of one packing on their own: 0.1: a.nc, b.nc; 0.01: c.nc.` */
export function apart(what: string, groups: readonly Group[], word = (value: string): string => value): string {
  const said = groups.slice(0, GROUPS_SAID).map(({ value, files }) => `${word(value)}: ${filesWords(files)}`);
  return `Combine files of one ${what} on their own (${said.join("; ")}).`;
}

export const barrierOf = (
  barrier: Barrier["barrier"],
  files: readonly Named[],
  variable: string,
  message: string,
  advice: string,
): Barrier => ({
  barrier,
  severity: BARRIERS[barrier],
  files: files.map(({ name }) => name),
  variables: variable === "" ? [] : [variable],
  message,
  advice,
});

/** One barrier of a name and its files, whichever variables have it: the first of them says it. */
export function joined(barriers: readonly Barrier[]): readonly Barrier[] {
  const groups = groupedBy(barriers, ({ barrier, severity, files }) => [barrier, severity, ...files].join("\n"));
  return Array.from(groups.values(), ([first, ...rest]) => {
    if (rest.length === 0) return first;
    const names = rest.flatMap(({ variables }) => variables);
    const message = `${first.message} So it is with ${listed(names)}.`;
    return { ...first, variables: [...first.variables, ...names], message };
  });
}
