/** Levels in words: "level 0, full resolution", "level 2, 1:4". */
import type { Level, LevelMark, LevelSet } from "./levels.ts";

export function levelWords({ index, factors }: Pick<LevelMark, "index" | "factors">): string {
  const ratio = factors === undefined ? undefined : ratioWords(factors);
  return ratio === undefined ? `level ${index}` : `level ${index}, ${ratio}`;
}

/** "full resolution", "1:2", "1:2 × 1:4", "3:1" where it is finer. */
export function ratioWords(factors: readonly number[]): string | undefined {
  const scaled = factors.filter((factor) => factor !== 1);
  if (factors.length === 0) return undefined;
  if (scaled.length === 0) return "full resolution";
  const [first] = scaled;
  return scaled.every((factor) => factor === first) ? ratio(scaled[0] ?? 1) : scaled.map(ratio).join(" × ");
}

const ratio = (factor: number): string => (factor >= 1 ? `1:${short(factor)}` : `${short(1 / factor)}:1`);

/** Four digits: ratios of rounded scales are rarely exact. */
const short = (value: number): string => Number(value.toPrecision(4)).toString();

/** "0.5 × 0.5 micrometer": of the axes of space, or along x and y. */
export function elementSizeWords({ scale, pixel }: Level, { axes }: Pick<LevelSet, "axes">): string | undefined {
  if (pixel !== undefined) return pixel.map((size) => short(Math.abs(size))).join(" × ");
  if (scale === undefined) return undefined;
  const shown = scale.flatMap((size, at) => {
    const axis = axes[at];
    return axis === undefined || axis.type === "space" ? [{ size, unit: axis?.unit ?? "" }] : [];
  });
  if (shown.length === 0) return undefined;
  const units = new Set(shown.map(({ unit }) => unit));
  if (units.size > 1) return shown.map(({ size, unit }) => `${short(size)} ${unit}`.trim()).join(" × ");
  return `${shown.map(({ size }) => short(size)).join(" × ")} ${[...units].join("")}`.trim();
}
