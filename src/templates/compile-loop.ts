/** `{% for %}`: plain loops, loops that use `loop`, filtered and recursive ones. */
import { compileEntry, compileExit, compileTarget, type Assign } from "./compile-scope.ts";
import { LoopContext } from "./loop-context.ts";
import { assertionError, innerPlace, type Place } from "./program.ts";
import { iterate, truth } from "./python/index.ts";
import { Frame, type Act, type Code } from "./run.ts";
import { analyse, analyseExpression, analyseTarget, FunctionScope, Symbols } from "./scope.ts";
import { withSpan } from "./template-error.ts";
import type { AssignmentTarget, Expression, For, Statement } from "./tree.ts";
import { EXHAUSTED, Markup, PyIterator, PyTuple, type Value } from "./value.ts";
import { everyStatement, readBeforeStored, walkStatements, walkTarget } from "./walk.ts";

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
  const filter = node.test === undefined ? undefined : compileLoopFilter(node.target, node.test, place);
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
  const enter = compileEntry(place);
  const body = place.body(statements, place);
  const exit = compileExit(place.symbols);
  return (frame) => {
    enter(frame);
    body(frame);
    exit(frame);
  };
}

type LoopFilter = (items: Value, frame: Frame) => Value;

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
    const steps = iterate(items, budget)[Symbol.iterator]();
    const next = (): Value | typeof EXHAUSTED => {
      for (let step = steps.next(); step.done !== true; step = steps.next()) {
        assign(own, step.value);
        if (truth(passes(own))) return isTuple ? new PyTuple([...iterate(step.value, budget)]) : step.value;
      }
      return EXHAUSTED;
    };
    return new PyIterator(next, "<generator object root.<locals>.t_1 at 0x..>");
  };
}

function plainLoop(node: For, loop: Loop, iterable: Code, filter: LoopFilter | undefined): Act {
  const { assign, enter, body, exit, otherwise } = loop;
  return (frame) => {
    const { budget } = frame.run;
    const items = iterable(frame);
    let isEmpty = true;
    for (const item of walk(filter === undefined ? items : filter(items, frame), frame, node)) {
      budget.spend(1);
      isEmpty = false;
      assign(frame, item);
      enter(frame);
      body(frame);
    }
    exit(frame);
    if (isEmpty) otherwise(frame);
  };
}

function* walk(items: Value, frame: Frame, node: For): Generator<Value> {
  try {
    yield* iterate(items, frame.run.budget);
  } catch (error) {
    throw withSpan(error, node.iterable);
  }
}

function extendedLoop(node: For, loop: Loop, iterable: Code, filter: LoopFilter | undefined): Act {
  return (frame) => {
    const items = iterable(frame);
    const context = contextOf(
      node,
      () => new LoopContext(filter === undefined ? items : filter(items, frame), frame.run.budget),
    );
    turn(loop, context, frame);
  };
}

function contextOf(node: For, make: () => LoopContext): LoopContext {
  try {
    return make();
  } catch (error) {
    throw withSpan(error, node.iterable);
  }
}

function turn(loop: Loop, context: LoopContext, frame: Frame): void {
  const { budget } = frame.run;
  let isEmpty = true;
  for (let item = context.next(); item !== undefined; item = context.next()) {
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
  filter: LoopFilter | undefined,
  owner: FunctionScope,
  place: Place,
): Act {
  const { autoescape } = place;
  return (frame) => {
    const { budget } = frame.run;
    const recurse = (items: Value, depth: number): string | Markup => {
      budget.enter();
      const own = new Frame(owner, frame.context, frame);
      const make = (): LoopContext =>
        new LoopContext(filter === undefined ? items : filter(items, frame), budget, recurse, depth);
      turn(loop, contextOf(node, make), own);
      budget.leave();
      return autoescape ? new Markup(own.out) : own.out;
    };
    frame.out += textOf(recurse(iterable(frame), 0));
  };
}

function textOf(value: string | Markup): string {
  return value instanceof Markup ? value.text : value;
}
