/** `{% macro %}` and `{% call %}`: functions written in the template. */
import { compileCall } from "./compile-call.ts";
import { compileEntry } from "./compile-scope.ts";
import { assertionError, innerPlace, type Place } from "./program.ts";
import { dictOf } from "./json-value.ts";
import { Frame, type Act, type Code } from "./run.ts";
import { analyseFunction, FunctionScope, Symbols, variableOf } from "./scope.ts";
import { TemplateError, typeError, withSpan } from "./template-error.ts";
import type { CallBlock, Macro, Parameter, Span } from "./tree.ts";
import { Markup, PyCallable, PyTuple, Undefined, type Arguments, type Value } from "./value.ts";
import { readBeforeStored } from "./walk.ts";

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

export function compileMacro(node: Macro, place: Place): Act {
  const define = compileFunction(node, node.name, place);
  const { slot } = variableOf(place.symbols, node.name, node);
  const { toplevel } = place;
  return (frame) => {
    const macro = define(frame);
    frame.slots[slot] = macro;
    if (toplevel) frame.context.exported.set(node.name, macro);
  };
}

export function compileCallBlock(node: CallBlock, place: Place): Act {
  const call = compileCall(node.call, place, compileFunction(node, null, place));
  return (frame) => {
    const value = call(frame);
    const text = value instanceof Markup ? value.text : value;
    if (typeof text !== "string") throw withSpan(typeError("The result of a call block must be a text."), node);
    frame.run.budget.characters(text.length);
    frame.out += text;
  };
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
  refuseTwins(node.parameters);
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

function refuseTwins(parameters: readonly Parameter[]): void {
  const seen = new Set<string>();
  for (const parameter of parameters) {
    if (seen.has(parameter.name)) throw twin(parameter.name, parameter);
    seen.add(parameter.name);
  }
}

function twin(name: string, span: Span): TemplateError {
  return new TemplateError("TemplateSyntaxError", `The parameter '${name}' is declared more than once.`, span);
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
    throw typeError(`macro ${nameOf(signature)} takes not more than ${parameters.length} argument(s)`);
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
      `macro ${nameOf(signature)} was invoked with two values for the special caller argument. This is most likely a bug.`,
    );
  }
  for (const name of named.keys()) throw typeError(`macro ${nameOf(signature)} takes no keyword argument '${name}'`);
}

function nameOf(signature: Signature): string {
  return signature.name === null ? "None" : `'${signature.name}'`;
}

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
