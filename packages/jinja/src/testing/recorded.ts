/** Results of Jinja2 for 2,200 templates (README.md beside). */
import { readFileSync } from "node:fs";

export interface Recorded {
  readonly id: string;
  readonly family: string;
  readonly template: string;
  readonly vars: unknown;
  readonly vars_json?: string;
  readonly templates?: Readonly<Record<string, string>>;
  readonly out?: string;
  readonly big?: { readonly length: number; readonly sha256: string };
  readonly err?: { readonly type: string };
  readonly flags?: readonly string[];
}

const FILE = new URL("recorded-expressions.json", import.meta.url);

export const RECORDED = (JSON.parse(readFileSync(FILE, "utf8")) as { expressions: readonly Recorded[] }).expressions;
