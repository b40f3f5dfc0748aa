/** How methods of builtin types are written down, and how arguments reach them. */
import { type Budget, typeError } from "../../template-error.ts";
import { PyCallable, type Arguments, type Value } from "../../value.ts";

export interface Method<Self> {
  /** How many arguments it needs, and how many it takes. */
  readonly minimum: number;
  readonly maximum: number;
  /** Names under which arguments may be given, in order; empty where only their position counts. */
  readonly names: readonly string[];
  /** `given[i]` is undefined where the argument was left out. */
  readonly run: (self: Self, given: readonly (Value | undefined)[], budget: Budget) => Value;
}

export type Methods<Self> = ReadonlyMap<string, Method<Self>>;

type Run<Self> = Method<Self>["run"];

export const methods = <Self>(table: Readonly<Record<string, Method<Self>>>): Methods<Self> =>
  new Map(Object.entries(table));

/** A method of `minimum` to `maximum` arguments without names. */
export const method = <Self>(minimum: number, maximum: number, run: Run<Self>): Method<Self> => ({
  minimum,
  maximum,
  names: [],
  run,
});

/** A method whose arguments have names as well. */
export const namedMethod = <Self>(minimum: number, names: readonly string[], run: Run<Self>): Method<Self> => ({
  minimum,
  maximum: names.length,
  names,
  run,
});

/** How a bound method of a builtin type prints; addresses are `0x..`. */
export const builtinText = (name: string, owner: string): string =>
  `<built-in method ${name} of ${owner} object at 0x..>`;

/** The method with its object; `text` is how it prints. */
export function bind<Self>(
  { name, text }: { readonly name: string; readonly text: string },
  definition: Method<Self>,
  self: Self,
  budget: Budget,
): PyCallable {
  return new PyCallable(text, (given) => definition.run(self, placed(name, definition, given), budget));
}

/** Arguments in their places: TypeError for too many, too few, unknown or repeated ones. */
export function placed(
  name: string,
  { minimum, maximum, names }: Pick<Method<never>, "minimum" | "maximum" | "names">,
  { positional, named }: Arguments,
): readonly (Value | undefined)[] {
  if (positional.length > maximum) {
    throw typeError(`${name}() takes at most ${maximum} arguments (${positional.length} given)`);
  }
  if (named.size === 0) {
    if (positional.length < minimum) {
      throw typeError(`${name}() takes at least ${minimum} arguments (${positional.length} given)`);
    }
    return positional;
  }
  const args: (Value | undefined)[] = [...positional];
  for (const [key, value] of named) {
    const at = names.indexOf(key);
    if (names.length === 0) throw typeError(`${name}() takes no keyword arguments`);
    if (at < 0) throw typeError(`'${key}' is an invalid keyword argument for ${name}()`);
    if (args[at] !== undefined) throw typeError(`${name}() got two values for its argument '${key}'`);
    args[at] = value;
  }
  for (let i = 0; i < minimum; i += 1) {
    if (args[i] === undefined) throw typeError(`${name}() misses its argument ${i + 1}`);
  }
  return args;
}
