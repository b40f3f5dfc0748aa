/** All fixes that are proven, as one edit of the document: `check --fix` writes the same that the page applies. */
import { isMetadataName, splitMetadataKey } from "../metadata/hierarchy-path.ts";
import { type RepairChange, REFUSED_WORDS } from "../repair.ts";
import type { RepairOffer } from "../repair-offer.ts";
import type { TableEdit } from "../studio.ts";
import { counted } from "../words.ts";

export interface AllFixes {
  readonly taken: readonly RepairOffer[];
  /** Fixes that are not proven, or in the way of another, with the reason. */
  readonly left: readonly (readonly [offer: RepairOffer, why: string])[];
  /** Edits of those that are taken, in an order in which they can be made. */
  readonly edits: readonly TableEdit[];
}

/** `offers`: the best of each place, the worst problem first. */
export function allFixes(offers: readonly RepairOffer[]): AllFixes {
  const taken: RepairOffer[] = [];
  const left: (readonly [RepairOffer, string])[] = [];
  const changed = new Set<string>();
  for (const offer of offers) {
    const why = whyLeft(offer, changed);
    if (why === undefined) taken.push(offer);
    else left.push([offer, why]);
    for (const key of why === undefined ? keysOf(offer) : []) changed.add(key);
  }
  return { taken, left, edits: joinedEdits(taken.flatMap(({ edits }) => edits)) };
}

function whyLeft(offer: RepairOffer, changed: ReadonlySet<string>): string | undefined {
  const { certainty, refused, edits } = offer;
  if (refused !== undefined) return REFUSED_WORDS[refused];
  if (certainty === "likely") return "it fits, but is not proven.";
  if (certainty === "needs-you") return "several fixes fit.";
  if (edits.length === 0) return "it is no change of the document.";
  return keysOf(offer).some((key) => changed.has(key)) ? "another fix changes the same reference." : undefined;
}

function keysOf({ edits }: RepairOffer): readonly string[] {
  return edits.flatMap((edit) => {
    if (edit.kind === "set-reference" || edit.kind === "remove-reference") return [edit.key];
    if (edit.kind === "set-references") return edit.values.map(([key]) => key);
    return edit.kind === "remove-references" ? edit.keys : [];
  });
}

/** Single references at once: each look at the text takes time. Metadata stay single: they are kept in another place. */
function joinedEdits(edits: readonly TableEdit[]): readonly TableEdit[] {
  const isSingle = (edit: TableEdit) =>
    edit.kind === "set-reference" && !isMetadataName(splitMetadataKey(edit.key).document);
  const set = edits.flatMap((edit) =>
    edit.kind === "set-reference" && isSingle(edit) ? [[edit.key, edit.value] as const] : [],
  );
  const removed = edits.flatMap((edit) => (edit.kind === "remove-reference" ? [edit.key] : []));
  return [
    ...(set.length > 0 ? [{ kind: "set-references", values: set } as const] : []),
    ...edits.filter((edit) => !isSingle(edit) && edit.kind !== "remove-reference"),
    ...(removed.length > 0 ? [{ kind: "remove-references", keys: removed } as const] : []),
  ];
}

/** Changes that keys and shapes speak for: no chunk is read to test them. */
const OF_KEYS: ReadonlySet<RepairChange["kind"]> = new Set(["remove", "rename", "separator", "metadata"]);

/** Words for the test of a fix: "Tested on 12 of 27 chunks." */
export function testedWords({ change, alike, evidence, chunks }: RepairOffer): string {
  const read = evidence.reduce((most, one) => ("read" in one ? Math.max(most, one.read) : most), alike?.read ?? 0);
  const of = alike?.references ?? Math.max(read, chunks.length, 1);
  if (OF_KEYS.has(change.kind) && read === 0) return "Compared with keys and shapes; no chunk had to be read.";
  return `Tested on ${read === 0 ? of : read} of ${counted(of, "chunk")}.`;
}
