/**
 * Prints lines for people: nothing in them steers the terminal, columns are aligned, colours appear only on a terminal.
 */
import { withoutSecrets } from "#core/words/without-secrets.ts";
import { STEERS } from "./output.ts";

/** Nothing in it steers the terminal or gives access to anything. */
export const visible = (text: string): string => withoutSecrets(text).replaceAll(STEERS, "�");

/**
 * Names in a set are untrusted: none of their control characters reaches the terminal, nor those that separate lines or
 * turn the direction of text round; and a log that others read gives access to nothing. A line that begins like a command
 * of a runner (`::error …`, `##[group]`) is none.
 */
export const printable = (text: string): string => visible(text).replace(/^\s*(?:::|##\[)/, "\u200b$&");

/** Several lines: their line feeds stay. */
export const printableLines = (text: string): string => text.split("\n").map(printable).join("\n");

/** Cells of each column as wide as its widest; the last one is not filled up. */
export function aligned(rows: readonly (readonly string[])[]): string[] {
  const clean = rows.map((row) => row.map(printable));
  const widths: number[] = [];
  for (const row of clean)
    for (const [at, cell] of row.entries()) widths[at] = Math.max(widths[at] ?? 0, widthOf(cell));
  const fill = (cell: string, at: number) => cell + " ".repeat((widths[at] ?? 0) - widthOf(cell));
  return clean.map((row) => row.map(fill).join("  ").trimEnd());
}

/** Code points; a long name costs no other row its place. */
const MAX_WIDTH = 60;
const widthOf = (cell: string): number => Math.min(MAX_WIDTH, Array.from(cell).length);

export type Tone = "error" | "warning" | "info" | "good" | "heading";

const CODES: Readonly<Record<Tone, readonly [on: number, off: number]>> = {
  error: [31, 39],
  warning: [33, 39],
  info: [2, 22],
  good: [32, 39],
  heading: [1, 22],
};

export type Paint = (tone: Tone, text: string) => string;

/** Only on a terminal, and not where `NO_COLOR` is set to anything (no-color.org). `text` is printable already. */
export function paintFor(stream: { readonly isTTY?: boolean }, env: NodeJS.ProcessEnv): Paint {
  const isPlain = stream.isTTY !== true || (env["NO_COLOR"] ?? "") !== "" || env["TERM"] === "dumb";
  if (isPlain) return (_tone, text) => text;
  return (tone, text) => {
    const [on, off] = CODES[tone];
    return `\u001b[${on}m${text}\u001b[${off}m`;
  };
}

export const paint: Paint = (tone, text) => paintFor(process.stdout, process.env)(tone, text);
