/** Facts that Python needs to read the targets of this set, as far as the set and answers show them. */
import type { CallContext } from "#core/byte-source.ts";
import { bucketOf, serverKind } from "#core/access/server-remedies.ts";
import type { AccessFacts, AccessNeed, AccessPlace } from "#core/access/access-recipe.ts";
import { isSigned, type SignIn, signInOf } from "#core/access/sign-in.ts";
import type { ContainerSummary } from "#core/repository.ts";
import type { TargetProbe, TargetReport } from "#core/check/target-probe.ts";
import type { EngineSet } from "#engine/engine-set.ts";

/** Targets that are looked at where none was asked; a set's targets nearly always share a place. */
const MAX_LOOKED_AT = 10_000;

/** `reports`: of a check of the sources; empty where none was made. */
export async function accessFacts(
  set: EngineSet,
  reports: readonly Pick<TargetReport, "target" | "probe">[],
  context: CallContext,
): Promise<AccessFacts> {
  const location = set.url ?? set.name;
  if (set.repository !== undefined) {
    const { containers } = await set.repository.history(context);
    const places = containers.map((container) => containerPlace(container, needBelow(container.prefix, reports)));
    return { kind: "icechunk", location, places };
  }
  const asked = reports.length > 0 ? reports : someTargets(set);
  const places = new Map<string, AccessPlace>();
  for (const { target, probe } of asked) {
    if (target === null) continue;
    const { scheme, prefix } = accessPlace(target);
    const known = places.get(`${scheme} ${prefix}`);
    const need = worse(known?.need ?? "anonymous", needOf(probe));
    const region = known?.region ?? probe?.region ?? set.targets.locations.region;
    const signIn = known?.signIn ?? signInAt(probe);
    places.set(`${scheme} ${prefix}`, { scheme, prefix, need, signIn, ...(region === undefined ? {} : { region }) });
  }
  return { kind: "fsspec", location, places: [...places.values()], needsRendering: set.format.hasTemplates === true };
}

function someTargets({ table }: EngineSet): readonly Pick<TargetReport, "target" | "probe">[] {
  const count = Math.min(table.targets.count, MAX_LOOKED_AT);
  return Array.from({ length: count }, (_, id) => ({ target: table.targets.text(id) }));
}

function accessPlace(target: string): Pick<AccessPlace, "scheme" | "prefix"> {
  if (target.startsWith("data:")) return { scheme: "data", prefix: "" };
  const [, scheme = "", authority = ""] = /^([a-z][a-z\d+.-]*):\/\/([^/?#]*)/i.exec(target) ?? [];
  return { scheme: scheme.toLowerCase(), prefix: authority };
}

const ORDER: readonly AccessNeed[] = ["anonymous", "token", "account", "requester-pays"];
const worse = (a: AccessNeed, b: AccessNeed): AccessNeed => (ORDER.indexOf(a) > ORDER.indexOf(b) ? a : b);

const signInAt = (probe: TargetProbe | undefined): SignIn | undefined =>
  probe?.content?.kind === "web-page" ? signInOf(probe.content.words, probe.redirectedTo) : undefined;

/** 403 also means that there is nothing: an account is then worth a try. */
function needOf(probe: TargetProbe | undefined): AccessNeed {
  // Its address says who asks.
  if (probe !== undefined && isSigned(probe.url)) return "anonymous";
  if (signInAt(probe) !== undefined) return "token";
  if (probe?.status === 401) return serverKind(probe.url) === "web" ? "token" : "account";
  if (probe?.status !== 403) return "anonymous";
  if (/requester.?pays/i.test(`${probe.said?.code} ${probe.said?.message}`)) return "requester-pays";
  return bucketOf(probe.url) === undefined ? "token" : "account";
}

const needBelow = (prefix: string, reports: readonly Pick<TargetReport, "target" | "probe">[]): AccessNeed =>
  reports
    .filter(({ target }) => target?.startsWith(prefix) === true)
    .reduce((need: AccessNeed, { probe }) => worse(need, needOf(probe)), "anonymous");

function containerPlace({ prefix, store, options, endpoint }: ContainerSummary, need: AccessNeed): AccessPlace {
  const { scheme } = accessPlace(prefix);
  const region = options.find(([term]) => term === "region")?.[1];
  return { scheme, prefix, need, store, endpoint, ...(region === undefined ? {} : { region }) };
}
