/** `{% for %}`: plain loops, loops that use `loop`, filtered and recursive ones. */
import { type Assign, compileEntry, compileExit, compileScope, compileTarget } from "./compile-scope.ts";
import { pyIterator } from "../filters/lazily.ts";
import { assertionError, innerPlace, type Place } from "../program.ts";
import { equal, iterate, length, truth } from "../python/index.ts";
import { type Act, type Code, Frame } from "../run.ts";
import { analyse, analyseExpression, analyseTarget, FunctionScope, Symbols } from "../scope.ts";
import { type Budget, TemplateError, typeError, withSpan } from "../template-error.ts";
import type { AssignmentTarget, Expression, For, Statement } from "../tree.ts";
import {
  type Arguments,
  Markup,
  PyCallable,
  PyIterator,
  type PyObject,
  PyTuple,
  Undefined,
  type Value,
} from "../value.ts";
import { everyStatement, readBeforeStored, walkStatements, walkTarget } from "../walk.ts";

/** One turn's work, and the variable `loop` where the body uses it. */
interface Loop {
  readonly assign: Assign;
  readonly loopSlot: number | undefined;
  readonly enter: Act;
  readonly body: Act;
  readonly exit: Act;
  readonly otherwise: Act;
}

export function compileFor(node: For, place: Place): Act {
  const owner = node.recursive ? new FunctionScope(place.symbols.owner) : place.symbols.owner;
  refuseLoopAsTarget(node);
  const inner = innerPlace(place, new Symbols(owner, place.symbols));
  const isExtended = node.recursive || readBeforeStored(node.body, ["loop"]).has("loop") || hasScopedBlock(node);
  const loopSlot = isExtended ? inner.symbols.parameter("loop").slot : undefined;
  analyseTarget(inner.symbols, node.target, true);
  analyse(inner.symbols, node.body);
  const filter = node.test === undefined ? everyItem : compileLoopFilter(node.target, node.test, place);
  const loop: Loop = {
    assign: compileTarget(node.target, inner),
    loopSlot,
    enter: compileEntry(inner),
    body: place.body(node.body, inner),
    exit: compileExit(inner.symbols),
    otherwise: compileElse(node.otherwise, { ...inner, symbols: new Symbols(owner, place.symbols) }),
  };
  const iterable = place.expression(node.iterable, place);
  if (node.recursive) return recursiveLoop(node, loop, iterable, filter, owner, place);
  return loopSlot === undefined ? plainLoop(node, loop, iterable, filter) : extendedLoop(node, loop, iterable, filter);
}

function refuseLoopAsTarget(node: For): void {
  const see = (name: string, use: string): void => {
    if (use === "store" && name === "loop") {
      throw assertionError("Can't assign to special loop variable in for-loop target", node);
    }
  };
  walkTarget(node.target, see);
  walkStatements(node.body, see, true);
  walkStatements(node.otherwise, see, true);
}

function hasScopedBlock(node: For): boolean {
  for (const one of everyStatement([...node.body, ...node.otherwise])) {
    if (one.kind === "block" && one.scoped) return true;
  }
  return false;
}

function compileElse(statements: readonly Statement[], place: Place): Act {
  if (statements.length === 0) return () => {};
  analyse(place.symbols, statements);
  return compileScope(place, place.body(statements, place));
}

type LoopFilter = (items: Value, frame: Frame) => Value;
const everyItem: LoopFilter = (items) => items;

/** `for … if test`: only the items that pass are seen, and counted, by the loop. */
function compileLoopFilter(target: AssignmentTarget, test: Expression, place: Place): LoopFilter {
  const owner = new FunctionScope(place.symbols.owner);
  const inner = innerPlace(place, new Symbols(owner, place.symbols));
  analyseTarget(inner.symbols, target, true);
  analyseExpression(inner.symbols, test);
  const enter = compileEntry(inner);
  const assign = compileTarget(target, inner);
  const passes = place.expression(test, inner);
  const isTuple = target.kind === "target-tuple";
  return (items, frame) => {
    const { budget } = frame.run;
    const own = new Frame(owner, frame.context, frame);
    enter(own);
    const all = iterate(items, budget);
    const passing = function* (): Generator<Value> {
      for (const item of all) {
        assign(own, item);
        if (truth(passes(own))) yield isTuple ? new PyTuple([...iterate(item, budget)]) : item;
      }
    };
    return pyIterator(passing(), "<generator object root.<locals>.t_1 at 0x..>");
  };
}

function* walk(items: Value, frame: Frame, node: For): Generator<Value> {
  try {
    yield* iterate(items, frame.run.budget);
  } catch (error) {
    throw withSpan(error, node.iterable);
  }
}

function plainLoop(node: For, loop: Loop, iterable: Code, filter: LoopFilter): Act {
  return (frame) => {
    const items = iterable(frame);
    turn(loop, walk(filter(items, frame), frame, node), undefined, frame);
  };
}

function extendedLoop(node: For, loop: Loop, iterable: Code, filter: LoopFilter): Act {
  return (frame) => {
    const items = iterable(frame);
    const context = contextOf(node, () => new LoopContext(filter(items, frame), frame.run.budget));
    turn(loop, context, context, frame);
  };
}

function contextOf(node: For, make: () => LoopContext): LoopContext {
  try {
    return make();
  } catch (error) {
    throw withSpan(error, node.iterable);
  }
}

/** `context`: the variable `loop`, where the body uses it. */
function turn(loop: Loop, items: Iterable<Value>, context: LoopContext | undefined, frame: Frame): void {
  const { budget } = frame.run;
  let isEmpty = true;
  for (const item of items) {
    budget.spend(1);
    isEmpty = false;
    loop.assign(frame, item);
    if (loop.loopSlot !== undefined) frame.slots[loop.loopSlot] = context;
    loop.enter(frame);
    loop.body(frame);
  }
  loop.exit(frame);
  if (isEmpty) loop.otherwise(frame);
}

function recursiveLoop(
  node: For,
  loop: Loop,
  iterable: Code,
  filter: LoopFilter,
  owner: FunctionScope,
  place: Place,
): Act {
  const { autoescape } = place;
  return (frame) => {
    const { budget } = frame.run;
    const recurse = (items: Value, depth: number): string | Markup => {
      budget.enter();
      const own = new Frame(owner, frame.context, frame);
      const make = (): LoopContext => new LoopContext(filter(items, frame), budget, recurse, depth);
      const context = contextOf(node, make);
      turn(loop, context, context, own);
      budget.leave();
      return autoescape ? new Markup(own.out) : own.out;
    };
    frame.out += rawText(recurse(iterable(frame), 0));
  };
}

const rawText = (value: string | Markup): string => (value instanceof Markup ? value.text : value);

// The variable `loop`, as jinja2.runtime.LoopContext: it looks ahead only when asked to.

/** Renders the loop's body again, for `loop(…)` in recursive loops. `depth` counts from 0. */
type Recurse = (iterable: Value, depth: number) => Value;

const NO_PREVIOUS = new Undefined("there is no previous item");
const NO_NEXT = new Undefined("there is no next item");

class LoopContext implements PyObject {
  readonly kind = "object";
  readonly typeName = "jinja2.runtime.LoopContext";
  readonly #iterable: Value;
  readonly #recurse: Recurse | undefined;
  readonly #depth: number;
  readonly #budget: Budget;
  #iterator: Iterator<Value>;
  #index = -1;
  #length: number | undefined;
  #ahead: Value | undefined;
  #current: Value | undefined;
  #before: Value | undefined;
  #lastChanged: PyTuple | undefined;

  /** @throws TemplateError where the value cannot be walked */
  constructor(iterable: Value, budget: Budget, recurse?: Recurse, depth = 0) {
    this.#iterable = iterable;
    this.#iterator = iterate(iterable, budget)[Symbol.iterator]();
    this.#budget = budget;
    this.#recurse = recurse;
    this.#depth = depth;
  }

  *[Symbol.iterator](): Generator<Value> {
    for (let item = this.#peek(); item !== undefined; item = this.#peek()) {
      this.#ahead = undefined;
      this.#index += 1;
      this.#before = this.#current;
      this.#current = item;
      yield item;
    }
  }

  readonly text = (): string => `<LoopContext ${this.#index + 1}/${this.#count()}>`;

  readonly call = (given: Arguments): Value => {
    if (this.#recurse === undefined) {
      throw typeError("The loop must have the 'recursive' marker to be called recursively.");
    }
    const [iterable] = given.positional;
    const named = given.named.get("iterable");
    if (given.positional.length + given.named.size !== 1 || (iterable ?? named) === undefined) {
      throw typeError("loop() takes exactly one argument");
    }
    return this.#recurse(iterable ?? named ?? null, this.#depth + 1);
  };

  readonly get = (name: string): Value | undefined => LoopContext.#ATTRIBUTES.get(name)?.(this);

  static readonly #ATTRIBUTES: ReadonlyMap<string, (loop: LoopContext) => Value> = new Map<
    string,
    (loop: LoopContext) => Value
  >([
    ["index", (loop) => loop.#index + 1],
    ["index0", (loop) => loop.#index],
    ["length", (loop) => loop.#count()],
    ["revindex", (loop) => loop.#count() - loop.#index],
    ["revindex0", (loop) => loop.#count() - loop.#index - 1],
    ["first", (loop) => loop.#index === 0],
    ["last", (loop) => loop.#peek() === undefined],
    ["depth", (loop) => loop.#depth + 1],
    ["depth0", (loop) => loop.#depth],
    ["previtem", (loop) => orNothing(loop.#index === 0 ? undefined : loop.#before, NO_PREVIOUS)],
    ["nextitem", (loop) => orNothing(loop.#peek(), NO_NEXT)],
    ["cycle", (loop) => new PyCallable(methodText("cycle"), loop.#cycle)],
    ["changed", (loop) => new PyCallable(methodText("changed"), loop.#changed)],
  ]);

  #peek(): Value | undefined {
    if (this.#ahead === undefined) {
      const step = this.#iterator.next();
      if (step.done !== true) this.#ahead = step.value;
    }
    return this.#ahead;
  }

  /** Without a length, all remaining items are taken out and handed on from a list. */
  #count(): number {
    if (this.#length !== undefined) return this.#length;
    const known = lengthOf(this.#iterable);
    if (known !== undefined) this.#length = known;
    else {
      const rest: Value[] = [];
      for (let step = this.#iterator.next(); step.done !== true; step = this.#iterator.next()) rest.push(step.value);
      this.#iterator = rest[Symbol.iterator]();
      this.#length = rest.length + this.#index + 1 + (this.#ahead === undefined ? 0 : 1);
    }
    return this.#length;
  }

  readonly #cycle = (given: Arguments): Value => {
    const { positional, named } = given;
    if (named.size > 0) throw typeError("LoopContext.cycle() takes no keyword arguments");
    const item = positional[this.#index % positional.length];
    if (item === undefined) throw typeError("no items for cycling given");
    return item;
  };

  readonly #changed = (given: Arguments): Value => {
    if (given.named.size > 0) throw typeError("LoopContext.changed() takes no keyword arguments");
    const value = new PyTuple(given.positional);
    if (this.#lastChanged !== undefined && equal(this.#lastChanged, value, this.#budget)) return false;
    this.#lastChanged = value;
    return true;
  };
}

/** None is a value too: only `undefined` is nothing. */
const orNothing = (value: Value | undefined, nothing: Undefined): Value => (value === undefined ? nothing : value);

const methodText = (name: string): string => `<bound method LoopContext.${name} of <LoopContext>>`;

function lengthOf(value: Value): number | undefined {
  if (value instanceof PyIterator) return undefined;
  try {
    return length(value);
  } catch (error) {
    if (error instanceof TemplateError && error.python === "TypeError") return undefined;
    throw error;
  }
}
