/** A change in words: for lists and for the names of undo steps. */
import { countOf } from "../../widgets/number-format.ts";
import type { Change } from "./change-draft.ts";

export function editWords(change: Change): string {
  switch (change.kind) {
    case "template":
      return `Override the template ${change.name}`;
    case "replace-prefix":
      return `Replace the prefix ${change.from} with ${change.to === "" ? "nothing" : change.to}`;
    case "set-reference":
      return `Set ${change.key}`;
    case "set-references":
      return `Set ${countOf(change.values.length, "reference")}${firstWords(change.values[0]?.[0])}`;
    case "remove-references":
      return `Remove ${countOf(change.keys.length, "reference")}${firstWords(change.keys[0])}`;
    case "remove-reference":
      return `Remove ${change.key}`;
    case "drop-array":
      return `Drop the array ${arrayName(change.path)}`;
    case "shift-ranges":
      return `Ranges of ${arrayName(change.path)}: ${movedWords(change)}`;
  }
}

const firstWords = (key: string | undefined): string => (key === undefined ? "" : `, first ${key}`);

const arrayName = (path: string): string => (path === "" ? "/" : path);

/** `12 bytes later, 4 bytes longer` */
function movedWords({ shift, lengthen }: { readonly shift: number; readonly lengthen: number }): string {
  const words = [
    ...(shift === 0 ? [] : [`${bytesOf(shift)} ${shift > 0 ? "later" : "earlier"}`]),
    ...(lengthen === 0 ? [] : [`${bytesOf(lengthen)} ${lengthen > 0 ? "longer" : "shorter"}`]),
  ];
  return words.length === 0 ? "as they are" : words.join(", ");
}

const bytesOf = (count: number): string => countOf(Math.abs(count), "byte");
