/**
 * Targets of virtual chunks. Their locations are not URLs to be asked for as they are: each names an object by its key
 * (`formats/icechunk/virtual-location.ts`), in a store that its container describes (`object-address.ts`).
 */
import { hostOfResolution, type Resolution, type RewriteRule } from "../../core/location.ts";
import { RefscopeError } from "../../core/errors.ts";
import { findingOfError } from "../../core/findings/failure.ts";
import { finding } from "../../core/findings/finding.ts";
import { targetAt } from "../../core/findings/place.ts";
import { objectPlace, resolveLocation, type Configuration, type ObjectPlace } from "../../formats/icechunk/index.ts";
import { resolveTarget, type BaseLocation } from "../../io/resolve.ts";
import type { TargetReader } from "../open/target-reader.ts";
import { objectAddress, urlPath, type ObjectAddress, type RefusedKey } from "./object-address.ts";

/** An address that the user gave for the prefix comes before what the container says. */
export function containerTargets(reader: TargetReader, base: BaseLocation, all: Configuration): TargetReader {
  const hosts = new Map<string, string>();
  const resolve = (target: string | null): Resolution => {
    if (target === null) return reader.resolve(target);
    try {
      const place = objectPlace(target);
      return place === undefined ? elsewhere(reader, target) : resolvePlace(target, place, { reader, base, all });
    } catch (error) {
      if (!(error instanceof RefscopeError)) throw error;
      return refused(target, { problem: "location", cause: findingOfError(error) });
    }
  };
  return {
    base,
    get locations() {
      return reader.locations;
    },
    get files() {
      return reader.files;
    },
    resolve,
    read: (resolution, range, context) => reader.read(resolution, range, context),
    probe: (resolution, wish, context) => reader.probe(resolution, wish, context),
    hostOf(target) {
      if (target === null) return reader.hostOf(target);
      const place = reader.locations.rewrites.length > 0 ? undefined : hostKey(target, all);
      const known = place === undefined ? undefined : hosts.get(place);
      if (known !== undefined) return known;
      const resolution = resolve(target);
      const host = hostOfResolution(resolution) ?? reader.hostOf(target);
      if (place !== undefined && isOfHost(resolution)) hosts.set(place, host);
      return host;
    },
    relocate: (locations, files) => {
      hosts.clear();
      reader.relocate(locations, files);
    },
  };
}

/** Icechunk has neither data in URLs nor files in archives. */
function elsewhere(reader: TargetReader, target: string): Resolution {
  const resolution = reader.resolve(target);
  if (resolution.kind !== "data" && resolution.kind !== "member") return resolution;
  const scheme = resolution.kind === "data" ? "data" : "zip";
  return { kind: "unresolved", finding: finding("target-scheme-unsupported", targetAt(target), { scheme }), steps: [] };
}

/** Whether the same would be said of every location there. */
const isOfHost = (resolution: Resolution): boolean =>
  resolution.kind === "url" ||
  (resolution.kind === "unresolved" && resolution.finding.code === "target-private-address");

/** The part of a location that decides its host, to be quick for a million; `undefined` where all of it does. */
function hostKey(target: string, all: Configuration): string | undefined {
  const authority = /^(?!file:)[a-z][a-z\d+.-]*:\/\/[^/?#@]+(?=\/)/i.exec(target)?.[0];
  if (authority === undefined) return undefined;
  try {
    return `${authority} ${resolveLocation(target, all).container?.prefix ?? ""}`;
  } catch {
    return undefined;
  }
}

interface Known {
  readonly reader: TargetReader;
  readonly base: BaseLocation;
  readonly all: Configuration;
}

function resolvePlace(target: string, place: ObjectPlace, { reader, base, all }: Known): Resolution {
  const { locations, files } = reader;
  const rewritten = byRule(target, place, locations.rewrites);
  if (rewritten !== undefined) {
    if ("refused" in rewritten) return refused(target, rewritten.refused);
    return exactly(resolveTarget(rewritten.target, base, { ...locations, rewrites: [rewritten.rule] }, files), place);
  }
  const address: ObjectAddress = objectAddress(place, resolveLocation(target, all).container);
  if ("refused" in address) return refused(target, address.refused);
  const region = locations.region ?? address.region;
  const found = resolveTarget(address.target, base, { ...locations, region, rewrites: [] }, files);
  const steps = address.step === undefined ? found.steps : [address.step, ...found.steps];
  return exactly({ ...found, steps }, place);
}

/**
 * The longest rule that fits the location, as stored or with its escapes undone. What follows the prefix is a piece of
 * a key, to be escaped where it becomes one of a URL.
 */
function byRule(target: string, place: ObjectPlace, rules: readonly RewriteRule[]) {
  const decoded = `${place.scheme}://${place.authority}/${place.key}`;
  let best: { readonly rule: RewriteRule; readonly rest: string } | undefined;
  for (const rule of rules) {
    if (rule.from === "" || rule.from.length <= (best?.rule.from.length ?? 0)) continue;
    if (decoded.startsWith(rule.from)) best = { rule, rest: decoded.slice(rule.from.length) };
    else if (target.startsWith(rule.from)) best = { rule, rest: keyAfter(target, rule.from, place) };
  }
  if (best === undefined) return undefined;
  const { rule, rest } = best;
  if (!/^https?:\/\//i.test(rule.to)) return { rule, target: rule.from + rest };
  if (!/(?:^|\/)\.\.?(?:\/|$)/.test(rest)) return { rule, target: rule.from + urlPath(rest) };
  return { refused: { problem: "dots", key: place.key.slice(0, 200) } as const };
}

/** The rest of the key behind a prefix that is written with escapes. */
function keyAfter(target: string, from: string, { key }: ObjectPlace): string {
  const before = objectPlace(`${from}/`)?.key.replace(/\/$/, "") ?? "";
  return key.startsWith(before) ? key.slice(before.length) : target.slice(from.length);
}

/** Files are found under their very names: undoing escapes once more would find another one. */
function exactly(found: Resolution, { key }: ObjectPlace): Resolution {
  if (found.kind !== "file") return found;
  const nameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1);
  if (nameOf(found.path) === nameOf(key.replace(/\/$/, ""))) return found;
  const path = nameOf(key);
  const missing = finding("target-is-local", targetAt(path), { path, syntax: "name" });
  return { kind: "unresolved", finding: missing, host: "local paths", steps: found.steps };
}

function refused(target: string, facts: RefusedKey): Resolution {
  return { kind: "unresolved", finding: finding("icechunk-key-refused", targetAt(target), facts), steps: [] };
}
