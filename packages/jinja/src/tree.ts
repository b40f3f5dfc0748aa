/**
 * The syntax tree of a template, after Jinja2's grammar (jinja2/parser.py and jinja2/nodes.py, 3.1). Every node knows
 * its place in the source: `start` and `end` are offsets in UTF-16 code units, `end` excluded.
 */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A node of a kind, with what is its own. */
type Node<Kind extends string, Parts> = Span & { readonly kind: Kind } & Readonly<Parts>;

export type Expression =
  | Literal
  | Name
  | TupleLiteral
  | ListLiteral
  | DictLiteral
  | Unary
  | Binary
  | Logical
  | Concatenation
  | Comparison
  | Conditional
  | Attribute
  | Item
  | Slice
  | Call
  | FilterUse
  | TestUse;

/** `true`/`True`, `false`, `none`, strings (escapes undone, neighbours joined), numbers. */
export type Literal = Node<"literal", { value: null | boolean | string | NumberLiteral }>;

/** `int`: the exact value. `float`: the nearest double. */
export type NumberLiteral =
  | { readonly type: "int"; readonly value: bigint }
  | { readonly type: "float"; readonly value: number };

export type Name = Node<"name", { name: string }>;

export type TupleLiteral = Node<"tuple", { items: readonly Expression[] }>;

export type ListLiteral = Node<"list", { items: readonly Expression[] }>;

export type DictLiteral = Node<"dict", { pairs: readonly { readonly key: Expression; readonly value: Expression }[] }>;

export type Unary = Node<"unary", { operator: "-" | "+" | "not"; operand: Expression }>;

export type BinaryOperator = "+" | "-" | "*" | "/" | "//" | "%" | "**";

export type Binary = Node<"binary", { operator: BinaryOperator; left: Expression; right: Expression }>;

export type Logical = Node<"logical", { operator: "and" | "or"; left: Expression; right: Expression }>;

/** `a ~ b ~ c` */
export type Concatenation = Node<"concatenation", { parts: readonly Expression[] }>;

export type ComparisonOperator = "==" | "!=" | "<" | "<=" | ">" | ">=" | "in" | "not in";

/** A chain: `a < b <= c`. */
export type Comparison = Node<
  "comparison",
  { first: Expression; rest: readonly { readonly operator: ComparisonOperator; readonly operand: Expression }[] }
>;

/** `then if test else otherwise`; without `else` it is undefined where the test fails. */
export type Conditional = Node<
  "conditional",
  { test: Expression; then: Expression; otherwise: Expression | undefined }
>;

/** `object.name` */
export type Attribute = Node<"attribute", { object: Expression; name: string; nameSpan: Span }>;

/** `object[index]`, and `object.0`. */
export type Item = Node<"item", { object: Expression; index: Expression }>;

/** Only as the index of an `Item` (also inside its tuple). */
export type Slice = Node<
  "slice",
  { from: Expression | undefined; to: Expression | undefined; step: Expression | undefined }
>;

export interface CallArguments {
  readonly positional: readonly Expression[];
  readonly named: readonly { readonly name: string; readonly nameSpan: Span; readonly value: Expression }[];
  /** `*list` */
  readonly star: Expression | undefined;
  /** `**dict` */
  readonly doubleStar: Expression | undefined;
}

export type Call = Node<"call", { callee: Expression; arguments: CallArguments }>;

/** `operand | name(arguments)`. `operand` is absent in filter blocks and `set` blocks: there it is the block's text. */
export type FilterUse = Node<
  "filter",
  { operand: Expression | undefined; name: string; nameSpan: Span; arguments: CallArguments }
>;

/** `operand is name(arguments)`; `is not` is a `not` around it. */
export type TestUse = Node<"test", { operand: Expression; name: string; nameSpan: Span; arguments: CallArguments }>;

/** What can be assigned to. `attribute` is `ns.x` in `{% set ns.x = … %}`. */
export type AssignmentTarget =
  | Name
  | Node<"target-tuple", { items: readonly AssignmentTarget[] }>
  | Node<"target-attribute", { object: string; name: string }>;

export interface Parameter extends Span {
  readonly name: string;
  readonly fallback: Expression | undefined;
}

export type Statement =
  | TextOutput
  | Output
  | For
  | If
  | SetStatement
  | SetBlock
  | With
  | Macro
  | CallBlock
  | FilterBlock
  | Block
  | Autoescape
  | Unsupported;

/** Template text as it is printed: whitespace control and newline rules are already applied. */
export type TextOutput = Node<"text", { text: string }>;

/** `{{ … }}`, and `{% print a, b %}`. */
export type Output = Node<"output", { expressions: readonly Expression[] }>;

export type For = Node<
  "for",
  {
    target: AssignmentTarget;
    iterable: Expression;
    test: Expression | undefined;
    recursive: boolean;
    body: readonly Statement[];
    otherwise: readonly Statement[];
  }
>;

export type If = Node<
  "if",
  {
    /** `if` and the `elif`s in order. */
    branches: readonly { readonly test: Expression; readonly body: readonly Statement[] }[];
    otherwise: readonly Statement[];
  }
>;

/** `{% set a, b = … %}` */
export type SetStatement = Node<"set", { target: AssignmentTarget; value: Expression }>;

/** `{% set a | filter %}…{% endset %}`; `filters` outermost last. */
export type SetBlock = Node<
  "set-block",
  { target: AssignmentTarget; filters: readonly FilterUse[]; body: readonly Statement[] }
>;

export type With = Node<
  "with",
  { bindings: readonly { readonly target: AssignmentTarget; readonly value: Expression }[]; body: readonly Statement[] }
>;

export type Macro = Node<"macro", { name: string; parameters: readonly Parameter[]; body: readonly Statement[] }>;

export type CallBlock = Node<
  "call-block",
  { parameters: readonly Parameter[]; call: Call; body: readonly Statement[] }
>;

/** `filters` outermost last. */
export type FilterBlock = Node<"filter-block", { filters: readonly FilterUse[]; body: readonly Statement[] }>;

export type Block = Node<"block", { name: string; scoped: boolean; required: boolean; body: readonly Statement[] }>;

export type Autoescape = Node<"autoescape", { value: Expression; body: readonly Statement[] }>;

/** Legal for the parser, not built: reaching it while rendering is an error (as `include` is without a loader). */
export type Unsupported = Node<
  "unsupported",
  {
    /** "include", "extends", "import", "from". */
    statement: string;
  }
>;

export interface TemplateTree {
  readonly source: string;
  readonly body: readonly Statement[];
}

/** What is done with a node of each kind. */
export type ByKind<Node extends { readonly kind: string }, Rest extends readonly unknown[], Result> = {
  readonly [Kind in Node["kind"]]: (node: Extract<Node, { readonly kind: Kind }>, ...rest: Rest) => Result;
};
