/** Whole numbers that are typed or stepped. */

/** Digits may be grouped; `undefined` for what is not a whole number from `least` on. */
export function wholeNumber(text: string, least: number): number | undefined {
  const plain = text.trim().replaceAll(/[,_ ]/g, "").replace("−", "-");
  if (!/^[+-]?\d+$/.test(plain)) return undefined;
  const value = Number(plain);
  return Number.isSafeInteger(value) && value >= least ? value : undefined;
}

/** By how much a key moves; `undefined` where it does not. `steps`: the smaller first. */
export function steppedBy(key: string, shift: boolean, steps: readonly number[]): number | undefined {
  const small = steps[0] ?? 1;
  const large = steps.at(-1) ?? small;
  if (key === "ArrowUp") return shift ? large : small;
  if (key === "ArrowDown") return shift ? -large : -small;
  if (key === "PageUp") return large * 16;
  return key === "PageDown" ? -large * 16 : undefined;
}
