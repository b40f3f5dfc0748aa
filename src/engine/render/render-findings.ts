/** Findings of severity error: what fsspec raises on, where and with which values. */
import type { Finding } from "../../core/finding.ts";
import { raisedBy, raisedSentence } from "./raised.ts";

const MAX_SHOWN = 200;

export const shortened = (text: string): string => (text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text);

export function templateFails(error: unknown, name: string | undefined): Finding {
  const what = name === undefined ? "the templates" : `the template “${shortened(name)}”`;
  return fails("template-fails", `Reading ${what}`, error);
}

export function urlFails(error: unknown, written: string): Finding {
  return { ...fails("url-fails", `Rendering the URL “${shortened(written)}”`, error), target: written };
}

export function gensFail(error: unknown): Finding {
  return fails("gen-fails", "Reading gen", error);
}

export interface GenPlace {
  readonly gen: number;
  readonly variables: readonly { readonly name: string; readonly value: string }[];
}

export function genFails(error: unknown, { gen, variables }: GenPlace): Finding {
  const values = variables.map(({ name, value }) => `${name}=${shortened(value)}`).join(", ");
  return fails("gen-fails", `Making the references of gen[${gen}]${values === "" ? "" : ` (${values})`}`, error);
}

/** A reference of `refs` that fsspec raises on. */
export function referenceFails(error: unknown, key: string, written: string | undefined): Finding {
  const of = written === undefined ? "" : ` of the URL “${shortened(written)}”`;
  const finding = fails("reference-fails", `Making the reference “${shortened(key)}”${of}`, error);
  return { ...finding, key };
}

function fails(code: string, doing: string, error: unknown): Finding {
  return { code, severity: "error", message: `${doing}: ${raisedSentence(raisedBy(error))}` };
}

export function genTooLarge(count: bigint, most: number): Finding {
  return {
    code: "gen-too-large",
    severity: "error",
    message: `The gens make ${count.toLocaleString("en")} references, more than the ${most.toLocaleString("en")} that are made at most: none was made.`,
    advice: "Raise the limit (in a terminal: --most N), or check start, stop and step of the dimensions.",
  };
}

export function genTooMuchText(made: number, most: number): Finding {
  return {
    code: "gen-too-much-text",
    severity: "error",
    message: `The gens were stopped after ${made.toLocaleString("en")} references: their keys and URLs have more than ${most.toLocaleString("en")} characters.`,
    advice: "Check what the templates of key and url repeat.",
  };
}
