/** Opening and closing sets, and describing one as a whole. */
import type { CallContext, Locations } from "#core/byte-source.ts";
import type { DatasetCard } from "#core/dataset-card.ts";
import type { Finding } from "#core/findings/finding.ts";
import type {
  NodeDetail,
  OpenAnswer,
  OpenRequest,
  OpenSource,
  Overview,
  SetSummary,
  UnreadableTargets,
} from "#core/open-set.ts";
import { droppedFiles } from "#io/local-files.ts";
import { summaryOf } from "../describe/summary.ts";
import type { EngineSet } from "../engine-set.ts";
import type { EngineContext, OfSet, Session } from "../sessions.ts";
import { loadRest } from "../table/load-pages.ts";
import type { OpenOptions, OpenTogether } from "./driver.ts";
import { openAny, withFiles } from "./open-any.ts";

interface AtPath extends OfSet {
  readonly path: string;
}

function joining(engine: EngineContext) {
  return {
    /** From now on the server that gave the page, on this computer, fetches what it offers to; and what it was started with. */
    async join({ base }: { readonly base: string }): Promise<{ readonly open: string | null }> {
      const { joined } = await import("#io/http/own-server.ts");
      const { open, network } = await joined(base, engine.network);
      engine.network = network;
      return { open };
    },
  };
}

export function setOperations(engine: EngineContext, together: OpenTogether) {
  const { sessions, kept } = engine;
  return {
    ...joining(engine),
    /** A set, or what to choose from; call again with `choice`. Nothing open is closed. */
    async open(request: OpenRequest, context: CallContext): Promise<OpenAnswer> {
      const { source } = request;
      const { network } = engine;
      const locations = { ...request.locations, relays: network.relays };
      const options = { ...openOptions(request), countsLater: true };
      const opened = await openAny(source, { locations, network, options, context, together });
      if (opened.kind === "choose") return opened;
      return { ...opened, set: summaryOf(opened.set, sessions.add(opened.set)) };
    },
    close({ set }: OfSet): void {
      sessions.close(set);
      kept.forget(set);
    },
    /** From now on targets of this set are resolved with these. Files are added to those already given. */
    locate({ set, locations, files }: OfSet & { readonly locations: Locations; readonly files?: OpenSource }): void {
      const session = sessions.get(set);
      relocate(session.set, { ...locations, relays: engine.network.relays }, files);
      forgetWhatFailed(session);
      kept.forget(set);
    },
    /** Asks again what failed; what was read stays. */
    retry({ set }: OfSet): void {
      const session = sessions.get(set);
      relocate(session.set, session.set.targets.locations, undefined);
      forgetWhatFailed(session);
    },
    async overview({ set, path }: AtPath, context: CallContext): Promise<Overview> {
      const { overviewOf } = await import("../describe/overview.ts");
      return overviewOf(sessions.get(set).set, path, context);
    },
    /** A group as a dataset: dimensions, coordinates, variables. */
    async card({ set: id, path }: AtPath, context: CallContext): Promise<DatasetCard> {
      const { datasetCard } = await import("../describe/dataset-card.ts");
      const { set } = sessions.get(id);
      await set.refresh(context);
      return datasetCard(set, path);
    },
    /** Targets that cannot be read from here; makes no requests. */
    async unreadable({ set }: OfSet, context: CallContext): Promise<UnreadableTargets> {
      const { unreadableTargets } = await import("./unreadable-targets.ts");
      return unreadableTargets(sessions.get(set).set, context);
    },
    /** Why hosts are left alone, one each. */
    silent: ({ set }: OfSet): readonly Finding[] => sessions.get(set).set.targets.silent(),
    /** `whole`: texts of any length; else the beginnings of long ones. */
    async node({ set, path, whole }: AtPath & { readonly whole?: boolean }, context: CallContext): Promise<NodeDetail> {
      const { describeNode } = await import("../describe/node-detail.ts");
      return describeNode(sessions.get(set).set, path, context, whole);
    },
    /** Summary of the set as it is now. */
    async summary({ set: id }: OfSet, context: CallContext): Promise<SetSummary> {
      const { set } = sessions.get(id);
      await set.refresh(context);
      return summaryOf(set, id);
    },
    /** Fetches the pages of references at or below a path that are not here. What has grown is pushed. */
    loadPages: ({ set, path }: AtPath, context: CallContext): Promise<void> =>
      loadRest(sessions.get(set).set, path, context),
  };
}

function openOptions({ overrides, most, choice, paths = [], ask = false, ref }: OpenRequest): OpenOptions {
  return { ...(overrides === undefined ? {} : { overrides: new Map(overrides) }), most, choice, paths, ask, ref };
}

/** Earlier failures and checks may no longer hold, so they are dropped until they occur again. */
function forgetWhatFailed({ set: { met }, checks, found }: Session): void {
  for (const kind of ["sources", "held", "values", "glance", "reader", "zarrita", "profiles"] as const)
    delete checks[kind];
  found.clear();
  met.failures.clear();
  met.unbuilt.clear();
  met.unreached.clear();
  met.suggestions.clear();
  met.searches.clear();
  for (const known of [...met.results.values(), ...met.answered.values()])
    for (const [ordinal, { result }] of known) if (result === "failed") known.delete(ordinal);
  met.readings += 1;
}

function relocate({ targets, met }: EngineSet, locations: Locations, files: OpenSource | undefined): void {
  const added = files?.kind === "files" ? files.files : [];
  // The answers came from other places.
  met.answers.clear();
  targets.relocate(locations, added.length === 0 ? targets.files : withFiles(targets.files, droppedFiles(added)));
}
