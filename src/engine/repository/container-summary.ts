/** A virtual chunk container for people: its options as text, without secrets, and what decides how it is read. */
import { isJsonObject, type JsonValue } from "../../core/json.ts";
import { writeJson } from "../../core/json-write.ts";
import type { ContainerSummary } from "../../core/repository.ts";
import { HIDDEN, withoutSecrets } from "../../core/without-secrets.ts";
import type { VirtualContainer } from "../../formats/icechunk/index.ts";
import { ignoredContainer } from "./ignored-container.ts";

export function containerSummary(container: VirtualContainer): ContainerSummary {
  const { name, prefix, store, options } = container;
  const shown = withoutSecrets(prefix);
  const ignored = ignoredContainer({ ...container, prefix: shown });
  return {
    name,
    prefix: shown,
    store,
    options: optionsOf(store, options),
    ...endpointOf(options),
    sendsHeaders: sendsHeaders(options),
    ...(ignored === undefined ? {} : { ignored }),
  };
}

/** Names of options whose values grant access. */
const SECRET =
  /secret|passw|passphrase|pwd|token|credential|bearer|(?:access|account|api|shared|customer|encryption|master).?key|connection.?string|private|authori[sz]|auth$|cookie|signature|session|\bsas\b|sas_/i;
/** Headers that grant no access; of all others only the names are shown. */
const PLAIN_HEADERS = /^(?:accept(?:-[a-z]+)?|cache-control|content-type|origin|pragma|referer|user-agent)$/i;

function optionsOf(store: string, options: JsonValue): ContainerSummary["options"] {
  if (isJsonObject(options)) {
    return [...options].flatMap(([term, value]): readonly (readonly [string, string])[] =>
      value === null ? [] : [[term, optionText(term, value)]],
    );
  }
  if (options === null || options === "") return [];
  return [[store === "local_file_system" ? "path" : "value", optionText("", options)]];
}

/** Longer ones are cut. */
const MAX_CHARACTERS = 2000;

function optionText(term: string, value: JsonValue): string {
  const shown = cleared(term, value, 0);
  const text = typeof shown === "string" ? shown : writeJson(shown);
  return text.length <= MAX_CHARACTERS ? text : `${text.slice(0, MAX_CHARACTERS)}… (${text.length} characters)`;
}

/** The value with what is secret in it replaced, at any depth. */
function cleared(term: string, value: JsonValue, depth: number): JsonValue {
  if (SECRET.test(term) && value !== null && typeof value !== "boolean") return HIDDEN;
  if (typeof value === "string") return withoutSecrets(value);
  if (depth > 32) return HIDDEN;
  if (Array.isArray(value)) return value.map((item: JsonValue) => cleared("", item, depth + 1));
  if (!isJsonObject(value)) return value;
  const isHidden = (name: string) => /^headers$/i.test(term) && !PLAIN_HEADERS.test(name);
  return new Map(
    [...value].map(([name, member]) => [name, isHidden(name) ? HIDDEN : cleared(name, member, depth + 1)]),
  );
}

function sendsHeaders(options: JsonValue): boolean {
  const headers = isJsonObject(options) ? options.get("headers") : undefined;
  return isJsonObject(headers) && headers.size > 0;
}

function endpointOf(options: JsonValue): Pick<ContainerSummary, "endpoint"> {
  const endpoint = isJsonObject(options) ? options.get("endpoint_url") : undefined;
  return typeof endpoint === "string" && endpoint !== "" ? { endpoint: withoutSecrets(endpoint) } : {};
}
