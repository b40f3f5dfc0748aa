/**
 * `npm run bench -- --check [--refs 1000000,10000000] [--layouts file,shuffled,unique]`: the rules without network, against
 * opening the same set. Each round in a fresh process. Rules by themselves are run again afterwards, one at a time.
 */
import { execFileSync } from "node:child_process";
import type { Layout } from "./generate.ts";

const CHILD = new URL("check-node.ts", import.meta.url).pathname;

interface Measured {
  readonly references: number;
  readonly open: number;
  readonly check: number;
  readonly rules: Readonly<Record<string, number>>;
  readonly peak: number;
  readonly told: readonly string[];
}

type Median = (numbers: readonly number[]) => number;

export async function benchCheck(
  wanted: { readonly refs: readonly number[]; readonly layouts: readonly Layout[]; readonly rounds: number },
  document: (references: number, layout: Layout) => Promise<string>,
  median: Median,
): Promise<void> {
  for (const references of wanted.refs) {
    for (const layout of wanted.layouts) {
      const path = await document(references, layout);
      const all = Array.from({ length: wanted.rounds }, () => measure(path));
      const of = (what: (one: Measured) => number): number => median(all.map(what));
      const [first] = all;
      if (first === undefined) continue;
      const ms = (value: number): string => `${value.toFixed(0)} ms`;
      console.log(`\n${first.references} references, ${layout}`);
      console.log(`open ${ms(of(({ open }) => open))}, check ${ms(of(({ check }) => check))}`);
      console.log(
        `check / open ${of(({ open, check }) => check / open).toFixed(2)}, memory ${(of(({ peak }) => peak) / 1e6).toFixed(0)} MB`,
      );
      for (const rule of Object.keys(first.rules)) console.log(`  ${rule} ${ms(of(({ rules }) => rules[rule] ?? 0))}`);
      console.log(`  found: ${first.told.join(", ") || "nothing"}`);
    }
  }
}

function measure(path: string): Measured {
  const words = ["--import", "tsx", "--max-old-space-size=8192", CHILD, path];
  return JSON.parse(execFileSync(process.execPath, words, { encoding: "utf8", maxBuffer: 1 << 22 })) as Measured;
}
