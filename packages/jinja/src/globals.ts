/** The names every template knows: `range`, `dict`, `namespace`, `cycler`, `joiner`, `lipsum`. */
import { bindArguments } from "./compile/bind-arguments.ts";
import { definedIndex, hashKey, length, repr, updateDict } from "./python/index.ts";
import { type Budget, TemplateError, typeError, unsupported, valueError } from "./template-error.ts";
import { PyCallable, PyDict, PyRange, PyTuple, type Arguments, type PyObject, type Value } from "./value.ts";

/** The sandbox makes no range of more items. */
const MAX_ITEMS = 100_000;

export const GLOBALS: ReadonlyMap<string, (budget: Budget) => PyCallable> = new Map<
  string,
  (budget: Budget) => PyCallable
>([
  ["range", () => new PyCallable("<function safe_range at 0x..>", callRange)],
  ["dict", (budget) => new PyCallable("<class 'dict'>", (given) => makeDict(given, budget))],
  ["lipsum", () => new PyCallable("<function generate_lorem_ipsum at 0x..>", refuseLipsum)],
  ["cycler", () => new PyCallable("<class 'jinja2.utils.Cycler'>", makeCycler)],
  ["joiner", () => new PyCallable("<class 'jinja2.utils.Joiner'>", makeJoiner)],
  [
    "namespace",
    (budget) => new PyCallable("<class 'jinja2.utils.Namespace'>", (given) => makeNamespace(given, budget)),
  ],
]);

export const globalValue = (name: string, budget: Budget): Value | undefined => GLOBALS.get(name)?.(budget);

function refuseLipsum(): never {
  throw unsupported("lipsum(), which gives another text each time,");
}

function callRange(given: Arguments): Value {
  const { positional, named } = given;
  if (named.size > 0) throw typeError("safe_range() got an unexpected keyword argument");
  if (positional.length === 0 || positional.length > 3) {
    throw typeError(`range expected 1 to 3 arguments, got ${positional.length}`);
  }
  const [first, second, third] = positional.map(definedIndex);
  const start = second === undefined ? 0 : (first ?? 0);
  const stop = second ?? first ?? 0;
  const step = third ?? 1;
  if (step === 0) throw valueError("range() arg 3 must not be zero");
  const range = new PyRange(start, stop, step);
  if (length(range) > MAX_ITEMS) {
    throw new TemplateError(
      "OverflowError",
      `Range too big. The sandbox blocks ranges larger than MAX_RANGE (${MAX_ITEMS}).`,
    );
  }
  return range;
}

/** `dict(mapping or pairs, **named)` */
function makeDict(given: Arguments, budget: Budget): PyDict {
  const { positional } = given;
  if (positional.length > 1) throw typeError(`dict expected at most 1 argument, got ${positional.length}`);
  const dict = new PyDict();
  updateDict(dict, given, budget);
  return dict;
}

function makeNamespace(given: Arguments, budget: Budget): PyObject {
  const values = makeDict(given, budget);
  const idOf = (name: string): string => hashKey(name, budget);
  return {
    kind: "object",
    typeName: "jinja2.utils.Namespace",
    text: () => `<Namespace ${repr(values, budget)}>`,
    get: (name) => values.get(idOf(name)),
    set: (name, value) => values.set(idOf(name), name, value),
  };
}

function makeCycler(given: Arguments): PyObject {
  const items = given.positional;
  if (given.named.size > 0) throw typeError("Cycler.__init__() got an unexpected keyword argument");
  if (items.length === 0) throw new TemplateError("RuntimeError", "at least one item has to be provided");
  let position = 0;
  const next = method("Cycler", "next", () => {
    const item = items[position] ?? null;
    position = (position + 1) % items.length;
    return item;
  });
  const reset = method("Cycler", "reset", () => {
    position = 0;
    return null;
  });
  const get = (name: string): Value | undefined => {
    if (name === "current") return items[position] ?? null;
    if (name === "next") return next;
    if (name === "reset") return reset;
    if (name === "items") return new PyTuple(items);
    return name === "pos" ? position : undefined;
  };
  return { kind: "object", typeName: "jinja2.utils.Cycler", text: () => "<jinja2.utils.Cycler object at 0x..>", get };
}

function method(className: string, name: string, call: () => Value): PyCallable {
  const text = `<bound method ${className}.${name} of <jinja2.utils.${className} object at 0x..>>`;
  return new PyCallable(text, ({ positional, named }) => {
    if (positional.length + named.size > 0) throw typeError(`${className}.${name}() takes 1 positional argument`);
    return call();
  });
}

function makeJoiner(given: Arguments): PyObject {
  const [separator = ", "] = bindArguments("Joiner.__init__", ["sep"], 0, given);
  let used = false;
  const call = ({ positional, named }: Arguments): Value => {
    if (positional.length + named.size > 0) throw typeError("Joiner.__call__() takes 1 positional argument");
    const text = used ? separator : "";
    used = true;
    return text;
  };
  const get = (name: string): Value | undefined => {
    if (name === "sep") return separator;
    return name === "used" ? used : undefined;
  };
  return {
    kind: "object",
    typeName: "jinja2.utils.Joiner",
    text: () => "<jinja2.utils.Joiner object at 0x..>",
    get,
    call,
  };
}
