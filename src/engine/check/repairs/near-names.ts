/** Targets whose names are nearly the same as one that cannot be read. */

const MAX_NAMES = 50_000;
const MAX_EDITS = 2;
const MAX_NEAR = 3;
/** Of two names of this many characters, two differences say little. */
const SHORT_NAME = 4;

/** The nearest first. */
export function nearNames(written: string, names: Iterable<string>): readonly string[] {
  const near: { readonly name: string; readonly edits: number }[] = [];
  let looked = 0;
  for (const name of names) {
    if (++looked > MAX_NAMES) break;
    if (name === written) continue;
    const edits = editsBetween(written, name);
    if (edits <= MAX_EDITS && Math.min(written.length, name.length) > SHORT_NAME) near.push({ name, edits });
  }
  return near
    .toSorted((a, b) => a.edits - b.edits)
    .slice(0, MAX_NEAR)
    .map(({ name }) => name);
}

/** Characters added, left out, replaced or exchanged with the next; `MAX_EDITS + 1` stands for more. */
export function editsBetween(one: string, other: string): number {
  let start = 0;
  let [endOne, endOther] = [one.length, other.length];
  if (Math.abs(endOne - endOther) > MAX_EDITS) return MAX_EDITS + 1;
  while (start < endOne && start < endOther && one[start] === other[start]) start += 1;
  while (endOne > start && endOther > start && one[endOne - 1] === other[endOther - 1]) {
    endOne -= 1;
    endOther -= 1;
  }
  const [a, b] = [one.slice(start, endOne), other.slice(start, endOther)];
  if (Math.max(a.length, b.length) > MAX_DIFFERENT) return MAX_EDITS + 1;
  return Math.min(MAX_EDITS + 1, distance(a, b));
}

/** What is left when the same beginning and end are taken off is short where two edits were made. */
const MAX_DIFFERENT = 64;

function distance(a: string, b: string): number {
  let before: readonly number[] = [];
  let row: readonly number[] = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      let least = Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + same);
      if (a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] && i > 1 && j > 1)
        least = Math.min(least, (before[j - 2] ?? 0) + 1);
      next.push(least);
    }
    [before, row] = [row, next];
  }
  return row[b.length] ?? 0;
}
