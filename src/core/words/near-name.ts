/** The name that may be meant where one is not there: the nearest of those that are. */

/** Names that are compared; more would take too long for a hint. */
const MAX_COMPARED = 20_000;

/** `undefined` where none is near, or two are equally near. */
export function nearName(wanted: string, there: Iterable<string>): string | undefined {
  const limit = Math.max(1, Math.min(3, Math.floor(wanted.length / 4)));
  let [best, distance, isAlone, compared] = ["", limit + 1, false, 0];
  for (const name of there) {
    if ((compared += 1) > MAX_COMPARED) break;
    if (name === wanted || Math.abs(name.length - wanted.length) > limit) continue;
    const found = editDistance(wanted, name, Math.min(limit, distance));
    if (found > distance || found > limit) continue;
    isAlone = found < distance || name === best;
    [best, distance] = [name, found];
  }
  return isAlone && distance <= limit ? best : undefined;
}

/** The nearest name that takes few edits for its length, the first of several; for names that somebody mistyped. */
export function nearestName(name: string, known: Iterable<string>): string | undefined {
  let best: string | undefined;
  let fewest = Math.max(1, Math.floor(name.length / 3)) + 1;
  for (const candidate of known) {
    if (Math.abs(candidate.length - name.length) >= fewest || candidate === name) continue;
    const edits = editDistance(name, candidate, fewest - 1);
    if (edits < fewest) [best, fewest] = [candidate, edits];
  }
  return best;
}

/** " Did you mean time?", to end a sentence with; nothing where no name is near. */
export function meantName(name: string, known: Iterable<string>): string {
  const near = nearestName(name, known);
  return near === undefined ? "" : ` Did you mean ${near}?`;
}

/** Characters added, removed, replaced, or swapped with the next; `limit + 1` where there are more. */
export function editDistance(a: string, b: string, limit: number): number {
  let [before, last] = [new Uint16Array(0), Uint16Array.from({ length: b.length + 1 }, (_, at) => at)];
  for (let row = 1; row <= a.length; row += 1) {
    const next = new Uint16Array(b.length + 1);
    next[0] = row;
    let least = row;
    for (let column = 1; column <= b.length; column += 1) {
      const same = a[row - 1] === b[column - 1];
      let cost = Math.min(
        (last[column] ?? 0) + 1,
        (next[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + Number(!same),
      );
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      if (swapped) cost = Math.min(cost, (before[column - 2] ?? 0) + 1);
      next[column] = cost;
      least = Math.min(least, cost);
    }
    if (least > limit) return limit + 1;
    [before, last] = [last, next];
  }
  return last[b.length] ?? 0;
}
