/** `format % args`, after the manual's "printf-style String Formatting" and what CPython 3.11 does beyond it. */
import type { Budget } from "../budget.ts";
import { TemplateError, typeError, valueError } from "../template-error.ts";
import { PyDict, PyList, PyRange, PyTuple, Undefined, type Value } from "../value.ts";
import { getItem } from "./items.ts";
import { sizeOf } from "./numbers.ts";
import { convertArgument, type Directive } from "./percent-directive.ts";
import { quote } from "./quote.ts";
import { refuseUndefined, typeName } from "./type-name.ts";

/** ValueError for a directive that cannot be read, TypeError for arguments that do not fit. */
export function percentFormat(format: string, args: Value, budget: Budget): string {
  const source = argumentsOf(args);
  let result = "";
  let at = 0;
  for (;;) {
    const next = format.indexOf("%", at);
    if (next < 0) break;
    budget.characters(next - at);
    result += format.slice(at, next);
    budget.spend(1);
    if (format[next + 1] === "%") {
      result += "%";
      at = next + 2;
      continue;
    }
    const read = readDirective(format, next + 1, source, budget);
    at = read.end;
    const text = convertArgument(read.directive, source.take(), budget);
    budget.characters(text.length);
    result += text;
  }
  if (!source.isUsedUp()) throw typeError("not all arguments converted during string formatting");
  budget.characters(format.length - at);
  return result + format.slice(at);
}

interface ArgumentSource {
  readonly take: () => Value;
  /** From here on, what this key gave is the one argument. */
  readonly useKey: (key: string, budget: Budget) => void;
  readonly isUsedUp: () => boolean;
}

/** A tuple gives one argument after the other; all else is one argument, and what has items is a mapping as well. */
function argumentsOf(args: Value): ArgumentSource {
  let items = args instanceof PyTuple ? args.items : [args];
  const isMapping =
    args instanceof PyDict || args instanceof PyList || args instanceof PyRange || args instanceof Undefined;
  let next = 0;
  return {
    take: () => {
      const item = items[next];
      if (item === undefined) throw typeError("not enough arguments for format string");
      next += 1;
      return item;
    },
    useKey: (key, budget) => {
      if (!isMapping) throw typeError("format requires a mapping");
      items = [itemByKey(args, key, budget)];
      next = 0;
    },
    isUsedUp: () => isMapping || next >= items.length,
  };
}

function itemByKey(mapping: Value, key: string, budget: Budget): Value {
  refuseUndefined(mapping);
  if (!(mapping instanceof PyDict)) throw typeError(`${typeName(mapping)} indices must be integers or slices, not str`);
  const item = getItem(mapping, key, budget);
  if (item === undefined) throw new TemplateError("KeyError", quote(key));
  return item;
}

interface ReadDirective {
  readonly directive: Directive;
  readonly end: number;
}

/** `at`: after the percent sign. */
function readDirective(format: string, at: number, source: ArgumentSource, budget: Budget): ReadDirective {
  const reader = new Reader(format, at);
  if (reader.peek() === "(") source.useKey(reader.key(), budget);
  const flags = reader.flags();
  let width = reader.number("width", source.take);
  const isLeft = flags.includes("-") || width < 0;
  width = Math.abs(width);
  const precision = reader.precision(source.take);
  if (/[hlL]/.test(reader.peek())) reader.skip();
  const index = reader.at;
  const letter = reader.take();
  return { directive: { letter, flags, isLeft, width, precision, index }, end: reader.at };
}

class Reader {
  readonly format: string;
  at: number;

  constructor(format: string, at: number) {
    this.format = format;
    this.at = at;
  }

  peek(): string {
    const code = this.format.codePointAt(this.at);
    return code === undefined ? "" : String.fromCodePoint(code);
  }

  skip(): void {
    this.at += this.peek().length;
  }

  take(): string {
    const character = this.peek();
    if (character === "") throw valueError("incomplete format");
    this.at += character.length;
    return character;
  }

  /** `(key)`; parentheses in it may nest. */
  key(): string {
    const start = this.at + 1;
    let depth = 0;
    for (let i = this.at; i < this.format.length; i += 1) {
      if (this.format[i] === "(") depth += 1;
      else if (this.format[i] === ")") depth -= 1;
      if (depth === 0) {
        this.at = i + 1;
        return this.format.slice(start, i);
      }
    }
    throw valueError("incomplete format key");
  }

  flags(): string {
    const start = this.at;
    while (this.at < this.format.length && "-+ #0".includes(this.format.charAt(this.at))) this.at += 1;
    return this.format.slice(start, this.at);
  }

  /** Digits, or `*` for the next argument. */
  number(what: "width" | "precision", take: () => Value): number {
    if (this.peek() === "*") {
      this.skip();
      return starred(take(), what);
    }
    const digits = /^\d*/.exec(this.format.slice(this.at, this.at + 400))?.[0] ?? "";
    this.at += digits.length;
    if (Number(digits) > 0x7fff_ffff) throw valueError(`${what} too big`);
    return Number(digits);
  }

  /** undefined where there is none. */
  precision(take: () => Value): number | undefined {
    if (this.peek() !== ".") return undefined;
    this.skip();
    return Math.max(this.number("precision", take), 0);
  }
}

function starred(value: Value, what: "width" | "precision"): number {
  if (typeof value !== "number" && typeof value !== "bigint" && typeof value !== "boolean")
    throw typeError("* wants int");
  const size = sizeOf(value);
  if (what === "precision" && Math.abs(size) > 0x7fff_ffff) {
    throw new TemplateError("OverflowError", "Python int too large to convert to C int");
  }
  return size;
}
