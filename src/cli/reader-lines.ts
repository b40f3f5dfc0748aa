/** What `check --reader` prints of readers: a line each, then every effect with its evidence. */
import type { EffectReport, ReaderReport } from "../core/report/readers.ts";
import { runWords, type Outcome } from "../core/readers/outcome-words.ts";
import { aligned, paint, printable, type Tone } from "./lines.ts";

const SIGNS: Readonly<Record<Outcome, string>> = {
  reads: "✓",
  loss: "◐",
  wrong: "✕",
  fails: "◐",
  refuses: "✕",
  unknown: "○",
};

const TONES: Readonly<Record<Outcome, Tone>> = {
  reads: "good",
  loss: "warning",
  wrong: "error",
  fails: "warning",
  refuses: "error",
  unknown: "info",
};

export function readerLines(readers: readonly ReaderReport[]): readonly string[] {
  const heads = aligned(
    readers.map(({ name, outcome, verdict, basis, version, date }) => [
      `${SIGNS[outcome]} ${name}`,
      verdict,
      basis,
      `${version}, ${date}`,
    ]),
  );
  const lines = readers.flatMap((one, at) => [
    `  ${paint(TONES[one.outcome], heads[at] ?? "")}`,
    ...(one.effects.length === 0 ? [`      ${printable(one.why)}`] : one.effects.flatMap(effectLines)),
    ...(one.effects.length === 0 || one.run === undefined ? [] : [`     ${printable(runWords(one.name, one.run))}`]),
  ]);
  return ["", paint("heading", "  Readers"), ...lines];
}

function effectLines({ effect, title, message, advice, evidence }: EffectReport): readonly string[] {
  const head = effect === "reads" ? message : `${title}: ${message}`;
  return [
    `      ${printable(head)}`,
    ...(advice === undefined || effect === "reads" ? [] : [paint("info", printable(`        ${advice}`))]),
    paint("info", printable(`        Evidence: ${evidence.join("; ")}.`)),
  ];
}
