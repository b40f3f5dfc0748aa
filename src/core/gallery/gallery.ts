/**
 * Public stores that the start page offers by name. The list is data, in `stores.json`, and nothing in it is asked for
 * before somebody opens it; `npm run gallery` reads one chunk of each and writes when that was.
 */
export interface Gallery {
  readonly groups: readonly GalleryGroup[];
}

export interface GalleryGroup {
  readonly name: string;
  readonly stores: readonly PublicStore[];
}

export interface PublicStore {
  readonly id: string;
  readonly name: string;
  readonly publisher: string;
  readonly format: string;
  /** Licence of the data; `null` if the page with the address states none. */
  readonly licence: string | null;
  /** One sentence. */
  readonly shows: string;
  /** Size in the publisher's words, if stated. */
  readonly size: string | null;
  /** Address to open: always `https:`. */
  readonly address: string;
  readonly published: PublishedAddress;
  /** The array that `npm run gallery` reads a chunk of; `null` where any will do. */
  readonly array: string | null;
  /** ISO date of the last time a chunk was read; `null` = not yet verified. */
  readonly lastRead: string | null;
  /** True if its server then let pages from elsewhere read it (CORS). */
  readonly crossOrigin: boolean | null;
}

export interface PublishedAddress {
  /** Address as its publisher writes it: `s3:`, `gs:` or `https:`. */
  readonly address: string;
  /** Region of an `s3:` address. */
  readonly region: string | null;
  /** The page or file it was found in. */
  readonly where: string;
}

/** Facts that a check of a store adds to the list. */
export interface StoreRead {
  /** ISO date. */
  readonly date: string;
  readonly crossOrigin: boolean;
}

/** The list with what was read, by id; all else stays as it is. */
export function withReads(gallery: Gallery, reads: ReadonlyMap<string, StoreRead>): Gallery {
  const dated = (store: PublicStore): PublicStore => {
    const read = reads.get(store.id);
    return read === undefined ? store : { ...store, lastRead: read.date, crossOrigin: read.crossOrigin };
  };
  return { groups: gallery.groups.map((group) => ({ ...group, stores: group.stores.map(dated) })) };
}

/** Groups with the stores that have all words of a search in what is said of them; groups without any are left out. */
export function storesMatching(gallery: Gallery, search: string): readonly GalleryGroup[] {
  const words = search
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  const isMeant = (group: string, store: PublicStore): boolean => {
    const said = [group, store.name, store.publisher, store.format, store.shows, store.address, store.licence ?? ""];
    const text = said.join(" ").toLowerCase();
    return words.every((word) => text.includes(word));
  };
  return gallery.groups
    .map(({ name, stores }) => ({ name, stores: stores.filter((store) => isMeant(name, store)) }))
    .filter(({ stores }) => stores.length > 0);
}

/** Words for the last check of a store. */
export function verifiedWords({ lastRead, crossOrigin }: Pick<PublicStore, "lastRead" | "crossOrigin">): string {
  if (lastRead === null) return "not yet verified";
  return crossOrigin === false ? `read ${lastRead}, but not from pages (CORS)` : `read ${lastRead}`;
}
