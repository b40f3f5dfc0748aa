/**
 * Tells for which headers gribberish (1.7.0, by its code) returns values other than the message has, or none. Refscope
 * returns the right ones.
 */
import type { FactsOf } from "#core/findings/finding.ts";
import { messageSections, sectionOf } from "./message.ts";
import { view } from "./numbers.ts";
import { codedCount, readPacking, templateNumber, type Groups, type ScaledPacking } from "./packing.ts";
import { isEarthKnown, isProjected } from "./projected.ts";

type Difference = FactsOf<"gribberish-differs">;
type Why = Pick<Difference, "problem" | "gives" | "reference">;

/** Packings that gribberish knows (message.rs): without the local numbers of JPEG 2000 and PNG, and without IEEE. */
const KNOWN: ReadonlySet<number> = new Set([0, 2, 3, 40, 41, 42]);
const RESTRICTED = 16;

/** For values of a message that decodes; `undefined` where gribberish gives the same. `needsGrid`: a flag is set. */
export function gribberishDifference(codec: string, message: Uint8Array, needsGrid: boolean): Difference | undefined {
  const { edition, sections } = messageSections(codec, message);
  if (edition === 1) return undefined;
  const section = (number: number) => sectionOf(sections, number);
  const [section3, section5, section6] = [section(3), section(5), section(6)];
  const template = templateNumber(section5);
  const why = needsGrid && isGridRefused(section3) ? ({ problem: "earth", gives: "error" } as const) : undefined;
  const found = why ?? valuesDifference(codec, section5, section6);
  return found === undefined ? undefined : { codec, template, ...found };
}

function isGridRefused(section3: Uint8Array): boolean {
  const data = view(section3);
  return isProjected(data.getUint16(12)) && !isEarthKnown(data);
}

function valuesDifference(codec: string, section5: Uint8Array, section6: Uint8Array): Why | undefined {
  const packing = readPacking(codec, section5);
  const hasScale = packing.kind !== "ieee" && packing.kind !== "run-length";
  if (!hasScale || !KNOWN.has(templateNumber(section5))) return { problem: "template", gives: "error" };
  const hasBitmap = section6[5] === 0;
  if (hasBitmap && codedCount(section5) === 0) return { problem: "no-values", gives: "zeros" };
  if (isReadAsNothing(packing)) {
    const { reference } = packing.scale;
    const isRight = reference === 0 && !hasBitmap;
    return isRight ? undefined : { problem: "constant", gives: "zeros", reference };
  }
  return packingDifference(packing);
}

/** No numbers come out of it, and all points get 0. */
function isReadAsNothing(packing: ScaledPacking): boolean {
  if (packing.kind === "png") return false;
  if (packing.kind !== "complex") return packing.bits === 0;
  const { groups, bits } = packing;
  const { widthBits, widthReference, lengthBits } = groups;
  const isPlain = !groups.hasDifferences && bits === 0;
  return groups.count === 0 || (isPlain && widthBits === 0 && widthReference === 0 && lengthBits === 0);
}

function packingDifference(packing: ScaledPacking): Why | undefined {
  const { bits } = packing;
  switch (packing.kind) {
    case "png":
      return bits === 16 ? undefined : { problem: "png", gives: bits < 16 ? "error" : "others" };
    case "ccsds": {
      const isMistaken = bits <= 4 && (packing.ccsds.flags & RESTRICTED) === 0;
      return isMistaken ? { problem: "few-bits", gives: "others" } : undefined;
    }
    case "complex":
      return groupsDifference(packing.groups);
    case "simple":
    case "logarithms":
    case "jpeg2000":
      return undefined;
  }
}

/**
 * Without differences it reads the groups' descriptions in the wrong byte order; with them only those that have no
 * bits.
 */
function groupsDifference(groups: Groups): Why | undefined {
  if (!groups.hasDifferences) return { problem: "complex", gives: "others" };
  const { widthBits, widthReference, lengthBits, lengthReference, count } = groups;
  const isWrong = (widthBits === 0 && widthReference > 0) || (lengthBits === 0 && lengthReference > 0 && count > 1);
  return isWrong ? { problem: "groups", gives: "others" } : undefined;
}
