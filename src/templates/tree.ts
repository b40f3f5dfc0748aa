/**
 * The syntax tree of a template, after Jinja2's grammar (jinja2/parser.py and jinja2/nodes.py, 3.1). Every node knows
 * its place in the source: `start` and `end` are offsets in UTF-16 code units, `end` excluded.
 */
export interface Span {
  readonly start: number;
  readonly end: number;
}

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
export interface Literal extends Span {
  readonly kind: "literal";
  readonly value: null | boolean | string | NumberLiteral;
}

/** `int`: the exact value. `float`: the nearest double. */
export type NumberLiteral =
  { readonly type: "int"; readonly value: bigint } | { readonly type: "float"; readonly value: number };

export interface Name extends Span {
  readonly kind: "name";
  readonly name: string;
}

export interface TupleLiteral extends Span {
  readonly kind: "tuple";
  readonly items: readonly Expression[];
}

export interface ListLiteral extends Span {
  readonly kind: "list";
  readonly items: readonly Expression[];
}

export interface DictLiteral extends Span {
  readonly kind: "dict";
  readonly pairs: readonly { readonly key: Expression; readonly value: Expression }[];
}

export interface Unary extends Span {
  readonly kind: "unary";
  readonly operator: "-" | "+" | "not";
  readonly operand: Expression;
}

export type BinaryOperator = "+" | "-" | "*" | "/" | "//" | "%" | "**";

export interface Binary extends Span {
  readonly kind: "binary";
  readonly operator: BinaryOperator;
  readonly left: Expression;
  readonly right: Expression;
}

export interface Logical extends Span {
  readonly kind: "logical";
  readonly operator: "and" | "or";
  readonly left: Expression;
  readonly right: Expression;
}

/** `a ~ b ~ c` */
export interface Concatenation extends Span {
  readonly kind: "concatenation";
  readonly parts: readonly Expression[];
}

export type ComparisonOperator = "==" | "!=" | "<" | "<=" | ">" | ">=" | "in" | "not in";

/** A chain: `a < b <= c`. */
export interface Comparison extends Span {
  readonly kind: "comparison";
  readonly first: Expression;
  readonly rest: readonly { readonly operator: ComparisonOperator; readonly operand: Expression }[];
}

/** `then if test else otherwise`; without `else` it is undefined where the test fails. */
export interface Conditional extends Span {
  readonly kind: "conditional";
  readonly test: Expression;
  readonly then: Expression;
  readonly otherwise: Expression | undefined;
}

/** `object.name` */
export interface Attribute extends Span {
  readonly kind: "attribute";
  readonly object: Expression;
  readonly name: string;
  readonly nameSpan: Span;
}

/** `object[index]`, and `object.0`. */
export interface Item extends Span {
  readonly kind: "item";
  readonly object: Expression;
  readonly index: Expression;
}

/** Only as the index of an `Item` (also inside its tuple). */
export interface Slice extends Span {
  readonly kind: "slice";
  readonly from: Expression | undefined;
  readonly to: Expression | undefined;
  readonly step: Expression | undefined;
}

export interface CallArguments {
  readonly positional: readonly Expression[];
  readonly named: readonly { readonly name: string; readonly nameSpan: Span; readonly value: Expression }[];
  /** `*list` */
  readonly star: Expression | undefined;
  /** `**dict` */
  readonly doubleStar: Expression | undefined;
}

export interface Call extends Span {
  readonly kind: "call";
  readonly callee: Expression;
  readonly arguments: CallArguments;
}

/** `operand | name(arguments)`. `operand` is absent in filter blocks and `set` blocks: there it is the block's text. */
export interface FilterUse extends Span {
  readonly kind: "filter";
  readonly operand: Expression | undefined;
  readonly name: string;
  readonly nameSpan: Span;
  readonly arguments: CallArguments;
}

/** `operand is name(arguments)`; `is not` is a `not` around it. */
export interface TestUse extends Span {
  readonly kind: "test";
  readonly operand: Expression;
  readonly name: string;
  readonly nameSpan: Span;
  readonly arguments: CallArguments;
}

/** What can be assigned to. `attribute` is `ns.x` in `{% set ns.x = … %}`. */
export type AssignmentTarget =
  | Name
  | {
      readonly kind: "target-tuple";
      readonly items: readonly AssignmentTarget[];
      readonly start: number;
      readonly end: number;
    }
  | {
      readonly kind: "target-attribute";
      readonly object: string;
      readonly name: string;
      readonly start: number;
      readonly end: number;
    };

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
export interface TextOutput extends Span {
  readonly kind: "text";
  readonly text: string;
}

/** `{{ … }}`, and `{% print a, b %}`. */
export interface Output extends Span {
  readonly kind: "output";
  readonly expressions: readonly Expression[];
}

export interface For extends Span {
  readonly kind: "for";
  readonly target: AssignmentTarget;
  readonly iterable: Expression;
  readonly test: Expression | undefined;
  readonly recursive: boolean;
  readonly body: readonly Statement[];
  readonly otherwise: readonly Statement[];
}

export interface If extends Span {
  readonly kind: "if";
  /** `if` and the `elif`s in order. */
  readonly branches: readonly { readonly test: Expression; readonly body: readonly Statement[] }[];
  readonly otherwise: readonly Statement[];
}

/** `{% set a, b = … %}` */
export interface SetStatement extends Span {
  readonly kind: "set";
  readonly target: AssignmentTarget;
  readonly value: Expression;
}

/** `{% set a | filter %}…{% endset %}`; `filters` outermost last. */
export interface SetBlock extends Span {
  readonly kind: "set-block";
  readonly target: AssignmentTarget;
  readonly filters: readonly FilterUse[];
  readonly body: readonly Statement[];
}

export interface With extends Span {
  readonly kind: "with";
  readonly bindings: readonly { readonly target: AssignmentTarget; readonly value: Expression }[];
  readonly body: readonly Statement[];
}

export interface Macro extends Span {
  readonly kind: "macro";
  readonly name: string;
  readonly parameters: readonly Parameter[];
  readonly body: readonly Statement[];
}

export interface CallBlock extends Span {
  readonly kind: "call-block";
  readonly parameters: readonly Parameter[];
  readonly call: Call;
  readonly body: readonly Statement[];
}

/** `filters` outermost last. */
export interface FilterBlock extends Span {
  readonly kind: "filter-block";
  readonly filters: readonly FilterUse[];
  readonly body: readonly Statement[];
}

export interface Block extends Span {
  readonly kind: "block";
  readonly name: string;
  readonly scoped: boolean;
  readonly required: boolean;
  readonly body: readonly Statement[];
}

export interface Autoescape extends Span {
  readonly kind: "autoescape";
  readonly value: Expression;
  readonly body: readonly Statement[];
}

/** Legal for the parser, not built: reaching it while rendering is an error (as `include` is without a loader). */
export interface Unsupported extends Span {
  readonly kind: "unsupported";
  /** "include", "extends", "import", "from". */
  readonly statement: string;
}

export interface TemplateTree {
  readonly source: string;
  readonly body: readonly Statement[];
}
