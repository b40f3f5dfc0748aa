/** Templates as fsspec hands them to others, for tests. */
import { compileTemplate } from "../compile/compile.ts";
import { type Budget, typeError } from "../template-error.ts";
import { PyCallable, type Arguments, type Value } from "../value.ts";

const TEXT = "<function ReferenceFileSystem._process_templates.<locals>.<lambda> at 0x..>";

/** `lambda temp=source, **kwargs: Template(temp).render(**kwargs)` where the source has `{{`, else the text itself. */
export function templateValue(source: string, budget: Budget): Value {
  if (!source.includes("{{")) return source;
  return new PyCallable(TEXT, (given) => {
    const { template, named } = taken(source, given);
    if (typeof template !== "string") throw typeError("Can't compile non template nodes");
    return compileTemplate(template).render(named, budget);
  });
}

function taken(
  source: string,
  { positional, named }: Arguments,
): { template: Value; named: ReadonlyMap<string, Value> } {
  if (positional.length > 1) throw typeError("<lambda>() takes from 0 to 1 positional arguments");
  const rest = new Map(named);
  const byName = rest.get("temp");
  rest.delete("temp");
  if (byName !== undefined && positional.length > 0)
    throw typeError("<lambda>() got multiple values for argument 'temp'");
  const [first = byName ?? source] = positional;
  return { template: byName === undefined ? first : byName, named: rest };
}
