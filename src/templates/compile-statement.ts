/** Statements become closures that print into the frame's buffer and assign to its slots. */
import { compileFilter } from "./compile-call.ts";
import { compileFor } from "./compile-loop.ts";
import { compileCallBlock, compileMacro } from "./compile-macro.ts";
import { compileEntry, compileExit, compileTarget, readSlot } from "./compile-scope.ts";
import { printed } from "./markup.ts";
import { assertionError, innerPlace, sequence, softPlace, type Place } from "./program.ts";
import { str, truth } from "./python/index.ts";
import type { Act, Code, Frame } from "./run.ts";
import { analyse, analyseExpression, analyseTarget, Symbols, variableOf, type Variable } from "./scope.ts";
import { TemplateError, typeError, unsupported, withSpan } from "./template-error.ts";
import type {
  AssignmentTarget,
  Autoescape,
  Block,
  Expression,
  FilterBlock,
  FilterUse,
  If,
  SetBlock,
  SetStatement,
  Span,
  Statement,
  Unsupported,
  With,
} from "./tree.ts";
import { Budget } from "./budget.ts";
import { Markup, type Value } from "./value.ts";

export function compileBody(statements: readonly Statement[], place: Place): Act {
  return sequence(statements.map((statement) => compileStatement(statement, place)));
}

function compileStatement(node: Statement, place: Place): Act {
  switch (node.kind) {
    case "text":
      return printText(node.text);
    case "output":
      return sequence(node.expressions.map((expression) => compileOutput(expression, place)));
    case "for":
      return compileFor(node, place);
    case "if":
      return compileIf(node, place);
    case "set":
      return compileSet(node, place);
    case "set-block":
      return compileSetBlock(node, place);
    case "with":
      return compileWith(node, place);
    case "macro":
      return compileMacro(node, place);
    case "call-block":
      return compileCallBlock(node, place);
    case "filter-block":
      return compileFilterBlock(node, place);
    case "block":
      return compileBlock(node, place);
    case "autoescape":
      return compileAutoescape(node, place);
    case "unsupported":
      return compileLoader(node, place);
  }
}

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

function compileIf(node: If, place: Place): Act {
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
}

function compileSet(node: SetStatement, place: Place): Act {
  refuseTwins(node);
  const code = place.expression(node.value, place);
  const assign = compileTarget(node.target, place);
  const publish = compileExport(node.target, place);
  return (frame) => {
    assign(frame, code(frame));
    publish(frame);
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

function compileSetBlock(node: SetBlock, place: Place): Act {
  const inner = innerPlace(place, new Symbols(place.symbols.owner, place.symbols));
  analyse(inner.symbols, node.body);
  const enter = compileEntry(inner);
  const text = captured(place.body(node.body, inner));
  const code = compileFilters(node.filters, text, inner);
  const assign = compileTarget(node.target, place);
  const publish = compileExport(node.target, place);
  const exit = compileExit(inner.symbols);
  return (frame) => {
    enter(frame);
    const value = code(frame);
    const { autoescape, budget } = frame.run;
    assign(frame, autoescape && !(value instanceof Markup) ? new Markup(str(value, budget)) : value);
    publish(frame);
    exit(frame);
  };
}

function compileFilterBlock(node: FilterBlock, place: Place): Act {
  const inner = innerPlace(place, new Symbols(place.symbols.owner, place.symbols));
  analyse(inner.symbols, node.body);
  for (const filter of node.filters) analyseExpression(inner.symbols, filter);
  const enter = compileEntry(inner);
  const text = captured(place.body(node.body, inner));
  const code = compileFilters(node.filters, text, inner);
  const exit = compileExit(inner.symbols);
  return (frame) => {
    enter(frame);
    printBare(frame, code(frame), node);
    exit(frame);
  };
}

/** Jinja2 prints the results of filter and call blocks as they are: they must be texts. */
export function printBare(frame: Frame, value: Value, span: Span): void {
  const text = value instanceof Markup ? value.text : value;
  if (typeof text !== "string") throw withSpan(typeError("The result of a filter or call block must be a text."), span);
  frame.run.budget.characters(text.length);
  frame.out += text;
}

function compileWith(node: With, place: Place): Act {
  const inner = innerPlace(place, new Symbols(place.symbols.owner, place.symbols));
  for (const binding of node.bindings) analyseTarget(inner.symbols, binding.target);
  analyse(inner.symbols, node.body);
  const enter = compileEntry(inner);
  const bindings = node.bindings.map((binding) => ({
    assign: compileTarget(binding.target, inner),
    value: place.expression(binding.value, place),
  }));
  const body = place.body(node.body, inner);
  const exit = compileExit(inner.symbols);
  return (frame) => {
    enter(frame);
    for (const binding of bindings) binding.assign(frame, binding.value(frame));
    body(frame);
    exit(frame);
  };
}

function compileAutoescape(node: Autoescape, place: Place): Act {
  const symbols = new Symbols(place.symbols.owner, place.symbols);
  analyseExpression(symbols, node.value);
  analyse(symbols, node.body);
  const inner = innerPlace(place, symbols);
  const value = place.constants.valueOf(node.value, place.autoescape);
  if (value === undefined) throw withSpan(unsupported("{% autoescape %} with a value that is not a constant"), node);
  const autoescape = truth(value);
  const enter = compileEntry(inner);
  const body = place.body(node.body, { ...inner, autoescape });
  const exit = compileExit(symbols);
  return (frame) => {
    enter(frame);
    const before = frame.run.autoescape;
    frame.run.autoescape = autoescape;
    body(frame);
    frame.run.autoescape = before;
    exit(frame);
  };
}

function compileBlock(node: Block, place: Place): Act {
  const block = place.program.blocks.get(node.name);
  const stored = [...place.symbols.stored()].map(([name, variable]) => [name, readSlot(variable, place)] as const);
  return (frame) => {
    if (node.required) throw new TemplateError("TemplateRuntimeError", `Required block '${node.name}' not found`, node);
    const context = node.scoped ? frame.context.derived(present(stored, frame)) : frame.context;
    frame.out += block?.render(context) ?? "";
  };
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

/** `include`, `extends`, `import`, `from`: fsspec gives Jinja2 no loader, so each of them raises. */
function compileLoader(node: Unsupported, place: Place): Act {
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
}
