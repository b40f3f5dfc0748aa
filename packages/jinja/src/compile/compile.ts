/** A template, compiled once and rendered as often as one likes. */
import { Constants, isScalar, literalValue } from "../constant.ts";
import { FILTERS } from "../filters/index.ts";
import { globalValue } from "../globals.ts";
import { TESTS } from "../is-tests/index.ts";
import { dictValue } from "../json-value.ts";
import { joined, printed } from "../markup.ts";
import { BINARY, type BinaryOperation, COMPARISON, isNegative, negativePower, UNARY } from "../operations.ts";
import { parseTemplate } from "../parse/parse-template.ts";
import { assertionError, lineOf, type Place, Program, softPlace } from "../program.ts";
import { attributeOrItem, getSlice, itemOrAttribute, truth } from "../python/index.ts";
import { quickPercent } from "../quick-format.ts";
import { type Code, Context, Frame, type Run } from "../run.ts";
import { analyse, FunctionScope, Symbols, variableOf } from "../scope.ts";
import { spanned } from "../spanned.ts";
import { type Budget, TemplateError, valueError, withSpan } from "../template-error.ts";
import type { Binary, Block, Expression, Item, Output, Slice, Span, Statement, TemplateTree, ByKind } from "../tree.ts";
import { Markup, PyCallable, PyFloat, PyList, type PyObject, PyTuple, Undefined, type Value } from "../value.ts";
import { everyStatement, readBeforeStored } from "../walk.ts";
import { compileCall, compileFilter, compileTest } from "./compile-call.ts";
import { compileEntry, isOnlyRead, readSlot } from "./compile-scope.ts";
import { compileBody, constantText } from "./compile-statement.ts";

export interface Template {
  readonly source: string;
  readonly tree: TemplateTree;
  /** Text of a template without any tag: it is the same for all variables. */
  readonly constant: string | undefined;
  /**
   * Names it takes from outside, those of Jinja2's globals (`range`, …) too, each with every place where it is read.
   * Names that it binds before they are read (loop variables, parameters, `set`) are not among them.
   */
  readonly names: ReadonlyMap<string, readonly Span[]>;
  /**
   * The text, as `template.render(**variables)` gives it. The budget is spent from what is left of it.
   * @throws TemplateError where Python raises, and beyond the budget
   */
  render(variables: ReadonlyMap<string, Value>, budget: Budget): string;
  /**
   * For rendering very often: the function given back takes the values of `names`, in their order, and reads all other
   * names from `variables` once, now. It resets the budget before each render.
   * @throws TemplateError where the function is called, as `render`
   */
  bind(
    names: readonly string[],
    variables: ReadonlyMap<string, Value>,
    budget: Budget,
  ): (slots: readonly Value[]) => string;
}

/** @throws TemplateError for what Jinja2 refuses to parse or compile, and for what is not supported */
export const compileTemplate = (source: string): Template => guarded(() => compile(parseTemplate(source)));

/**
 * The value that one `{{ … }}` of a template would print with these variables, in the template's outermost scope.
 * @throws TemplateError where it cannot be computed there
 */
export function evaluateOutput(
  template: Template,
  node: Output,
  variables: ReadonlyMap<string, Value>,
  budget: Budget,
): string {
  const { source } = template;
  return guarded(() => compile({ source, body: [node] })).render(variables, budget);
}

function compile(tree: TemplateTree): Template {
  const program = new Program(tree.source);
  const root = storagePlace(program, new FunctionScope(undefined, true), true);
  const blocks = declareBlocks(tree.body, program);
  const straight = compileStraight(tree.body, root);
  const render = straight === undefined ? compileRoot(tree.body, root, ["self"]) : renderStraight(straight, root);
  for (const block of blocks) compileBlockBody(block, program);
  const constant = tree.body.every((one) => one.kind === "text")
    ? tree.body.map((one) => (one.kind === "text" ? one.text : "")).join("")
    : undefined;
  const template = { source: tree.source, tree, constant, names: program.names };
  return { ...template, render: renderer(program, render), bind: binder(program, render, straight, root) };
}

function storagePlace(program: Program, owner: FunctionScope, toplevel: boolean): Place {
  return {
    program,
    symbols: new Symbols(owner, undefined),
    toplevel,
    soft: false,
    autoescape: false,
    constants: new Constants(),
    expression: compileExpression,
    body: compileBody,
  };
}

function declareBlocks(body: readonly Statement[], program: Program): readonly Block[] {
  const found: Block[] = [];
  for (const one of everyStatement(body)) {
    if (one.kind !== "block") continue;
    if (program.blocks.has(one.name)) throw assertionError(`block '${one.name}' defined twice`, one);
    program.blocks.set(one.name, { render: () => "" });
    found.push(one);
  }
  return found;
}

type Render = (context: Context) => string;

/** `special`: the names that a body may read beside its own, of `self` and `super`. */
function compileRoot(body: readonly Statement[], place: Place, special: readonly string[], parent?: Undefined): Render {
  const { symbols, program } = place;
  const read = readBeforeStored(body, special);
  const [self, above] = ["self", "super"].map((name) => (read.has(name) ? symbols.parameter(name).slot : undefined));
  analyse(symbols, body);
  const enter = compileEntry(place);
  const act = place.body(body, place);
  return (context) => {
    const frame = new Frame(symbols.owner, context, undefined);
    if (self !== undefined) frame.slots[self] = selfReference(program, context);
    if (above !== undefined) frame.slots[above] = parent;
    enter(frame);
    act(frame);
    return frame.out;
  };
}

function compileBlockBody(block: Block, program: Program): void {
  const place = storagePlace(program, new FunctionScope(undefined), false);
  const parent = new Undefined(`there is no parent block called '${block.name}'.`);
  const render = compileRoot(block.body, place, ["self", "super"], parent);
  const own = program.blocks.get(block.name);
  if (own === undefined) return;
  own.render = (context) => {
    const { budget } = context.run;
    budget.spend(1);
    budget.enter();
    const text = render(context);
    budget.leave();
    return text;
  };
}

/** `self`, through which a template prints its blocks again. */
function selfReference(program: Program, context: Context): PyObject {
  return {
    kind: "object",
    typeName: "jinja2.runtime.TemplateReference",
    text: () => "<TemplateReference None>",
    get: (name) => {
      const block = program.blocks.get(name);
      if (block === undefined) return undefined;
      return new PyCallable("<jinja2.runtime.BlockReference object at 0x..>", (given) => {
        if (given.positional.length + given.named.size > 0) {
          throw new TemplateError("TypeError", "A block takes no arguments.");
        }
        const text = block.render(context);
        return context.run.autoescape ? new Markup(text) : text;
      });
    },
  };
}

type Straight = (frame: Frame) => string;

/** Templates of text and outputs alone, which are nearly all, need no statements, buffers or slots. */
function compileStraight(body: readonly Statement[], root: Place): Straight | undefined {
  const expressions: Expression[] = [];
  const texts: string[] = [""];
  for (const one of body) {
    if (one.kind === "text") texts.push((texts.pop() ?? "") + one.text);
    else if (one.kind !== "output") return undefined;
    else {
      for (const expression of one.expressions) {
        expressions.push(expression);
        texts.push("");
      }
    }
  }
  // `self` asks for the whole machinery.
  if (readBeforeStored(body, ["self"]).has("self")) return undefined;
  analyse(root.symbols, body);
  return printAll(...mergeConstants(expressions, texts, root));
}

interface Piece {
  readonly code: Code;
  readonly node: Expression;
  /** The text after it. */
  readonly after: string;
}

function mergeConstants(expressions: readonly Expression[], texts: readonly string[], root: Place): [string, Piece[]] {
  const pieces: Piece[] = [];
  let before = texts[0] ?? "";
  for (const [index, node] of expressions.entries()) {
    const after = texts[index + 1] ?? "";
    const constant = constantText(node, root);
    const last = pieces.at(-1);
    if (constant === undefined) pieces.push({ code: root.expression(node, root), node, after });
    else if (last === undefined) before += constant + after;
    else pieces[pieces.length - 1] = { ...last, after: last.after + constant + after };
  }
  return [before, pieces];
}

/** One and two outputs are by far the most common, and written out. */
function printAll(before: string, pieces: readonly Piece[]): Straight {
  const [first, second] = pieces;
  if (first === undefined) return () => before;
  if (second === undefined) return (frame) => before + print(first, frame) + first.after;
  if (pieces.length === 2) {
    return (frame) => before + print(first, frame) + first.after + print(second, frame) + second.after;
  }
  return (frame) => {
    let text = before;
    for (const piece of pieces) text += print(piece, frame) + piece.after;
    return text;
  };
}

function print(piece: Piece, frame: Frame): string {
  const value = piece.code(frame);
  if (typeof value === "string") return value;
  if (typeof value === "number") return `${value}`;
  try {
    return printed(value, false, frame.run.budget);
  } catch (error) {
    throw withSpan(error, piece.node);
  }
}

function renderStraight(straight: Straight, root: Place): Render {
  return (context) => {
    const text = straight(new Frame(root.symbols.owner, context, undefined));
    context.run.budget.characters(text.length);
    return text;
  };
}

const runOf = (budget: Budget): Run => ({ budget, autoescape: false, filters: FILTERS, tests: TESTS });

type Variables = ReadonlyMap<string, Value>;

function outsideOf(program: Program, variables: Variables, budget: Budget): (Value | undefined)[] {
  return program.outside.map((name) => (variables.has(name) ? variables.get(name) : globalValue(name, budget)));
}

function renderer(program: Program, render: Render): Template["render"] {
  return (variables, budget) => {
    if (variables.has("self")) throw selfRefused();
    const context = new Context(runOf(budget), outsideOf(program, variables, budget));
    return guarded(() => {
      budget.enter();
      const text = render(context);
      budget.leave();
      return text;
    });
  };
}

function binder(program: Program, render: Render, straight: Straight | undefined, root: Place): Template["bind"] {
  return (names, variables, budget) => {
    const hasSelf = variables.has("self") || names.includes("self");
    const fixed = outsideOf(program, variables, budget);
    const to = names.map((name) => program.outside.indexOf(name));
    const take = (outside: (Value | undefined)[], slots: readonly Value[]): void => {
      for (let from = 0; from < to.length; from += 1) {
        const place = to[from] ?? -1;
        if (place >= 0) outside[place] = slots[from];
      }
    };
    const renderAnew = (slots: readonly Value[]): string => {
      const outside = fixed.slice();
      take(outside, slots);
      return render(new Context(runOf(budget), outside));
    };
    const again = straight === undefined ? renderAnew : reusing(straight, fixed, take, renderAnew, budget, root);
    return (slots) => {
      if (hasSelf) throw selfRefused();
      budget.reset();
      try {
        return again(slots);
      } catch (error) {
        throw engineError(error);
      }
    };
  };
}

type Take = (outside: (Value | undefined)[], slots: readonly Value[]) => void;
type Again = (slots: readonly Value[]) => string;

/** A straight template keeps nothing from one render to the next, so its frame serves again, unless it is in use. */
function reusing(
  straight: Straight,
  fixed: readonly (Value | undefined)[],
  take: Take,
  renderAnew: Again,
  budget: Budget,
  root: Place,
): Again {
  const outside = fixed.slice();
  const frame = new Frame(root.symbols.owner, new Context(runOf(budget), outside), undefined);
  let isBusy = false;
  return (slots) => {
    if (isBusy) return renderAnew(slots);
    isBusy = true;
    try {
      take(outside, slots);
      const text = straight(frame);
      budget.characters(text.length);
      return text;
    } finally {
      isBusy = false;
    }
  };
}

/** `render(self=…)` collides with the method's own `self` in Python. */
function selfRefused(): TemplateError {
  return new TemplateError("TypeError", "A variable named 'self' cannot be given to a template.");
}

function guarded<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw engineError(error);
  }
}

/** The engine's own limits, reported as Python reports its own: too deep a recursion, too long a text. */
function engineError(error: unknown): unknown {
  if (!(error instanceof RangeError)) return error;
  if (/call stack/i.test(error.message)) return new TemplateError("RecursionError", "The template is nested too deep.");
  return new TemplateError("MemoryError", "A text grew too long.");
}

// Expressions become closures: no tree is walked and no name looked up while a template renders.

/** @throws TemplateError for what Jinja2 refuses when it compiles: unknown filters and tests, repeated keywords */
function compileExpression(node: Expression, place: Place): Code {
  if (!["literal", "name", "tuple", "list", "dict", "call", "slice"].includes(node.kind)) {
    place.constants.checkDicts(node);
    const value = place.constants.valueOf(node, place.autoescape);
    if (value !== undefined && isScalar(value)) return constantCode(value, node);
  }
  return (EXPRESSIONS[node.kind] as (node: Expression, place: Place) => Code)(node, place);
}

const EXPRESSIONS: ByKind<Expression, [place: Place], Code> = {
  literal: (node) => constantCode(literalValue(node.value), node),
  name(node, place) {
    const { name } = node;
    const variable = variableOf(place.symbols, name, node);
    const load = place.symbols.findLoad(variable);
    const missing = new Undefined(`'${name}' is undefined`);
    if (load?.kind === "resolve") place.program.use(name, node);
    if (load?.kind === "resolve" && isOnlyRead(variable, place)) {
      const number = place.program.numberOf(name);
      return (frame) => {
        const value = frame.outside[number];
        return value === undefined ? missing : value;
      };
    }
    const read = readSlot(variable, place);
    return (frame) => {
      const value = read(frame);
      return value === undefined ? missing : value;
    };
  },
  tuple(node, place) {
    const items = node.items.map((item) => compileExpression(item, place));
    return (frame) => new PyTuple(items.map((item) => item(frame)));
  },
  list(node, place) {
    const items = node.items.map((item) => compileExpression(item, place));
    return (frame) => new PyList(items.map((item) => item(frame)));
  },
  dict(node, place) {
    const pairs = node.pairs.map(
      (pair) => [compileExpression(pair.key, place), compileExpression(pair.value, place)] as const,
    );
    return spanned(node, (frame) => {
      const values = pairs.map(([key, value]) => [key(frame), value(frame)] as const);
      return dictValue(values, frame.run.budget);
    });
  },
  unary(node, place) {
    const operand = compileExpression(node.operand, place);
    if (node.operator === "not") return (frame) => !truth(operand(frame));
    const operation = UNARY[node.operator];
    return spanned(node, (frame) => operation(operand(frame), frame.run.budget));
  },
  binary(node, place) {
    const left = compileExpression(node.left, place);
    const right = compileExpression(node.right, place);
    const operation =
      node.operator === "**" ? powerOf(node, place) : compilePercent(node, BINARY[node.operator], place);
    return spanned(node, (frame) => operation(left(frame), right(frame), frame.run.budget));
  },
  logical(node, place) {
    const left = compileExpression(node.left, place);
    const right = compileExpression(node.right, place);
    const isAnd = node.operator === "and";
    return (frame) => {
      const value = left(frame);
      return truth(value) === isAnd ? right(frame) : value;
    };
  },
  concatenation(node, place) {
    const parts = node.parts.map((part) => compileExpression(part, place));
    const { autoescape } = place;
    return spanned(node, (frame) =>
      joined(
        parts.map((part) => part(frame)),
        autoescape,
        frame.run.budget,
      ),
    );
  },
  comparison(node, place) {
    const first = compileExpression(node.first, place);
    const steps = node.rest.map((step) => ({
      compare: COMPARISON[step.operator],
      operand: compileExpression(step.operand, place),
    }));
    return spanned(node, (frame) => {
      let left = first(frame);
      for (const step of steps) {
        const right = step.operand(frame);
        if (!step.compare(left, right, frame.run.budget)) return false;
        left = right;
      }
      return true;
    });
  },
  conditional(node, place) {
    const soft = softPlace(place);
    const test = compileExpression(node.test, soft);
    const then = compileExpression(node.then, soft);
    if (node.otherwise !== undefined) {
      const otherwise = compileExpression(node.otherwise, soft);
      return (frame) => (truth(test(frame)) ? then(frame) : otherwise(frame));
    }
    const line = lineOf(place.program.source, node.start);
    const nothing = new Undefined(
      `the inline if-expression on line ${line} evaluated to false and no else section was defined.`,
    );
    return (frame) => (truth(test(frame)) ? then(frame) : nothing);
  },
  attribute(node, place) {
    const object = compileExpression(node.object, place);
    const { name } = node;
    return spanned(node, (frame) => attributeOrItem(object(frame), name, frame.run.budget));
  },
  item(node, place) {
    const object = compileExpression(node.object, place);
    if (node.index.kind === "slice") return compileSlice(node, node.index, object, place);
    const index = compileExpression(node.index, place);
    return spanned(node, (frame) => itemOrAttribute(object(frame), index(frame), frame.run.budget));
  },
  call: compileCall,
  filter: compileFilter,
  test: compileTest,
  slice(node) {
    throw new TemplateError("TemplateSyntaxError", "A slice can stand only alone between brackets.", node);
  },
};

/** Jinja2 writes constants into Python source, where an infinite one is an unknown name and a very long one an error. */
function constantCode(value: Value, node: Span): Code {
  if (value instanceof PyFloat && !Number.isFinite(value.value)) {
    return () => {
      throw new TemplateError("NameError", "Jinja2 cannot use an infinite constant in an expression.", node);
    };
  }
  if (typeof value === "bigint" && (value < 0n ? -value : value) >= LONGEST) {
    throw withSpan(valueError("A constant integer has more than 4,300 digits."), node);
  }
  return () => value;
}

const LONGEST = 10n ** 4300n;

/** `'%03d' % i`, where the format is plain. */
function compilePercent(node: Binary, general: BinaryOperation, place: Place): BinaryOperation {
  const format = node.operator === "%" ? place.constants.valueOf(node.left, place.autoescape) : undefined;
  const quick = typeof format === "string" ? quickPercent(format) : undefined;
  if (quick === undefined) return general;
  return (left, right, budget) => {
    const text = quick(right);
    if (text === undefined) return general(left, right, budget);
    budget.characters(text.length);
    return text;
  };
}

/** Jinja2 itself computes the power of two constants. */
function powerOf({ left, right }: Binary, { constants, autoescape }: Place): BinaryOperation {
  const isWritten =
    isNegative(constants.valueOf(left, autoescape)) && constants.valueOf(right, autoescape) === undefined;
  return isWritten ? negativePower : BINARY["**"];
}

function compileSlice(node: Item, index: Slice, object: Code, place: Place): Code {
  const bound = (one: Expression | undefined): Code => (one === undefined ? () => null : compileExpression(one, place));
  const from = bound(index.from);
  const to = bound(index.to);
  const step = bound(index.step);
  return spanned(node, (frame) => getSlice(object(frame), from(frame), to(frame), step(frame), frame.run.budget));
}
