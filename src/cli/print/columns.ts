/** Lines that fit the terminal: wrapped between words, escapes of colours not counted. */
const [LEAST, OTHERWISE] = [40, 100] as const;

/** Width of the terminal, or of the environment's COLUMNS. */
export function columnsOf(stream: { readonly columns?: number | undefined }, env: NodeJS.ProcessEnv): number {
  const told = Number(env["COLUMNS"]);
  return Math.max(LEAST, stream.columns ?? (Number.isInteger(told) && told > 0 ? told : OTHERWISE));
}

export const columns = (): number => columnsOf(process.stdout, process.env);

// eslint-disable-next-line no-control-regex
const ESCAPES = /\u001b\[\d+m/g;

const widthOf = (text: string): number => Array.from(text.replaceAll(ESCAPES, "")).length;

/**
 * `next`: what further lines begin with; the indentation of the first, and two columns, where it is not said. Of an address
 * that is wider than a line the middle is left out; any other word is broken where the line ends.
 */
export function fitted(line: string, width: number, next?: string): readonly string[] {
  const begin = next ?? `${/^ */.exec(line)?.[0] ?? ""}  `;
  if (widthOf(line) <= width) return [line];
  const lines: string[] = [];
  let at = /^ */.exec(line)?.[0] ?? "";
  let isEmpty = true;
  const push = () => {
    lines.push(at.trimEnd());
    [at, isEmpty] = [begin, true];
  };
  for (const [, gap = "", word = ""] of line.trimStart().matchAll(/( *)([^ ]+)/g)) {
    if (!isEmpty && widthOf(at) + gap.length + widthOf(word) > width) push();
    let rest = isEmpty ? fittingUrl(word, width - widthOf(at)) : word;
    // The text already on a line fits.
    while (widthOf(at) + widthOf(rest) > width) {
      const [head, tail] = brokenAt(rest, width - widthOf(at));
      at += head;
      push();
      rest = tail;
    }
    at += isEmpty ? rest : gap + rest;
    isEmpty = false;
  }
  return [...lines, at];
}

function fittingUrl(word: string, room: number): string {
  const letters = Array.from(word);
  if (!word.includes("://") || widthOf(word) <= room || letters.length !== widthOf(word)) return word;
  const end = Math.floor((room - 1) / 2);
  return `${letters.slice(0, room - 1 - end).join("")}…${letters.slice(-end).join("")}`;
}

/** Escapes cost no room. */
function brokenAt(word: string, room: number): readonly [head: string, tail: string] {
  let [index, used] = [0, 0];
  while (index < word.length && used < room) {
    // eslint-disable-next-line no-control-regex
    const escape = /^\u001b\[\d+m/.exec(word.slice(index, index + 6))?.[0];
    if (escape === undefined) used += 1;
    index += escape?.length ?? ((word.codePointAt(index) ?? 0) > 0xffff ? 2 : 1);
  }
  return [word.slice(0, index), word.slice(index)];
}
