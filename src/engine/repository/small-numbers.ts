/** Whole numbers from 0 to 2^53 - 1 in as few bytes as their spread needs: none where they are equal, or count upwards. */

export interface SmallNumbers {
  at(index: number): number;
  readonly byteLength: number;
}

export function smallNumbers(numbers: Float64Array): SmallNumbers {
  const first = numbers[0] ?? 0;
  if (numbers.every((number) => number === first)) return { at: () => first, byteLength: 0 };
  if (numbers.every((number, index) => number === first + index))
    return { at: (index) => first + index, byteLength: 0 };
  const least = numbers.reduce((one, other) => Math.min(one, other), first);
  const most = numbers.reduce((one, other) => Math.max(one, other), first);
  const column = columnFor(most - least, numbers.length);
  for (const [index, number] of numbers.entries()) column[index] = number - least;
  return { at: (index) => least + (column[index] ?? 0), byteLength: column.byteLength };
}

function columnFor(spread: number, length: number): Uint8Array | Uint16Array | Uint32Array | Float64Array {
  if (spread < 2 ** 8) return new Uint8Array(length);
  if (spread < 2 ** 16) return new Uint16Array(length);
  return spread < 2 ** 32 ? new Uint32Array(length) : new Float64Array(length);
}
