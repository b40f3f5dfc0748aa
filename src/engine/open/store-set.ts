/** A set whose metadata lie in a store, wherever its references come from. */
import { buildHierarchy } from "#core/metadata/build-hierarchy.ts";
import type { CallContext } from "#core/byte-source.ts";
import type { CodecTable } from "#core/metadata/codec-table.ts";
import { finding, type Finding, WHOLE_SET } from "#core/findings/finding.ts";
import { FindingLog } from "#core/findings/finding-log.ts";
import type { Hierarchy } from "#core/metadata/array-metadata.ts";
import { folderAbove, resolveTarget, type BaseLocation } from "#io/resolve.ts";
import type { Store } from "#io/store.ts";
import type { EngineSet, SetFormat } from "../engine-set.ts";
import { codecTableFor } from "#codecs/codec-table.ts";
import type { StoreDocuments } from "./zarr/store-documents.ts";
import type { Folder, Opening } from "./driver.ts";
import { growingTable, makeSet, partsOf, slotsOf, type GrowingTable } from "./set.ts";
import { targetReader, type TargetReader } from "../chunk/sources.ts";

/** Context that the ways of finding an array's references in a store share while it is opened. */
export interface StoreContext {
  readonly store: Store;
  readonly hierarchy: Hierarchy;
  readonly table: GrowingTable;
  readonly targets: TargetReader;
  /** The store's folder; targets that references write may lie anywhere, unlike the store's own objects. */
  readonly folder: BaseLocation;
  /** Before the first target is resolved. */
  readonly rebase: (base: BaseLocation) => void;
  readonly opening: FindingLog;
}

/** Result of a format's reading of the metadata documents that were found. */
export interface StoreReading extends Pick<StoreDocuments, "documents" | "findings" | "bytes"> {
  readonly unlisted?: boolean;
  /** The reason for which fsspec refuses the set; absent if it reads it. */
  readonly refused?: Finding | undefined;
  /** Codecs, if they are being fetched already. */
  readonly codecs?: Promise<CodecTable>;
  /** Ranges are virtual chunks. */
  readonly virtual?: boolean;
  /** Relative targets lie beside the store's folder, not in it. */
  readonly isBeside?: boolean;
  /** Reader of targets whose places are not as written. */
  targetsIn?(reader: TargetReader, base: BaseLocation): TargetReader;
  /** Gives each array its rows or pages. The answer: what else there is to the set. */
  addArrays(around: StoreContext, context: CallContext): Promise<StoreExtras | void>;
  formatOf(hierarchy: Hierarchy): SetFormat;
}

type StoreExtras = Partial<
  Pick<
    EngineSet,
    "ref" | "repository" | "recorded" | "resolveKey" | "nativePlace" | "targetFindings" | "recordsTargets"
  >
>;

/** Pages of a local store that are read at once when it is opened. */
const FEW_PAGES = 64;

export async function storeSet(
  folder: Folder,
  reading: StoreReading,
  { locations, network, options, context }: Opening,
): Promise<EngineSet> {
  const { store, name, url, choice, files } = folder;
  const { documents, bytes, refused, virtual = false, unlisted = false } = reading;
  const opening = new FindingLog();
  const codecs = await (reading.codecs ?? codecTableFor(documents.values()));
  const { hierarchy, findings } = buildHierarchy(documents.values(), [], codecs);
  opening.addAll([...folder.findings, ...reading.findings, ...findings]);
  if (unlisted) opening.add(finding("store-not-listable", WHOLE_SET, {}));
  const { exact: _, ...own } = store.base as BaseLocation & { readonly exact?: true };
  const base = reading.isBeside === true ? folderAbove(own) : own;
  const reader = targetReader({ base, files, path: undefined }, locations, network);
  const targets = reading.targetsIn?.(reader, base) ?? reader;
  const watched = network.relays?.watched;
  const table = growingTable(
    slotsOf(hierarchy, { virtual }),
    watched &&
      ((pages, path, grid) => watched(pages, { url, path, grid, resolve: (target) => targets.resolve(target) })),
  );
  const extras = await reading.addArrays(
    { store, hierarchy, table, targets, folder: own, rebase: reader.rebase, opening },
    context,
  );
  await loadFew(table, store, context);
  return makeSet(
    {
      name,
      url,
      choice,
      format: reading.formatOf(hierarchy),
      bytesReceived: bytes,
      documentBytes: bytes,
      refused,
      hierarchy,
      documents,
      targets,
      ...partsOf(table),
      opening: opening.list(),
      countsLater: options.countsLater,
      milliseconds: performance.now() - folder.started,
      resolveKey: (key) => resolveTarget(key, store.base, locations, files),
      unlisted,
      ...extras,
    },
    context,
  );
}

/** Pages that need no request are loaded at once. */
async function loadFew({ index }: GrowingTable, store: Store, context: CallContext): Promise<void> {
  if (store.keys === undefined) return;
  const count = [...index.paged.values()].reduce((sum, { pages }) => sum + pages.count, 0);
  if (count > FEW_PAGES) return;
  for (const pages of index.paged.values()) await pages.load(pages.rest(), context);
}
