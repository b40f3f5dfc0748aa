/** Numbers and names as the catalogue's sentences write them. */

/** `1,234,567`. */
export function count(value: number | bigint): string {
  return value.toLocaleString("en");
}

/** `1 chunk`, `3 chunks`; `plural` where an s does not make it. */
export function counted(value: number | bigint, singular: string, plural = `${singular}s`): string {
  return `${count(value)} ${Number(value) === 1 ? singular : plural}`;
}

/** Text from a file in typographic quotes, cut where it is long. */
export function quoted(text: string, limit = 200): string {
  return `“${cut(text, limit)}”`;
}

export function cut(text: string, limit = 200): string {
  return text.length > limit ? `${text.slice(0, limit)}…` : text;
}

/** `a`, `a and b`, `a, b and c`. */
export function listed(words: readonly string[], last = "and"): string {
  if (words.length < 2) return words.join("");
  return `${words.slice(0, -1).join(", ")} ${last} ${words.at(-1) ?? ""}`;
}
