/** Methods of `str` that pad, replace and translate. */
import type { Budget } from "../../budget.ts";
import { TemplateError, typeError, unsupported, valueError } from "../../template-error.ts";
import { PyDict, type Value } from "../../value.ts";
import { codePointLength } from "../code-points.ts";
import { hashKey } from "../hash-key.ts";
import { getItem } from "../items.ts";
import { asInteger, asText } from "../numbers.ts";
import { padding } from "../sequences.ts";
import { typeName } from "../type-name.ts";
import { method, namedMethod, type Method, type Methods } from "./method.ts";
import { countArgument, textArgument } from "./text-argument.ts";
import { occurrences } from "./text-search.ts";

type Given = readonly (Value | undefined)[];

function padder(place: (text: string, pad: string, width: number, unit: number) => string): Method<string> {
  return method(1, 2, (text, given, budget) => {
    const width = countArgument(given[0], 0);
    const fill = given[1] === undefined ? " " : textArgument(given[1], "The fill character");
    if (fill.length > 2 || codePointLength(fill) !== 1)
      throw typeError("The fill character must be exactly one character long");
    const pad = padding(text, width, fill, budget);
    return pad === "" ? text : place(text, pad, width, fill.length);
  });
}

/** CPython puts the odd one to the left where both the padding and the width are odd. */
function centered(text: string, pad: string, width: number, unit: number): string {
  const count = pad.length / unit;
  const left = Math.floor(count / 2) + (count % 2 === 1 && width % 2 === 1 ? 1 : 0);
  return pad.slice(0, left * unit) + text + pad.slice(left * unit);
}

function zeroFill(text: string, given: Given, budget: Budget): Value {
  const pad = padding(text, countArgument(given[0], 0), "0", budget);
  const sign = pad === "" ? "" : (/^[+-]/.exec(text)?.[0] ?? "");
  return sign + pad + text.slice(sign.length);
}

function expandTabs(text: string, given: Given, budget: Budget): Value {
  const size = countArgument(given[0], 8);
  if (Math.abs(size) > 0x7fff_ffff)
    throw new TemplateError("OverflowError", "Python int too large to convert to C int");
  let column = 0;
  let result = "";
  for (const character of text) {
    budget.characters(1);
    if (character === "\t") {
      const width = size > 0 ? size - (column % size) : 0;
      budget.characters(width);
      result += " ".repeat(width);
      column += width;
    } else {
      result += character;
      column = character === "\n" || character === "\r" ? 0 : column + 1;
    }
  }
  return result;
}

function replace(text: string, given: Given, budget: Budget): Value {
  const old = textArgument(given[0], "replace() argument 1");
  const other = textArgument(given[1], "replace() argument 2");
  const asked = countArgument(given[2], -1);
  budget.spend(1 + Math.ceil(text.length / 32));
  const found = occurrences(text, old);
  const count = asked < 0 ? found : Math.min(asked, found);
  budget.characters(text.length + count * other.length);
  if (count === 0) return text;
  return old === "" ? between(text, other, count) : replaced(text, old, other, count);
}

/** `other` before each of the first characters, and at the end. */
function between(text: string, other: string, count: number): string {
  let done = 0;
  let result = "";
  for (const character of text) {
    result += done < count ? other + character : character;
    done += 1;
  }
  return done < count ? result + other : result;
}

function replaced(text: string, old: string, other: string, count: number): string {
  const parts: string[] = [];
  let from = 0;
  for (let i = 0; i < count; i += 1) {
    const at = text.indexOf(old, from);
    parts.push(text.slice(from, at), other);
    from = at + old.length;
  }
  parts.push(text.slice(from));
  return parts.join("");
}

function translate(text: string, given: Given, budget: Budget): Value {
  const table = given[0] ?? null;
  let result = "";
  for (const character of text) {
    budget.spend(1);
    const part = translated(character, getItem(table, character.codePointAt(0) ?? 0, budget), table);
    budget.characters(part.length);
    result += part;
  }
  return result;
}

function translated(character: string, found: Value | undefined, table: Value): string {
  if (found === undefined) {
    if (asText(table) === undefined && asInteger(table) !== undefined) throw notSubscriptable(table);
    return isSubscriptable(table) ? character : fail(table);
  }
  if (found === null) return "";
  const text = asText(found);
  if (text !== undefined) return text;
  const code = asInteger(found);
  if (code === undefined) throw typeError("character mapping must return integer, None or str");
  if (code < 0 || code > 0x10ffff) throw valueError("character mapping must be in range(0x110000)");
  return String.fromCodePoint(Number(code));
}

const isSubscriptable = (table: Value): boolean => {
  const name = typeName(table);
  return ["dict", "list", "tuple", "str", "Markup", "range"].includes(name);
};

function fail(table: Value): never {
  throw notSubscriptable(table);
}

const notSubscriptable = (table: Value): TemplateError => typeError(`'${typeName(table)}' object is not subscriptable`);

/** `str.maketrans(x, y, z)`: a class method, so its object does not matter. */
function makeTranslation(_: string, given: Given, budget: Budget): Value {
  const [first = null, second, third] = given;
  const table = new PyDict();
  const put = (key: Value, value: Value): void => {
    budget.spend(1);
    table.set(hashKey(key, budget), key, value);
  };
  if (second === undefined) {
    if (!(first instanceof PyDict)) throw typeError("if you give only one argument to maketrans it must be a dict");
    for (const { key, value } of first.entries()) put(codeOfKey(key), value);
    return table;
  }
  const from = Array.from(textArgument(first, "The first argument of maketrans"));
  const to = Array.from(textArgument(second, "The second argument of maketrans"));
  if (from.length !== to.length) throw valueError("the first two maketrans arguments must have equal length");
  from.forEach((character, i) => put(codeOf(character), codeOf(to[i] ?? "")));
  if (third !== undefined)
    for (const gone of textArgument(third, "The third argument of maketrans")) put(codeOf(gone), null);
  return table;
}

const codeOf = (character: string): number => character.codePointAt(0) ?? 0;

function codeOfKey(key: Value): Value {
  const text = asText(key);
  if (text === undefined) {
    if (asInteger(key) === undefined) throw typeError("keys in translate table must be strings or integers");
    return key;
  }
  if (text.length > 2 || codePointLength(text) !== 1)
    throw valueError("string keys in translate table must be of length 1");
  return codeOf(text);
}

function trimmer(name: "removeprefix" | "removesuffix"): Method<string> {
  return method(1, 1, (text, given) => {
    const affix = textArgument(given[0], `The argument of ${name}`);
    if (affix === "") return text;
    if (name === "removeprefix") return text.startsWith(affix) ? text.slice(affix.length) : text;
    return text.endsWith(affix) ? text.slice(0, -affix.length) : text;
  });
}

export const SHAPE_METHODS: Methods<string> = new Map<string, Method<string>>([
  ["center", padder(centered)],
  ["ljust", padder((text, pad) => text + pad)],
  ["rjust", padder((text, pad) => pad + text)],
  ["zfill", method(1, 1, zeroFill)],
  ["expandtabs", namedMethod(0, ["tabsize"], expandTabs)],
  ["replace", method(2, 3, replace)],
  ["translate", method(1, 1, translate)],
  ["maketrans", method(1, 3, makeTranslation)],
  ["removeprefix", trimmer("removeprefix")],
  ["removesuffix", trimmer("removesuffix")],
  [
    "encode",
    namedMethod(0, ["encoding", "errors"], () => {
      throw unsupported("The type bytes (str.encode)");
    }),
  ],
]);
