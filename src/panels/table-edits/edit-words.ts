/** A change in words: for lists and for the names of undo steps. */
import type { Change } from "./change-draft.ts";

export function editWords(change: Change): string {
  switch (change.kind) {
    case "template":
      return `Override the template ${change.name}`;
    case "replace-prefix":
      return `Replace the prefix ${change.from} by ${change.to === "" ? "nothing" : change.to}`;
    case "set-reference":
      return `Set ${change.key}`;
    case "remove-reference":
      return `Remove ${change.key}`;
    case "drop-array":
      return `Drop the array ${change.path === "" ? "/" : change.path}`;
  }
}
