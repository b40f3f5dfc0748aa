/** A template, compiled once and rendered as often as one likes. */
import type { Budget } from "../budget.ts";
import { compileExpression } from "./compile-expression.ts";
import { compileEntry } from "./compile-scope.ts";
import { compileBody, constantText } from "./compile-statement.ts";
import { Constants } from "../constant.ts";
import { FILTERS } from "../filters/index.ts";
import { globalValue } from "../globals.ts";
import { TESTS } from "../is-tests/index.ts";
import { printed } from "../markup.ts";
import { parseTemplate } from "../parse/parse-template.ts";
import { assertionError, Program, type Place } from "../program.ts";
import { Context, Frame, type Code, type Run } from "../run.ts";
import { analyse, FunctionScope, Symbols } from "../scope.ts";
import { TemplateError, withSpan } from "../template-error.ts";
import type { Block, Expression, Output, Span, Statement, TemplateTree } from "../tree.ts";
import { Markup, PyCallable, Undefined, type PyObject, type Value } from "../value.ts";
import { everyStatement, readBeforeStored } from "../walk.ts";

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
  const root = placeOf(program, new FunctionScope(undefined, true), true);
  const blocks = declareBlocks(tree.body, program);
  const straight = compileStraight(tree.body, root);
  const render = straight === undefined ? compileRoot(tree.body, root, ["self"]) : renderStraight(straight, root);
  for (const block of blocks) compileBlockBody(block, program);
  const constant = tree.body.every((one) => one.kind === "text") ? textOf(tree.body) : undefined;
  const template = { source: tree.source, tree, constant, names: program.names };
  return { ...template, render: renderer(program, render), bind: binder(program, render, straight, root) };
}

function textOf(body: readonly Statement[]): string {
  return body.map((one) => (one.kind === "text" ? one.text : "")).join("");
}

function placeOf(program: Program, owner: FunctionScope, toplevel: boolean): Place {
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
  const place = placeOf(program, new FunctionScope(undefined), false);
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
