/** A virtual chunk container for people: its options in words, without secrets, and what reading from it needs here. */
import { isJsonObject, type JsonValue } from "../../core/json.ts";
import { writeJson } from "../../core/json-write.ts";
import type { ContainerSummary } from "../../core/repository.ts";
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
    needs: needsOf(store, options),
    ...(ignored === undefined ? {} : { ignored }),
  };
}

const HIDDEN = "(there, not shown)";

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

/** Users and passwords in URLs (of https the user may be a token), signatures in their queries, authorisation headers. */
function withoutSecrets(text: string): string {
  if (/^(?:bearer|basic|digest|token|aws4-hmac-sha256)\s/i.test(text)) return HIDDEN;
  return text
    .replace(/^([a-z][a-z\d+.-]*:\/\/)[^/?#]*:[^/?#]*@/i, "$1…@")
    .replace(/^(https?:\/\/)[^/?#]*@/i, "$1…@")
    .replace(/([?&][^=&#]*(?:signature|sig|token|key|credential|secret)[^=&#]*=)[^&#]*/gi, "$1…");
}

const PUBLIC_BUCKET =
  "Read over HTTPS without a signature: the bucket must be public and allow other origins (CORS), or an address for the prefix is given in Locations.";

function needsOf(store: string, options: JsonValue): string {
  switch (store) {
    case "http":
      return hasHeaders(options)
        ? "The official reader sends the headers that are stored here; give them for the prefix in Locations. The server must allow other origins (CORS)."
        : "Nothing but a server that allows other origins (CORS).";
    case "s3":
    case "s3_compatible":
    case "tigris":
      return s3Needs(store, options);
    case "gcs":
      return PUBLIC_BUCKET;
    case "azure":
      return "Read over HTTPS without a signature where the prefix names the storage account and the container is public (and allows other origins); else give an address for the prefix in Locations.";
    case "local_file_system":
      return "Files of the machine that wrote the repository: drop the same files or folder here, or give an address for the prefix in Locations.";
    case "in_memory":
      return "Was in the memory of the process that wrote it: nothing else can read it, unless an address of the same files is given for the prefix in Locations.";
    default:
      return "An unknown kind of store: give an address of the same files for the prefix in Locations.";
  }
}

function hasHeaders(options: JsonValue): boolean {
  const headers = isJsonObject(options) ? options.get("headers") : undefined;
  return isJsonObject(headers) && headers.size > 0;
}

function s3Needs(store: string, options: JsonValue): string {
  const endpoint = isJsonObject(options) ? options.get("endpoint_url") : undefined;
  if (typeof endpoint === "string" && endpoint !== "") {
    return `Read from ${withoutSecrets(endpoint)} without a signature: the bucket must be public there and allow other origins (CORS), or an address for the prefix is given in Locations.`;
  }
  if (store === "s3") return PUBLIC_BUCKET;
  return "No endpoint is stored for this store, which is not Amazon's: give an address for the prefix in Locations.";
}
