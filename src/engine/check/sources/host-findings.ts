/**
 * Findings from hosts' answers to questions that are no reads, once each: for a name that cannot exist (which shows
 * what pages see of "not found", and what 403 means here), and to a preflight if readers need one.
 */
import { type CallContext, originOf, type Resolution } from "#core/byte-source.ts";
import { allows, allowsHeader, type HostAnswer } from "#core/check/host-answer.ts";
import { finding, type Finding, targetAt } from "#core/findings/finding.ts";
import type { CorsHeaders, TargetProbe } from "#core/check/target-probe.ts";
import { ABSENT_NAME } from "#io/http/host-answers.ts";
import type { EngineSet } from "#engine/engine-set.ts";
import type { JudgedTarget } from "./ask-targets.ts";
import { corsCause } from "./judge-target.ts";

/** Hosts that are asked, of sets with very many. */
const MAX_HOSTS = 16;

/** Origin, by its name, with what it says of a name that cannot exist. */
export type Unknown = ReadonlyMap<string, HostAnswer>;

/** Asks those hosts of targets whose answer may tell something. */
export async function askUnknown(
  set: EngineSet,
  judged: readonly JudgedTarget[],
  origin: string | undefined,
  context: CallContext,
): Promise<Unknown> {
  const urls = new Map<string, string>();
  for (const { resolution, probe } of judged) {
    const [name, url] = [originOf(resolution), absentBeside(resolution)];
    if (name === undefined || url === undefined || urls.has(name) || urls.size >= MAX_HOSTS) continue;
    if (isDenied(probe) || (origin !== undefined && isHere(probe))) urls.set(name, url);
  }
  const answers = new Map<string, HostAnswer>();
  for (const [name, url] of urls) {
    const answer = await set.targets.ask(url, { method: "GET", headers: originHeader(origin) }, context);
    if (answer !== undefined) answers.set(name, answer);
  }
  return answers;
}

/** Beside the target; nothing where the address is signed, since the signature is for that name alone. */
function absentBeside(resolution: Resolution): string | undefined {
  if (resolution.kind !== "url") return undefined;
  const url = new URL(resolution.url);
  return url.search === "" ? new URL(ABSENT_NAME, url).href : undefined;
}

const isHere = (probe: TargetProbe | undefined): probe is TargetProbe & { readonly cors?: CorsHeaders } =>
  probe?.failure === undefined && (probe?.status === 200 || probe?.status === 206);

const isDenied = (probe: TargetProbe | undefined): boolean => probe?.status === 403;

const originHeader = (origin: string | undefined) => (origin === undefined ? {} : { Origin: origin });

/** A target that is denied, with what 403 means there: for a name that cannot exist the host says the same, or not. */
export function withUnknown(judged: readonly JudgedTarget[], unknown: Unknown): readonly JudgedTarget[] {
  const here = new Set(judged.flatMap(({ probe, resolution }) => (isHere(probe) ? [originOf(resolution)] : [])));
  return judged.map((one) => {
    const host = originOf(one.resolution);
    const answer = host === undefined || !isDenied(one.probe) ? undefined : unknown.get(host);
    if (answer === undefined || (answer.status !== 403 && !isGone(answer))) return one;
    const facts = { unknownName: answer.status, ...(here.has(host) ? { othersHere: true } : {}) };
    const causes = one.causes.map((cause) =>
      cause.code === "http-status" ? { ...cause, facts: { ...cause.facts, ...facts } } : cause,
    );
    return { ...one, causes };
  });
}

const isGone = ({ status }: HostAnswer): boolean => status === 404 || status === 410;

/** "Not found" that a page may not read, of hosts whose files it may. */
export function hiddenAbsence(
  judged: readonly JudgedTarget[],
  unknown: Unknown,
  origin: string | undefined,
): readonly Finding[] {
  if (origin === undefined) return [];
  return [...unknown].flatMap(([name, answer]) => {
    const ofHost = judged.filter(({ resolution }) => originOf(resolution) === name);
    const open = ofHost.find(({ probe }) => isHere(probe) && allows(probe.cors?.allowOrigin, origin));
    const isMissed = ofHost.some(({ probe }) => probe?.status === 404);
    return open === undefined ? [] : hidden(open.target, answer, { origin, isAskedFor: isMissed });
  });
}

function hidden(
  target: string,
  { status, allowOrigin }: HostAnswer,
  facts: { readonly origin: string; readonly isAskedFor: boolean },
): readonly Finding[] {
  if (!isGone({ status, allowOrigin, allowHeaders: undefined }) || allows(allowOrigin, facts.origin)) return [];
  return [finding("cors-absent-on-missing", targetAt(target), { status, ...facts })];
}

/** A Zarr store over HTTP: readers ask it for keys that need not exist, and for the ends of shards. */
export async function storeFindings(
  set: EngineSet,
  origin: string | undefined,
  context: CallContext,
): Promise<readonly Finding[]> {
  if (origin === undefined || set.format.kind !== "zarr" || set.resolveKey === undefined) return [];
  const key = [...set.documents].find(([, { text }]) => text !== undefined)?.[0];
  const resolution = key === undefined ? undefined : set.resolveKey(key);
  const absent = set.resolveKey(ABSENT_NAME);
  if (resolution?.kind !== "url" || absent.kind !== "url") return [];
  const probe = await set.targets.probe(resolution, { furthest: undefined, origin }, context);
  if (!isHere(probe)) return [];
  const { origin: host, pathname } = new URL(resolution.url);
  const url = host + pathname;
  // Then a page reads nothing of it at all.
  const closed = corsCause(probe, origin);
  if (closed !== undefined) return [{ code: closed.code, place: targetAt(url), facts: closed.facts, count: 1 }];
  const answer = await set.targets.ask(absent.url, { method: "GET", headers: originHeader(origin) }, context);
  const missing = answer === undefined ? [] : hidden(url, answer, { origin, isAskedFor: true });
  return [...missing, ...(await preflightFindings(set, resolution.url, url, probe, origin, context))];
}

/** The index at the end of a shard is asked for by a range from its end, which browsers send only where they may. */
async function preflightFindings(
  { hierarchy, targets }: EngineSet,
  url: string,
  shown: string,
  { cors }: TargetProbe,
  origin: string,
  context: CallContext,
): Promise<readonly Finding[]> {
  const needsEnd = [...hierarchy.nodes.values()].some(
    (node) => node.kind === "array" && node.metadata.sharding?.indexLocation === "end",
  );
  if (!needsEnd) return [];
  const headers = {
    ...originHeader(origin),
    "Access-Control-Request-Method": "GET",
    "Access-Control-Request-Headers": "range",
  };
  const answer = await targets.ask(url, { method: "OPTIONS", headers }, context);
  if (answer === undefined) return [];
  const { status, allowOrigin, allowHeaders } = answer;
  const isOk = status >= 200 && status < 300;
  const exposes = cors?.exposed.some((name) => name === "*" || name === "content-range") ?? false;
  if (isOk && allows(allowOrigin, origin) && allowsHeader(answer, "range"))
    return exposes ? [] : [finding("cors-headers-hidden", targetAt(shown), { headers: ["Content-Range"] })];
  const why = isOk ? (allows(allowOrigin, origin) ? "header" : "origin") : "status";
  return [finding("preflight-refused", targetAt(shown), { status, why, allowHeaders, exposes, origin })];
}
