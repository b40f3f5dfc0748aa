/** JSON as `--json` prints it, its findings with what the catalogue says of them. */
import { explained } from "./explained.ts";
import { worstFirst } from "#core/findings/explained.ts";
import { isFinding, nodeOf, type Place } from "#core/findings/fact.ts";
import { withoutSecrets } from "#core/words/without-secrets.ts";
import { escapedJson } from "./output.ts";

/** JSON whose texts are escaped beyond what JSON asks for; line feeds are those between members. */
export const printableJson = (value: unknown): string => escapedJson(withoutSecrets(JSON.stringify(value, worded, 1)));

/** JSON of one answer, or of several as an object keyed by name. */
export const jsonByName = (answers: ReadonlyMap<string, unknown>): string =>
  printableJson(answers.size === 1 ? [...answers.values()][0] : Object.fromEntries(answers));

/** For `JSON.stringify`: findings with what the catalogue says of them, worst first; integers beyond 2^53 as text. */
export function worded(_: string, value: unknown): unknown {
  if (typeof value === "bigint") return String(value);
  if (Array.isArray(value))
    return value.length > 0 && value.every(isFinding) ? worstFirst(value, explained) : (value as unknown);
  if (!isFinding(value)) return value;
  const { title, severity, message, remedy } = explained(value);
  return { ...value, severity, ...whereOf(value.place), title, message, remedy };
}

interface Where {
  readonly array?: string;
  readonly key?: string;
  readonly target?: string;
}

/** The place by the names that a store has for it. */
function whereOf(place: Place): Where {
  if (place.kind === "target") {
    return { ...(place.chunk === undefined ? {} : whereOf(place.chunk)), target: place.target };
  }
  const node = nodeOf(place);
  const array = node === undefined ? {} : { array: node };
  return place.kind === "key" ? { ...array, key: place.key } : array;
}
