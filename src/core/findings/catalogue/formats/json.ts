/** JSON texts: what is not JSON at all, and what is read although not every reader would. */
import { count, cut, quoted } from "../../../words.ts";
import { about } from "../entry.ts";

type Position = { readonly line: number; readonly column: number };
/**
 * `written`: the key, number or word as written in the text; a closing bracket for a comma before it. The reader of
 * documents, which keeps no lines, knows only that there is one.
 */
type Written = { readonly written?: string; readonly line?: number; readonly column?: number };

const at = ({ line, column }: Written): string =>
  line === undefined ? "in the text" : `at line ${line}, column ${column ?? 1}`;

const CORRECT = "Correct the text there.";

const { error, warning, graded } = about("document");

export const JSON_TEXT = {
  "json-invalid": error<Position & { readonly expected: string; readonly found: string }>({
    title: "The text is not JSON",
    explain: (facts) =>
      `The text is not JSON ${at(facts)}: expected ${facts.expected}, but found ${cut(facts.found, 200)}.`,
    remedy: CORRECT,
    readers: "Python's json refuses the text as well, and with it whatever it describes.",
  }),
  "json-too-deep": error<Position & { readonly limit: number }>({
    title: "The JSON text is nested too deeply",
    explain: (facts) =>
      `Arrays and objects may be nested ${count(facts.limit)} levels deep; the text goes deeper ${at(facts)}.`,
    remedy: CORRECT,
    readers: "Python's json raises RecursionError at about a thousand levels.",
  }),
  "json-duplicate-key": warning<Written>({
    title: "Duplicate key",
    explain: (facts) =>
      `The key ${quoted(facts.written ?? "", 60)} is written again ${at(facts)}; the last value counts.`,
    remedy: "Remove the values that do not count.",
    readers: "Python's json takes the last value, too; other readers may take the first, or refuse the text.",
  }),
  "json-not-finite": graded<Written>({
    title: "NaN or Infinity in JSON",
    // Of a whole document other readers refuse all of it.
    severity: ({ line }) => (line === undefined ? "warning" : "info"),
    explain: (facts) =>
      `There is a bare ${facts.written ?? "NaN or Infinity"} ${at(facts)}, which JSON does not allow.`,
    remedy: "Write it as text or null if readers other than Python's are to read it.",
    readers: "Python's json writes and reads it; other readers, browsers among them, refuse the whole text.",
  }),
  "json-number-overflow": warning<Written>({
    title: "A number is too large",
    explain: (facts) =>
      `The number ${cut(facts.written ?? "", 60)} ${at(facts)} is too large for a double and is read as infinite.`,
    remedy: "Write a number below 1.8e308.",
    readers: "Python and browsers read it as infinite, too.",
  }),
  "json-trailing-comma": graded<Written>({
    title: "A trailing comma",
    severity: ({ line }) => (line === undefined ? "error" : "warning"),
    explain: (facts) =>
      `There is a comma before ${facts.written === undefined ? "a closing bracket" : quoted(facts.written)} ${at(facts)}, which JSON does not allow.`,
    remedy: "Remove the comma.",
    readers: "Python's json and browsers refuse the whole text; Refscope reads it.",
  }),
  "json-byte-order-mark": warning<Written>({
    title: "The text begins with a byte order mark",
    explain: "The text begins with a byte order mark (U+FEFF), which JSON does not allow.",
    remedy: "Save the text as UTF-8 without a byte order mark.",
    readers: "Python's json refuses it in text and skips it in bytes; Refscope reads on.",
  }),
};
