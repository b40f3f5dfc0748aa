/**
 * Which variable a name means. Jinja2 decides it before rendering, scope by scope (jinja2/idtracking.py), with rules that
 * show: a name assigned anywhere in a scope is undefined before the assignment even where a variable of that name was
 * given, branches of an `if` share their scope, loops see outer names as they were. The same is done here.
 */
import { TemplateError } from "./template-error.ts";
import type { AssignmentTarget, Expression, If, Parameter, Span, Statement } from "./tree.ts";
import { walkExpression, walkTarget } from "./walk.ts";

/** The variables of one function (the template, a block, a macro, a recursive loop): each call has its own slots. */
export class FunctionScope {
  readonly parent: FunctionScope | undefined;
  /** Whether it is the template itself, whose names nothing but its own assignments changes. */
  readonly isTemplate: boolean;
  readonly #variables = new Map<string, Variable>();

  constructor(parent: FunctionScope | undefined, isTemplate = false) {
    this.parent = parent;
    this.isTemplate = isTemplate;
  }

  /** Scopes at the same level share variables of the same name: one is left before the other is entered. */
  variable(level: number, name: string): Variable {
    const id = `${level} ${name}`;
    const known = this.#variables.get(id);
    if (known !== undefined) return known;
    const made: Variable = { owner: this, level, name, slot: this.#variables.size };
    this.#variables.set(id, made);
    return made;
  }

  get size(): number {
    return this.#variables.size;
  }
}

export interface Variable {
  readonly owner: FunctionScope;
  readonly level: number;
  readonly name: string;
  readonly slot: number;
}

/** What a variable is when its scope is entered. */
export type Load =
  | { readonly kind: "parameter" }
  | { readonly kind: "resolve"; readonly name: string }
  | { readonly kind: "alias"; readonly from: Variable }
  | { readonly kind: "undefined" };

/** The names of one scope. */
export class Symbols {
  readonly owner: FunctionScope;
  readonly parent: Symbols | undefined;
  readonly level: number;
  readonly #variables = new Map<string, Variable>();
  readonly loads = new Map<Variable, Load>();
  readonly stores = new Set<string>();

  constructor(owner: FunctionScope, parent: Symbols | undefined) {
    this.owner = owner;
    this.parent = parent;
    this.level = parent === undefined ? 0 : parent.level + 1;
  }

  find(name: string): Variable | undefined {
    return this.#variables.get(name) ?? this.parent?.find(name);
  }

  findLoad(variable: Variable): Load | undefined {
    return this.loads.get(variable) ?? this.parent?.findLoad(variable);
  }

  /** Whether the scope that owns the variable assigns to it. */
  isStored(variable: Variable): boolean {
    if (this.level === variable.level) return this.stores.has(variable.name);
    return this.parent?.isStored(variable) ?? true;
  }

  load(name: string): void {
    if (this.find(name) === undefined) this.#define(name, { kind: "resolve", name });
  }

  store(name: string): void {
    this.stores.add(name);
    if (this.#variables.has(name)) return;
    const outer = this.parent?.find(name);
    this.#define(name, outer === undefined ? { kind: "undefined" } : { kind: "alias", from: outer });
  }

  parameter(name: string): Variable {
    this.stores.add(name);
    return this.#define(name, { kind: "parameter" });
  }

  #define(name: string, load: Load): Variable {
    const variable = this.owner.variable(this.level, name);
    this.#variables.set(name, variable);
    this.loads.set(variable, load);
    return variable;
  }

  /** All names assigned in this scope and those around it, with the variables they mean here. */
  stored(): Map<string, Variable> {
    const found = new Map<string, Variable>();
    for (const name of [...this.stores, ...(this.parent?.stored().keys() ?? [])]) {
      const variable = this.find(name);
      if (variable !== undefined) found.set(name, variable);
    }
    return found;
  }

  copy(): Symbols {
    const copy = new Symbols(this.owner, this.parent);
    copy.#take(this);
    return copy;
  }

  #take(other: Symbols): void {
    for (const [name, variable] of other.#variables) this.#variables.set(name, variable);
    for (const [variable, load] of other.loads) this.loads.set(variable, load);
    for (const name of other.stores) this.stores.add(name);
  }

  /** Takes over what the branches of an `if` define; a name that not all of them assign keeps its outer value before. */
  join(branches: readonly Symbols[]): void {
    const counts = new Map<string, number>();
    for (const branch of branches) {
      for (const name of branch.stores) {
        if (!this.stores.has(name)) counts.set(name, (counts.get(name) ?? 0) + 1);
      }
    }
    for (const branch of branches) this.#take(branch);
    for (const [name, count] of counts) {
      const variable = count === branches.length ? undefined : this.find(name);
      if (variable === undefined) continue;
      const outer = this.parent?.find(name);
      this.loads.set(variable, outer === undefined ? { kind: "resolve", name } : { kind: "alias", from: outer });
    }
  }
}

/** The variable a name means. @throws TemplateError where Jinja2 loses track of it (in filters of `set` blocks) */
export function variableOf(symbols: Symbols, name: string, span: Span): Variable {
  const variable = symbols.find(name);
  if (variable !== undefined) return variable;
  throw new TemplateError("AssertionError", `Jinja2 cannot tell which variable '${name}' means here.`, span);
}

/** Notes the names of statements that belong to this scope; bodies with a scope of their own are left out. */
export function analyse(symbols: Symbols, statements: readonly Statement[]): void {
  for (const statement of statements) analyseStatement(symbols, statement);
}

export function analyseExpression(symbols: Symbols, node: Expression | undefined): void {
  walkExpression(node, (name) => symbols.load(name.name));
}

export function analyseTarget(symbols: Symbols, target: AssignmentTarget, asParameter = false): void {
  if (target.kind === "target-attribute") symbols.load(target.object);
  else walkTarget(target, (name) => void (asParameter ? symbols.parameter(name) : symbols.store(name)));
}

/** A macro's or call block's own scope. */
export function analyseFunction(symbols: Symbols, parameters: readonly Parameter[], body: readonly Statement[]): void {
  for (const parameter of parameters) symbols.parameter(parameter.name);
  for (const parameter of parameters) analyseExpression(symbols, parameter.fallback);
  analyse(symbols, body);
}

function analyseStatement(symbols: Symbols, node: Statement): void {
  switch (node.kind) {
    case "output":
      for (const expression of node.expressions) analyseExpression(symbols, expression);
      return;
    case "if":
      return analyseIf(symbols, node.branches, node.otherwise);
    case "for":
      return analyseExpression(symbols, node.iterable);
    case "set":
      analyseExpression(symbols, node.value);
      return analyseTarget(symbols, node.target);
    case "set-block":
      return analyseTarget(symbols, node.target);
    case "with":
      for (const binding of node.bindings) analyseExpression(symbols, binding.value);
      return;
    case "macro":
      return symbols.store(node.name);
    case "call-block":
      return analyseExpression(symbols, node.call);
    case "filter-block":
      for (const filter of node.filters) analyseExpression(symbols, filter);
      return;
    case "text":
    case "block":
    case "autoescape":
    case "unsupported":
  }
}

function analyseIf(symbols: Symbols, branches: If["branches"], otherwise: readonly Statement[]): void {
  const [first, ...rest] = branches;
  if (first === undefined) return;
  analyseExpression(symbols, first.test);
  const body = symbols.copy();
  analyse(body, first.body);
  // Each `elif` is an `if` of its own without an `else`; together they are one branch beside the first.
  const elifs = symbols.copy();
  for (const branch of rest) analyseIf(elifs, [branch], []);
  const last = symbols.copy();
  analyse(last, otherwise);
  symbols.join([body, elifs, last]);
}
