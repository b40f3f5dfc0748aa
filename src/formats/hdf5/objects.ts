/** The tree of groups, datasets and named types of a file. */
import { causeOfError } from "#core/metadata/node-document.ts";
import type { Finding } from "#core/findings/finding.ts";
import { at, Cursor, damaged, giveOwner, signed, type Hdf5File, type StructurePiece } from "./hdf5-file.ts";
import { decoded } from "./datatype.ts";
import { openHeap } from "./fractal-heap.ts";
import { type Attribute, type Link, readAttribute, readLink } from "./messages.ts";
import { fromSharedHeap, MESSAGE, type Message, readHeader, sharedBody } from "./object-header.ts";
import { eachInTurn, eachOfTree1, eachOfTree2 } from "./trees.ts";

export interface Hdf5Object {
  /** "/" is the root. An object of several names is there once for each. */
  readonly path: string;
  readonly address: number;
  readonly kind: "group" | "dataset" | "datatype";
  readonly messages: ReadonlyMap<number, Message>;
  readonly attributes: readonly Attribute[];
  readonly links: readonly Link[];
}

export interface Objects {
  readonly byPath: ReadonlyMap<string, Hdf5Object>;
  /**
   * Paths by the address of the header; the first has the fewest groups above it, and follows hard links if any lead
   * there.
   */
  readonly paths: ReadonlyMap<number, readonly string[]>;
  /** Objects that could not be read, with their paths. */
  readonly broken: ReadonlyMap<string, Finding>;
  /** Names are left out: there are too many. */
  readonly isCut: boolean;
}

type Read = Omit<Hdf5Object, "path" | "address">;

const MOST_OBJECTS = 200_000;
/** Names in addition to one for each object. */
export const MOST_ALIASES = 20_000;

export async function readObjects(file: Hdf5File): Promise<Objects> {
  const read = new Map<number, Read | Finding>();
  const owned = new Map<number, StructurePiece[]>();
  let level: readonly number[] = [file.root];
  while (level.length > 0) {
    const below = new Set<number>();
    await eachInTurn(
      level,
      async (address) => {
        const structures: StructurePiece[] = [];
        owned.set(address, structures);
        return [address, await readObject({ ...file, structures }, address).catch(causeOfError)] as const;
      },
      ([address, object]) => {
        read.set(address, object);
        if ("code" in object) return;
        for (const link of object.links) if (link.kind === "hard" && !read.has(link.address)) below.add(link.address);
      },
    );
    for (const address of level) below.delete(address);
    if (read.size + below.size > MOST_OBJECTS)
      throw damaged(file, "group", file.base + file.root, {
        expected: `at most ${MOST_OBJECTS} objects`,
        found: "more",
      });
    level = [...below];
  }
  const objects = named(file, read);
  for (const [address, structures] of owned) giveOwner(file, structures, objects.paths.get(address)?.[0]);
  return objects;
}

interface Place {
  readonly path: string;
  readonly address: number;
  /** Addresses of the groups on the way, the root first: none is entered twice. */
  readonly above: readonly number[];
}

/** Every path that leads to an object by hard and soft links, level by level. */
function named({ root }: Hdf5File, read: ReadonlyMap<number, Read | Finding>): Objects {
  const byPath = new Map<string, Hdf5Object>();
  const paths = new Map<number, string[]>();
  const broken = new Map<string, Finding>();
  const follow = linkFollower(root, read);
  let [level, aliases]: [readonly Place[], number] = [[{ path: "/", address: root, above: [] }], 0];
  while (level.length > 0) {
    const below: Record<"hard" | "soft", Place[]> = { hard: [], soft: [] };
    for (const { path, address, above } of level) {
      const others = paths.get(address) ?? [];
      if (others.length > 0) aliases += 1;
      if (aliases >= MOST_ALIASES) break;
      paths.set(address, [...others, path]);
      const object = read.get(address);
      if (object === undefined) continue;
      if ("code" in object) {
        broken.set(path, object);
        continue;
      }
      byPath.set(path, { ...object, path, address });
      const inside = [...above, address];
      for (const link of object.links.toSorted((one, other) => (one.name < other.name ? -1 : 1))) {
        const to = follow(inside, link);
        if (to === undefined || inside.includes(to) || link.kind === "external") continue;
        below[link.kind].push({ path: `${path === "/" ? "" : path}/${link.name}`, address: to, above: inside });
      }
    }
    level = [...below.hard, ...below.soft];
  }
  return { byPath, paths, broken, isCut: aliases >= MOST_ALIASES };
}

/** Soft links that lead to soft links: HDF5's own limit. */
const MOST_STEPS = 16;

/** The address that a link leads to from inside of groups; `undefined` where there is nothing. */
function linkFollower(root: number, read: ReadonlyMap<number, Read | Finding>) {
  const links = new Map<number, ReadonlyMap<string, Link>>();
  const linksOf = (address: number): ReadonlyMap<string, Link> => {
    const object = read.get(address);
    const own =
      links.get(address) ?? new Map(object && "links" in object ? object.links.map((one) => [one.name, one]) : []);
    links.set(address, own);
    return own;
  };
  return function follow(inside: readonly number[], link: Link, steps = 0): number | undefined {
    if (link.kind === "hard") return link.address;
    if (link.kind === "external" || steps >= MOST_STEPS) return undefined;
    let at = link.path.startsWith("/") ? [root] : inside;
    for (const name of link.path.split("/").filter((part) => part !== "" && part !== ".")) {
      const next = linksOf(at.at(-1) ?? root).get(name);
      const to = next && follow(at, next, steps + 1);
      if (to === undefined) return undefined;
      at = [...at, to];
    }
    return at.at(-1);
  };
}

async function readObject(file: Hdf5File, address: number): Promise<Read> {
  const all = await readHeader(file, address);
  const messages = new Map(all.map((message) => [message.type, message]));
  const isDataset = messages.has(MESSAGE.layout);
  const isGroup = messages.has(MESSAGE.symbolTable) || messages.has(MESSAGE.linkInfo) || messages.has(MESSAGE.link);
  const kind = isDataset ? "dataset" : isGroup || !messages.has(MESSAGE.datatype) ? "group" : "datatype";
  const [attributes, links] = await Promise.all([
    readAttributes(file, all),
    kind === "group" ? readLinks(file, all) : [],
  ]);
  return { kind, messages, attributes, links };
}

async function readAttributes(file: Hdf5File, all: readonly Message[]): Promise<readonly Attribute[]> {
  const unshare = (offset: number) => (type: number, body: Uint8Array) => sharedBody(file, { type, body, offset });
  const bodies = all.filter(({ type }) => type === MESSAGE.attribute);
  const info = all.find(({ type }) => type === MESSAGE.attributeInfo);
  const dense = info === undefined ? [] : await denseAttributes(file, info);
  return Promise.all([...bodies, ...dense].map((message) => readAttribute(file, message, unshare(message.offset))));
}

async function denseAttributes(file: Hdf5File, { body, offset }: Message): Promise<readonly Message[]> {
  const fields = new Cursor(file, "attribute info", offset, body, 1);
  if ((fields.u(1) & 1) !== 0) fields.skip(2);
  const [address, tree] = [fields.limit(file.O), fields.limit(file.O)];
  if (address === undefined || tree === undefined) return [];
  const heap = await openHeap(file, address);
  const ids: { readonly id: Uint8Array; readonly isShared: boolean }[] = [];
  const take = (record: Cursor): void => void ids.push({ id: record.take(8), isShared: (record.u(1) & 2) !== 0 });
  await eachOfTree2(file, tree, () => undefined, take);
  const found: Message[] = [];
  await eachInTurn(
    ids,
    ({ id, isShared }) => (isShared ? fromSharedHeap(file, MESSAGE.attribute, id, offset) : heap.get(id)),
    (of) => found.push({ type: MESSAGE.attribute, body: of, offset }),
  );
  return found;
}

async function readLinks(file: Hdf5File, all: readonly Message[]): Promise<readonly Link[]> {
  const { O } = file;
  const links: Link[] = [];
  for (const { type, body, offset } of all) {
    const fields = new Cursor(file, "link", offset, body);
    if (type === MESSAGE.link) links.push(readLink(fields, O));
    else if (type === MESSAGE.symbolTable) links.push(...(await oldLinks(file, fields.u(O), fields.u(O))));
    else if (type === MESSAGE.linkInfo) links.push(...(await denseLinks(file, fields)));
  }
  return links;
}

async function denseLinks(file: Hdf5File, fields: Cursor): Promise<readonly Link[]> {
  const { O } = file;
  if ((fields.skip(1).u(1) & 1) !== 0) fields.skip(8);
  const [address, tree] = [fields.limit(O), fields.limit(O)];
  if (address === undefined || tree === undefined) return [];
  const heap = await openHeap(file, address);
  const ids: Uint8Array[] = [];
  await eachOfTree2(
    file,
    tree,
    () => undefined,
    (record) => void ids.push(record.skip(4).take(7)),
  );
  const links: Link[] = [];
  await eachInTurn(
    ids,
    (id) => heap.get(id),
    (body) => links.push(readLink(new Cursor(file, "link", fields.offset, body), O)),
  );
  return links;
}

/** Symbol tables (III.A.1, III.B to D). The name's offset has the size of lengths: the format's text says offsets. */
async function oldLinks(file: Hdf5File, tree: number, heap: number): Promise<readonly Link[]> {
  const { O, L } = file;
  const head = await signed(file, "local heap", "HEAP", heap, 8 + 2 * L + O);
  const [size, data] = [head.skip(4).u(L), head.skip(L).u(O)];
  const names = await at(file, "local heap", data, size);
  const nodes: number[] = [];
  await eachOfTree1(file, tree, L, (_bytes, _from, child) => void nodes.push(child));
  const entry = O + L + 24;
  const links: Link[] = [];
  await eachInTurn(
    nodes,
    async (address) => {
      const count = (await signed(file, "symbol table node", "SNOD", address, 8, 8 * entry)).skip(2).u(2);
      return new Cursor(
        file,
        "symbol table node",
        file.base + address,
        await at(file, "symbol table node", address + 8, count * entry),
      );
    },
    (fields) => {
      while (fields.left >= entry) links.push(symbol(fields, names, O, L));
    },
  );
  return links;
}

function symbol(fields: Cursor, names: Uint8Array, O: number, L: number): Link {
  const text = (from: number): string => {
    const end = names.indexOf(0, from);
    if (from >= names.length || end < 0) fields.fail("a name in the local heap", `offset ${from}`);
    return decoded(names.subarray(from, end)).text;
  };
  const [name, address, cached] = [fields.u(L), fields.u(O), fields.u(4)];
  const scratch = new DataView(fields.skip(4).take(16).slice().buffer);
  if (cached === 2) return { kind: "soft", name: text(name), path: text(scratch.getUint32(0, true)) };
  return { kind: "hard", name: text(name), address };
}
