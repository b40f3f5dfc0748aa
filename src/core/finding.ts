/** What is noticed about a set, a reference or a target: never an exception, always with a stable code. */
import { errorSentence, type ErrorFields } from "./errors.ts";

export type Severity = "error" | "warning" | "info";

export interface Finding {
  /** Stable, kebab-case: tests, links and `data-code` use it. */
  readonly code: string;
  readonly severity: Severity;
  /** Where: an array's path, a store key, a target URL. All absent = the whole set. */
  readonly array?: string;
  readonly key?: string;
  readonly target?: string;
  /** One or two full sentences: what was expected, what was found. */
  readonly message: string;
  /** What to do, one sentence. */
  readonly advice?: string;
  /** How many times it was met; this one is the first. Absent = once. */
  readonly count?: number;
}

/** What an error says, as a finding about the same place. */
export function findingOf({ advice, ...rest }: ErrorFields, severity: Severity): Finding {
  const key = rest.where === undefined ? {} : { key: rest.where };
  const message = errorSentence(rest);
  return { code: rest.code, severity, ...key, message, ...(advice === undefined ? {} : { advice }) };
}

const MAX_PER_CODE = 20;

/**
 * Collects findings with a budget: of each code the first 20 are kept as they are, the rest are only counted on the
 * last one kept, so that a hostile set of ten million faults stays a short list.
 */
export class FindingLog {
  readonly #kept = new Map<string, Finding[]>();
  readonly #seen = new Map<string, number>();

  add(finding: Finding): void {
    const seen = (this.#seen.get(finding.code) ?? 0) + (finding.count ?? 1);
    this.#seen.set(finding.code, seen);
    const kept = this.#kept.get(finding.code);
    if (kept === undefined) this.#kept.set(finding.code, [finding]);
    else if (kept.length < MAX_PER_CODE) kept.push(finding);
  }

  addAll(findings: Iterable<Finding>): void {
    for (const finding of findings) this.add(finding);
  }

  /** Errors first, then warnings, then information; within a severity in the order met. */
  list(): readonly Finding[] {
    const all = [...this.#kept].flatMap(([code, kept]) => this.#withCount(code, kept));
    return all.sort((a, b) => SEVERITY_ORDER[a.severity] - SEVERITY_ORDER[b.severity]);
  }

  #withCount(code: string, kept: readonly Finding[]): readonly Finding[] {
    const counted = kept.reduce((sum, finding) => sum + (finding.count ?? 1), 0);
    const more = (this.#seen.get(code) ?? counted) - counted;
    const last = kept.at(-1);
    if (more === 0 || last === undefined) return kept;
    return [...kept.slice(0, -1), { ...last, count: (last.count ?? 1) + more }];
  }
}

const SEVERITY_ORDER: Readonly<Record<Severity, number>> = { error: 0, warning: 1, info: 2 };
