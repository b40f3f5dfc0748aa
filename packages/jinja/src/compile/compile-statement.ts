/** Statements become closures that print into the frame's buffer and assign to its slots. */
import { compileCall, compileFilter } from "./compile-call.ts";
import { compileFor } from "./compile-loop.ts";
import { compileEntry, compileScope, compileTarget, readSlot } from "./compile-scope.ts";
import { dictOf } from "../json-value.ts";
import { printed } from "../markup.ts";
import { assertionError, innerPlace, type Place, sequence, softPlace } from "../program.ts";
import { asText, str, truth } from "../python/index.ts";
import { type Act, type Code, Frame } from "../run.ts";
import {
  analyse,
  analyseExpression,
  analyseFunction,
  analyseTarget,
  FunctionScope,
  Symbols,
  type Variable,
  variableOf,
} from "../scope.ts";
import { Budget, TemplateError, typeError, unsupported, withSpan } from "../template-error.ts";
import type {
  AssignmentTarget,
  CallBlock,
  Expression,
  FilterUse,
  Macro,
  Parameter,
  SetStatement,
  Span,
  Statement,
  ByKind,
} from "../tree.ts";
import { type Arguments, Markup, PyCallable, PyTuple, Undefined, type Value } from "../value.ts";
import { readBeforeStored } from "../walk.ts";

export function compileBody(statements: readonly Statement[], place: Place): Act {
  return sequence(
    statements.map((node) => (STATEMENTS[node.kind] as (node: Statement, place: Place) => Act)(node, place)),
  );
}

const STATEMENTS: ByKind<Statement, [place: Place], Act> = {
  text: (node) => printText(node.text),
  output: (node, place) => sequence(node.expressions.map((expression) => compileOutput(expression, place))),
  for: compileFor,
  if(node, place) {
    const soft = softPlace(place);
    const branches = node.branches.map((branch) => ({
      test: place.expression(branch.test, soft),
      body: place.body(branch.body, soft),
    }));
    const otherwise = place.body(node.otherwise, soft);
    return (frame) => {
      for (const branch of branches) {
        if (truth(branch.test(frame))) return branch.body(frame);
      }
      otherwise(frame);
    };
  },
  set(node, place) {
    refuseTwins(node);
    const code = place.expression(node.value, place);
    const assign = compileTarget(node.target, place);
    const publish = compileExport(node.target, place);
    return (frame) => {
      assign(frame, code(frame));
      publish(frame);
    };
  },
  "set-block"(node, place) {
    const inner = innerPlace(place, new Symbols(place.symbols.owner, place.symbols));
    analyse(inner.symbols, node.body);
    const text = captured(place.body(node.body, inner));
    const code = compileFilters(node.filters, text, inner);
    const assign = compileTarget(node.target, place);
    const publish = compileExport(node.target, place);
    return compileScope(inner, (frame) => {
      const value = code(frame);
      const { autoescape, budget } = frame.run;
      assign(frame, autoescape && !(value instanceof Markup) ? new Markup(str(value, budget)) : value);
      publish(frame);
    });
  },
  with(node, place) {
    const inner = innerPlace(place, new Symbols(place.symbols.owner, place.symbols));
    for (const binding of node.bindings) analyseTarget(inner.symbols, binding.target);
    analyse(inner.symbols, node.body);
    const bindings = node.bindings.map((binding) => ({
      assign: compileTarget(binding.target, inner),
      value: place.expression(binding.value, place),
    }));
    const body = place.body(node.body, inner);
    return compileScope(inner, (frame) => {
      for (const binding of bindings) binding.assign(frame, binding.value(frame));
      body(frame);
    });
  },
  macro(node, place) {
    const define = compileFunction(node, node.name, place);
    const { slot } = variableOf(place.symbols, node.name, node);
    const { toplevel } = place;
    return (frame) => {
      const macro = define(frame);
      frame.slots[slot] = macro;
      if (toplevel) frame.context.exported.set(node.name, macro);
    };
  },
  "call-block"(node, place) {
    const call = compileCall(node.call, place, compileFunction(node, null, place));
    return (frame) => printBare(frame, call(frame), "call block", node);
  },
  "filter-block"(node, place) {
    const inner = innerPlace(place, new Symbols(place.symbols.owner, place.symbols));
    analyse(inner.symbols, node.body);
    for (const filter of node.filters) analyseExpression(inner.symbols, filter);
    const text = captured(place.body(node.body, inner));
    const code = compileFilters(node.filters, text, inner);
    return compileScope(inner, (frame) => printBare(frame, code(frame), "filter or call block", node));
  },
  block(node, place) {
    const block = place.program.blocks.get(node.name);
    const stored = [...place.symbols.stored()].map(([name, variable]) => [name, readSlot(variable, place)] as const);
    return (frame) => {
      if (node.required)
        throw new TemplateError("TemplateRuntimeError", `Required block '${node.name}' not found`, node);
      const context = node.scoped ? frame.context.derived(present(stored, frame)) : frame.context;
      frame.out += block?.render(context) ?? "";
    };
  },
  autoescape(node, place) {
    const symbols = new Symbols(place.symbols.owner, place.symbols);
    analyseExpression(symbols, node.value);
    analyse(symbols, node.body);
    const inner = innerPlace(place, symbols);
    const value = place.constants.valueOf(node.value, place.autoescape);
    if (value === undefined) throw withSpan(unsupported("{% autoescape %} with a value that is not a constant"), node);
    const autoescape = truth(value);
    const body = place.body(node.body, { ...inner, autoescape });
    return compileScope(inner, (frame) => {
      const before = frame.run.autoescape;
      frame.run.autoescape = autoescape;
      body(frame);
      frame.run.autoescape = before;
    });
  },
  /** `include`, `extends`, `import`, `from`: fsspec gives Jinja2 no loader, so each of them raises. */
  unsupported(node, place) {
    if (node.statement === "extends" && !place.toplevel) {
      throw assertionError("cannot use extend from a non top-level scope", node);
    }
    return () => {
      throw new TemplateError(
        "TypeError",
        `{% ${node.statement} %} needs a loader of templates, and fsspec gives Jinja2 none.`,
        node,
      );
    };
  },
};

function printText(text: string): Act {
  return (frame) => {
    frame.run.budget.characters(text.length);
    frame.out += text;
  };
}

/** What a constant `{{ … }}` prints, undefined where it is none. */
export function constantText(node: Expression, place: Place): string | undefined {
  const value = place.constants.valueOf(node, place.autoescape);
  if (value === undefined) return undefined;
  try {
    return printed(value, place.autoescape, new Budget({ steps: 20_000, characters: 20_000 }));
  } catch (error) {
    if (error instanceof TemplateError) return undefined;
    throw error;
  }
}

function compileOutput(node: Expression, place: Place): Act {
  const constant = constantText(node, place);
  if (constant !== undefined) return printText(constant);
  const code = place.expression(node, place);
  const { autoescape } = place;
  return (frame) => {
    const value = code(frame);
    try {
      const text = printed(value, autoescape, frame.run.budget);
      frame.run.budget.characters(text.length);
      frame.out += text;
    } catch (error) {
      throw withSpan(error, node);
    }
  };
}

/** In `a, a = 1, 2` CPython 3.11 keeps the first value or the last, by how it happens to compile the names. */
function refuseTwins({ target, value }: SetStatement): void {
  if (target.kind !== "target-tuple" || value.kind !== "tuple") return;
  const names = target.items.flatMap((item) => (item.kind === "name" ? [item.name] : []));
  if (new Set(names).size < names.length)
    throw withSpan(unsupported("Assigning to one name twice in one {% set %}"), target);
}

/** What is assigned at the top level, blocks see too. */
function compileExport(target: AssignmentTarget, place: Place): Act {
  if (!place.toplevel) return () => {};
  const names: Variable[] = [];
  collectNames(target, place, names);
  return (frame) => {
    for (const { name, slot } of names) {
      const value = frame.slots[slot];
      if (value !== undefined) frame.context.exported.set(name, value);
    }
  };
}

function collectNames(target: AssignmentTarget, place: Place, names: Variable[]): void {
  if (target.kind === "name") names.push(variableOf(place.symbols, target.name, target));
  else if (target.kind === "target-tuple") for (const item of target.items) collectNames(item, place, names);
}

/** Runs `body` with a buffer of its own and gives what it printed. */
function captured(body: Act): (frame: Frame) => string {
  return (frame) => {
    const before = frame.out;
    frame.out = "";
    body(frame);
    const text = frame.out;
    frame.out = before;
    return text;
  };
}

/** The filters of a block applied to its text, the first one first. */
function compileFilters(filters: readonly FilterUse[], text: (frame: Frame) => string, place: Place): Code {
  const { autoescape } = place;
  const start: Code = (frame) => (autoescape ? new Markup(text(frame)) : text(frame));
  let code = start;
  for (const filter of filters) code = compileFilter(filter, place, code);
  return code;
}

/** Jinja2 prints the results of filter and call blocks as they are: they must be texts. */
function printBare(frame: Frame, value: Value, what: string, span: Span): void {
  const text = asText(value);
  if (text === undefined) throw withSpan(typeError(`The result of a ${what} must be a text.`), span);
  frame.run.budget.characters(text.length);
  frame.out += text;
}

type Reads = readonly (readonly [string, (frame: Frame) => Value | undefined])[];

function present(stored: Reads, frame: Frame): Map<string, Value> {
  const names = new Map<string, Value>();
  for (const [name, read] of stored) {
    const value = read(frame);
    if (value !== undefined) names.set(name, value);
  }
  return names;
}

// `{% macro %}` and `{% call %}`: functions written in the template.

/** What a macro takes, and where its body finds it. */
interface Signature {
  readonly name: string | null;
  readonly parameters: readonly string[];
  readonly slots: readonly number[];
  readonly caller: number | undefined;
  readonly kwargs: number | undefined;
  readonly varargs: number | undefined;
  readonly explicitCaller: boolean;
  readonly usesCaller: boolean;
}

/** Makes a new function each time its definition is reached: it keeps the variables around it. */
function compileFunction(node: Macro | CallBlock, name: string | null, place: Place): Code {
  const owner = new FunctionScope(place.symbols.owner);
  const inner = innerPlace(place, new Symbols(owner, place.symbols));
  analyseFunction(inner.symbols, node.parameters, node.body);
  const signature = signatureOf(node, name, inner.symbols);
  analyseFunction(inner.symbols, node.parameters, node.body);
  const enter = compileEntry(inner);
  const defaults = node.parameters.map((parameter, index) =>
    compileDefault(parameter, signature.slots[index] ?? 0, inner),
  );
  const body = place.body(node.body, inner);
  const text = name === null ? "<Macro anonymous>" : `<Macro '${name}'>`;
  const attributes = attributesOf(signature);
  return (frame) => {
    const call = (given: Arguments): Value => {
      const { budget } = frame.run;
      budget.spend(1);
      budget.enter();
      const own = new Frame(owner, frame.context, frame);
      bind(signature, given, own);
      enter(own);
      for (const fill of defaults) fill(own);
      body(own);
      budget.leave();
      return frame.run.autoescape ? new Markup(own.out) : own.out;
    };
    return new PyCallable(text, call, attributes);
  };
}

function signatureOf(node: Macro | CallBlock, name: string | null, symbols: Symbols): Signature {
  const parameters = node.parameters.map((parameter) => parameter.name);
  const slots = parameters.map((parameter) => variableOf(symbols, parameter, node).slot);
  const read = readBeforeStored(node.body, ["caller", "kwargs", "varargs"]);
  const explicit = node.parameters.find((parameter) => parameter.name === "caller");
  if (read.has("caller") && explicit !== undefined && explicit.fallback === undefined) {
    throw assertionError(
      'When defining macros or call blocks the special "caller" argument must be omitted or be given a default.',
      explicit,
    );
  }
  const special = (one: string): number | undefined =>
    read.has(one) && !parameters.includes(one) ? symbols.parameter(one).slot : undefined;
  return {
    name,
    parameters,
    slots,
    caller: special("caller"),
    kwargs: special("kwargs"),
    varargs: special("varargs"),
    explicitCaller: explicit !== undefined,
    usesCaller: read.has("caller"),
  };
}

function compileDefault(parameter: Parameter, slot: number, place: Place): Act {
  const missing = new Undefined(`parameter '${parameter.name}' was not provided`);
  const code: Code = parameter.fallback === undefined ? () => missing : place.expression(parameter.fallback, place);
  return (frame) => {
    if (frame.slots[slot] === undefined) frame.slots[slot] = code(frame);
  };
}

/** Python's way to match arguments, as `jinja2.runtime.Macro` does it by hand. */
function bind(signature: Signature, given: Arguments, frame: Frame): void {
  const { parameters, slots } = signature;
  const named = new Map(given.named);
  let foundCaller = given.positional.length >= parameters.length && signature.explicitCaller;
  for (const [index, name] of parameters.entries()) {
    const slot = slots[index] ?? 0;
    if (index < given.positional.length) frame.slots[slot] = given.positional[index];
    else {
      frame.slots[slot] = named.get(name);
      named.delete(name);
      if (name === "caller") foundCaller = true;
    }
  }
  if (signature.usesCaller && !foundCaller) bindCaller(signature, named, frame);
  if (signature.kwargs !== undefined) frame.slots[signature.kwargs] = dictOf(named);
  else refuseNamed(signature, named);
  const rest = given.positional.slice(parameters.length);
  if (signature.varargs !== undefined) frame.slots[signature.varargs] = new PyTuple(rest);
  else if (rest.length > 0) {
    throw typeError(`macro ${signatureName(signature)} takes not more than ${parameters.length} argument(s)`);
  }
}

function bindCaller(signature: Signature, named: Map<string, Value>, frame: Frame): void {
  const caller = named.get("caller") ?? new Undefined("No caller defined");
  named.delete("caller");
  // A parameter of that name which was filled by position leaves no place for it.
  if (signature.caller === undefined) throw typeError("macro() takes fewer arguments than it was given");
  frame.slots[signature.caller] = caller;
}

function refuseNamed(signature: Signature, named: ReadonlyMap<string, Value>): void {
  if (named.has("caller")) {
    throw typeError(
      `macro ${signatureName(signature)} was invoked with two values for the special caller argument. This is most likely a bug.`,
    );
  }
  for (const name of named.keys())
    throw typeError(`macro ${signatureName(signature)} takes no keyword argument '${name}'`);
}

const signatureName = (signature: Signature): string => (signature.name === null ? "None" : `'${signature.name}'`);

function attributesOf(signature: Signature): ReadonlyMap<string, Value> {
  return new Map<string, Value>([
    ["name", signature.name],
    ["arguments", new PyTuple(signature.parameters)],
    ["catch_kwargs", signature.kwargs !== undefined],
    ["catch_varargs", signature.varargs !== undefined],
    ["caller", signature.usesCaller],
    ["explicit_caller", signature.explicitCaller],
  ]);
}
