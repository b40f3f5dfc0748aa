/** A format spec read into its parts, and the alignment that all types share. */
import type { Budget } from "../budget.ts";
import { valueError } from "../template-error.ts";
import { intFromText } from "./numbers.ts";
import { quote } from "./quote.ts";
import { padding } from "./sequences.ts";
import { codePointLength } from "./code-points.ts";

export interface Spec {
  readonly fill: string;
  /** Empty where the type decides. */
  readonly align: "" | "<" | ">" | "=" | "^";
  readonly sign: "" | "+" | "-" | " ";
  /** The flag `z`. */
  readonly noNegativeZero: boolean;
  readonly alternate: boolean;
  /** In characters; 0 for none. */
  readonly width: number;
  readonly grouping: "" | "," | "_";
  readonly precision: number | undefined;
  readonly type: string;
}

/** `sign` and `0x`, then the digits: padding with `=` goes between them. */
export interface Field {
  readonly prefix: string;
  readonly body: string;
}

const SPEC =
  /^(?:(?<fill>[^])(?=[<>=^]))?(?<align>[<>=^]?)(?<sign>[+\- ]?)(?<z>z?)(?<alternate>#?)(?<zero>0?)(?<width>\p{Nd}*)(?<comma>,?)(?<underscore>_?)(?<rest>[^]*)$/u;

/** `typeOf`: the name of the value's type, for messages. */
export function readSpec(spec: string, typeOf: string): Spec {
  const groups = SPEC.exec(spec)?.groups ?? {};
  const isZero = groups["zero"] === "0" && groups["fill"] === undefined;
  const grouping = groupingOf(groups["comma"] ?? "", groups["underscore"] ?? "", groups["rest"] ?? "");
  const { precision, type } = readEnd(groups["rest"] ?? "", spec, typeOf);
  if (grouping !== "") checkGrouping(grouping, type);
  const align = (groups["align"] ?? "") as Spec["align"];
  return {
    fill: groups["fill"] ?? (isZero ? "0" : " "),
    align: align === "" && isZero && typeOf !== "str" ? "=" : align,
    sign: (groups["sign"] ?? "") as Spec["sign"],
    noNegativeZero: groups["z"] === "z",
    alternate: groups["alternate"] === "#",
    width: sizeFrom(groups["width"] ?? ""),
    grouping,
    precision,
    type,
  };
}

function groupingOf(comma: string, underscore: string, rest: string): Spec["grouping"] {
  if (comma !== "" && underscore !== "") throw valueError("Cannot specify both ',' and '_'.");
  if (comma !== "" && rest.startsWith(",")) throw valueError("Cannot specify ',' with ','.");
  if (underscore !== "" && rest.startsWith(",")) throw valueError("Cannot specify both ',' and '_'.");
  return comma !== "" ? "," : underscore !== "" ? "_" : "";
}

function readEnd(
  rest: string,
  spec: string,
  typeOf: string,
): { readonly precision: number | undefined; readonly type: string } {
  let precision: number | undefined;
  let type = rest;
  if (rest.startsWith(".")) {
    const digits = /^\.(\p{Nd}*)/u.exec(rest)?.[1] ?? "";
    if (digits === "") throw valueError("Format specifier missing precision");
    precision = sizeFrom(digits);
    type = rest.slice(1 + digits.length);
  }
  if (codePointLength(type) > 1)
    throw valueError(`Invalid format specifier ${quote(spec)} for object of type '${typeOf}'`);
  return { precision, type };
}

function sizeFrom(digits: string): number {
  if (digits === "") return 0;
  const size = Number(intFromText(digits));
  if (size > Number.MAX_SAFE_INTEGER) throw valueError("Too many decimal digits in format string");
  return size;
}

function checkGrouping(grouping: "," | "_", type: string): void {
  if ("defgEGF%".includes(type)) return;
  if (grouping === "_" && "boxX".includes(type)) return;
  throw valueError(`Cannot specify '${grouping}' with '${type}'.`);
}

/** The field in its width, filled on the side the spec asks for. */
export function alignField({ prefix, body }: Field, spec: Spec, otherwise: "<" | ">", budget: Budget): string {
  const text = prefix + body;
  const pad = padding(text, spec.width, spec.fill, budget);
  budget.characters(text.length);
  if (pad === "") return text;
  switch (spec.align === "" ? otherwise : spec.align) {
    case "<":
      return text + pad;
    case ">":
      return pad + text;
    case "=":
      return prefix + pad + body;
    case "^": {
      const left = spec.fill.length * Math.floor(pad.length / spec.fill.length / 2);
      return pad.slice(0, left) + text + pad.slice(left);
    }
  }
}
