/** Findings that are known, each with a reason and a date: whatever is new beside them stands out. */
import { currentCode, factOf } from "../findings/aliases.ts";
import { withoutSecrets } from "../words/without-secrets.ts";
import { membersOf, readOwnerFile, wrongMember, type MemberPath } from "./owner-file.ts";
import type { CheckFinding, ChunkSpan, Outgrown } from "../report/report.ts";

export interface Acceptance extends Outgrown {
  readonly code: string;
  /** Path; `*` stands for anything, here and in the next two. */
  readonly array?: string;
  readonly key?: string;
  readonly target?: string;
  /** Chunks to which the acceptance is limited, if given. */
  readonly chunks?: readonly string[];
  /** Box of chunk coordinates to which the acceptance is limited, if given. */
  readonly span?: ChunkSpan;
}

export const ACCEPTANCE_KIND = "acceptance";

/** Throws `expectation-invalid`. */
export const parseAcceptances = (text: string): readonly Acceptance[] => readOwnerFile("acceptance", text, acceptedIn);

/** The file that is read back by it. */
export const writeAcceptances = (accepted: readonly Acceptance[]): string =>
  `${JSON.stringify({ refscope: ACCEPTANCE_KIND, accepted }, undefined, 2)}\n`;

function acceptedIn(given: unknown): readonly Acceptance[] {
  const root = membersOf(given, [], ["refscope", "accepted"]);
  const kind = root.get("refscope");
  if (kind !== undefined && kind !== ACCEPTANCE_KIND)
    throw wrongMember(["refscope"], `the text "${ACCEPTANCE_KIND}"`, kind);
  const accepted = root.get("accepted");
  if (!Array.isArray(accepted)) throw wrongMember(["accepted"], "a list", accepted);
  return accepted.map((one, at) => acceptanceOf(one, ["accepted", at]));
}

const TEXTS = ["code", "array", "key", "target", "reason", "date"] as const;
const NEEDED: ReadonlySet<string> = new Set(["code", "reason", "date"]);

function acceptanceOf(given: unknown, path: MemberPath): Acceptance {
  const members = membersOf(given, path, [...TEXTS, "chunks", "span", "affected", "count"]);
  const wrong = (name: string, expected: string) => wrongMember([...path, name], expected, members.get(name));
  for (const name of TEXTS) {
    const value = members.get(name);
    if (value === undefined && !NEEDED.has(name)) continue;
    // The root has the path "".
    if (typeof value !== "string" || (NEEDED.has(name) && value.trim() === "")) throw wrong(name, "a text");
  }
  if (!isDay(members.get("date"))) throw wrong("date", "a date as 2026-11-23");
  for (const name of ["count", "affected"]) {
    if (members.has(name) && !Number.isSafeInteger(members.get(name))) throw wrong(name, "a whole number");
  }
  if (members.has("span") && !isSpan(members.get("span"))) throw wrong("span", "the lists from and to");
  const chunks = members.get("chunks");
  if (chunks !== undefined && !(Array.isArray(chunks) && chunks.every((one) => typeof one === "string")))
    throw wrong("chunks", "a list of keys");
  const read = given as Acceptance;
  return { ...read, code: currentCode(read.code) };
}

const isDay = (date: unknown): boolean =>
  /^\d{4}-\d{2}-\d{2}/.test(String(date)) && !Number.isNaN(Date.parse(String(date).slice(0, 10)));

function isSpan(span: unknown): span is ChunkSpan {
  if (typeof span !== "object" || span === null || !("from" in span) || !("to" in span)) return false;
  return [span.from, span.to].every((ends) => Array.isArray(ends) && ends.every((end) => Number.isSafeInteger(end)));
}

/** True if it is the finding that was accepted, whatever its present extent: its first chunk may be another one. */
export const isAbout = ({ code, array, key, target }: Acceptance, found: CheckFinding): boolean =>
  factOf(code) === factOf(found.code) &&
  isLike(array, found.array) &&
  (isLike(target, found.target) || (code !== found.code && isSameFile(target, found.target))) &&
  (isLike(key, found.key) || (found.chunks ?? []).some((chunk) => isLike(key, String(chunk))));

/** True if this finding is accepted. A finding that reaches further than the accepted one is not. */
export function accepts(acceptance: Acceptance, found: CheckFinding): boolean {
  const { key, chunks, span, affected, count } = acceptance;
  if (!isAbout(acceptance, found) || !isLike(key, found.key)) return false;
  if (count !== undefined && found.count > count) return false;
  if (affected !== undefined && (found.affected ?? found.count) > affected) return false;
  if (span !== undefined && !isWithin(found.span, span)) return false;
  if (chunks === undefined) return true;
  const known = new Set(chunks);
  // Only the first of very many chunks are named: the number must then agree.
  return (
    (found.chunks ?? []).every((one) => known.has(String(one))) && (count !== undefined || found.count <= chunks.length)
  );
}

function isWithin(found: ChunkSpan | undefined, { from, to }: ChunkSpan): boolean {
  if (found === undefined) return true;
  return (
    found.from.every((at, axis) => at >= (from[axis] ?? 0)) && found.to.every((at, axis) => at <= (to[axis] ?? at))
  );
}

function isLike(pattern: string | undefined, text: string | undefined): boolean {
  if (pattern === undefined) return true;
  if (text === undefined) return false;
  const pieces = pattern.split("*");
  if (pieces.length === 1) return pattern === text;
  const [first = "", ...rest] = pieces;
  const last = rest.pop() ?? "";
  if (!text.startsWith(first) || !text.endsWith(last) || text.length < first.length + last.length) return false;
  let at = first.length;
  for (const piece of rest) {
    const found = text.indexOf(piece, at);
    if (found < 0 || found + piece.length > text.length - last.length) return false;
    at = found + piece.length;
  }
  return true;
}

/** True if one path lies below the other: a server's file has a longer name there than here. */
function isSameFile(pattern = "", text = ""): boolean {
  const path = (name: string) => name.replace(/[?#].*$/s, "").replace(/^(?:\.\/)+/, "");
  const [one, other] = [path(pattern), path(text)];
  return one !== "" && other !== "" && (one.endsWith(`/${other}`) || other.endsWith(`/${one}`));
}

/** Acceptance of a finding as it is now. `date`: 2026-11-23. */
export function acceptanceFor(found: CheckFinding, date: string, reason = UNEXPLAINED): Acceptance {
  const { code, array, key, target, chunks, span, affected, count } = found;
  return {
    code,
    ...(array === undefined ? {} : { array }),
    ...(key === undefined || (chunks?.length ?? 0) > 1 ? {} : { key }),
    ...(target === undefined ? {} : { target: targetPattern(target) }),
    ...(chunks === undefined || chunks.length < 2 ? {} : { chunks: chunks.map(String) }),
    ...(span === undefined ? {} : { span }),
    ...(affected === undefined ? {} : { affected }),
    count,
    reason,
    date,
  };
}

const UNEXPLAINED = "Known when this file was written.";

/** Such files are shared; what comes after `?` differs from day to day where it is a signature. */
const targetPattern = (target: string): string => withoutSecrets(target, "*").replace(/\?.*$/s, "?*");
