/** What running nunjucks gave, in words. */
import type { NunjucksFound } from "../../store/use-nunjucks.ts";
import { countOf } from "../../widgets/number-format.ts";

export function nunjucksWords({ summary: { outcome, first }, keys }: NunjucksFound): string {
  switch (outcome.kind) {
    case "same":
      return `It was run on ${countOf(keys, "key")}: all come out as Jinja2 renders them.`;
    case "refuses":
      return `It was run, and fails on the whole set: “${outcome.error}”.`;
    case "unknown":
      return `It was not compared. ${outcome.reason}`;
    case "differs": {
      const { lost, other, extra } = outcome;
      const parts = [
        ...(lost > 0 ? [`${countOf(lost, "key")} ${lost === 1 ? "is" : "are"} lost`] : []),
        ...(other > 0 ? [`${countOf(other, "key")} ${other === 1 ? "has" : "have"} another value`] : []),
        ...(extra > 0 ? [`${countOf(extra, "key")} ${extra === 1 ? "is" : "are"} too many`] : []),
      ];
      const example = first === undefined ? "" : `, the first “${first}”`;
      return `It was run on ${countOf(keys, "key")}: ${parts.join(", ")}${example}.`;
    }
  }
}
