/** Rendering gen against its peers, in the same run: subjects take turns within a round, each in a fresh process. */
import { execFileSync } from "node:child_process";
import { RENDER_SUBJECTS, type RenderSubject } from "./render-subjects.ts";

const SCRIPT = new URL("render-subjects.ts", import.meta.url).pathname;

const NAMES: Readonly<Record<RenderSubject, string>> = {
  refscope: "refscope",
  literals: "template literals",
  nunjucks: "nunjucks, compiled once",
  reader: "reference-spec-reader",
};

interface Rendered {
  readonly milliseconds: number;
  readonly answer: number;
}

function measured(subject: RenderSubject, entries: number): Rendered {
  const words = ["--import", "tsx", SCRIPT, subject, String(entries)];
  return JSON.parse(execFileSync(process.execPath, words, { encoding: "utf8" })) as Rendered;
}

/** Prints microseconds an entry and the ratio to ours, medians over the rounds. */
export function benchRendering(entries: number, rounds: number, median: (numbers: readonly number[]) => number): void {
  const results = new Map<RenderSubject, Rendered[]>(RENDER_SUBJECTS.map((subject) => [subject, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const subject of RENDER_SUBJECTS) results.get(subject)?.push(measured(subject, entries));
  }
  const ours = results.get("refscope") ?? [];
  console.log(`\nrendering gen, ${entries.toLocaleString("en")} entries of four templates, ${rounds} rounds`);
  for (const [subject, all] of results) {
    if (all.some(({ answer }) => answer !== ours[0]?.answer)) console.log(`${NAMES[subject]} renders something else`);
    const each = median(all.map(({ milliseconds }) => (1000 * milliseconds) / entries)).toFixed(2);
    const ratio = median(all.map(({ milliseconds }, round) => milliseconds / (ours[round]?.milliseconds ?? NaN)));
    console.log(
      `${NAMES[subject].padStart(24)}  ${each.padStart(6)} µs an entry  ${ratio.toFixed(2).padStart(6)} × ours`,
    );
  }
}
