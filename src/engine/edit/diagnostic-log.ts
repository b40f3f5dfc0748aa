/** Collects what there is to say about places in the text, up to a number; the rest is counted. */
import { lineStarts, positionAmong } from "#core/json/json.ts";
import { causeOf } from "#core/findings/cause.ts";
import { type Code, type FactsOf, finding, type Finding, placeText, WHOLE_SET } from "#core/findings/finding.ts";
import type { Diagnostic } from "#core/studio.ts";
import { once } from "#core/basics.ts";

export const MAX_DIAGNOSTICS = 200;

/** Characters of the text. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface DiagnosticParts {
  readonly fix?: Diagnostic["fix"] | undefined;
  /** Absent: the whole set's finding of the same code. */
  readonly covers?: readonly string[];
  readonly others?: readonly Span[] | undefined;
  readonly count?: number;
}

export type DiagnosticLog = ReturnType<typeof diagnosticLog>;

export function diagnosticLog(text: string) {
  const lines = once(() => lineStarts(text));
  const lineOf = (offset: number): number => positionAmong(lines(), offset).line;
  const placeAt = ({ start, end }: Span): Diagnostic["place"] => ({ kind: "text", start, end, line: lineOf(start) });
  const kept = new Map<string, Diagnostic>();
  const covered = new Set<string>();
  let left = 0;
  const keep = (diagnostic: Diagnostic): void => {
    for (const cause of diagnostic.covers) covered.add(cause);
    const { place } = diagnostic;
    const name = `${causeOf(diagnostic)} ${place.end} ${diagnostic.subject}`;
    if (kept.has(name)) return;
    if (kept.size >= MAX_DIAGNOSTICS - 1) left += 1;
    else kept.set(name, diagnostic);
  };
  return {
    add<C extends Code>(
      code: C,
      at: Span,
      facts: FactsOf<C>,
      { fix, others = [], covers = [causeOf({ code, place: WHOLE_SET, facts: {} })], count }: DiagnosticParts = {},
    ): void {
      const place = placeAt(at);
      const optional = { ...(fix === undefined ? {} : { fix }), ...(others.length === 0 ? {} : { others }) };
      keep({ ...finding(code, place, facts, count), place, covers, ...optional });
    },
    /** A finding of the set, at the place in the text that it comes from. */
    move(found: Finding, at: Span): void {
      const { place: from, places: _, extent: __, ...rest } = found;
      const subject = from.kind === "key" || from.kind === "chunk" ? { subject: placeText(from) } : {};
      keep({ ...rest, place: placeAt(at), covers: [causeOf(found)], ...subject });
    },
    /** True if a finding of the set is covered already. */
    covers: (found: Finding): boolean => covered.has(causeOf(found)),
    /** Diagnostics in the order of the text. */
    list(): readonly Diagnostic[] {
      const sorted = [...kept.values()].toSorted(({ place: a }, { place: b }) => a.start - b.start || a.end - b.end);
      if (left === 0) return sorted;
      const place = placeAt({ start: 0, end: 0 });
      return [...sorted, { ...finding("more-diagnostics", place, { more: left }), place, covers: [] }];
    },
  };
}
