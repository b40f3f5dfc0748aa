/** The order people expect of numbered names: `2` before `10`. The same everywhere, whatever the language. */

/** Runs of digits compare as numbers, all else by code unit. Negative, zero or positive, as `sort` wants it. */
export function compareNatural(a: string, b: string): number {
  let i = 0;
  let j = 0;
  while (i < a.length && j < b.length) {
    const endA = endOfDigits(a, i);
    const endB = endOfDigits(b, j);
    if (endA > i && endB > j) {
      const order = compareDigits(a.slice(i, endA), b.slice(j, endB));
      if (order !== 0) return order;
      i = endA;
      j = endB;
    } else {
      const order = a.charCodeAt(i) - b.charCodeAt(j);
      if (order !== 0) return order;
      i += 1;
      j += 1;
    }
  }
  return a.length - i - (b.length - j) || (a < b ? -1 : Number(a > b));
}

/** Part by part, so that all below `a/` stays together: `a/z` before `a-b/c`. */
export function comparePaths(a: string, b: string): number {
  const partsA = a.split("/");
  const partsB = b.split("/");
  for (const [at, part] of partsA.entries()) {
    const other = partsB[at];
    if (other === undefined) return 1;
    const order = compareNatural(part, other);
    if (order !== 0) return order;
  }
  return partsA.length - partsB.length;
}

function endOfDigits(text: string, from: number): number {
  let at = from;
  while (at < text.length && isDigit(text.charCodeAt(at))) at += 1;
  return at;
}

const isDigit = (code: number): boolean => code >= 48 && code <= 57;

/** Compares digits of any length: leading zeros do not count; then the longer number is the larger. */
function compareDigits(a: string, b: string): number {
  const bareA = a.replace(/^0+/, "");
  const bareB = b.replace(/^0+/, "");
  return bareA.length - bareB.length || (bareA < bareB ? -1 : Number(bareA > bareB));
}
