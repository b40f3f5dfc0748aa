/** How sets of a format are recognised and opened. */
import type { CallContext, Locations } from "#core/byte-source.ts";
import type { Finding, RefscopeError } from "#core/findings/finding.ts";
import type { MetadataDocument } from "#core/metadata/array-metadata.ts";
import type { Choose } from "#core/open-set.ts";
import type { LocalFiles } from "#io/local-files.ts";
import type { Store } from "#io/store.ts";
import type { EngineSet } from "../engine-set.ts";
import type { DocumentSource, Network } from "../chunk/sources.ts";
import type { StoreDocuments } from "./zarr/store-documents.ts";

/**
 * A format. What its functions need is imported when they are called: a driver is part of the worker's first load.
 *
 * A set is in a folder, or in a document, or (Kerchunk Parquet) a document is a part of what is in a folder.
 */
export interface FormatDriver {
  readonly folder?: FolderDriver;
  readonly document?: DocumentDriver;
}

export interface FolderDriver {
  /** "Zarr store": in lists of what may be opened. */
  readonly name: string;
  /** Names of folders that are likely to be one, whatever address they have. */
  readonly names: RegExp;
  /** True if the address of a file of this name means the folder it lies in. */
  isMember?(name: string): boolean;
  /** Matching folders among the paths of all files; absent if another driver finds them too. */
  foldersIn?(paths: readonly string[]): Iterable<string>;
  /** How one of several folders is described, if not by `name`. */
  detail?(files: LocalFiles, folder: string): string;
  /** True if other drivers should go first, because this one's requests are likely to find nothing. */
  isUnlikely?(place: FolderPlace, options: OpenOptions): boolean;
  /** `undefined` if the folder is not of this format. */
  open(folder: Folder, opening: Opening): Promise<EngineSet | undefined>;
}

export interface DocumentDriver {
  /** "Kerchunk JSON, plain, .gz or .zst": in lists of what may be opened. */
  readonly name: string;
  /** Names of files whose first bytes are worth a look. */
  readonly names: RegExp;
  /** How many of these `recognise` needs. */
  readonly headBytes: number;
  /** Most bytes of a lone file that no driver recognises otherwise. */
  readonly mostHeadBytes?: number;
  /**
   * `head`: the first bytes, decompressed. "maybe": where no other file surely is one. "target": what references point
   * into, and a set of its own where there is nothing else.
   */
  recognise(head: Uint8Array, name: string): "yes" | "maybe" | "target" | "no";
  /** Its files are parts of a set ("Parquet"): they are offered, as this and by name, only where nothing else opens. */
  readonly part?: string;
  /** It reads from the end, too: the size is asked for where it is not known. */
  readonly needsSize?: true;
  /** It reads what no other driver recognises, without a look at the first bytes, and says what it is instead. */
  readonly readsRest?: true;
  /** `choice` is one inside the document. */
  open(source: DocumentSource, choice: string | undefined, opening: Opening): Promise<OpenedDocument>;
}

/** Context of all steps of opening. */
export interface Opening {
  readonly locations: Locations;
  readonly network: Network;
  readonly options: OpenOptions;
  readonly context: CallContext;
  /** Opens all data files of a choice as one dataset; if absent, that can't be chosen. */
  readonly together?: OpenTogether;
}

export type OpenTogether = (files: LocalFiles, opening: Opening) => Promise<OpenedAny>;

export interface OpenOptions {
  readonly choice?: string | undefined;
  /** Groups and arrays to ask for, where a store cannot be listed. */
  readonly paths?: readonly string[];
  /** Branch, tag or snapshot of a repository. */
  readonly ref?: string | undefined;
  /** Whatever is recognised, all that it may be is a choice. */
  readonly ask?: boolean;
  /** Files among which targets of a set opened by URL are looked for. */
  readonly files?: LocalFiles;
  /** fsspec's `template_overrides`. */
  readonly overrides?: ReadonlyMap<string, string>;
  /** Maximum number of references that gens may create. */
  readonly most?: number | undefined;
  /** The set is given before its references are counted, where there are many: its `refresh` counts them. */
  readonly countsLater?: boolean;
  /** Treat it as a reference set whatever it contains: it is being written. */
  readonly meant?: boolean;
  /** Documents from an earlier version of the dataset, so that the same references are not fetched again. */
  readonly knownMetadata?: ReadonlyMap<string, MetadataDocument>;
}

/** `array`: that the address names. */
export type OpenedAny = { readonly kind: "set"; readonly set: EngineSet; readonly array?: string } | Choose;

/** Result for a document that may turn out to be no reference set: there may be a folder. */
export type OpenedDocument = OpenedAny | OtherDocument;

/** A document that is not a reference set. */
export interface OtherDocument {
  readonly kind: "other";
  readonly error: RefscopeError;
}

/** A folder of objects by key, among files or at an address. */
export interface FolderPlace {
  readonly store: Store;
  readonly name: string;
  readonly url: string | undefined;
  readonly choice: string | undefined;
  /** Files given together with the folder, its own among them. */
  readonly files: LocalFiles | undefined;
  /** Findings about the archive, made while locating the folder. */
  readonly findings: readonly Finding[];
}

export interface Folder extends FolderPlace {
  /** When opening it began, by `performance.now()`. */
  readonly started: number;
  /** Its metadata documents of Zarr, read once for all drivers that ask. */
  documents(): Promise<StoreDocuments>;
}
