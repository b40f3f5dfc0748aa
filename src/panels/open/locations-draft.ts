/** Locations while they are edited: rows of text, and what they mean once they are complete. */
import type { Credential, Locations, RewriteRule } from "../../core/location.ts";

export interface RuleRow {
  readonly id: number;
  readonly from: string;
  readonly to: string;
  /** Begun for the user: it means nothing until the rest is filled in. */
  readonly offered?: true;
}

export interface CredentialRow {
  readonly id: number;
  readonly prefix: string;
  readonly name: string;
  readonly value: string;
  /** Begun for the user: it means nothing until the rest is filled in. */
  readonly offered?: true;
}

export interface LocationsDraft {
  readonly rules: readonly RuleRow[];
  readonly credentials: readonly CredentialRow[];
  readonly target: string;
  readonly region: string;
  readonly allowPrivate: boolean;
}

export function draftOf(locations: Locations): LocationsDraft {
  const credentials = locations.credentials.flatMap(({ prefix, headers }) =>
    headers.map(([name, value]) => ({ prefix, name, value })),
  );
  return {
    rules: locations.rewrites.map(({ from, to }, id) => ({ id, from, to })),
    credentials: credentials.map((row, id) => ({ id, ...row })),
    target: locations.target ?? "",
    region: locations.region ?? "",
    allowPrivate: locations.allowPrivate,
  };
}

/** The draft with a rule begun for a prefix that targets have, and a credential where it is one of HTTP. */
export function offeredDraft(draft: LocationsDraft, prefix: string): LocationsDraft {
  const { rules, credentials } = draft;
  const rule = { id: freshId(rules), from: prefix, to: "", offered: true } as const;
  const credential = { id: freshId(credentials), prefix, name: "Authorization", value: "", offered: true } as const;
  const isKnown = credentials.some((row) => row.prefix === prefix);
  return {
    ...draft,
    rules: rules.some(({ from }) => from === prefix) ? rules : [...rules, rule],
    credentials: isKnown || !/^https?:\/\//i.test(prefix) ? credentials : [...credentials, credential],
  };
}

/** Without rows prepared for the user and left as they were. */
function withoutOffers({ rules, credentials, ...rest }: LocationsDraft): LocationsDraft {
  return {
    ...rest,
    rules: rules.filter(({ offered, to }) => offered === undefined || to.trim() !== ""),
    credentials: credentials.filter(({ offered, value }) => offered === undefined || value.trim() !== ""),
  };
}

/** An id that no row has. */
export function freshId(rows: readonly { readonly id: number }[]): number {
  return rows.reduce((highest, row) => Math.max(highest, row.id), -1) + 1;
}

/** What the draft means; rows that are wholly empty mean nothing. */
export function locationsOf(written: LocationsDraft): Locations {
  const draft = withoutOffers(written);
  return {
    rewrites: draft.rules.map(trimmedRule).filter((rule) => rule.from !== "" || rule.to !== ""),
    credentials: byPrefix(draft.credentials),
    target: draft.target.trim() === "" ? undefined : draft.target.trim(),
    region: draft.region.trim() === "" ? undefined : draft.region.trim(),
    allowPrivate: draft.allowPrivate,
  };
}

/** What is wrong with the draft, a sentence each; nothing may be applied before this is empty. */
export function draftProblems(written: LocationsDraft): readonly string[] {
  const draft = withoutOffers(written);
  const froms = draft.rules.map((rule) => rule.from.trim()).filter((from) => from !== "");
  return [
    ...draft.rules.map(ruleProblem),
    ...froms.filter((from, at) => froms.indexOf(from) < at).map((from) => `Two rules begin with “${from}”: keep one.`),
    ...draft.credentials.map(credentialProblem),
    regionProblem(draft.region.trim()),
  ].filter((problem) => problem !== undefined);
}

function trimmedRule({ from, to }: RuleRow): RewriteRule {
  return { from: from.trim(), to: to.trim() };
}

function ruleProblem(row: RuleRow): string | undefined {
  const { from, to } = trimmedRule(row);
  if (from === "" && to !== "") return `The rule that reads from “${to}” does not say which prefix it replaces.`;
  if (from !== "" && to === "") return `The rule for “${from}” does not say where to read from instead.`;
  return undefined;
}

/** RFC 9110 §5.1: a field name is a token. */
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9a-z-]+$/i;

function credentialProblem({ prefix, name, value }: CredentialRow): string | undefined {
  if (prefix.trim() === "" && name.trim() === "" && value === "") return undefined;
  if (!/^https?:\/\/[^/]/.test(prefix.trim()))
    return `The credential's prefix “${prefix}” must be a URL prefix that begins with https:// and names a host.`;
  if (!HEADER_NAME.test(name.trim())) return `“${name}” is not a header name, such as Authorization.`;
  if (value.trim() === "") return `The header ${name.trim()} for ${prefix.trim()} has no value.`;
  // oxlint-disable-next-line no-control-regex -- these are what a header value must not hold
  if (/[\u0000-\u0008\u000a-\u001f\u007f]/.test(value)) return `The value of ${name.trim()} holds a control character.`;
  return undefined;
}

function regionProblem(region: string): string | undefined {
  if (region === "" || /^[a-z0-9-]+$/.test(region)) return undefined;
  return `“${region}” is not an AWS region, such as eu-central-1.`;
}

function byPrefix(rows: readonly CredentialRow[]): readonly Credential[] {
  const headers = new Map<string, (readonly [string, string])[]>();
  for (const { prefix, name, value } of rows) {
    if (prefix.trim() === "") continue;
    const known = headers.get(prefix.trim());
    const header = [name.trim(), value.trim()] as const;
    if (known === undefined) headers.set(prefix.trim(), [header]);
    else known.push(header);
  }
  return [...headers].map(([prefix, list]) => ({ prefix, headers: list }));
}
