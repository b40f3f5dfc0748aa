/** Text to paste where a finding says that a server blocks access: the same on the page and in the terminal. */
import type { Finding } from "../findings/fact.ts";
import { ABOUT_CORS, ABOUT_SERVER } from "../findings/of-servers.ts";
import { accessRecipe, type AccessFacts } from "./access-recipe.ts";
import { accessGaps } from "./access-words.ts";
import { isSigned, signInOf } from "./sign-in.ts";
import { allCorsRemedies, corsRemedies, curlLine, type Remedy } from "./server-remedies.ts";
import { shellWord } from "../words.ts";

/** Statuses that an account, a token or a payer may change. */
const REFUSED: ReadonlySet<unknown> = new Set([401, 403]);

export interface FindingRemedies {
  /** Configuration of the server, the likeliest first; empty where CORS is not what blocks access. */
  readonly likely: readonly Remedy[];
  /** Remedies for other kinds of servers. */
  readonly others: readonly Remedy[];
  /** Lines that show in a terminal what the server says. */
  readonly lines: readonly Remedy[];
}

/**
 * `undefined` where no address is known, or nothing can be pasted. `addressOf`: of targets that are no addresses
 * themselves.
 */
export function findingRemedies(
  found: Finding,
  origin: string,
  addressOf: (target: string) => string | undefined = () => undefined,
): FindingRemedies | undefined {
  const { code, facts, place } = found;
  if (!ABOUT_SERVER.has(code)) return undefined;
  const target = place.kind === "target" ? place.target : undefined;
  const known = [facts["url"], target, target === undefined ? undefined : addressOf(target)];
  const url = known.find((one): one is string => typeof one === "string" && /^https?:\/\//.test(one));
  if (url === undefined) return undefined;
  // Whose configuration blocks access is not known where the host redirects.
  const likely = facts["redirects"] === true ? [] : corsRemedies(url);
  const ids = new Set(likely.map(({ id }) => id));
  const lines: readonly Remedy[] = [
    { id: "curl", title: "By hand", text: curlLine(url, origin) },
    { id: "doctor", title: "Step by step", text: `refscope doctor ${shellWord(url)}` },
  ];
  if (!ABOUT_CORS.has(code)) return { likely: [], others: [], lines };
  return { likely, others: allCorsRemedies().filter(({ id }) => !ids.has(id)), lines };
}

/** True if the target refuses requests without credentials; a signed address has them. */
export function isRefused({ code, facts, place }: Finding): boolean {
  if (place.kind === "target" && isSigned(place.target)) return false;
  if (code === "web-page") return facts["isFile"] !== true && isSignIn(facts);
  return code === "http-status" && REFUSED.has(facts["status"]);
}

function isSignIn({ words, redirectedTo }: Finding["facts"]): boolean {
  const from = typeof redirectedTo === "string" ? redirectedTo : undefined;
  return signInOf(typeof words === "string" ? words : "", from) !== undefined;
}

/**
 * All of them as a report has them. `access`: what is known of the set's targets, for Python; `asked`: how many of
 * them.
 */
export function remediesFor(
  found: Finding,
  origin: string,
  access: AccessFacts | undefined,
  {
    asked = 1,
    addressOf,
  }: { readonly asked?: number; readonly addressOf?: (target: string) => string | undefined } = {},
): readonly Remedy[] {
  const { likely = [], lines = [] } = findingRemedies(found, origin, addressOf) ?? {};
  return [...likely, ...lines, ...(access !== undefined && isRefused(found) ? [accessRemedy(access, asked)] : [])];
}

export const ACCESS_TITLE = "In Python, with the access it asks for";

/** The recipe, with what it cannot know as comments. */
export function accessRemedy(facts: AccessFacts, asked: number): Remedy {
  const gaps = accessGaps(facts, asked).map((sentence) => `# ${sentence.replaceAll(/\s+/g, " ")}\n`);
  return { id: "python", title: ACCESS_TITLE, text: `${gaps.join("")}${accessRecipe(facts)}`.trimEnd() };
}
