/**
 * Planted faults that have one repair: what is offered for them makes the document as it was before it was damaged, its
 * finding goes, and no other chunk has other values. Skipped where the faults do not lie beside the project.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { RepairSubject } from "../core/repair.ts";
import type { RepairOffer } from "../core/repair-offer.ts";
import type { TableEdit } from "../core/studio.ts";
import { findRepairs } from "../engine/repair/search/find-repairs.ts";
import { applyTextEdits, textEdits } from "../engine/edit/text-edits.ts";
import type { EngineSet } from "../engine/engine-set.ts";
import { checkRefs } from "./check-command.ts";
import { nodePool } from "./decode-threads.ts";
import { openRefs } from "./open-refs.ts";
import { chunkHashes } from "./testing/open-corpus.ts";
import { arePlanted, namedBy, plantedFaults, withFaultSet } from "./testing/planted-faults.ts";
import type { CheckedFaultSet, Fault, FaultSet } from "./testing/planted-faults.ts";

const CLASSES: ReadonlySet<string> = new Set([
  "offset-shifted",
  "length-truncated",
  "length-too-long",
  "range-past-end",
  "offset-beyond-file",
  "zero-length",
  "negative-range",
  "target-misspelt",
  "key-outside-grid",
  "key-wrong-rank",
  "key-separator-wrong",
  "whole-file-for-chunk",
  "identical-range",
  "reference-to-other-array",
  "overlap-of-arrays",
]);

/** Nothing but the file's own name, or its plain bytes, would tell where these chunks are. */
const LEFT_ALONE: ReadonlySet<string> = new Set(["027-whole-file-for-chunk", "031-identical-range"]);

const planted = arePlanted ? await plantedFaults() : undefined;
const decoder = nodePool(0);
const context = { signal: new AbortController().signal, report: () => undefined };

type Refs = Readonly<Record<string, unknown>>;

const cases = (planted?.cases ?? []).flatMap((entry) => {
  const [fault, ...more] = entry.faults;
  const isAsked = fault !== undefined && more.length === 0 && CLASSES.has(fault.class);
  const base = entry.base === undefined ? undefined : planted?.bases[entry.base];
  const isJson = "open" in entry && String(entry.open).endsWith(".json");
  return isAsked && isJson && base !== undefined ? [{ entry, fault, base }] : [];
});

const options = (root: string | undefined) => ({
  json: true,
  chunks: false,
  offline: false,
  target: undefined,
  choice: undefined,
  root,
});

async function opened(open: string, root: string | undefined): Promise<EngineSet> {
  const answer = await openRefs(open, options(root), context);
  if (answer.kind !== "set") throw new Error("not a set");
  return answer.set;
}

function refsOf(text: string): Refs {
  const document = JSON.parse(text) as Refs & { readonly refs?: Refs };
  return document.refs ?? document;
}

/** The chunk or key that the fault is about. */
function subjectOf(set: EngineSet, { place }: Fault, broken: Refs, right: Refs): RepairSubject {
  const changed = Object.keys(broken).find((key) => JSON.stringify(broken[key]) !== JSON.stringify(right[key]));
  const key = place.keys?.[0] ?? changed ?? "";
  if (set.index.strays().rowOfKey(key) !== undefined) return { kind: "key", key };
  const slash = key.lastIndexOf("/");
  return {
    kind: "chunk",
    array: key.slice(0, slash),
    coordinates: key
      .slice(slash + 1)
      .split(".")
      .map(Number),
  };
}

function keysOf(edit: TableEdit): readonly string[] {
  if (edit.kind === "set-references") return edit.values.map(([key]) => key);
  if (edit.kind === "remove-references") return edit.keys;
  return "key" in edit ? [edit.key] : [];
}

const applied = (text: string, { edits }: RepairOffer): string =>
  edits.reduce((now, edit) => applyTextEdits(now, textEdits(now, edit)), text);

async function checked(open: string, root: string | undefined): Promise<CheckedFaultSet> {
  const report = await checkRefs(open, { ...options(root), network: true, deep: "all" }, decoder, context);
  return { report, origin: undefined };
}

/** Read and checked once, for all faults that were planted in it. */
function undamaged(base: FaultSet): ReturnType<typeof checkUndamaged> {
  const known = bases.get(base) ?? checkUndamaged(base);
  bases.set(base, known);
  return known;
}

const bases = new Map<FaultSet, ReturnType<typeof checkUndamaged>>();

async function checkUndamaged(base: FaultSet) {
  return withFaultSet(planted!, base, async (open, root) => ({
    refs: refsOf(readFileSync(open, "utf8")),
    checked: await checked(open, root),
  }));
}

describe.skipIf(planted === undefined)("repairs of planted faults (skipped without ../shared)", () => {
  it.each(cases.map((one) => [one.entry.id, one] as const))(
    "%s",
    async (id, { entry, fault, base }) => {
      const before = await undamaged(base);
      await withFaultSet(planted!, entry, async (open, root) => {
        const text = readFileSync(open, "utf8");
        const set = await opened(open, root);
        const subject = subjectOf(set, fault, refsOf(text), before.refs);
        const [offer, ...others] = (await findRepairs(set, subject, context)).offers;
        if (LEFT_ALONE.has(id)) return expect(offer).toBeUndefined();
        expect(others).toEqual([]);
        const repaired = applied(text, offer!);
        expect(sorted(refsOf(repaired))).toEqual(sorted(before.refs));
        const values = await chunkHashes(set);
        writeFileSync(open, repaired);
        const after = await chunkHashes(await opened(open, root));
        const touched = new Set(offer!.edits.flatMap((edit) => keysOf(edit)));
        for (const [key, hash] of values) if (!touched.has(key)) expect(after.get(key)).toBe(hash);
        expect(namedBy(fault, await checked(open, root), before.checked)).toBeUndefined();
      });
    },
    30_000,
  );
});

const sorted = (refs: Refs) => Object.entries(refs).toSorted(([one], [other]) => (one < other ? -1 : 1));
