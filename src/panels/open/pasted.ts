/** What was pasted or dropped anywhere on the page, and whether a paste opens it. */
import type { AppState } from "../../store/state.ts";
import { countOf, formatBytes } from "../../widgets/number-format.ts";
import { takeDropped, type Dropped } from "./local-files.ts";
import { readAddress } from "./typed-address.ts";

export type Transferred =
  | { readonly kind: "files"; readonly dropped: Dropped }
  | { readonly kind: "json"; readonly text: string }
  | { readonly kind: "url"; readonly url: string }
  | { readonly kind: "neither" };

/** Files first, else a link or a document as text. Call in the event's handler: later the files are gone. */
export function transferredIn(data: Pick<DataTransfer, "items" | "files" | "getData">, base: string): Transferred {
  const dropped = takeDropped(data);
  if (dropped.length > 0) return { kind: "files", dropped };
  const text = data.getData("text/uri-list") || data.getData("text/plain");
  const typed = readAddress(text, base);
  if (typed.kind === "json") return typed;
  const isUrl = typed.kind === "url" && /^[a-z][a-z0-9+.-]*:\/\/\S+$/i.test(text.trim());
  return isUrl ? { kind: "url", url: typed.url } : { kind: "neither" };
}

export function transferredWords(what: Transferred): string {
  switch (what.kind) {
    case "files":
      return countOf(what.dropped.length, "file");
    case "json":
      return `a JSON document of ${formatBytes(new TextEncoder().encode(what.text).length)}`;
    case "url":
      return what.url.length > 100 ? `the address ${what.url.slice(0, 100)}…` : `the address ${what.url}`;
    case "neither":
      return "neither a URL nor JSON";
  }
}

/** What may be a file of the owner of the set that is open: a text, or a file alone. */
export function pastedBlob(what: Transferred): Blob | undefined {
  if (what.kind === "json") return new Blob([what.text]);
  const [file, ...others] = what.kind === "files" ? what.dropped : [];
  return file instanceof Blob && others.length === 0 ? file : undefined;
}

/**
 * A paste outside any field may be meant for one. Where nothing is open it opens; what is open, or being opened, is left
 * only when asked; in the studio a paste is meant for the editor.
 */
export type PasteRule = "open" | "ask" | "never";

export function pasteRule({ set, view, tasks }: Pick<AppState, "set" | "view" | "tasks">): PasteRule {
  if (set === undefined) return tasks.length === 0 ? "open" : "ask";
  return view === "edit" && set.isDocument ? "never" : "ask";
}
