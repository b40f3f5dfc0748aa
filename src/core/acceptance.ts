/** Findings that are known, each with a reason and a date: whatever is new beside them stands out. */
import { failure } from "./findings/failure.ts";
import { WHOLE_SET } from "./findings/place.ts";
import type { CheckFinding, ChunkSpan } from "./report/report.ts";

export interface Acceptance {
  readonly code: string;
  /** Path; `*` stands for anything, here and in the next two. */
  readonly array?: string;
  readonly key?: string;
  readonly target?: string;
  /** Where given: no other chunks than these. */
  readonly chunks?: readonly string[];
  /** Where given: not beyond this box of chunk coordinates. */
  readonly span?: ChunkSpan;
  /** Where given: not more chunks than this. */
  readonly affected?: number;
  /** Where given: not more often than this. */
  readonly count?: number;
  readonly reason: string;
  /** `2026-11-23`: when it was accepted. */
  readonly date: string;
}

export const ACCEPTANCE_KIND = "acceptance";

/** Throws `expectation-invalid`. */
export function parseAcceptances(text: string): readonly Acceptance[] {
  const root = parsed(text);
  if (typeof root !== "object" || root === null || !("accepted" in root) || !Array.isArray(root.accepted))
    throw invalid("the file", 'an object with a list "accepted"', root);
  return root.accepted.map((one, at) => acceptanceOf(one, `accepted[${at}]`));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw invalid("the file", "JSON", error instanceof Error ? error.message : String(error));
  }
}

const TEXTS = ["code", "array", "key", "target", "reason", "date"] as const;
const NEEDED: ReadonlySet<string> = new Set(["code", "reason", "date"]);

function acceptanceOf(given: unknown, where: string): Acceptance {
  if (typeof given !== "object" || given === null) throw invalid(where, "an object", given);
  const members = given as Readonly<Record<string, unknown>>;
  for (const name of TEXTS) {
    const value = members[name];
    if (value === undefined && !NEEDED.has(name)) continue;
    // The root has the path "".
    if (typeof value !== "string" || (NEEDED.has(name) && value.trim() === ""))
      throw invalid(`${where}.${name}`, "a text", value);
  }
  const { count, affected, chunks, span, date } = members;
  if (!/^\d{4}-\d{2}-\d{2}/.test(String(date))) throw invalid(`${where}.date`, "a date as 2026-11-23", date);
  for (const [name, value] of Object.entries({ count, affected })) {
    if (value !== undefined && !Number.isSafeInteger(value)) throw invalid(`${where}.${name}`, "a whole number", value);
  }
  if (span !== undefined && !isSpan(span)) throw invalid(`${where}.span`, "the lists from and to", span);
  if (chunks !== undefined && !(Array.isArray(chunks) && chunks.every((one) => typeof one === "string")))
    throw invalid(`${where}.chunks`, "a list of keys", chunks);
  return given as Acceptance;
}

function isSpan(span: unknown): span is ChunkSpan {
  if (typeof span !== "object" || span === null || !("from" in span) || !("to" in span)) return false;
  return [span.from, span.to].every((ends) => Array.isArray(ends) && ends.every((end) => Number.isSafeInteger(end)));
}

const invalid = (where: string, expected: string, found: unknown) =>
  failure("expectation-invalid", WHOLE_SET, {
    file: "acceptance",
    where,
    expected,
    found: typeof found === "string" ? found.slice(0, 80) : (JSON.stringify(found) ?? "nothing").slice(0, 80),
  });

/** Whether this finding is known. One that reaches further than what was accepted is not. */
export function accepts(acceptance: Acceptance, found: CheckFinding): boolean {
  const { code, array, key, target, chunks, span, affected, count } = acceptance;
  if (code !== found.code) return false;
  if (!isLike(array, found.array) || !isLike(key, found.key) || !isLike(target, found.target)) return false;
  if (count !== undefined && found.count > count) return false;
  if (affected !== undefined && (found.affected ?? found.count) > affected) return false;
  if (span !== undefined && !isWithin(found.span, span)) return false;
  if (chunks === undefined) return true;
  const known = new Set(chunks);
  // Of very many only the first are named: then the number must say it.
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

/** What is found, as it would be accepted. */
export function acceptanceFor(found: CheckFinding, date: string): Acceptance {
  const { code, array, key, target, chunks, span, affected, count } = found;
  return {
    code,
    ...(array === undefined ? {} : { array }),
    ...(key === undefined || (chunks?.length ?? 0) > 1 ? {} : { key }),
    ...(target === undefined ? {} : { target }),
    ...(chunks === undefined || chunks.length < 2 ? {} : { chunks: chunks.map(String) }),
    ...(span === undefined ? {} : { span }),
    ...(affected === undefined ? {} : { affected }),
    count,
    reason: "Known when this file was written.",
    date,
  };
}
