/**
 * Lays out a reference set's JSON: white space only, every number, escape and key stays as typed. References
 * (`[url, offset, length]`) and short values keep to one line, which a general JSON formatter would tear apart.
 */
import type { TextEdit } from "../core/studio.ts";

interface Token {
  readonly start: number;
  readonly end: number;
}

/**
 * Units a line may have before a short container is broken; those of scalars up to three stay on one whatever length.
 */
const WIDTH = 100;
const TOKEN = /\s+|"(?:[^"\\\n]|\\.)*"|[[\]{},:]|[^\s[\]{},:"]+/y;

/**
 * Edits of white space that lay the text out with two spaces a level. None where it is laid out already, `undefined`
 * where it is not JSON with balanced brackets: then nothing should be touched.
 */
export function formatEdits(text: string, newline: string): readonly TextEdit[] | undefined {
  const tokens = tokensOf(text);
  const partners = tokens === undefined ? undefined : partnersOf(text, tokens);
  if (tokens === undefined || partners === undefined) return undefined;
  const layout = new Layout(text, tokens, partners, newline);
  return layout.edits();
}

function tokensOf(text: string): readonly Token[] | undefined {
  const tokens: Token[] = [];
  for (let at = 0; at < text.length;) {
    TOKEN.lastIndex = at;
    const match = TOKEN.exec(text);
    // An unterminated string, or a comment: left as it is.
    if (match === null || (!match[0].startsWith('"') && match[0].includes("/"))) return undefined;
    const end = at + match[0].length;
    if (match[0].trim() !== "" || match[0].startsWith('"')) tokens.push({ start: at, end });
    at = end;
  }
  return tokens;
}

/** For every opening bracket the index of the token that closes it. */
function partnersOf(text: string, tokens: readonly Token[]): ReadonlyMap<number, number> | undefined {
  const partners = new Map<number, number>();
  const open: number[] = [];
  for (const [index, token] of tokens.entries()) {
    const char = text.charAt(token.start);
    if (char === "{" || char === "[") open.push(index);
    if (char !== "}" && char !== "]") continue;
    const opened = open.pop();
    const before = opened === undefined ? undefined : tokens[opened];
    if (opened === undefined || before === undefined) return undefined;
    if (text.charAt(before.start) !== (char === "}" ? "{" : "[")) return undefined;
    partners.set(opened, index);
  }
  return open.length === 0 ? partners : undefined;
}

class Layout {
  readonly #text: string;
  readonly #tokens: readonly Token[];
  readonly #partners: ReadonlyMap<number, number>;
  readonly #newline: string;
  #depth = 0;
  /** Index of the token that ends the container which is being written on one line. */
  #flatUntil = -1;
  /** Units on the line so far. */
  #column = 0;

  constructor(text: string, tokens: readonly Token[], partners: ReadonlyMap<number, number>, newline: string) {
    this.#text = text;
    this.#tokens = tokens;
    this.#partners = partners;
    this.#newline = newline;
  }

  edits(): readonly TextEdit[] {
    const edits: TextEdit[] = [];
    let end = 0;
    for (const [index, token] of this.#tokens.entries()) {
      const gap = this.#gapBefore(index);
      if (this.#text.slice(end, token.start) !== gap) edits.push({ start: end, end: token.start, text: gap });
      this.#column = gap.includes("\n") ? gap.length - this.#newline.length : this.#column + gap.length;
      this.#column += token.end - token.start;
      end = token.end;
      if (index === this.#flatUntil) this.#flatUntil = -1;
      else if (this.#flatUntil < 0) this.#enter(index);
    }
    return edits;
  }

  /** After an opening bracket: is its container written on one line? */
  #enter(index: number): void {
    const partner = this.#partners.get(index);
    if (partner === undefined) return;
    const flat = partner === index + 1 || (!this.#isOutline(index, partner) && this.#fits(index, partner));
    if (flat) this.#flatUntil = partner;
    else this.#depth += 1;
  }

  /** The document itself, and its members that hold others: one entry a line, however short. */
  #isOutline(index: number, partner: number): boolean {
    if (this.#depth === 0) return true;
    if (this.#depth > 1) return false;
    if (this.#charOf(index) === "{") return true;
    for (let at = index + 1; at < partner; at += 1) if (this.#partners.has(at)) return true;
    return false;
  }

  #gapBefore(index: number): string {
    const char = this.#charOf(index);
    const before = this.#charOf(index - 1);
    if (index === 0 || char === "," || char === ":") return "";
    if (before === ":") return " ";
    if (this.#flatUntil >= 0) return this.#flatGap(index, before, char);
    if (char === "}" || char === "]") this.#depth -= 1;
    return this.#newline + "  ".repeat(Math.max(0, this.#depth));
  }

  #flatGap(index: number, before: string, char: string): string {
    if (before === ",") return " ";
    const empty = (before === "{" && char === "}") || (before === "[" && char === "]");
    const brace = before === "{" || char === "}";
    return brace && !empty && index > 0 ? " " : "";
  }

  /** Objects that were written on several lines stay so. */
  #fits(index: number, partner: number): boolean {
    if (this.#charOf(index) === "{" && this.#brokenAfter(index)) return false;
    let width = this.#column;
    let nested = false;
    for (let at = index + 1; at <= partner; at += 1) {
      const token = this.#tokens[at];
      if (token === undefined) return false;
      if (this.#charOf(at) === "{" && this.#brokenAfter(at)) return false;
      nested ||= this.#partners.has(at);
      width += token.end - token.start + 1;
      if (width > WIDTH && (nested || partner - index > 6 || this.#charOf(index) === "{")) return false;
    }
    return true;
  }

  #brokenAfter(index: number): boolean {
    const token = this.#tokens[index];
    const next = this.#tokens[index + 1];
    return token !== undefined && next !== undefined && this.#text.slice(token.end, next.start).includes("\n");
  }

  #charOf(index: number): string {
    return this.#text.charAt(this.#tokens[index]?.start ?? this.#text.length);
  }
}
