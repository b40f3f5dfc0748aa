/** What the sandbox sent back of the JavaScript reader: untrusted bytes, validated before use. */

export type JavascriptAnswer =
  | { readonly kind: "refs"; readonly refs: readonly (readonly [key: string, value: unknown])[] }
  | { readonly kind: "error"; readonly error: string }
  | { readonly kind: "unusable"; readonly reason: string };

export const MAX_ANSWER_BYTES = 128 << 20;
const LONGEST_ERROR = 500;

export function readAnswer(bytes: Uint8Array): JavascriptAnswer {
  if (bytes.length > MAX_ANSWER_BYTES) return unusable(`it answered with ${bytes.length} bytes, which is too much`);
  let answer: unknown;
  try {
    answer = JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return unusable("it answered with something that is not JSON");
  }
  const error = memberOf(answer, "error");
  if (error !== undefined) return { kind: "error", error: errorText(error) };
  const refs = memberOf(answer, "refs");
  const sound = Array.isArray(refs) && refs.every((pair) => Array.isArray(pair) && typeof pair[0] === "string");
  return sound ? { kind: "refs", refs: refs as [string, unknown][] } : unusable("it answered without references");
}

const unusable = (found: string): JavascriptAnswer => ({
  kind: "unusable",
  reason: `The JavaScript reader is not known: ${found}.`,
});

function memberOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined;
}

function errorText(error: unknown): string {
  const [name, message] = [memberOf(error, "name"), memberOf(error, "message")];
  const [kind, said] = [typeof name === "string" ? name : "Error", typeof message === "string" ? message : ""];
  return `${kind}: ${said}`.slice(0, LONGEST_ERROR);
}

/** A value of the answer as JavaScript prints it: what JSON has no word for came as `{"$": word}`. */
export function spelled(value: unknown, depth = 0): string {
  const word = memberOf(value, "$");
  if (word === "object") return "{…}";
  if (typeof word === "string") return word.slice(0, 40);
  if (Array.isArray(value) && depth < 4)
    return `[${value
      .slice(0, 20)
      .map((item) => spelled(item, depth + 1))
      .join(", ")}]`;
  return typeof value === "string" && value.length > 300
    ? JSON.stringify(value.slice(0, 300))
    : (JSON.stringify(value) ?? "");
}
