/**
 * `str.isalpha` and its kind. The properties come from the platform's Unicode, which may be newer than the 14.0 of
 * Python 3.11: characters added since then differ.
 */
import { isPrintable } from "../quote.ts";
import { SPACES } from "../numbers.ts";
import { method, type Method, type Methods } from "./method.ts";

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

function matches(pattern: RegExp): Method<string> {
  return testing((text) => pattern.test(text));
}

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

export const TEXT_TESTS: Methods<string> = new Map<string, Method<string>>([
  ["isalpha", matches(all("\\p{L}"))],
  ["isdecimal", matches(all("\\p{Nd}"))],
  ["isdigit", matches(all(DIGIT))],
  ["isnumeric", matches(all(NUMERIC))],
  ["isalnum", matches(all(`\\p{L}${NUMERIC}`))],
  ["isspace", matches(all(SPACES))],
  ["isascii", testing((text) => !/[^\0-\x7f]/.test(text))],
  ["isidentifier", testing((text) => /^[\p{XID_Start}_]\p{XID_Continue}*$/u.test(text) && !NEW_IN_NAMES.test(text))],
  ["isprintable", testing((text) => Array.from(text).every(isPrintable))],
  ["isupper", testing((text) => /\p{Uppercase}/u.test(text) && !/[\p{Lowercase}\p{Lt}]/u.test(text))],
  ["islower", testing((text) => LOWER.test(text) && !UPPER.test(text))],
  ["istitle", testing(isTitle)],
]);
