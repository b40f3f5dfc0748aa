/** Files that the owner of a set writes about it: JSON, and what is said where one cannot be read. */
import { cut } from "../words.ts";
import { factsOfFailure, failure, type RefscopeError, WHOLE_SET } from "../findings/finding.ts";
import { positionIn, memberOf, type JsonNode } from "../json/json.ts";
import { parseJsonTree } from "../json/parse-json.ts";

export type OwnerFile = "expectation" | "acceptance";

/** Characters: what is larger was not written by hand, nor by us. */
const MAX_OWNER_FILE = 4_000_000;

/** Names of members and places in lists, from the root. */
export type MemberPath = readonly (string | number)[];

/** Thrown by what reads the members of such a file; `readOwnerFile` makes the error of it that is shown. */
class WrongMember extends Error {
  readonly path: MemberPath;
  readonly expected: string;
  readonly found: unknown;

  constructor(path: MemberPath, expected: string, found: unknown) {
    super(`${pathText(path)}: ${expected}`);
    this.path = path;
    this.expected = expected;
    this.found = found;
  }
}

/** To be thrown by whatever `readOwnerFile` is given. */
export const wrongMember = (path: MemberPath, expected: string, found: unknown): Error =>
  new WrongMember(path, expected, found);

/** Throws `expectation-invalid`, with the line where it is known. */
export function readOwnerFile<T>(file: OwnerFile, given: string, read: (root: unknown) => T): T {
  // Some editors write a byte order mark.
  const text = given.replace(/^\ufeff/, "");
  if (text.length > MAX_OWNER_FILE) {
    const found = text.length.toLocaleString("en");
    throw invalid(file, { where: WHOLE, expected: `at most ${MAX_OWNER_FILE.toLocaleString("en")} characters`, found });
  }
  const tree = treeOf(file, text);
  try {
    // Plain values: names of a set are only ever own members of them, and entries of Maps afterwards.
    return read(JSON.parse(text) as unknown);
  } catch (error) {
    if (!(error instanceof WrongMember)) throw error;
    const { path, expected, found } = error;
    const { line } = positionIn(text, nodeAt(tree, path).start);
    throw invalid(file, { where: pathText(path), line, expected, found: shown(found) });
  }
}

const WHOLE = "the file";

function treeOf(file: OwnerFile, text: string): JsonNode {
  const { root, oddities } = parsed(file, text);
  const [odd] = oddities;
  if (odd === undefined) return root;
  const { code, written, position } = odd;
  const expected = code === "duplicate-key" ? "each name once" : "JSON";
  throw invalid(file, { where: WHOLE, line: position.line, expected, found: cut(written, MAX_SHOWN) });
}

function parsed(file: OwnerFile, text: string) {
  try {
    return parseJsonTree(text);
  } catch (error) {
    const facts = factsOfFailure(error, "json-invalid");
    if (facts !== undefined)
      throw invalid(file, {
        where: WHOLE,
        line: facts.line,
        expected: facts.expected,
        found: cut(facts.found, MAX_SHOWN),
      });
    const deep = factsOfFailure(error, "json-too-deep");
    if (deep === undefined) throw error;
    const expected = `at most ${deep.limit} levels of brackets`;
    throw invalid(file, { where: WHOLE, line: deep.line, expected, found: "more" });
  }
}

/** The nearest node that the text has: a missing member is reported at the object that should have it. */
function nodeAt(root: JsonNode, path: MemberPath): JsonNode {
  let node = root;
  for (const step of path) {
    const inside =
      typeof step === "string" ? memberOf(node, step) : node.kind === "array" ? node.items[step] : undefined;
    if (inside === undefined) return node;
    node = inside;
  }
  return node;
}

function pathText(path: MemberPath): string {
  const text = path.map((step) => (typeof step === "number" ? `[${step}]` : `.${step}`)).join("");
  return text === "" ? WHOLE : cut(text.replace(/^\./, ""), MAX_SHOWN);
}

interface Wrong {
  readonly where: string;
  readonly line?: number;
  readonly expected: string;
  readonly found: string;
}

const invalid = (file: OwnerFile, wrong: Wrong): RefscopeError =>
  failure("expectation-invalid", WHOLE_SET, { file, ...wrong });

const shown = (value: unknown): string =>
  cut(typeof value === "string" ? value : (JSON.stringify(value) ?? "nothing"), MAX_SHOWN);

const MAX_SHOWN = 80;

/** Members by name. Those that nothing reads are refused: a name that is misspelt would expect nothing. */
export function membersOf(value: unknown, path: MemberPath, known?: readonly string[]): ReadonlyMap<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw wrongMember(path, "an object", value);
  const members = new Map<string, unknown>(Object.entries(value));
  if (known === undefined) return members;
  for (const name of members.keys()) {
    if (name !== NOTE && !known.includes(name))
      throw wrongMember([...path, name], `one of ${[...known, NOTE].join(", ")}`, name);
  }
  return members;
}

/** Whatever the owner wants to say; never read. */
const NOTE = "note";
