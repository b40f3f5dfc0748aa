/** Configurations of codecs, by fields where members are known, and as JSON text. */
import { attempt } from "#core/attempt.ts";
import { findingOfError, RefscopeError } from "#core/findings/finding.ts";
import { explained } from "#core/findings/explain.ts";
import type { JsonObject, JsonValue } from "#core/json/json.ts";
import type { CodecDescription, CodecField } from "#core/check/lab.ts";
import { parseJson, writeJson } from "#core/json/parse-json.ts";

/** A codec's fields, by any of its names; none where it is not known. */
export function codecFields(known: readonly CodecDescription[], id: string): readonly CodecField[] {
  const find = (name: string) =>
    known.find((one) => one.id === name) ?? known.find(({ otherNames }) => otherNames.includes(name));
  return (find(id) ?? find(id.replace(/^numcodecs\./, "")))?.fields ?? [];
}

/** Why a text is not a configuration; one sentence. Nothing at all is an empty one. */
export function configurationProblem(text: string): string | undefined {
  if (text.trim() === "") return undefined;
  try {
    return parseJson(text).value instanceof Map ? undefined : "A configuration is a JSON object, such as {}.";
  } catch (error) {
    return `This is not JSON. ${error instanceof RefscopeError ? explained(findingOfError(error)).message : String(error)}`;
  }
}

function configurationOf(text: string): JsonObject | undefined {
  if (text.trim() === "") return new Map();
  const value = attempt(() => parseJson(text).value);
  return value instanceof Map ? (value as JsonObject) : undefined;
}

/** A member as a field shows it: text bare, anything else as JSON; empty where it is absent. */
export function memberText(configuration: string, name: string): string {
  const value = configurationOf(configuration)?.get(name);
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : writeJson(value);
}

/**
 * The configuration with a member set as typed; empty takes it out. `undefined` where what was typed is not a value of the
 * field, or the configuration as it stands is none.
 */
export function withMember(configuration: string, field: CodecField, typed: string): string | undefined {
  const before = configurationOf(configuration);
  if (before === undefined) return undefined;
  const after = new Map(before);
  if (typed.trim() === "") after.delete(field.name);
  else {
    const value = typedValue(field, typed.trim());
    if (value === undefined) return undefined;
    after.set(field.name, value);
  }
  return after.size === 0 ? "" : writeJson(after);
}

function typedValue({ kind }: CodecField, typed: string): JsonValue | undefined {
  if (kind === "text") return typed;
  const value = attempt(() => parseJson(typed).value);
  return kind === "json" || typeof value === "number" || typeof value === "bigint" ? value : undefined;
}
