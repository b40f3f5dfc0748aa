import type { Explain } from "#core/findings/explained.ts";
import type { ViewRow } from "#core/open-set.ts";
import { messageOf } from "#widgets/notes/Notices.tsx";

/** Why a row cannot be selected as a chunk. */
export function notAChunk({ key, reasons }: ViewRow, explain: Explain): string {
  return `${key} is not a chunk. ${messageOf(reasons, explain)}`;
}
