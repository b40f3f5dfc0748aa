/** Methods of the builtin types, bound to their object. */
import { type Budget, TemplateError, typeError, unsupported, valueError } from "../../template-error.ts";
import {
  Markup,
  PyCallable,
  PyDict,
  PyFloat,
  PyList,
  PyRange,
  PyTuple,
  PyView,
  typeName,
  type Value,
} from "../../value.ts";
import { codePointLength, escapeText, repr, str } from "../text.ts";
import { hashKey } from "../hash-key.ts";
import { getItem } from "../items.ts";
import { iterate, listOf } from "../iterate.ts";
import { asInteger, asText, SPACES } from "../numbers.ts";
import { isPrintable } from "../repr-text.ts";
import { padding, tupleItems } from "../sequences.ts";
import { DICT_METHODS, updateDict, VIEW_METHODS } from "./dict-methods.ts";
import { bind, builtinText, method, type Method, namedMethod, methods } from "./method.ts";
import { FLOAT_METHODS, INTEGER_METHODS } from "./number-methods.ts";
import { LIST_METHODS, RANGE_METHODS, TUPLE_METHODS } from "./sequence-methods.ts";
import { countArgument, flagArgument, optionalText, textArgument } from "./text-argument.ts";
import { CASE_METHODS } from "./text-case.ts";
import { occurrences, SEARCH_METHODS } from "./text-search.ts";

// Methods of `str` that pad, replace and translate.

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
    if (["dict", "list", "tuple", "str", "Markup", "range"].includes(typeName(table))) return character;
    throw typeError(`'${typeName(table)}' object is not subscriptable`);
  }
  if (found === null) return "";
  const text = asText(found);
  if (text !== undefined) return text;
  const code = asInteger(found);
  if (code === undefined) throw typeError("character mapping must return integer, None or str");
  if (code < 0 || code > 0x10ffff) throw valueError("character mapping must be in range(0x110000)");
  return String.fromCodePoint(Number(code));
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

const SHAPE_METHODS = methods<string>({
  center: padder(centered),
  ljust: padder((text, pad) => text + pad),
  rjust: padder((text, pad) => pad + text),
  zfill: method(1, 1, (text, given, budget) => {
    const pad = padding(text, countArgument(given[0], 0), "0", budget);
    const sign = pad === "" ? "" : (/^[+-]/.exec(text)?.[0] ?? "");
    return sign + pad + text.slice(sign.length);
  }),
  expandtabs: namedMethod(0, ["tabsize"], (text, given, budget) => {
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
  }),
  replace: method(2, 3, replace),
  translate: method(1, 1, translate),
  /** `str.maketrans(x, y, z)`: a class method, so its object does not matter. */
  maketrans: method(1, 3, (_, given, budget) => {
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
  }),
  removeprefix: trimmer("removeprefix"),
  removesuffix: trimmer("removesuffix"),
  encode: namedMethod(0, ["encoding", "errors"], () => {
    throw unsupported("The type bytes (str.encode)");
  }),
});

// Methods of `str` that cut text into parts, and the one that joins them.

const WORDS = new RegExp(`[^${SPACES}]+`, "g");
const SPACES_BEFORE = new RegExp(`^[${SPACES}]+`);
const SPACES_BEHIND = new RegExp(`[${SPACES}]+$`);
/** What `splitlines` takes for the end of a line. */
const LINE_ENDS = "\\n\\r\\v\\f\\x1c-\\x1e\\x85\\u2028\\u2029";
const LINE = new RegExp(`[^${LINE_ENDS}]*(?:\\r\\n|[${LINE_ENDS}]|$)`, "g");
const LINE_END = new RegExp(`(?:\\r\\n|[${LINE_ENDS}])$`);

type Cut = (text: string, limit: number, budget: Budget) => string[];

function splitter(atSpaces: Cut, at: (separator: string) => Cut): Method<string> {
  return namedMethod(0, ["sep", "maxsplit"], (text, given, budget) => {
    const separator = optionalText(given[0], "The separator");
    const asked = countArgument(given[1], -1);
    if (separator === "") throw valueError("empty separator");
    const limit = asked < 0 ? Infinity : asked;
    budget.spend(Math.ceil(text.length / 16) + 1);
    return new PyList(separator === undefined ? atSpaces(text, limit, budget) : at(separator)(text, limit, budget));
  });
}

const splitAtSpaces: Cut = (text, limit, budget) => {
  const parts: string[] = [];
  for (const word of text.matchAll(WORDS)) {
    budget.spend(1);
    if (parts.length === limit) {
      parts.push(text.slice(word.index));
      break;
    }
    parts.push(word[0]);
  }
  return parts;
};

const rightSplitAtSpaces: Cut = (text, limit, budget) => {
  if (limit === Infinity) return splitAtSpaces(text, limit, budget);
  const words: { readonly start: number; readonly end: number }[] = [];
  for (const word of text.matchAll(WORDS)) {
    budget.spend(1);
    words.push({ start: word.index, end: word.index + word[0].length });
  }
  const kept = words.slice(Math.max(words.length - limit, 0));
  const parts = kept.map(({ start, end }) => text.slice(start, end));
  const last = words[words.length - kept.length - 1];
  if (last !== undefined) parts.unshift(text.slice(0, last.end));
  return parts;
};

const splitAt =
  (separator: string): Cut =>
  (text, limit, budget) => {
    const parts: string[] = [];
    let from = 0;
    for (let at = text.indexOf(separator); at >= 0 && parts.length < limit; at = text.indexOf(separator, from)) {
      budget.spend(1);
      parts.push(text.slice(from, at));
      from = at + separator.length;
    }
    parts.push(text.slice(from));
    return parts;
  };

const rightSplitAt =
  (separator: string): Cut =>
  (text, limit, budget) => {
    const parts: string[] = [];
    let to = text.length;
    while (parts.length < limit && to >= separator.length) {
      const at = text.lastIndexOf(separator, to - separator.length);
      if (at < 0) break;
      budget.spend(1);
      parts.push(text.slice(at + separator.length, to));
      to = at;
    }
    parts.push(text.slice(0, to));
    return parts.toReversed();
  };

function splitLines(text: string, given: readonly (Value | undefined)[], budget: Budget): Value {
  const keepEnds = flagArgument(given[0]);
  const lines: string[] = [];
  for (const [line] of text.matchAll(LINE)) {
    budget.spend(1);
    if (line !== "") lines.push(keepEnds ? line : line.replace(LINE_END, ""));
  }
  return new PyList(lines);
}

function parting(fromRight: boolean): Method<string> {
  return method(1, 1, (text, given, budget) => {
    const separator = textArgument(given[0], "The separator");
    if (separator === "") throw valueError("empty separator");
    budget.spend(1 + Math.ceil(text.length / 64));
    const at = fromRight ? text.lastIndexOf(separator) : text.indexOf(separator);
    if (at < 0) return new PyTuple(fromRight ? ["", "", text] : [text, "", ""]);
    return new PyTuple([text.slice(0, at), separator, text.slice(at + separator.length)]);
  });
}

function join(separator: string, given: readonly (Value | undefined)[], budget: Budget): Value {
  const parts: string[] = [];
  for (const item of iterate(given[0] ?? null, budget)) {
    const part = asText(item);
    if (part === undefined) {
      throw typeError(`sequence item ${parts.length}: expected str instance, ${typeName(item)} found`);
    }
    budget.characters(part.length + separator.length);
    parts.push(part);
  }
  return parts.join(separator);
}

/** `strip` and its kind: spaces, or any of the given characters. */
function stripper(left: boolean, right: boolean): Method<string> {
  return method(0, 1, (text, given, budget) => {
    budget.spend(1 + Math.ceil(text.length / 64));
    const characters = optionalText(given[0], "strip arg");
    return characters === undefined ? stripSpaces(text, left, right) : stripAny(text, characters, left, right);
  });
}

function stripSpaces(text: string, left: boolean, right: boolean): string {
  const rest = left ? text.replace(SPACES_BEFORE, "") : text;
  return right ? stripEnd(rest) : rest;
}

/** A regular expression anchored at the end alone tries every run of spaces: a loop does not. */
function stripEnd(text: string): string {
  let end = text.length;
  while (end > 0 && SPACES_BEHIND.test(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

function stripAny(text: string, characters: string, left: boolean, right: boolean): string {
  const unwanted = new Set(characters);
  const all = Array.from(text);
  let from = 0;
  let to = all.length;
  if (left) while (from < to && unwanted.has(all[from] ?? "")) from += 1;
  if (right) while (to > from && unwanted.has(all[to - 1] ?? "")) to -= 1;
  return all.slice(from, to).join("");
}

const SPLIT_METHODS = methods<string>({
  split: splitter(splitAtSpaces, splitAt),
  rsplit: splitter(rightSplitAtSpaces, rightSplitAt),
  splitlines: namedMethod(0, ["keepends"], splitLines),
  partition: parting(false),
  rpartition: parting(true),
  join: method(1, 1, join),
  strip: stripper(true, true),
  lstrip: stripper(true, false),
  rstrip: stripper(false, true),
});

// All of `str`'s methods but `format` and `format_map`, which reach into other objects.

function findTextMethod(name: string): Method<string> | undefined {
  return (
    SPLIT_METHODS.get(name) ??
    SHAPE_METHODS.get(name) ??
    SEARCH_METHODS.get(name) ??
    CASE_METHODS.get(name) ??
    TEXT_TESTS.get(name)
  );
}

// `str.isalpha` and its kind. The properties come from the platform's Unicode, which may be newer than the 14.0 of
// Python 3.11: characters added since then differ.

/** Characters with the value of a digit that are not decimal digits (Numeric_Type=Digit). */
const OTHER_DIGITS =
  "²³¹\\u1369-\\u1371\\u19da⁰⁴-⁹₀-₉①-⑨⑴-⑼⒈-⒐⓪⓵-⓽⓿❶-❾➀-➈➊-➒" +
  "\\u{10a40}-\\u{10a43}\\u{10e60}-\\u{10e68}\\u{11052}-\\u{1105a}\\u{1f100}-\\u{1f10a}";

/** Ideographs that are numbers (Numeric_Type=Numeric, category Lo). */
const NUMBER_IDEOGRAPHS =
  "\\u3405\\u3483\\u382a\\u3b4d\\u4e00\\u4e03\\u4e07\\u4e09\\u4e5d\\u4e8c\\u4e94\\u4e96\\u4ebf\\u4ec0\\u4edf\\u4ee8" +
  "\\u4f0d\\u4f70\\u5104\\u5146\\u5169\\u516b\\u516d\\u5341\\u5343-\\u5345\\u534c\\u53c1-\\u53c4\\u56db\\u58f1\\u58f9" +
  "\\u5e7a\\u5efe\\u5eff\\u5f0c-\\u5f0e\\u5f10\\u62fe\\u634c\\u67d2\\u6f06\\u7396\\u767e\\u8086\\u842c\\u8cae\\u8cb3" +
  "\\u8d30\\u9621\\u9646\\u964c\\u9678\\u96f6\\uf96b\\uf973\\uf978\\uf9b2\\uf9d1\\uf9d3\\uf9fd\\u{20001}\\u{20064}" +
  "\\u{200e2}\\u{20121}\\u{2092a}\\u{20983}\\u{2098c}\\u{2099c}\\u{20aea}\\u{20afd}\\u{20b19}\\u{22390}\\u{22998}" +
  "\\u{23b1b}\\u{2626d}\\u{2f890}";

/** One or more of a class, and nothing else. */
const all = (characters: string): RegExp => new RegExp(`^[${characters}]+$`, "u");

const DIGIT = `\\p{Nd}${OTHER_DIGITS}`;
const NUMERIC = `\\p{N}${NUMBER_IDEOGRAPHS}`;
/** Continue identifiers since Unicode 15.1 only. */
const NEW_IN_NAMES = /\u200c|\u200d|\u30fb|\uff65/;
const UPPER = /[\p{Uppercase}\p{Lt}]/u;
const LOWER = /\p{Lowercase}/u;

const matches = (pattern: RegExp): Method<string> => testing((text) => pattern.test(text));

function testing(test: (text: string) => boolean): Method<string> {
  return method(0, 0, (text, _, budget) => {
    budget.spend(1 + Math.ceil(text.length / 16));
    return test(text);
  });
}

/** Upper case begins words of cased letters, lower case goes on in them, and there is one at least. */
function isTitle(text: string): boolean {
  let isInWord = false;
  let found = false;
  for (const character of text) {
    if (UPPER.test(character)) {
      if (isInWord) return false;
      isInWord = true;
      found = true;
    } else if (LOWER.test(character)) {
      if (!isInWord) return false;
      found = true;
    } else {
      isInWord = false;
    }
  }
  return found;
}

const TEXT_TESTS = methods<string>({
  isalpha: matches(all("\\p{L}")),
  isdecimal: matches(all("\\p{Nd}")),
  isdigit: matches(all(DIGIT)),
  isnumeric: matches(all(NUMERIC)),
  isalnum: matches(all(`\\p{L}${NUMERIC}`)),
  isspace: matches(all(SPACES)),
  isascii: testing((text) => !/[^\0-\x7f]/.test(text)),
  isidentifier: testing((text) => /^[\p{XID_Start}_]\p{XID_Continue}*$/u.test(text) && !NEW_IN_NAMES.test(text)),
  isprintable: testing((text) => Array.from(text).every(isPrintable)),
  isupper: testing((text) => /\p{Uppercase}/u.test(text) && !/[\p{Lowercase}\p{Lt}]/u.test(text)),
  islower: testing((text) => LOWER.test(text) && !UPPER.test(text)),
  istitle: testing(isTitle),
});

// Methods of text marked safe (MarkupSafe 2.1): those of `str`, of which many give safe text again and escape the text
// they are given.

const SAFE_RESULT = new Set(
  "capitalize title lower upper replace ljust rjust lstrip rstrip center strip translate expandtabs swapcase zfill".split(
    " ",
  ),
);
const SAFE_PARTS = new Set(["split", "rsplit", "splitlines", "partition", "rpartition"]);
const REFUSED = new Set(["unescape", "striptags", "escape", "format", "format_map"]);

function findMarkupMethod(name: string): Method<Markup> | undefined {
  if (REFUSED.has(name)) throw unsupported(`Markup.${name}`);
  const plain = findTextMethod(name);
  if (plain === undefined) return undefined;
  if (name === "join") return joining(plain);
  if (SAFE_PARTS.has(name))
    return { ...plain, run: (self, given, budget) => marked(plain.run(self.text, given, budget)) };
  if (!SAFE_RESULT.has(name)) return { ...plain, run: (self, given, budget) => plain.run(self.text, given, budget) };
  return {
    ...plain,
    run: (self, given, budget) => {
      const safe = given.map((value) => (typeof value === "string" ? escapeText(value, budget) : value));
      return marked(plain.run(self.text, safe, budget));
    },
  };
}

/** How a bound method prints: what MarkupSafe wraps are methods of Python's own making. */
function markupMethodText(name: string, self: Markup, budget: Budget): string {
  const isPart = SAFE_PARTS.has(name) || name === "join";
  if (!isPart && !SAFE_RESULT.has(name)) return builtinText(name, "Markup");
  return `<bound method ${isPart ? "Markup" : "str"}.${name} of ${repr(self, budget)}>`;
}

function marked(value: Value): Value {
  if (typeof value === "string") return new Markup(value);
  if (value instanceof PyList) return new PyList(value.items.map(marked));
  return value instanceof PyTuple ? new PyTuple(value.items.map(marked)) : value;
}

/** Each item becomes text, escaped unless it is safe already. */
function joining(plain: Method<string>): Method<Markup> {
  return {
    ...plain,
    run: (self, [parts = null], budget) => {
      const safe = listOf(parts, budget).map((part) =>
        part instanceof Markup ? part.text : escapeText(str(part, budget), budget),
      );
      return marked(plain.run(self.text, [new PyList(safe)], budget));
    },
  };
}

/** Class methods print as methods of the type. */
const OF_TYPE = new Set(["fromkeys", "maketrans", "from_bytes", "fromhex"]);

/** A method of a builtin type; undefined where there is none. `str.format` comes from `getAttribute`. */
export function getMethod(value: Value, name: string, budget: Budget): PyCallable | undefined {
  const isOfType = OF_TYPE.has(name);
  const text = (): string =>
    value instanceof Markup && !isOfType
      ? markupMethodText(name, value, budget)
      : builtinText(name, isOfType ? "type" : typeName(value));
  const bound = <Self>(self: Self, definition: Method<Self> | undefined): PyCallable | undefined =>
    definition && bind({ name, text: text() }, definition, self, budget);
  if (typeof value === "string") return bound(value, findTextMethod(name));
  if (value instanceof Markup) return bound(value, findMarkupMethod(name));
  const whole = asInteger(value);
  if (whole !== undefined) return bound(whole, INTEGER_METHODS.get(name));
  if (value instanceof PyFloat) return bound(value, FLOAT_METHODS.get(name));
  if (value instanceof PyList) return bound(value, LIST_METHODS.get(name));
  if (value instanceof PyDict) {
    return name === "update" ? updating(value, budget) : bound(value, DICT_METHODS.get(name));
  }
  if (value instanceof PyRange) return bound(value, RANGE_METHODS.get(name));
  if (value instanceof PyView) return value.what === "values" ? undefined : bound(value, VIEW_METHODS.get(name));
  const items = tupleItems(value);
  return items === undefined ? undefined : bound(items, TUPLE_METHODS.get(name));
}

function updating(dict: PyDict, budget: Budget): PyCallable {
  return new PyCallable(builtinText("update", "dict"), (given) => {
    updateDict(dict, given, budget);
    return null;
  });
}
