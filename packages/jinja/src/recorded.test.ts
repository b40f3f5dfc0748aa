/** Every recorded expression renders to the recorded text or raises where Python raised. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { jsonTree } from "./testing/json-tree.ts";
import { compileTemplate } from "./compile/compile.ts";
import { valueOfJson } from "./json-value.ts";
import { Budget, TemplateError } from "./template-error.ts";
import { templateValue } from "./testing/function-template.ts";
import type { Value } from "./value.ts";
import { processorTime } from "./testing/processor-time.ts";

interface Case {
  readonly id: string;
  readonly family: string;
  readonly template: string;
  readonly vars: unknown;
  readonly vars_json?: string;
  readonly templates?: Readonly<Record<string, string>>;
  readonly out?: string;
  readonly big?: { readonly length: number; readonly sha256: string };
  readonly err?: unknown;
  readonly flags?: readonly string[];
}

type Outcome = { readonly text: string } | { readonly error: TemplateError };

const FILE = new URL("testing/recorded-expressions.json", import.meta.url);
const CASES = (JSON.parse(readFileSync(FILE, "utf8")) as { expressions: readonly Case[] }).expressions;
/** Families in which nothing may be unsupported. */
const WHOLE = /realistic|^arithmetic$|^r-int-arith$|template-functions/;

/** How long one hostile template may take, in milliseconds; they end within a fraction of a second, tests run slower. */
const MAX_TIME = 3000;

function outcomeOf(one: Case): Outcome {
  const budget = new Budget();
  try {
    return { text: compileTemplate(one.template).render(variablesOf(one, budget), budget) };
  } catch (error) {
    if (error instanceof TemplateError) return { error };
    throw error;
  }
}

function variablesOf(one: Case, budget: Budget): Map<string, Value> {
  const root = jsonTree(one.vars_json ?? JSON.stringify(one.vars));
  const members = root.kind === "object" ? root.members : [];
  const templates = Object.entries(one.templates ?? {});
  return new Map([
    ...templates.map(([name, source]) => [name, templateValue(source, budget)] as const),
    ...members.map((member) => [member.key, valueOfJson(member.node)] as const),
  ]);
}

function agrees(one: Case, outcome: Outcome): boolean {
  const isBudget = "error" in outcome && outcome.error.python === "Budget";
  if (one.flags?.includes("resource") === true && isBudget) return true;
  if ("error" in outcome) return one.err !== undefined;
  if (one.big !== undefined) {
    return createHash("sha256").update(outcome.text).digest("hex") === one.big.sha256;
  }
  return outcome.text === one.out || (one.flags?.includes("address") === true && one.out !== undefined);
}

describe("the recorded expressions", () => {
  const outcomes = CASES.map((one) => {
    const start = processorTime();
    const outcome = outcomeOf(one);
    return { one, outcome, time: processorTime() - start };
  });
  const isUnsupported = (outcome: Outcome): boolean => "error" in outcome && outcome.error.python === "Unsupported";

  it("are all there", () => {
    expect(CASES).toHaveLength(2200);
  });

  it("render and raise as in Python", () => {
    const wrong = outcomes
      .filter(({ one, outcome }) => !isUnsupported(outcome) && !agrees(one, outcome))
      .map(({ one, outcome }) => ({ id: one.id, template: one.template, expected: one.out ?? one.err, outcome }));
    expect(wrong).toEqual([]);
  });

  it("are supported, but for one in a hundred, and wholly in the families that matter most", () => {
    const refused = outcomes.filter(({ one, outcome }) => isUnsupported(outcome) && one.err === undefined);
    const families = new Map<string, number>();
    for (const { one } of refused) families.set(one.family, (families.get(one.family) ?? 0) + 1);
    process.stdout.write(`Not supported: ${refused.length} of ${CASES.length} ${JSON.stringify([...families])}\n`);
    expect(refused.length).toBeLessThanOrEqual(CASES.length / 100);
    expect([...families.keys()].filter((family) => WHOLE.test(family))).toEqual([]);
  });

  it("end soon, the hostile ones too", () => {
    expect(outcomes.filter(({ time }) => time > MAX_TIME).map(({ one }) => one.template)).toEqual([]);
  });
});
