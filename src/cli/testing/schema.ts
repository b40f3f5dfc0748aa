/** For tests: the part of JSON Schema that docs/schema/ uses. */
import { readFileSync } from "node:fs";

export interface Schema {
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

/** A schema of docs/schema by its name. */
export const schemaNamed = (name: string) =>
  JSON.parse(readFileSync(`docs/schema/${name}.schema.json`, "utf8")) as RootSchema;

export type RootSchema = Schema & { readonly $defs: Readonly<Record<string, Schema>> };

function typeOf(value: unknown): string {
  if (Array.isArray(value)) return "array";
  return value === null ? "null" : typeof value;
}

/** Places where a value differs from a schema. */
export function faults(value: unknown, root: RootSchema): readonly string[] {
  return faultsAt(value, root, "$", root.$defs);
}

function faultsAt(value: unknown, schema: Schema, at: string, defs: RootSchema["$defs"]): readonly string[] {
  const faults = (one: unknown, of: Schema, place: string) => faultsAt(one, of, place, defs);
  if (schema.$ref !== undefined) return faults(value, defs[schema.$ref.replace("#/$defs/", "")] ?? {}, at);
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
