/** A unified diff of two texts that differ in few places, as `patch` reads it. */
const CONTEXT = 3;
/** Lines beyond which two texts are not looked for a common line again. */
const MAX_APART = 5000;

interface Change {
  /** First line, from 0, and how many, of each text. */
  readonly from: number;
  readonly removed: number;
  readonly to: number;
  readonly added: number;
}

/** "" where they are the same. */
export function unifiedDiff(name: string, before: string, after: string): string {
  if (before === after) return "";
  const [old, now] = [linesOf(before), linesOf(after)];
  const lines = [`--- ${name}`, `+++ ${name}`];
  for (const hunk of hunksOf(changesOf(old, now))) lines.push(...hunkLines(hunk, old, now));
  return `${lines.join("\n")}\n`;
}

/** With their ends, so that a missing one at the end of the text shows. */
const linesOf = (text: string): readonly string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];

function changesOf(old: readonly string[], now: readonly string[]): readonly Change[] {
  const changes: Change[] = [];
  let [from, to] = [0, 0];
  while (from < old.length || to < now.length) {
    if (from < old.length && old[from] === now[to]) {
      [from, to] = [from + 1, to + 1];
      continue;
    }
    const [removed, added] = apart(old, now, from, to);
    changes.push({ from, removed, to, added });
    [from, to] = [from + removed, to + added];
  }
  return changes;
}

/** How many lines of each are passed over until both go on alike, the fewest. */
function apart(old: readonly string[], now: readonly string[], from: number, to: number): readonly [number, number] {
  const rest = [old.length - from, now.length - to] as const;
  for (let sum = 1; sum <= Math.min(MAX_APART, rest[0] + rest[1]); sum += 1) {
    for (let removed = Math.max(0, sum - rest[1]); removed <= Math.min(sum, rest[0]); removed += 1) {
      const [i, j] = [from + removed, to + sum - removed];
      const isEnd = i === old.length && j === now.length;
      if (isEnd || (i < old.length && old[i] === now[j] && old[i + 1] === now[j + 1])) return [removed, sum - removed];
    }
  }
  return rest;
}

/** Changes whose context would touch stand together. */
function hunksOf(changes: readonly Change[]): readonly (readonly Change[])[] {
  const hunks: Change[][] = [];
  let end = -Infinity;
  for (const change of changes) {
    const last = hunks.at(-1);
    if (last !== undefined && change.from - end <= 2 * CONTEXT) last.push(change);
    else hunks.push([change]);
    end = change.from + change.removed;
  }
  return hunks;
}

function hunkLines(hunk: readonly Change[], old: readonly string[], now: readonly string[]): readonly string[] {
  const [first, last] = [hunk[0] as Change, hunk.at(-1) as Change];
  const before = Math.min(CONTEXT, first.from);
  const end = Math.min(old.length, last.from + last.removed + CONTEXT);
  const body: string[] = [];
  let at = first.from - before;
  for (const { from, removed, to, added } of hunk) {
    body.push(...old.slice(at, from).map((line) => ` ${line}`));
    body.push(...old.slice(from, from + removed).map((line) => `-${line}`));
    body.push(...now.slice(to, to + added).map((line) => `+${line}`));
    at = from + removed;
  }
  body.push(...old.slice(at, end).map((line) => ` ${line}`));
  const count = (signs: string) => body.filter((line) => signs.includes(line.charAt(0))).length;
  const range = (start: number, lines: number) => `${lines === 0 ? start : start + 1},${lines}`;
  const [olds, nows] = [count(" -"), count(" +")];
  const head = `@@ -${range(first.from - before, olds)} +${range(first.to - before, nows)} @@`;
  return [
    head,
    ...body.map((line) => (line.endsWith("\n") ? line.slice(0, -1) : `${line}\n\\ No newline at end of file`)),
  ];
}
