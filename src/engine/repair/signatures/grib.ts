/** A GRIB message (WMO Manual on Codes, FM 92; edition 1 and 2), with what each of its sections says. */
import { gribSections, type GribSection } from "../../../codecs/grib/sections.ts";
import type { Signature } from "../../../core/check/lab.ts";
import { beginsWith, type Recognise } from "./signature.ts";

const INDICATOR = 8;
/** The first fields of a message are shown. */
const MAX_SECTIONS = 24;

export const grib: Recognise = (bytes) => {
  if (!beginsWith(bytes, "GRIB") || bytes.length < INDICATOR) return undefined;
  const { edition, sections, problem } = gribSections(bytes);
  if (edition === undefined) return undefined;
  const facts: Signature["facts"][number][] = sections.slice(0, MAX_SECTIONS).map(sectionFact);
  if (sections.length > MAX_SECTIONS)
    facts.push({ term: "More sections", value: String(sections.length - MAX_SECTIONS) });
  if (problem !== undefined) facts.push({ term: "Problem", value: problem });
  return { name: "grib", label: `GRIB, edition ${edition}`, facts };
};

/** Terms must differ: fields of one message repeat the numbers of sections. */
function sectionFact({ name, offset, length, facts }: GribSection): Signature["facts"][number] {
  const said = facts.map(({ label, value }) => `${label} ${value}`);
  return { term: `${name} at ${offset}`, value: [`${length} bytes`, ...said].join("; ") };
}
