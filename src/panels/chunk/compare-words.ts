/** Two readings of a chunk side by side, in words. */
import type { Reading, Statistics } from "../../core/reading.ts";
import { formatCount } from "../../widgets/number-format.ts";

/** `✓ reads`, or where it stopped and why. */
export function outcomeWords(reading: Reading | undefined): string {
  if (reading === undefined) return "…";
  if (reading.outcome === "ok") return "✓ yes";
  if (reading.outcome === "missing") return "missing";
  const stage = reading.stages.find(({ error }) => error !== undefined);
  const where = stage === undefined ? "" : ` at ${stage.id === "stored" ? "the stored bytes" : stage.id}`;
  return `✕ no${where}: ${reading.error?.code ?? "failed"}`;
}

/** `20,480 of 40,960`: bytes after the last step, of those that the chunk should have. */
export function bytesWords(reading: Reading | undefined, expected: number | undefined): string {
  if (reading === undefined) return "…";
  const { bytesOut } = reading.stages.at(-1) ?? {};
  const found = bytesOut === undefined ? "none" : formatCount(bytesOut);
  if (expected === undefined) return found;
  return bytesOut === expected ? `✓ ${found}` : `${found} of ${formatCount(expected)}`;
}

type Compared = readonly [term: string, one: string, other: string];

/** Count, Missing, Minimum, Maximum, Mean of both. */
export function comparedStatistics(one: Statistics | undefined, other: Statistics | undefined): readonly Compared[] {
  const row = (term: string, of: (statistics: Statistics) => string | undefined): Compared => {
    const text = (statistics: Statistics | undefined) => (statistics === undefined ? "–" : (of(statistics) ?? "–"));
    return [term, text(one), text(other)];
  };
  return [
    row("Count", ({ count }) => formatCount(count)),
    row("Missing", ({ missing }) => formatCount(missing)),
    row("Minimum", ({ minimum }) => minimum),
    row("Maximum", ({ maximum }) => maximum),
    row("Mean", ({ mean }) => mean),
  ];
}
