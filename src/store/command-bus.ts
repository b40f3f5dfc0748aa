/** Commands: what one part of the page asks of another without knowing it, or whether it is on the screen. */
import type { Trial } from "../core/check/lab.ts";
import type { RasterColour } from "../core/open-set.ts";

export type PageCommand =
  /** Opens the form of locations, with rows begun for a prefix of targets where one is given. */
  | { readonly kind: "show-locations"; readonly prefix?: string | undefined }
  /** Opens the form of the export. */
  | { readonly kind: "show-export" }
  /** Opens the form of the limit of generated references. */
  | { readonly kind: "show-limit" }
  /** Opens the page of codes at this one. */
  | { readonly kind: "explain-code"; readonly code: string }
  /** Opens or closes the trial of the selected chunk. */
  | { readonly kind: "trial" }
  | { readonly kind: "suggest-repairs" }
  /** Opens the worst problem of Check, with the search for its first commit. */
  | { readonly kind: "since-when" }
  /** Shows why the selected chunk failed. */
  | { readonly kind: "show-why" }
  /** Reads the selected chunk with a trial. */
  | { readonly kind: "try-reading"; readonly trial: Trial }
  /** Goes to the row of a key in the manifest of a group or array. */
  | { readonly kind: "find-row"; readonly node: string; readonly key: string }
  | { readonly kind: "colour-map"; readonly colour: RasterColour }
  /** Brings the slice of a chunk into sight on the map of its array. */
  | { readonly kind: "show-slice"; readonly array: string; readonly at: readonly number[] }
  | { readonly kind: "focus-array-filter" }
  | { readonly kind: "focus-view-tab" }
  | { readonly kind: "focus-editor" }
  | { readonly kind: "focus-result" }
  /** Opens the form that saves the slice, or the series, as a picture or values. */
  | { readonly kind: "save-slice" }
  | { readonly kind: "save-series" };

export type CommandKind = PageCommand["kind"];
export type CommandOf<K extends CommandKind> = Extract<PageCommand, { readonly kind: K }>;

/** For views that may be hidden or still be fetched: the last of each kind waits until one is there to take it. */
const WAITING: ReadonlySet<CommandKind> = new Set<CommandKind>([
  "find-row",
  "colour-map",
  "show-slice",
  "try-reading",
  "show-why",
  "since-when",
  "save-slice",
]);

export type CommandBus = ReturnType<typeof commandBus>;

export function commandBus() {
  const receivers = new Map<CommandKind, (command: never) => void>();
  const waiting = new Map<CommandKind, PageCommand>();
  const send = (command: PageCommand) => {
    const carryOut = receivers.get(command.kind);
    if (carryOut !== undefined) carryOut(command as never);
    else if (WAITING.has(command.kind)) waiting.set(command.kind, command);
  };
  return {
    send,
    /** Carries commands of a kind out, one that waits at once, until what is returned is called. */
    receive<K extends CommandKind>(kind: K, carryOut: (command: CommandOf<K>) => void): () => void {
      receivers.set(kind, carryOut);
      const command = waiting.get(kind);
      waiting.delete(kind);
      if (command !== undefined) send(command);
      return () => {
        if (receivers.get(kind) === carryOut) receivers.delete(kind);
      };
    },
    /** Drops what waits. */
    forget: () => waiting.clear(),
  };
}
