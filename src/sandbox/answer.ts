/**
 * The reader's answer as bytes: UTF-8 JSON, `{"refs": [[key, value], …]}` or `{"error": {"name", "message"}}`.
 * A JSON object among the values is always ours and says with `$` what JSON has no word for: `{"$": "NaN"}`,
 * `"Infinity"`, `"-Infinity"`, `"undefined"`, `"function"`, `"symbol"`, `"bigint"`, `"deep"`; an object of the
 * document is `{"$": "object", "entries": [[name, value], …]}`.
 */

/** Containers nested deeper are written as `{"$": "deep"}`. */
const DEPTH = 200;
/** Characters gathered before they become bytes. */
const PIECE = 1 << 20;
const MESSAGE_CAP = 4000;

/** Made before the scope is stripped of the class. */
const encoder = new TextEncoder();

/** Bytes of all references in order, or `undefined` where they would be more than `cap`. */
export function answerBytes(
  refs: Iterable<readonly [unknown, unknown]>,
  cap: number,
): Uint8Array<ArrayBuffer> | undefined {
  const pieces: Uint8Array[] = [];
  let [text, size, separator] = ['{"refs":[', 0, ""];
  const flush = () => {
    const piece = encoder.encode(text);
    pieces.push(piece);
    size += piece.byteLength;
    text = "";
  };
  for (const [key, value] of refs) {
    text += `${separator}[${spell(key, 0)},${spell(value, 0)}]`;
    separator = ",";
    if (text.length < PIECE) continue;
    flush();
    if (size > cap) return undefined;
  }
  text += "]}";
  flush();
  return size > cap ? undefined : joined(pieces, size);
}

/** Bytes of whatever was thrown. Never throws. */
export function errorBytes(error: unknown): Uint8Array<ArrayBuffer> {
  let [name, message] = ["Error", "It threw something that cannot be described."];
  try {
    if (error instanceof Error) [name, message] = [asText(error.name), asText(error.message)];
    else message = asText(error);
  } catch {
    // An error whose own members throw: the words above stand.
  }
  const short = { name: name.slice(0, MESSAGE_CAP), message: message.slice(0, MESSAGE_CAP) };
  return encoder.encode(JSON.stringify({ error: short }));
}

/** Members of errors are strings only by good manners. */
const asText = (value: unknown) => String(value);

function joined(pieces: readonly Uint8Array[], size: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.byteLength;
  }
  return bytes;
}

const mark = (word: string) => `{"$":"${word}"}`;

function spell(value: unknown, depth: number): string {
  if (typeof value === "string") return JSON.stringify(value);
  if (typeof value === "number") return Number.isFinite(value) ? String(value) : mark(String(value));
  if (typeof value === "boolean" || value === null) return String(value);
  if (typeof value !== "object") return mark(typeof value);
  if (depth >= DEPTH) return mark("deep");
  if (Array.isArray(value)) return `[${Array.from(value, (item) => spell(item, depth + 1)).join(",")}]`;
  const entries = Object.entries(value).map(([name, item]) => `[${JSON.stringify(name)},${spell(item, depth + 1)}]`);
  return `{"$":"object","entries":[${entries.join(",")}]}`;
}
