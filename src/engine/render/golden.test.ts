/**
 * The 400 whole documents of the golden file: every one gives fsspec's references, in order, or raises as fsspec does.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parseJsonTree } from "#core/json/parse-json.ts";
import type { JsonNode } from "#core/json/json.ts";
import { renderDocument, type RenderedDocument } from "./document-version1.ts";
import { pythonJson } from "#core/json/python-json.ts";
import { processorTime } from "#core/testing/processor-time.ts";

type Outcome = { readonly refs: JsonNode } | { readonly raises: string };

interface Case {
  readonly id: string;
  readonly family: string;
  readonly spec: string;
  readonly flags: readonly string[];
  readonly overrides: ReadonlyMap<string, string> | undefined;
  readonly truth: Outcome;
  readonly simple: Outcome;
}

const path = join(import.meta.dirname, "fixtures/recorded-documents.json");
const cases = readCases();

function readCases(): readonly Case[] {
  const { root } = parseJsonTree(readFileSync(path, "utf8"));
  const specs = member(root, "specs");
  return specs?.kind === "array" ? specs.items.map(readCase) : [];
}

function readCase(node: JsonNode): Case {
  const overrides = member(node, "overrides");
  const truth = outcome(node);
  const simple = member(node, "simple");
  return {
    id: text(node, "id"),
    family: text(node, "family"),
    spec: text(node, "spec"),
    flags: items(member(node, "flags")).map(value),
    overrides:
      overrides?.kind === "object" ? new Map(overrides.members.map((one) => [one.key, value(one.node)])) : undefined,
    truth,
    simple: simple?.kind === "object" ? outcome(simple) : truth,
  };
}

function outcome(node: JsonNode): Outcome {
  const refs = member(node, "refs");
  if (refs !== undefined) return { refs };
  const error = member(node, "err");
  if (error === undefined) throw new Error("A case has neither refs nor err.");
  return { raises: text(error, "type") };
}

function member(node: JsonNode, key: string): JsonNode | undefined {
  return node.kind === "object" ? node.members.find((one) => one.key === key)?.node : undefined;
}

function items(node: JsonNode | undefined): readonly JsonNode[] {
  return node?.kind === "array" ? node.items : [];
}

function value(node: JsonNode | undefined): string {
  if (node?.kind === "scalar" && typeof node.value === "string") return node.value;
  throw new Error("A text was expected in the golden file.");
}

function text(node: JsonNode, key: string): string {
  return value(member(node, key));
}

/**
 * One comparable text of what came out. Dict values are JSON text in the spelling of Python's json; the file tells too
 * how an fsspec with ujson spells them.
 */
function shown(rendered: RenderedDocument): string {
  if (rendered.kind === "error") return "raises";
  return [...rendered.refs()].map(([key, json]) => `${key} = ${pythonJson(parseJsonTree(json).root)}`).join("\n");
}

function expected(truth: Outcome): string {
  if ("raises" in truth) return "raises";
  return items(truth.refs)
    .map((pair) => `${value(items(pair)[0])} = ${pythonJson(items(pair)[1] as JsonNode)}`)
    .join("\n");
}

describe.each([
  ["simple_templates=False", false],
  ["simple_templates=True", true],
] as const)("fsspec with %s", (_, simple) => {
  const kept = cases.filter(({ flags }) => simple || !flags.includes("resource"));
  const render = ({ spec, overrides }: Case): RenderedDocument => renderDocument(spec, { simple, overrides });

  it("gives the same references or raises", () => {
    const truth = (one: Case): Outcome => (simple ? one.simple : one.truth);
    const differ = kept.filter((one) => shown(render(one)) !== expected(truth(one)));
    console.log(`${simple ? "simple" : "full"}: ${kept.length - differ.length} of ${kept.length} documents agree`);
    expect(differ.map(({ id, spec }) => `${id} ${spec}`)).toEqual([]);
  });

  it("calls nothing unsupported", () => {
    const unsupported = kept.filter((one) => {
      const rendered = render(one);
      return rendered.kind === "error" && rendered.python === "Unsupported";
    });
    expect(unsupported.map(({ id }) => id)).toEqual([]);
  });

  it("raises the same class", () => {
    const raising = kept.flatMap((one) => {
      const truth = simple ? one.simple : one.truth;
      const rendered = render(one);
      return "raises" in truth && rendered.kind === "error" ? [[one.id, truth.raises, rendered.python] as const] : [];
    });
    const same = raising.filter(([, python, ours]) => python === ours || `binascii.${python}` === ours);
    console.log(`${simple ? "simple" : "full"}: ${same.length} of ${raising.length} raise the same class`);
    expect(raising.filter((one) => !same.includes(one))).toEqual([]);
  });
});

it("refuses at once what took Python too long or too much memory", () => {
  const hostile = cases.filter(({ flags }) => flags.includes("resource"));
  expect(hostile.length).toBeGreaterThan(0);
  for (const { spec } of hostile) {
    const started = processorTime();
    expect(renderDocument(spec).kind).toBe("error");
    expect(processorTime() - started).toBeLessThan(5000);
  }
});
