/** What is typed into the dialog, before it is a change. */
import { parseJson } from "../../core/parse-json.ts";
import type { TableEdit } from "../../core/studio.ts";
import type { TemplateText } from "./template-override.ts";

export type Change = TableEdit | { readonly kind: "template"; readonly name: string; readonly value: string };

/** Repairs set and remove many references at once; nobody types them. */
type Typed = Exclude<Change["kind"], "set-references" | "remove-references">;

export interface Draft {
  readonly kind: Typed;
  /** Prefix, template name, key or path. */
  readonly what: string;
  /** New prefix, template text or reference; bytes later, and bytes longer where a second number follows. */
  readonly value: string;
}

export const CHANGE_NAMES: readonly (readonly [Typed, string])[] = [
  ["template", "Override a template"],
  ["replace-prefix", "Replace a URL prefix"],
  ["set-reference", "Set a reference"],
  ["remove-reference", "Remove a reference"],
  ["drop-array", "Drop an array"],
  ["shift-ranges", "Shift the ranges of an array"],
];

export function emptyDraft(template: TemplateText | undefined): Draft {
  if (template === undefined) return { kind: "replace-prefix", what: "", value: "" };
  return { kind: "template", what: template.name, value: template.value };
}

export function changeOf({ kind, what, value }: Draft): Change {
  switch (kind) {
    case "template":
      return { kind, name: what, value };
    case "replace-prefix":
      return { kind, from: what, to: value };
    case "set-reference":
      return { kind, key: what, value };
    case "remove-reference":
      return { kind, key: what };
    case "drop-array":
      return { kind, path: what };
    case "shift-ranges":
      return { kind, path: what, ...(movesOf(value) ?? { shift: 0, lengthen: 0 }) };
  }
}

/** `12` or `12, 4`: whole numbers, either may be negative; `undefined` for anything else, and where nothing moves. */
function movesOf(text: string): { readonly shift: number; readonly lengthen: number } | undefined {
  const [, first, second = "0"] = /^\s*([+-]?\d+)\s*(?:[,\s]\s*([+-]?\d+)\s*)?$/.exec(text.replaceAll("−", "-")) ?? [];
  const [shift, lengthen] = [Number(first), Number(second)];
  const isUsable = Number.isSafeInteger(shift) && Number.isSafeInteger(lengthen) && (shift !== 0 || lengthen !== 0);
  return first !== undefined && isUsable ? { shift, lengthen } : undefined;
}

/** Why it cannot be applied yet: one sentence. An array at the root has no name. */
export function problemOf({ kind, what, value }: Draft, hasRootArray: boolean): string | undefined {
  const namesArray = kind === "drop-array" || kind === "shift-ranges";
  if (what === "" && !(namesArray && hasRootArray)) return "Fill in the first field.";
  if (kind === "shift-ranges" && movesOf(value) === undefined)
    return "Type the bytes to add to each offset, and after a comma those to add to each length: 12, or -4, 4.";
  if (kind !== "set-reference") return undefined;
  try {
    const reference = parseJson(value).value;
    if (typeof reference === "string" || reference instanceof Map) return undefined;
    if (Array.isArray(reference) && (reference.length === 1 || reference.length === 3)) return undefined;
    return 'A reference is ["url"], ["url", offset, length], a text, or an object.';
  } catch {
    return 'The reference must be JSON, such as ["s3://bucket/file.nc", 4000, 1000].';
  }
}
