/** Opens what is named on the command line: a file, a directory or a URL. */
import { setMaxListeners } from "node:events";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { type ByteSource, type CallContext, fileByName, type Relays } from "../core/byte-source.ts";
import { failure, targetAt } from "../core/findings/finding.ts";

import { type ZarrUrl, zarrUrl } from "../core/urls/zarr-url.ts";
import type { EngineSet } from "../engine/engine-set.ts";
import type { OpenOptions, OpenedAny } from "../engine/open/driver.ts";
import { isFolderMember } from "../engine/open/drivers.ts";
import { openAny, openFiles, pathsTo } from "../engine/open/open-any.ts";
import { togetherLater as together } from "../engine/preflight/together-later.ts";
import type { Network } from "../engine/chunk/sources.ts";
import { findByPath, indexByName, type FileMatch, type LocalFiles } from "../io/local-files.ts";
import type { Fetch } from "../io/http/http-target.ts";
import { isZipHead } from "../io/zip.ts";
import { locationsOf, outputsOf, renderingOf, type CommandOptions } from "./options.ts";
import { guardedFetch } from "./guarded-fetch.ts";
import { printable } from "./print/lines.ts";
import { progressOn, received } from "./print/progress.ts";
import { directoryFiles, filesOfDirectory, pathSource, siblingFiles } from "./directory.ts";
import { refuseInputs } from "./write-out.ts";

export function terminalContext(): CallContext {
  // Many reads share a signal, and those that are made of it.
  setMaxListeners(0);
  const { signal } = new AbortController();
  return { signal, report: process.stderr.isTTY ? progressOn(process.stderr) : () => undefined };
}

/** Instead of asking the network as it is. */
export interface Reach {
  readonly network: Network;
  readonly relays: Relays;
}

export async function openRefs(
  refs: string,
  options: CommandOptions,
  context: CallContext,
  reach?: Reach,
): Promise<OpenedAny> {
  const piped = isUrl(refs) && !refs.startsWith("file:") ? undefined : zarrUrl(refs);
  if (piped !== undefined)
    return openRefs(piped.url.replace(/^file:(?:\/\/)?(?=\/)/, ""), { ...given(piped), ...options }, context, reach);
  const network = reach?.network ?? networkOf(refs, options);
  const locations = { ...locationsOf(options), ...(reach && { relays: reach.relays }) };
  const root = options.root === undefined ? undefined : await directoryFiles(options.root);
  const rendering = { ...renderingOf(options), ref: options.ref };
  if (isUrl(refs)) {
    const paths = pathsTo(options.array ?? "");
    const asked: OpenOptions = { ...rendering, choice: options.choice, paths, ...(root && { files: root }) };
    return openAny({ kind: "url", url: refs }, { locations, network, options: asked, context, together });
  }
  const { files, chosen } = await givenFiles(refs, options.root, root, context);
  const inner = options.choice ?? "";
  const choice = inner.startsWith(chosen) ? inner : chosen + inner;
  const opening = { locations, network, context, together, options: { ...rendering, choice } };
  const opened = await openFiles(files, opening);
  if (opened.kind === "set") {
    if (root !== undefined) sayFoundByName(opened.set);
    return opened;
  }
  const choices = opened.choices.map((one) => ({ ...one, id: shortChoice(one.id, chosen) }));
  return { ...opened, choices };
}

const given = ({ choice, ref }: ZarrUrl) => ({ ...(choice && { choice }), ...(ref !== undefined && { ref }) });

/** Error for an argument that holds several datasets: the user must choose one. */
export class ChoiceNeeded extends Error {
  readonly opened: Extract<OpenedAny, { kind: "choose" }>;

  constructor(opened: ChoiceNeeded["opened"]) {
    super(`${opened.title}. Choose one with --choice: ${opened.choices.map(({ id }) => id).join(", ")}`);
    this.opened = opened;
  }
}

/** Throws ChoiceNeeded. */
export async function openSet(
  refs: string,
  options: CommandOptions,
  context: CallContext,
  reach?: Reach,
): Promise<EngineSet> {
  const opened = await openRefs(refs, options, context, reach);
  if (opened.kind === "choose") throw new ChoiceNeeded(opened);
  if (options.force === true)
    for (const output of outputsOf(options)) await refuseInputs(output, filesOf(opened.set, refs, options.root));
  return opened.set;
}

/** Paths of all that the set's references name, and that is here. */
function* filesOf({ table, targets }: EngineSet, refs: string, root: string | undefined): Generator<string> {
  for (let id = 0; id < table.targets.count; id += 1) {
    let found = targets.resolve(table.targets.text(id));
    while (found.kind === "member") found = found.archive;
    if (found.kind === "file") yield join(folderOfFiles(refs, root), found.path);
  }
}

/** Targets that are looked at for it. */
const MAX_LOOKED_AT = 10_000;

/** A file of the same name elsewhere below the root is read in place of what is missing: never without a word. */
function sayFoundByName({ table, targets }: EngineSet): void {
  const found: string[] = [];
  for (let id = 0; id < Math.min(table.targets.count, MAX_LOOKED_AT); id += 1) {
    const target = table.targets.text(id);
    const file = fileByName(targets.resolve(target));
    if (file !== undefined)
      found.push(`${printable(target)} is read from ${printable(file)}, found by its name below --root.`);
  }
  const [first] = found;
  if (first !== undefined) console.error(found.length === 1 ? first : `${first} So are ${found.length - 1} more.`);
}

/** Without what names the document or archive again, and without the line feed that ends a path. */
function shortChoice(id: string, chosen: string): string {
  const short = id.startsWith(chosen) ? id.slice(chosen.length) : id;
  return short.endsWith("\n") ? short.slice(0, -1) : short;
}

/** `refs`: what the user wrote. */
export function networkOf(refs: string, { offline, allowPrivate }: CommandOptions): Network {
  if (offline === true) return { http: { fetch: refuse, attempts: 1 } };
  const trusted = isUrl(refs) ? refs : undefined;
  return { http: { followsRedirects: true, fetch: counted(guardedFetch({ trusted, allowPrivate })) } };
}

/** Counts the bytes that servers declare. */
const counted =
  (fetch: Fetch): Fetch =>
  async (url, init) => {
    const response = await fetch(url, init);
    received.bytes += Number(init?.method === "HEAD" ? 0 : (response.headers.get("content-length") ?? 0));
    return response;
  };

export const isUrl = (refs: string): boolean => /^[a-z][a-z\d+.-]*:\/\//i.test(refs);

interface Given {
  /** The named file or folder, and the files that targets may be. */
  readonly files: LocalFiles;
  /** The beginning of every choice: the document or archive that was named; empty for a folder. */
  readonly chosen: string;
}

const namedPath = (refs: string): string => resolve(isFolderMember(basename(refs)) ? dirname(refs) : refs);

/** Folder that paths of files are relative to. */
export const folderOfFiles = (refs: string, rootPath: string | undefined): string =>
  rootPath === undefined ? dirname(namedPath(refs)) : resolve(rootPath);

async function givenFiles(
  refs: string,
  rootPath: string | undefined,
  root: LocalFiles | undefined,
  context: CallContext,
): Promise<Given> {
  const path = namedPath(refs);
  const inner = await filesOfDirectory(path);
  // Relative targets are relative to what is named; where it lies outside the root, to the root itself.
  const below = rootPath === undefined ? "" : relative(resolve(rootPath), path).split(sep).join("/");
  const isInside = rootPath !== undefined && below !== ".." && !below.startsWith("../");
  const name = isInside ? below : basename(path);
  const beside = root ?? siblingFiles(dirname(path));
  if (inner === undefined) {
    const source = await pathSource(refs);
    const isArchive = await isZip(source, context);
    return { files: withOne(beside, name, source), chosen: isArchive ? `${name}!/` : `${name}\n` };
  }
  const all = isInside && root !== undefined ? root : withFolder(beside, name, inner);
  const list = name === "" ? all.list : all.list.filter((path) => path.startsWith(`${name}/`));
  return {
    files: { ...all, list, all: [...new Set([...list, ...(all.all ?? all.list), ...beside.list])] },
    chosen: "",
  };
}

async function isZip(source: ByteSource, context: CallContext): Promise<boolean> {
  if ((source.size ?? 0) < 22) return false;
  return isZipHead((await source.read({ offset: 0, length: 4 }, context)).bytes);
}

function withOne(beside: LocalFiles, name: string, one: ByteSource): LocalFiles {
  return {
    list: [...new Set([...beside.list, name])],
    find: (target) => beside.find(target),
    ...(beside.outside && { outside: beside.outside }),
    source: (path) => (path === name ? one : beside.source(path)),
    look: (path, length) => (path === name ? undefined : beside.look?.(path, length)),
  };
}

function withFolder(beside: LocalFiles, name: string, inner: LocalFiles): LocalFiles {
  const prefix = `${name}/`;
  const own = inner.list.map((path) => prefix + path);
  const index = indexByName(own);
  return {
    list: own,
    find: (target) => {
      const found = findByPath(index, target);
      return found.kind === "match" && found.how === "path" ? found : bestOf(beside.find(target), found);
    },
    ...(beside.outside && { outside: beside.outside }),
    source: (path) => (path.startsWith(prefix) ? inner.source(path.slice(prefix.length)) : beside.source(path)),
    look: (path, length) =>
      path.startsWith(prefix) ? inner.look?.(path.slice(prefix.length), length) : beside.look?.(path, length),
  };
}

const bestOf = (first: FileMatch, second: FileMatch): FileMatch => (first.kind === "none" ? second : first);

function refuse(url: string): Promise<Response> {
  return Promise.reject(failure("offline", targetAt(url), {}));
}
