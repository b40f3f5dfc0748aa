/** Sentences for rules: what a reader does, how much it concerns, and the source of that knowledge. */
import { count, counted, listed, quoted } from "../words.ts";
import type { RuleFacts } from "./verdict.ts";
import { readerOf, type ReaderRule, ruleOf, type Evidence } from "./rules.ts";

const MAX_ARRAYS = 5;

export const readerName = (id: string): string => readerOf(id)?.name ?? id;

/** Sentences for a rule: its effect, when it matters, and how much it concerns. */
export function ruleWords(facts: RuleFacts): string {
  const rule = ruleOf(facts.rule);
  const does = rule?.does ?? "differs in a way that this version cannot describe.";
  const conditions = [rule?.when, facts.version === undefined ? beforeWords(rule) : undefined];
  const when = conditions.filter((one) => one !== undefined).join(", ");
  const matters = [
    ...(facts.version === undefined ? [] : [` You asked about ${facts.version}.`]),
    ...(when === "" ? [] : [` This matters ${when}.`]),
  ].join("");
  return [`${readerName(facts.reader)} ${does}${matters}`, extentWords(facts)].filter((part) => part !== "").join(" ");
}

/** Names of software whose package names have small letters. */
const NAMES: Readonly<Record<string, string>> = { gdal: "GDAL", virtualizarr: "VirtualiZarr", zarr: "zarr-python" };

function beforeWords(rule: ReaderRule | undefined): string | undefined {
  if (rule?.versions === undefined) return undefined;
  const { package: name, before } = rule.versions;
  return `before ${NAMES[name] ?? name} ${before}`;
}

function extentWords(facts: RuleFacts): string {
  const { unit, first, arrays, error } = facts;
  if (unit === "set") return error === undefined ? "" : `Its error: ${quoted(error)}.`;
  const names = arrays.slice(0, MAX_ARRAYS).map((path) => path || "/");
  const more = arrays.length > names.length ? counted(arrays.length - names.length, "more array") : undefined;
  const where = names.length === 0 ? "" : ` of ${listed(more === undefined ? names : [...names, more])}`;
  const example = names.length > 0 || first === undefined ? "" : `, the first ${quoted(first)}`;
  return `This concerns ${shareWords(facts)}${where}${example}.`;
}

/** "5 of 120 references", "all 120 references"; empty where it is about the set. */
export function shareWords({ concerned, of, unit }: Pick<RuleFacts, "concerned" | "of" | "unit">): string {
  if (unit === "set") return "";
  if (of > concerned) return `${count(concerned)} of ${counted(of, unit)}`;
  return concerned === 1 ? counted(1, unit) : `all ${counted(concerned, unit)}`;
}

/** "run by Refscope's tests with zarrita 0.7.5". */
export function evidenceWords({ measured, source, issue, documentation, with: version }: Evidence): string {
  if (measured !== undefined) return `measured (${measured})`;
  if (source !== undefined) return `its source (${source})`;
  const tested = version ?? readerOf("zarrita")?.version ?? "zarrita";
  return issue ?? documentation ?? `run by Refscope's tests with ${tested}`;
}

/** Link to the evidence, if it is online. */
export function evidenceLink({ issue = "", documentation }: Evidence): string | undefined {
  const [, repository, number] = /^([\w.-]+\/[\w.-]+)#(\d+)$/.exec(issue) ?? [];
  return number === undefined ? documentation : `https://github.com/${repository}/issues/${number}`;
}
