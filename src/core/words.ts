/** Numbers, names and lists in words: as page, terminal and catalogue write them. */

/** `1,234,567`: of integers without `Intl`, which takes as long to begin as a small set takes to check. */
export const count = (value: number | bigint): string =>
  typeof value === "bigint" || Number.isSafeInteger(value)
    ? String(value).replace(/\B(?=(?:\d{3})+$)/g, ",")
    : value.toLocaleString("en");

/** `1 chunk`, `3 chunks`; `plural` where an s does not make it. */
export function counted(value: number | bigint, singular: string, plural = `${singular}s`): string {
  return `${count(value)} ${Number(value) === 1 ? singular : plural}`;
}

/** Text from a file in typographic quotes, cut where it is long. */
export const quoted = (text: string, limit = 200): string => `“${cut(text, limit)}”`;

export const cut = (text: string, limit = 200): string => (text.length > limit ? `${text.slice(0, limit)}…` : text);

/** `a`, `a and b`, `a, b and c`. */
export function listed(words: readonly string[], last = "and"): string {
  if (words.length < 2) return words.join("");
  return `${words.slice(0, -1).join(", ")} ${last} ${words.at(-1) ?? ""}`;
}

/** `7.4%`, from a share of 1; says 100% only of all and 0% only of nothing. */
export function percent(share: number): string {
  if (share <= 0) return "0%";
  if (share >= 1) return "100%";
  if (share < 0.001) return "< 0.1%";
  return share > 0.999 ? "> 99.9%" : `${(100 * share).toFixed(1)}%`;
}

/** `5%`, `0.5%`: a share that somebody wrote or chose, with as many digits as it has. */
export const percentExactly = (share: number): string => `${Number((100 * share).toPrecision(4))}%`;

/** `50%`, where less is not known. */
export const wholePercent = (share: number): string => `${(100 * share).toFixed(0)}%`;

/** One word of a POSIX shell, whatever the text holds (POSIX.1-2017, Shell Command Language, 2.2.2). */
export const shellWord = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) && !text.startsWith("-") ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** Characters of a data URL that are shown: its type, and how its data begin. */
const SHOWN = 48;

/** A target's name for people: a `data:` URL is as long as its data. */
export function shownTarget(target: string): string {
  if (!target.startsWith("data:") || target.length <= 2 * SHOWN) return target;
  return `${target.slice(0, SHOWN)}… (${target.length.toLocaleString("en")} characters)`;
}
