/**
 * `node --import tsx tools/planted-faults.ts [--class TEXT] [--visible abcd] [--missed] [--controls]`: which planted
 * faults `check` names, by what shows them; `--controls`: what it says of odd sets that are right, `--corpus`: of the
 * corpus' sets that Python read whole.
 */
import { join } from "node:path";
import { parseArgs } from "node:util";
import { checkRefs } from "../src/cli/check-command.ts";
import { nodePool } from "../src/cli/decode-threads.ts";
import { corpus, recordedIn } from "../src/core/testing/corpus.ts";
import {
  arePlanted,
  checkFaultSet,
  namedBy,
  plantedFaults,
  saysCause,
  type CheckedFaultSet,
  type Visible,
} from "../src/cli/testing/planted-faults.ts";

const { values } = parseArgs({
  options: {
    class: { type: "string", default: "" },
    id: { type: "string", default: "" },
    visible: { type: "string", default: "abcde" },
    missed: { type: "boolean", default: false },
    controls: { type: "boolean", default: false },
    corpus: { type: "boolean", default: false },
  },
});
if (!arePlanted) throw new Error("The planted faults do not lie beside the project.");
const planted = await plantedFaults();
const decoder = nodePool(0);
const bases = new Map<string, CheckedFaultSet>();

if (values.controls) await controls();
else if (values.corpus) await wholeCorpus();
else await faults();
decoder.close();

async function baseOf(name: string | undefined, visible: Visible): Promise<CheckedFaultSet | undefined> {
  const entry = name === undefined ? undefined : planted.bases[name];
  if (entry === undefined) return undefined;
  const key = `${name} ${visible}`;
  const known = bases.get(key) ?? (await checkFaultSet(planted, entry, visible, decoder));
  bases.set(key, known);
  return known;
}

async function faults(): Promise<void> {
  const sums = new Map<string, { of: number; named: number; said: number; sayable: number }>();
  for (const entry of planted.cases) {
    const asked = entry.faults.filter(
      (fault) =>
        values.visible.includes(fault.visible) && fault.class.includes(values.class) && entry.id.includes(values.id),
    );
    for (const visible of new Set(asked.map((fault) => fault.visible))) {
      const checked = await checkFaultSet(planted, entry, visible, decoder);
      const base = await baseOf(entry.base, visible);
      for (const fault of asked.filter((one) => one.visible === visible)) {
        const sum = sums.get(visible) ?? { of: 0, named: 0, said: 0, sayable: 0 };
        sums.set(visible, sum);
        sum.of += 1;
        const by = namedBy(fault, checked, base);
        if (by !== undefined) sum.named += 1;
        if (by !== undefined && fault.says !== undefined) {
          sum.sayable += 1;
          sum.said += Number(saysCause(fault, by));
        }
        if (by === undefined || !values.missed) tell(entry.id, fault, by, checked);
      }
    }
  }
  for (const [visible, { of, named, said, sayable }] of [...sums].toSorted(([one], [other]) =>
    one.localeCompare(other),
  ))
    console.log(`${visible}: ${named} of ${of} (${((100 * named) / of).toFixed(1)} %), in words ${said} of ${sayable}`);
}

function tell(
  id: string,
  fault: Parameters<typeof namedBy>[0],
  by: ReturnType<typeof namedBy>,
  checked: CheckedFaultSet,
) {
  console.log(`${by === undefined ? "MISSED" : "named "} ${id} (${fault.visible}, ${fault.severity}) ${fault.note}`);
  if (by !== undefined) console.log(`         ${by.code}: ${by.message}`);
  else
    for (const { severity, code, array, key, target } of checked.report.findings)
      console.log(
        `         has ${severity} ${code} ${[array, key, target].filter((one) => one !== undefined).join(" ")}`,
      );
}

async function controls(): Promise<void> {
  const warnings: number[] = [];
  for (const entry of planted.controls) {
    if (!entry.id.includes(values.id)) continue;
    const made = (entry as { files?: unknown; inPlace?: unknown }).files !== undefined || "inPlace" in entry;
    const source = made ? entry : planted.bases[entry.base ?? ""];
    if (source === undefined) throw new Error(`${entry.id} is of no base`);
    const { report } = await checkFaultSet(planted, source, entry.visible, decoder);
    warnings.push(alarms(entry.id, report));
  }
  told(warnings);
}

/** Prints what is more than a note, and counts it. */
function alarms(name: string, { findings }: CheckedFaultSet["report"]): number {
  const bad = findings.filter(({ severity }) => severity !== "info");
  if (bad.length > 0 || !values.missed) console.log(`${name}: ${bad.length}`);
  for (const { severity, code, array, message } of bad) console.log(`   ${severity} ${code} ${array ?? ""} ${message}`);
  return bad.length;
}

type Recorded = Readonly<Record<string, { readonly error?: string }>>;

async function wholeCorpus(): Promise<void> {
  const warnings: number[] = [];
  for (const entry of corpus.entries) {
    if (!entry.includes(values.id)) continue;
    const files = recordedIn<Recorded>(entry)["kerchunk_json_decoded_with_zarr2.13_fsspec2024.6"] ?? {};
    for (const [file, arrays] of Object.entries(files)) {
      if (Object.values(arrays).some(({ error }) => error !== undefined)) continue;
      const root = join(corpus.folder, entry);
      const options = {
        json: true,
        chunks: false,
        offline: true,
        target: undefined,
        choice: undefined,
        root,
        deep: "all" as const,
      };
      const context = { signal: new AbortController().signal, report: () => undefined };
      warnings.push(alarms(file, await checkRefs(join(corpus.folder, file), options, decoder, context)));
    }
  }
  told(warnings);
}

function told(warnings: number[]): void {
  warnings.sort((a, b) => a - b);
  console.log(`median ${warnings[warnings.length >> 1]}, most ${warnings.at(-1)}, of ${warnings.length}`);
}
