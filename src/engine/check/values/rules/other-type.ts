/** Integers that are the bytes of floats, and floats that are the bytes of integers. */
import { finding } from "#core/findings/finding.ts";
import { unitReport } from "#engine/repair/suggest/order.ts";
import { textOf } from "#engine/many/axis.ts";
import { bytesOf } from "../repair-search.ts";
import type { ArrayFacts } from "../value-facts.ts";
import { explainArray, openSlots, placeAt, type ValueRule, type ValuesView, withChunks } from "../value-rule.ts";

export const otherType: ValueRule = {
  id: "other-type",
  codes: ["values-of-other-type"],
  isOfDeclared: true,
  async ofArray(facts, sink, view) {
    if (isTime(facts)) return;
    const slots = openSlots(facts);
    const doubtful = slots.filter((slot) => isImpossible(facts, slot));
    const [first] = doubtful;
    if (first === undefined || doubtful.length * 2 < slots.length) return;
    const likely = await otherReading(view, facts, doubtful);
    if (likely === undefined) return;
    explainArray(facts);
    const { columns, node } = facts;
    const range = [columns.minimum[first] ?? NaN, columns.maximum[first] ?? NaN];
    const about = { dtype: node.metadata.dataType.text, likely, range };
    sink(withChunks(finding("values-of-other-type", placeAt(facts, first), about), facts, slots));
  },
};

/** Counts of seconds are as large as floats taken for integers. */
function isTime({ node }: ArrayFacts): boolean {
  return [node.name, textOf(node, "units"), textOf(node, "standard_name")].some((word) =>
    /time|date|since|epoch|second/i.test(word ?? ""),
  );
}

/** The least that the bytes of an ordinary float make as an integer, and integers as a float: subnormal numbers. */
const LARGE = { 4: 2 ** 29, 8: 2 ** 60 } as const;
const TINY = { 4: 1.2e-38, 8: 2.3e-308 } as const;

function isImpossible({ columns, node }: ArrayFacts, slot: number): boolean {
  const { kind, itemSize } = node.metadata.dataType;
  if (itemSize !== 4 && itemSize !== 8) return false;
  const [least, most] = [Math.abs(columns.minimum[slot] ?? NaN), Math.abs(columns.maximum[slot] ?? NaN)];
  const size = Math.max(least, most);
  if (kind === "int" || kind === "uint") return size >= LARGE[itemSize];
  return kind === "float" && size > 0 && size < TINY[itemSize];
}

/** Numbers that are enough to tell by, by their size, and chunks that are read for them. */
const LEAST_VALUES = { 4: 16, 8: 4 } as const;
const MAX_CHUNKS = 16;

/** `float32`, `int64`, … where the bytes make sense so. */
async function otherReading(
  view: ValuesView,
  facts: ArrayFacts,
  slots: readonly number[],
): Promise<string | undefined> {
  const { kind, itemSize: size, byteOrder } = facts.node.metadata.dataType;
  let [values, absurd, ordinary] = [0, 0, 0];
  const least = LEAST_VALUES[size === 4 ? 4 : 8];
  for (const slot of slots.slice(0, MAX_CHUNKS)) {
    const bytes = await bytesOf(view, facts, slot);
    const unit = { offset: 0, size, big: byteOrder === "big", kind: "float" } as const;
    const report = unitReport(bytes, unit, size);
    values += report.values;
    absurd += report.absurd;
    ordinary += report.ordinary;
    if (values >= least) break;
  }
  if (values < least) return undefined;
  if (kind === "float") return absurd === values ? `int${size * 8}` : undefined;
  // Hardly any integer of 8 bytes is so large, so that it need not be near 1.
  return absurd <= values * 0.01 && (size === 8 || ordinary >= values * 0.5) ? `float${size * 8}` : undefined;
}
