/** Names that nobody gives, and functions that are printed: legal, and hardly ever meant. */
import type { Finding } from "../../core/finding.ts";
import type { Template, Value } from "../../templates/index.ts";
import { isBuiltIn } from "./gen-field.ts";
import { nearestName } from "./nearest-name.ts";
import { FUNCTION_TEXT, type Templates } from "./templates.ts";

/** `where`: "gen[0].url", "the URL {{u}}/x": what was rendered. `own`: names known besides the templates. */
export function undefinedNames(
  where: string,
  template: Template,
  templates: Templates,
  own: readonly string[],
): Finding[] {
  const known = [...own, ...templates.values.keys()];
  return [...template.names.keys()]
    .filter((name) => !known.includes(name) && !isBuiltIn(name))
    .map((name) => undefinedName(where, name, known));
}

function undefinedName(where: string, name: string, known: readonly string[]): Finding {
  const near = nearestName(name, known);
  const advice = near === undefined ? { advice: whatIsKnown(known) } : { advice: `Did you mean “${near}”?` };
  const message = `${where} uses the name “${name}”, which is no template, no dimension and no name of Jinja2's: it renders as nothing.`;
  return { code: "name-undefined", severity: "warning", message, ...advice };
}

const whatIsKnown = (known: readonly string[]): string =>
  known.length === 0
    ? "The document gives no names: it has no templates."
    : `Known here: ${known.slice(0, 10).join(", ")}${known.length > 10 ? ", …" : ""}.`;

/** Names that a function template uses and a call does not give. It sees its keyword arguments and nothing else. */
export function missingArguments(
  name: string,
  template: Template,
  given: ReadonlyMap<string, Value>,
  templates: Templates,
): Finding[] {
  const missing = [...template.names.keys()].filter((one) => !given.has(one) && !isBuiltIn(one));
  return missing.map((one) => {
    const why = templates.values.has(one)
      ? `“${one}” is a template, but a function template sees its keyword arguments only`
      : `the call does not give “${one}”`;
    const message = `The template “${name}” uses the name “${one}”, and ${why}: it renders as nothing.`;
    return {
      code: "argument-missing",
      severity: "warning",
      message,
      advice: `Write {{ ${name}(${one}=…) }}.`,
    } as const;
  });
}

/** Where a function was printed instead of called. */
export function printedFunction(where: string, text: string, templates: Templates): Finding[] {
  if (templates.functions.size === 0 || !text.includes(FUNCTION_TEXT)) return [];
  const [first = "f"] = templates.functions;
  const names = [...templates.functions].slice(0, 5).join("”, “");
  const message = `${where} prints a function: a template that contains “{{” (here “${names}”) is one, and must be called.`;
  const advice = `Write {{ ${first}() }}, with what it needs as keyword arguments.`;
  return [{ code: "function-not-called", severity: "warning", message, advice }];
}
