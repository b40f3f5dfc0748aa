/** Every recorded expression renders to the recorded text or raises where Python raised: the figures in README.md. */
import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { compileTemplate } from "./compile/compile.ts";
import { valueOfJson } from "./json-value.ts";
import { Budget, TemplateError } from "./template-error.ts";
import { templateValue } from "./testing/function-template.ts";
import { jsonTree } from "./testing/json-tree.ts";
import { processorTime } from "./testing/processor-time.ts";
import { RECORDED, type Recorded } from "./testing/recorded.ts";
import type { Value } from "./value.ts";

type Outcome = { readonly text: string } | { readonly error: TemplateError };

/** How long one hostile template may take, in milliseconds; they end within a fraction of a second, tests run slower. */
const MAX_TIME = 3000;

function outcomeOf(one: Recorded): Outcome {
  const budget = new Budget();
  try {
    return { text: compileTemplate(one.template).render(variablesOf(one, budget), budget) };
  } catch (error) {
    if (error instanceof TemplateError) return { error };
    throw error;
  }
}

function variablesOf(one: Recorded, budget: Budget): Map<string, Value> {
  const root = jsonTree(one.vars_json ?? JSON.stringify(one.vars));
  const members = root.kind === "object" ? root.members : [];
  const templates = Object.entries(one.templates ?? {});
  return new Map([
    ...templates.map(([name, source]) => [name, templateValue(source, budget)] as const),
    ...members.map((member) => [member.key, valueOfJson(member.node)] as const),
  ]);
}

type Verdict = "as Python" | "raises another class" | "prints an address" | "Budget" | "Unsupported" | "wrong";

function verdictOf({ out, big, err, flags = [] }: Recorded, outcome: Outcome): Verdict {
  if ("error" in outcome) {
    const { python } = outcome.error;
    if (python === "Budget" && flags.includes("resource")) return "Budget";
    if (python === "Unsupported" && (err === undefined || flags.includes("resource"))) return "Unsupported";
    if (err === undefined) return "wrong";
    return python === err.type ? "as Python" : "raises another class";
  }
  const isSame =
    big === undefined ? outcome.text === out : createHash("sha256").update(outcome.text).digest("hex") === big.sha256;
  if (isSame) return "as Python";
  return flags.includes("address") && out !== undefined ? "prints an address" : "wrong";
}

describe("the recorded expressions", () => {
  const outcomes = RECORDED.map((one) => {
    const start = processorTime();
    const outcome = outcomeOf(one);
    return { one, outcome, verdict: verdictOf(one, outcome), time: processorTime() - start };
  });

  it("render and raise as in Python", () => {
    const wrong = outcomes.filter(({ verdict }) => verdict === "wrong");
    const shown = wrong.map(({ one, outcome }) => ({ ...one, expected: one.out ?? one.err, outcome }));
    expect(shown).toEqual([]);
  });

  it("agree as often as README.md says", () => {
    const counts: Partial<Record<Verdict, number>> = {};
    for (const { verdict } of outcomes) counts[verdict] = (counts[verdict] ?? 0) + 1;
    expect(counts).toEqual({
      "as Python": 2180,
      "raises another class": 2,
      "prints an address": 1,
      Budget: 13,
      Unsupported: 4,
    });
  });

  it("end soon, the hostile ones too", () => {
    expect(outcomes.filter(({ time }) => time > MAX_TIME).map(({ one }) => one.template)).toEqual([]);
  });
});
