import type { OfferedRepair } from "../repair.ts";
import { repairTitle } from "../repair.ts";

/** What a fix does, for a list without buttons: "Use 253,285 + 16,055 for ice/0.0.0". */
export function repairLine(offer: OfferedRepair): string {
  if (offer.alike !== undefined) return `${repairTitle(offer)}, such as ${offer.key}`;
  return offer.change.kind === "separator" || offer.change.kind === "metadata"
    ? `${repairTitle(offer)} in ${offer.array === "" ? "/" : (offer.array ?? "")}`
    : `${repairTitle(offer)} for ${offer.key}`;
}
