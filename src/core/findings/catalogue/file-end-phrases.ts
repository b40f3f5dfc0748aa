/** Phrases about source files that end inside a chunk. */
import { count, counted, cut, quoted } from "#core/words.ts";

export type FileEnds = {
  readonly dimension: string;
  readonly axis: number;
  /** Late: the file is followed by what its chunk lacks at its end; early: the next file was put over its end. */
  readonly problem: "late" | "early";
  /** The chunk in which the file ends, by its place along the dimension; the first whose values are shifted. */
  readonly chunk: number;
  readonly from: number;
  /** Steps that are missing at the end of the chunk; of early files, at the end of the last chunk that there is. */
  readonly missing: number;
  readonly last?: number;
  /** Steps of a chunk, and chunks along the dimension. */
  readonly of: number;
  readonly chunks: number;
  /** Number of steps by which values are late or early. */
  readonly shift: number;
  /** Chunks that end so. */
  readonly tails: number;
  /** Dates: the file's last, the next one's first, and what that is read as. */
  readonly ends: string | undefined;
  readonly begins: string | undefined;
  readonly reads: string | undefined;
  /** The file that is shifted. */
  readonly target: string | undefined;
};

export function fileEndText(facts: FileEnds): string {
  const { problem, chunk, from, missing, last = chunk, of, chunks, shift, tails, begins, reads } = facts;
  const where = `Along ${cut(facts.dimension, 60)}`;
  const next = facts.target === undefined ? "the next file" : quoted(facts.target, 120);
  const steps = counted(shift, "step");
  const dates = begins === undefined || reads === undefined ? "" : `: ${begins} is read as ${reads}`;
  const grid = "A regular chunk grid cannot hold files whose lengths are not multiples of the chunk length.";
  if (problem === "late") {
    const others = tails > 1 ? ` ${counted(tails - 1, "more chunk")} along it ${tails === 2 ? "ends" : "end"} so.` : "";
    const end = facts.ends === undefined ? "A file ends there" : `A file ends there (${facts.ends})`;
    return `${where}, the last ${count(missing)} of ${counted(of, "step")} are missing throughout chunk ${count(chunk)} of ${count(chunks)} (counted from 0), and values go on in the next chunk. ${end}, inside the chunk. From chunk ${count(from)} on, with ${next}, values are ${steps} late${dates}.${others} ${grid}`;
  }
  const rest = chunks - 1 - last;
  const lost = rest === 0 ? "" : `, and ${counted(rest, "chunk")} after it ${rest === 1 ? "has" : "have"} no reference`;
  return `${where}, values end ${steps} before the coordinate does: the last ${count(missing)} steps of chunk ${count(last)} of ${count(chunks)} (counted from 0) are missing${lost}. As many steps before ${begins ?? "the last year"}, chunk ${count(chunk)} begins: the file before it ends inside that chunk, and ${next} was put over its last ${steps}. From chunk ${count(from)} on, values are ${steps} early${dates}. ${grid}`;
}
