/** How Python matches the arguments of a call to a function's parameters. */
import { TemplateError, typeError } from "../template-error.ts";
import type { Arguments, Value } from "../value.ts";

/**
 * The arguments in the order of `parameters`, undefined where not given. The first `required` must be given.
 * `function name` is for messages. @throws TemplateError TypeError as Python
 */
export function bindArguments(
  name: string,
  parameters: readonly string[],
  required: number,
  given: Arguments,
): readonly (Value | undefined)[] {
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
