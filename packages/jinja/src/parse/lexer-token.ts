/** The words of a template: what the lexer gives to the parser. */
import type { Span } from "../tree.ts";

export type Token =
  /** Text outside of tags; whitespace control is already applied. */
  | ({ readonly kind: "text"; readonly text: string } & Span)
  /** `{{`, `{%` */
  | ({ readonly kind: "begin"; readonly text: "{{" | "{%" } & Span)
  /** `}}`, `%}`; the span ends with the braces, not with the whitespace that a `-` takes away. */
  | ({ readonly kind: "close"; readonly text: "}}" | "%}" } & Span)
  /** Names, and all words: Jinja2 has no reserved ones. */
  | ({ readonly kind: "name"; readonly text: string } & Span)
  /** Escapes are undone. */
  | ({ readonly kind: "string"; readonly text: string } & Span)
  | ({ readonly kind: "int"; readonly value: bigint } & Span)
  | ({ readonly kind: "float"; readonly value: number } & Span)
  | ({ readonly kind: "operator"; readonly text: string } & Span)
  | ({ readonly kind: "end" } & Span);

/** For messages: `"}}"`, `a text`, `the end of the template`. */
export function describeToken(token: Token): string {
  if (token.kind === "text") return "template text";
  if (token.kind === "string") return "a text in quotes";
  if (token.kind === "end") return "the end of the template";
  return token.kind === "int" || token.kind === "float" ? "a number" : `"${token.text}"`;
}
