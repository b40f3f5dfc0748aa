/**
 * Reads a document as fsspec does by default, with `simple_templates=True`: URLs go through Python's `str.format` once
 * `{{` has become `{`, and every gen is silently dropped.
 */
import { FindingLog } from "#core/findings/finding-log.ts";
import { parseJsonTree } from "#core/json/parse-json.ts";
import type { Version1Renderer } from "#core/table/version1.ts";
import { Budget, PyCallable, TemplateError, type Integer, type Value } from "@refscope/jinja";
import { getAttribute, getItem, strFormat, typeName, type FieldStep } from "@refscope/jinja/python";
import { raisedBy, raisedText, templateFails, urlFails } from "./render-findings.ts";
import { FUNCTION_TEXT, readTemplates, type Templates } from "./templates.ts";
import type { Version1Texts } from "./renderer.ts";

type SimpleRenderer = Pick<Version1Renderer, "hasTemplates" | "url" | "findings">;

export function simpleRenderer(texts: Version1Texts): SimpleRenderer {
  const log = new FindingLog();
  const fault = (error: unknown, name?: string): void => log.add(templateFails(error, name));
  let node = undefined;
  try {
    if (texts.templates !== undefined) node = parseJsonTree(texts.templates).root;
  } catch (error) {
    fault(error);
  }
  const templates = readTemplates(node, undefined, new Budget(), { fault, missing: () => undefined });
  const hasTemplates = templates.values.size > 0;
  return {
    hasTemplates,
    url: (written) => {
      if (!hasTemplates || !written.includes("{{")) return { kind: "url", url: written };
      try {
        return { kind: "url", url: formatUrl(written, templates) };
      } catch (error) {
        log.add(urlFails(error, written));
        return { kind: "fault", error: raisedText(raisedBy(error)), reason: urlFails(error, written) };
      }
    },
    findings: () => log.list(),
  };
}

/** `url.replace("{{", "{").replace("}}", "}").format(**templates)`. Throws what Python raises. */
export function formatUrl(written: string, { values, budget }: Templates): string {
  const format = written.replaceAll("{{", "{").replaceAll("}}", "}");
  budget.reset();
  const named = (name: string): Value | undefined => values.get(name);
  return strFormat(format, [], named, (object, step) => stepInto(object, step, budget), budget);
}

/** `{name.attribute}` and `{name[key]}`, of which Python allows all that an object has. */
function stepInto(object: Value, step: FieldStep, budget: Budget): Value {
  return step.kind === "attribute" ? attributeOf(object, step.name, budget) : itemOf(object, step.key, budget);
}

function attributeOf(object: Value, name: string, budget: Budget): Value {
  const special = /^__\w+__$/.test(name) ? specialAttribute(object, name) : undefined;
  if (special !== undefined) return special;
  const value = name.startsWith("_") ? undefined : getAttribute(object, name, budget);
  if (value !== undefined) return value;
  throw new TemplateError("AttributeError", `'${typeName(object)}' object has no attribute '${name}'`);
}

/** Only the class, of the attributes that every Python object has, and the names of classes and functions. */
function specialAttribute(object: Value, name: string): Value {
  const known = object instanceof PyCallable ? object.attributes.get(name) : undefined;
  if (known !== undefined) return known;
  if (name === "__class__") return classNamed(typeName(object));
  if (object instanceof PyCallable && object.text === FUNCTION_TEXT) {
    if (name === "__name__") return "<lambda>";
    if (name === "__qualname__") return FUNCTION_TEXT.slice("<function ".length, -" at 0x..>".length);
  }
  const what = `The attribute ${name} in a format string is legal in Python and not supported here.`;
  throw new TemplateError("Unsupported", what);
}

function classNamed(name: string): PyCallable {
  const attributes = new Map<string, Value>([
    ["__name__", name],
    ["__qualname__", name],
    ["__module__", "builtins"],
  ]);
  const refuse = (): never => {
    throw new TemplateError("TypeError", "A format string calls nothing.");
  };
  return new PyCallable(`<class '${name}'>`, refuse, attributes);
}

function itemOf(object: Value, key: string | Integer, budget: Budget): Value {
  const value = getItem(object, key, budget);
  if (value !== undefined) return value;
  const type = typeName(object);
  if (type === "dict") throw new TemplateError("KeyError", typeof key === "string" ? `'${key}'` : String(key));
  if (type !== "str" && type !== "list") throw new TemplateError("TypeError", `'${type}' object is not subscriptable`);
  if (typeof key !== "string")
    throw new TemplateError("IndexError", `${type === "str" ? "string" : type} index out of range`);
  const wanted = type === "str" ? "string indices must be integers" : "list indices must be integers or slices";
  throw new TemplateError("TypeError", `${wanted}, not 'str'`);
}
