/** `check --json` prints what docs/schema/check.schema.json says, for sound sets, broken ones, and what is no set. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { runCommand } from "../testing/run-command.ts";

interface Schema {
  readonly $ref?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly type?: string;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: false;
  readonly items?: Schema;
}

const ROOT = JSON.parse(readFileSync("docs/schema/check.schema.json", "utf8")) as Schema & {
  readonly $defs: Readonly<Record<string, Schema>>;
};

function typeOf(value: unknown): string {
  if (Array.isArray(value)) return "array";
  return value === null ? "null" : typeof value;
}

/** Validates the part of JSON Schema that the file uses; returns where the value differs. */
function faults(value: unknown, schema: Schema, at = "$"): readonly string[] {
  if (schema.$ref !== undefined) return faults(value, ROOT.$defs[schema.$ref.replace("#/$defs/", "")] ?? {}, at);
  if (schema.anyOf !== undefined)
    return schema.anyOf.some((one) => faults(value, one, at).length === 0) ? [] : [`${at}: none of several`];
  if (schema.const !== undefined && value !== schema.const) return [`${at}: ${String(value)}`];
  if (schema.enum !== undefined && !schema.enum.includes(value)) return [`${at}: ${String(value)}`];
  const { type } = schema;
  const isType = type === "integer" ? Number.isInteger(value) : typeOf(value) === type;
  if (type !== undefined && !isType) return [`${at}: ${typeOf(value)} in place of ${type}`];
  if (Array.isArray(value) && schema.items !== undefined)
    return value.flatMap((one, index) => faults(one, schema.items ?? {}, `${at}[${index}]`));
  if (typeOf(value) !== "object") return [];
  const members = value as Readonly<Record<string, unknown>>;
  const known = schema.properties ?? {};
  return [
    ...(schema.required ?? []).filter((name) => !Object.hasOwn(members, name)).map((name) => `${at}: no ${name}`),
    ...Object.entries(members).flatMap(([name, member]) => {
      const own = Object.hasOwn(known, name) ? known[name] : undefined;
      if (own === undefined) return schema.additionalProperties === false ? [`${at}: unknown ${name}`] : [];
      return faults(member, own, `${at}.${name}`);
    }),
  ];
}

const SAMPLES = readdirSync("public/samples")
  .filter((name) => /\.(?:json|parquet|zarr|icechunk)$/.test(name))
  .map((name) => join("public/samples", name));

it.each([...SAMPLES, "public/samples/README.md", "no-such-file.json"])("%s", async (path) => {
  const { stdout } = await runCommand(["check", path, "--json"]);
  expect(faults(JSON.parse(stdout), ROOT)).toEqual([]);
});

it("with everything asked for, and with what is accepted", async () => {
  const folder = mkdtempSync(join(tmpdir(), "refscope-schema-"));
  const known = join(folder, "known.json");
  const broken = ["check", "public/samples/ocean-broken.json", "--json"];
  for (const more of [
    ["--deep", "all", "--network", "--reader", "all", "--write-accept", known],
    ["--reader", "xarray", "--accept", known],
  ]) {
    const { stdout } = await runCommand([...broken, ...more]);
    expect(faults(JSON.parse(stdout), ROOT)).toEqual([]);
    expect(existsSync(known)).toBe(true);
  }
  rmSync(folder, { recursive: true });
});

it("refuses what it does not say", () => {
  expect(faults({ verdict: {}, findings: [{ code: 1 }], more: 1 }, ROOT).length).toBeGreaterThan(5);
});
