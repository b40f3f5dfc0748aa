/** How Python matches the arguments of a call to a function's parameters. */
import { TemplateError, typeError } from "../template-error.ts";
import type { Run } from "../run.ts";
import type { Arguments, Value } from "../value.ts";

/**
 * The arguments in the order of `parameters`, undefined where not given. The first `required` must be given.
 * `function name` is for messages. @throws TemplateError TypeError as Python
 */
export function bindArguments(name: string, parameters: readonly string[], required: number, given: Arguments) {
  const { positional, named } = given;
  if (positional.length > parameters.length) {
    throw typeError(`${name}() takes at most ${parameters.length} arguments (${positional.length} given)`);
  }
  if (named.size === 0 && positional.length >= required) return positional;
  const values: (Value | undefined)[] = [...positional];
  for (const [key, value] of named) {
    const index = parameters.indexOf(key);
    if (index === -1) throw typeError(`${name}() got an unexpected keyword argument '${key}'`);
    if (values[index] !== undefined) throw typeError(`${name}() got multiple values for argument '${key}'`);
    values[index] = value;
  }
  for (let index = 0; index < required; index += 1) {
    if (values[index] === undefined) throw typeError(`${name}() missing required argument: '${parameters[index]}'`);
  }
  return values;
}

/**
 * A filter or test that is given its arguments in the order of its signature: `do_batch(linecount, fill_with?)`, those
 * with a `?` undefined where not given.
 */
export function bound<Result>(
  signature: string,
  use: (run: Run, value: Value, given: readonly (Value | undefined)[]) => Result,
) {
  const [name = "", ...parameters] = signature.match(/[\w.]+\??/g) ?? [];
  const required = parameters.filter((one) => !one.endsWith("?")).length;
  const names = parameters.map((one) => one.replace("?", ""));
  return (run: Run, value: Value, given: Arguments): Result =>
    use(run, value, bindArguments(name, names, required, given));
}

/** For functions that take no keywords: between `minimum` and `maximum` arguments. */
export function positionalOnly(name: string, minimum: number, maximum: number, given: Arguments): readonly Value[] {
  const { positional, named } = given;
  if (named.size > 0) throw typeError(`${name}() takes no keyword arguments`);
  if (positional.length < minimum || positional.length > maximum) {
    throw typeError(`${name}() takes ${minimum} to ${maximum} arguments (${positional.length} given)`);
  }
  return positional;
}

/** Whether an error is one of the exceptions a Python `except (…)` names. */
export function isOneOf(error: unknown, ...names: readonly TemplateError["python"][]): boolean {
  return error instanceof TemplateError && names.includes(error.python);
}
