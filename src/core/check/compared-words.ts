/** Words on the statements of a set that were compared: for the five answers, and for lists. */
import { groupedBy } from "../basics.ts";
import { parentPath } from "../metadata/hierarchy-path.ts";
import { counted, cut, listed } from "../words.ts";
import type { Compared, Quantity, StatementSource } from "./statement.ts";

/** Facts, and names of one clause, that a sentence has room for. */
const [MAX_CLAUSES, MAX_NAMES] = [3, 3];

/** Names of quantities, in lists. */
export const QUANTITY_WORDS: Readonly<Record<Quantity, string>> = {
  place: "places",
  bounds: "bounds",
  step: "steps",
  calendar: "calendar",
  pixel: "first pixel",
  crs: "CRS",
  level: "level",
  units: "units",
  count: "counts",
  flags: "flags",
  range: "range",
};

/** Quantities of which the array itself agrees, in a sentence, before others, which are named: "the units of t". */
const OF_ARRAY: ReadonlySet<Quantity> = new Set<Quantity>(["place", "bounds", "step", "calendar"]);
const MANY: ReadonlySet<Quantity> = new Set<Quantity>(["pixel", "units", "count", "flags"]);

const name = (path: string): string => (path === "" ? "/" : cut(path, 40));

/** Sources that need no name where the array is named; the others are told by their name. */
const SHORT: Partial<Readonly<Record<StatementSource["kind"], (its: string, name: string) => string>>> = {
  bounds: (its) => `${its} bounds`,
  steps: (its) => `${its} even steps`,
  messages: () => "the GRIB messages",
  file: () => "the source file",
  "file-name": () => "the file names",
  data: (its) => `${its} values`,
  level: (_, path) => `level ${path}`,
};

const shortSource = ({ quantity }: Compared, source: StatementSource, its: string): string =>
  quantity === "calendar" ? `${its} calendar` : (SHORT[source.kind]?.(its, name(source.name)) ?? cut(source.name, 40));

/** The array, or what of it was held against the others. */
function subjectOf({ quantity, subject, sources: [own] }: Compared): string {
  if (OF_ARRAY.has(quantity)) return name(subject);
  if (quantity === "level") return `level ${name(subject)}`;
  if (quantity !== "pixel") return `the ${QUANTITY_WORDS[quantity]} of ${name(subject)}`;
  const group = parentPath(subject) ?? "";
  return `${cut(own?.name ?? "", 40)}${group === "" ? "" : ` of ${name(group)}`}`;
}

/** Sources that were held against it: of calendars the coordinate's own dates are one. */
const othersOf = ({ quantity, sources }: Compared): readonly StatementSource[] =>
  quantity === "calendar" ? sources.slice(0, 1) : sources.slice(1);

export const isComparison = ({ sources }: Compared): boolean => sources.length > 1;

/** Result of a comparison, in a list. */
export const comparisonWords = (one: Compared): string =>
  isComparison(one) ? (one.agrees ? "agree" : "disagree") : "stated once, nothing to compare";

/** "; time agrees with its bounds and the file names; lat and lon with their bounds. 1 coordinate is stated once: …." */
export function agreementWords(compared: readonly Compared[]): string {
  const told = agreeingWords(compared.filter((one) => isComparison(one) && one.agrees));
  return `${told === "" ? "" : `; ${told}`}.${onceWords(compared)}`;
}

function agreeingWords(compared: readonly Compared[]): string {
  const bySubject = [...groupedBy(compared, subjectOf)].map(([subject, all]) => {
    const texts = all.flatMap((one) => othersOf(one).map((source) => shortSource(one, source, "\u0000")));
    return { subject, texts: [...new Set(texts)], quantity: (all.at(-1) ?? all[0]).quantity };
  });
  const groups = groupedBy(bySubject, ({ texts }) => texts.join());
  const weight = ([{ texts, quantity }]: readonly [(typeof bySubject)[number], ...unknown[]]) =>
    texts.length + (OF_ARRAY.has(quantity) ? compared.length : 0);
  const clauses = [...groups.values()].toSorted((one, other) => weight(other) - weight(one));
  const shown = clauses.slice(0, MAX_CLAUSES);
  const rest = clauses.slice(MAX_CLAUSES).reduce((sum, { length }) => sum + length, 0);
  const words = shown.map((clause, at) => {
    const [{ texts, quantity }] = clause;
    const isMany = clause.length > 1 || MANY.has(quantity);
    const its = clause.length > 1 ? "their" : "its";
    const others = fewOf(texts.map((text) => text.replace("\u0000", its)));
    return `${fewOf(clause.map(({ subject }) => subject))}${at > 0 ? "" : isMany ? " agree" : " agrees"} with ${others}`;
  });
  return [...words, ...(rest === 0 ? [] : [`and ${counted(rest, "more fact")}`])].join("; ");
}

function fewOf(names: readonly string[]): string {
  const rest = names.length - MAX_NAMES;
  return rest < 2 ? listed(names) : listed([...names.slice(0, MAX_NAMES), `${rest} more`]);
}

function onceWords(compared: readonly Compared[]): string {
  const once = compared.filter((one) => one.quantity === "place" && !isComparison(one)).length;
  if (once === 0) return "";
  return ` ${counted(once, "coordinate")} ${once === 1 ? "is" : "are"} stated once: nothing to compare.`;
}

/** "lat and lon have the values of the source file": what was held against source files besides offsets and lengths. */
export function heldPlacesWords(compared: readonly Compared[]): string {
  const held = compared.filter(
    ({ quantity, sources, agrees }) =>
      agrees && quantity === "place" && sources.slice(1).some(({ kind }) => kind === "file"),
  );
  if (held.length === 0) return "";
  return ` ${fewOf(held.map(({ subject }) => name(subject)))} ${held.length === 1 ? "has" : "have"} the file's values.`;
}
