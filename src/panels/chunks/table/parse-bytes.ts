/** Sizes as people write them: `10 kB` (1000), `4MiB` (1024²), `6,851`, `1.5e6`. */
const FACTORS: ReadonlyMap<string, number> = new Map(
  ["", "k", "m", "g", "t", "p"].flatMap((prefix, power): [string, number][] => [
    [prefix, 1000 ** power],
    [`${prefix}b`, 1000 ** power],
    ...(prefix === ""
      ? []
      : ([
          [`${prefix}i`, 1024 ** power],
          [`${prefix}ib`, 1024 ** power],
        ] as [string, number][])),
  ]),
);

const SIZE = /^(\d{1,3}(?:[ ,_]\d{3})+(?:\.\d+)?|\d*\.?\d+(?:e\d{1,2})?)\s*(?:(bytes?)|([a-z]{0,3}))$/i;

/** Whole bytes, or `undefined` where the text is not a size. */
export function parseBytes(text: string): number | undefined {
  const match = SIZE.exec(text.trim());
  const factor = match?.[2] === undefined ? FACTORS.get((match?.[3] ?? "").toLowerCase()) : 1;
  if (match?.[1] === undefined || factor === undefined) return undefined;
  const bytes = Math.round(Number(match[1].replaceAll(/[ ,_]/g, "")) * factor);
  return Number.isSafeInteger(bytes) ? bytes : undefined;
}
