/**
 * A web page where data were expected: what servers send with status 200 where one must sign in, or for missing
 * objects.
 */
export interface WebPage {
  /** Its title, else its first line; for people, on one line. */
  readonly words: string;
}

/** Bytes in which a title is looked for. */
export const WEB_PAGE_HEAD = 65_536;
const MAX_WORDS = 120;

const BEGINNING = /^\ufeff?(?:\s|<!--[\s\S]{0,1000}?-->|<\?xml[^>]{0,200}>)*<(?:!doctype\s+html|html|head|body)[\s>]/i;
const TITLE = /<title(?:\s[^>]{0,200})?>([^<]{1,1000})<\/title/i;

/** `undefined` where the bytes do not begin as a page of HTML does. */
export function webPageIn(bytes: Uint8Array): WebPage | undefined {
  const first = firstVisible(bytes);
  if (first !== 0x3c && first !== 0xef) return undefined; // One byte rules out most data.
  const text = new TextDecoder().decode(bytes.subarray(0, WEB_PAGE_HEAD));
  if (!BEGINNING.test(text)) return undefined;
  const title = oneLine(withoutEntities(TITLE.exec(text)?.[1] ?? ""));
  const line = text.split("\n").find((one) => one.trim() !== "") ?? "";
  return { words: title === "" ? oneLine(line) : title };
}

/** The first byte that is no blank or control character; a callback for each is slow over files of zeros. */
export function firstVisible(bytes: Uint8Array): number | undefined {
  let at = 0;
  while (at < bytes.length && (bytes[at] as number) <= 0x20) at += 1;
  return bytes[at];
}

const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'", nbsp: " " };

export const withoutEntities = (text: string): string =>
  text.replace(/&(amp|lt|gt|quot|#39|nbsp);/g, (whole, name: string) => ENTITIES[name] ?? whole);

function oneLine(text: string): string {
  const line = text
    .replace(/[\p{C}\s]+/gu, " ")
    .replace(/^\ufeff/, "")
    .trim();
  return line.length > MAX_WORDS ? `${line.slice(0, MAX_WORDS)}…` : line;
}
