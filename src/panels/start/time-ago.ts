/** How long ago something was, in words. */

const UNITS = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
] as const;

const WORDS = new Intl.RelativeTimeFormat("en", { numeric: "auto" });

export function timeAgo(when: number, now: number): string {
  const past = Math.max(0, now - when);
  const unit = UNITS.find(([, length]) => past >= length);
  return unit === undefined ? "just now" : WORDS.format(-Math.floor(past / unit[1]), unit[0]);
}
