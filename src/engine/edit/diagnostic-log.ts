/** Collects what there is to say about places in the text, up to a number; the rest is counted. */
import { lineStarts, positionAmong } from "../../core/json-position.ts";
import type { Severity } from "../../core/finding.ts";
import type { Diagnostic, TextEdit, ToldFinding } from "../../core/studio.ts";
import { once } from "../once.ts";

export const MAX_DIAGNOSTICS = 200;

export interface NewDiagnostic {
  readonly code: string;
  readonly severity: Severity;
  readonly start: number;
  readonly end: number;
  readonly message: string;
  readonly advice?: string | undefined;
  readonly fix?: { readonly title: string; readonly edits: readonly TextEdit[] } | undefined;
  readonly tells?: ToldFinding;
  readonly others?: NonNullable<Diagnostic["others"]>;
  readonly covers?: NonNullable<Diagnostic["covers"]>;
}

export interface DiagnosticLog {
  add(diagnostic: NewDiagnostic): void;
  readonly lineOf: (offset: number) => number;
  /** In the order of the text. */
  list(): readonly Diagnostic[];
}

export function diagnosticLog(text: string): DiagnosticLog {
  const lines = once(() => lineStarts(text));
  const lineOf = (offset: number): number => positionAmong(lines(), offset).line;
  const kept: Diagnostic[] = [];
  const seen = new Set<string>();
  let left = 0;
  return {
    lineOf,
    add({ advice, fix, ...rest }) {
      const name = `${rest.code} ${rest.start} ${rest.end} ${rest.message}`;
      if (seen.has(name)) return;
      if (kept.length >= MAX_DIAGNOSTICS - 1) {
        left += 1;
        return;
      }
      seen.add(name);
      const optional = { ...(advice === undefined ? {} : { advice }), ...(fix === undefined ? {} : { fix }) };
      kept.push({ ...rest, line: lineOf(rest.start), ...optional });
    },
    list() {
      const sorted = kept.toSorted((a, b) => a.start - b.start || a.end - b.end);
      return left === 0 ? sorted : [...sorted, moreDiagnostics(left)];
    },
  };
}

function moreDiagnostics(count: number): Diagnostic {
  const message = `There are ${count.toLocaleString("en")} more places like these, which are not listed.`;
  return { code: "more-diagnostics", severity: "info", start: 0, end: 0, line: 1, message };
}
