/** Undefined names, and functions that are printed: legal, and hardly ever meant. */
import { finding, type Finding, type Place, targetAt, WHOLE_SET } from "#core/findings/finding.ts";
import type { FindingLog } from "#core/findings/finding-log.ts";
import type { Template, Value } from "@refscope/jinja";
import { isBuiltIn } from "./gen.ts";
import { nearestName } from "#core/words/near-name.ts";
import { FUNCTION_TEXT, renderUrl, type Templates } from "./templates.ts";

/** Names known at a place that are kept with a finding: one more than are listed. */
export const MAX_KNOWN = 11;

/** `place`: the field of a gen or the URL that was rendered. `own`: names known besides the templates. */
export function undefinedNames(
  place: Place,
  template: Template,
  templates: Templates,
  own: readonly string[],
): Finding[] {
  const known = [...own, ...templates.values.keys()];
  return [...template.names.keys()]
    .filter((name) => !known.includes(name) && !isBuiltIn(name))
    .map((name) => {
      const facts = { name, known: known.slice(0, MAX_KNOWN), nearest: nearestName(name, known) };
      return finding("name-undefined", place, facts);
    });
}

/** A URL of `refs` rendered, with what there is to say of its template. Throws what fsspec raises. */
export function notedUrl(written: string, templates: Templates, log: FindingLog): string {
  const { url, template } = renderUrl(written, templates);
  if (template === undefined) return url;
  const place = targetAt(written);
  log.addAll(undefinedNames(place, template, templates, []));
  log.addAll(printedFunction(place, url, templates));
  return url;
}

/** Names that a function template uses and a call does not give. It sees its keyword arguments and nothing else. */
export function missingArguments(
  template: string,
  { names }: Template,
  given: ReadonlyMap<string, Value>,
  templates: Templates,
): Finding[] {
  const missing = [...names.keys()].filter((name) => !given.has(name) && !isBuiltIn(name));
  return missing.map((name) =>
    finding("argument-missing", WHOLE_SET, { template, name, isTemplate: templates.values.has(name) }),
  );
}

/** Finding for a function that was printed instead of called. */
export function printedFunction(place: Place, text: string, { functions }: Templates): Finding[] {
  if (functions.size === 0 || !text.includes(FUNCTION_TEXT)) return [];
  return [finding("function-not-called", place, { functions: [...functions].slice(0, 5) })];
}
