/** A target's name for people: a `data:` URL is as long as its data. */

/** Characters of a data URL that are shown: its type, and how its data begin. */
const SHOWN = 48;

export function shownTarget(target: string): string {
  if (!target.startsWith("data:") || target.length <= 2 * SHOWN) return target;
  return `${target.slice(0, SHOWN)}… (${target.length.toLocaleString("en")} characters)`;
}
