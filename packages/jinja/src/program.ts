/** What the compiler knows while it goes through a template. */
import { TemplateError } from "./template-error.ts";
import type { FunctionScope, Symbols } from "./scope.ts";
import type { Expression, Span, Statement } from "./tree.ts";
import type { Constants } from "./constant.ts";
import type { Act, Code, Context } from "./run.ts";

/** What is collected from the whole template. */
export class Program {
  readonly source: string;
  /** Names taken from outside, in the order of their numbers. */
  readonly outside: string[] = [];
  readonly names = new Map<string, Span[]>();
  readonly blocks = new Map<string, BlockProgram>();
  readonly #numbers = new Map<string, number>();

  constructor(source: string) {
    this.source = source;
  }

  /** The number under which `Context.outside` holds a name's value. */
  numberOf(name: string): number {
    const known = this.#numbers.get(name);
    if (known !== undefined) return known;
    const number = this.outside.length;
    this.outside.push(name);
    this.#numbers.set(name, number);
    return number;
  }

  use(name: string, span: Span): void {
    const spans = this.names.get(name);
    const place = { start: span.start, end: span.end };
    if (spans === undefined) this.names.set(name, [place]);
    else spans.push(place);
  }
}

/** A `{% block %}`: what it prints in a context. */
export interface BlockProgram {
  render: (context: Context) => string;
}

/** Where in the template the compiler is. */
export interface Place {
  readonly program: Program;
  readonly symbols: Symbols;
  /** Not inside a loop, macro, block or the like: what is assigned here, blocks see. */
  readonly toplevel: boolean;
  /** Directly in an `if`: there an unknown filter or test is an error only when it is used. */
  readonly soft: boolean;
  readonly autoescape: boolean;
  readonly constants: Constants;
  /** The compilers themselves, which call each other through here. */
  readonly expression: (node: Expression, place: Place) => Code;
  readonly body: (statements: readonly Statement[], place: Place) => Act;
}

export function innerPlace(place: Place, symbols: Symbols): Place {
  return { ...place, symbols, toplevel: false, soft: false };
}

export const softPlace = (place: Place): Place => (place.soft ? place : { ...place, soft: true });

/** How many function scopes lie between two. */
export function distance(from: FunctionScope, to: FunctionScope): number {
  let steps = 0;
  for (let one: FunctionScope | undefined = from; one !== undefined; one = one.parent) {
    if (one === to) return steps;
    steps += 1;
  }
  throw new Error("A variable's function does not enclose its use.");
}

/** Runs statements one after the other. */
export function sequence(acts: readonly Act[]): Act {
  const [first, second] = acts;
  if (first === undefined) return () => {};
  if (second === undefined) return first;
  if (acts.length === 2) {
    return (frame) => {
      first(frame);
      second(frame);
    };
  }
  return (frame) => {
    for (const act of acts) act(frame);
  };
}

/** The line of a place, from 1. */
export const lineOf = (source: string, offset: number): number => source.slice(0, offset).split(/\r\n|\r|\n/).length;

export const assertionError = (message: string, span: Span): TemplateError =>
  new TemplateError("TemplateAssertionError", message, { start: span.start, end: span.end });
