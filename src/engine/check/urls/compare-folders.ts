/** Finds URLs that are odd beside the others of the set. Files of one folder are judged as one. */
import { groupedBy } from "#core/basics.ts";
import { editDistance } from "#core/words/near-name.ts";
import { storeAddress } from "#core/urls/bucket-names.ts";
import { urlProblem, type UrlProblem } from "./judge-url.ts";
import { localSyntax, normalFolder, urlKind, type UrlKind, urlParts, withoutCaches } from "#core/urls/url-parts.ts";

export interface Folder {
  /** With its slash; `""` where a target is but a name. */
  readonly written: string;
  readonly targets: number;
  /** Something is wrong with it by itself: its host is not compared. */
  readonly isBroken: boolean;
}

/** Problems by the folder as written. */
export type FolderProblems = ReadonlyMap<string, readonly UrlProblem[]>;

interface Placed extends Folder {
  readonly kind: UrlKind;
  /** Scheme in lower case; `""` for paths. */
  readonly scheme: string;
  readonly host: string;
  /** Region of a bucket, if the address names it. */
  readonly region: string | undefined;
  readonly normal: string;
}

/** Kind of a folder; a name alone tells nothing. */
function folderKind(written: string): UrlKind {
  return written === "" ? "relative" : urlKind(withoutCaches(written));
}

export function compareFolders(folders: readonly Folder[]): FolderProblems {
  const placed = folders.map((folder) => placedFolder(folder));
  const remote = placed.filter(({ kind, isBroken }) => kind === "remote" && !isBroken);
  const found = new Map<string, UrlProblem[]>();
  const add = (folder: Folder, problem: UrlProblem) =>
    found.set(folder.written, [...(found.get(folder.written) ?? []), problem]);
  paths(placed, add);
  spellings(placed, add);
  schemes(remote, add);
  hosts(remote, add);
  regions(remote, add);
  return found;
}

type Add = (folder: Folder, problem: UrlProblem) => void;

function placedFolder(folder: Folder): Placed {
  const written = withoutCaches(folder.written);
  const { scheme = "", host, path } = urlParts(written);
  const address = storeAddress(scheme, host, path);
  const plain = host.toLowerCase().replace(/:(?:443|80)$/, "");
  return {
    ...folder,
    kind: folderKind(folder.written),
    scheme: scheme.toLowerCase(),
    host: address === undefined ? plain : `${address.store} bucket ${address.bucket}`,
    region: address?.store === "s3" ? address.region : undefined,
    normal: normalFolder(written),
  };
}

const sum = (folders: readonly Folder[]): number => folders.reduce((all, { targets }) => all + targets, 0);

/** Paths of a machine, and relative ones among whole addresses. */
function paths(folders: readonly Placed[], add: Add): void {
  const kinds = groupedBy(folders, ({ kind }) => kind);
  const [remote, local, relative] = (["remote", "local", "relative"] as const).map((kind) => kinds.get(kind) ?? []);
  const others = sum(remote ?? []) + sum(relative ?? []);
  for (const one of local ?? []) {
    const syntax = localSyntax(withoutCaches(one.written));
    add(one, urlProblem("url-local-path", { syntax, others }));
  }
  const whole = sum(remote ?? []);
  if (whole === 0 || sum(relative ?? []) > whole) return;
  for (const one of relative ?? []) if (!one.isBroken) add(one, urlProblem("url-relative", { whole }));
}

/** So many as often as a spelling that is rare. */
const RARE = 4;

/** Folders that are the same one, written in several ways; and one that nobody else on the host writes so. */
function spellings(folders: readonly Placed[], add: Add): void {
  const comparable = folders.filter(({ kind, isBroken }) => kind !== "other" && !isBroken);
  const told = new Set<string>();
  const tell = (folder: Placed, usual: string) => {
    if (told.has(folder.written)) return;
    told.add(folder.written);
    add(folder, urlProblem("url-two-spellings", { folder: folder.written, usual }));
  };
  for (const same of groupedBy(comparable, ({ normal }) => normal).values()) {
    if (same.length < 2) continue;
    const usual = same.toSorted((a, b) => b.targets - a.targets || Number(isOdd(a)) - Number(isOdd(b)))[0];
    for (const one of same) if (usual !== undefined && one !== usual) tell(one, usual.written);
  }
  for (const near of groupedBy(comparable, ({ scheme, host }) => `${scheme} ${host}`).values()) {
    const odd = near.filter(isOdd);
    if (odd.length === 0 || sum(odd) * RARE > sum(near) - sum(odd)) continue;
    for (const one of odd) tell(one, one.normal);
  }
}

const isOdd = ({ written, normal }: Placed): boolean => withoutCaches(written) !== normal;

/** A few among many of another scheme, or the same bucket by two. */
function schemes(folders: readonly Placed[], add: Add): void {
  const by = [...groupedBy(folders, ({ scheme }) => scheme)].toSorted(([, a], [, b]) => sum(b) - sum(a));
  const [usual, ...others] = by;
  if (usual === undefined) return;
  const [scheme, most] = usual;
  const buckets = new Set(most.map(({ host }) => host));
  for (const [other, few] of others) {
    for (const one of few) {
      if (other === "http" && by.some(([name]) => name === "https")) {
        add(one, urlProblem("url-mixed-http", { https: sum(by.find(([name]) => name === "https")?.[1] ?? []) }));
      } else if (sum(few) * RARE <= sum(most) || buckets.has(one.host)) {
        const same = buckets.has(one.host) && / bucket /.test(one.host);
        add(one, urlProblem("url-mixed-scheme", { scheme: other, usual: scheme, others: sum(most), same }));
      }
    }
  }
  const plain = by.find(([name]) => name === "https");
  if (scheme === "http" && plain !== undefined) {
    for (const one of most) add(one, urlProblem("url-mixed-http", { https: sum(plain[1]) }));
  }
}

/** One in so many is a stranger, where its name is like no other. */
const STRANGER = 20;

function hosts(folders: readonly Placed[], add: Add): void {
  const by = [...groupedBy(folders, ({ host }) => host)].toSorted(([, a], [, b]) => sum(b) - sum(a));
  const [usual, ...others] = by;
  if (usual === undefined) return;
  const [name, most] = usual;
  for (const [other, few] of others) {
    const isNear = other.length > 5 && editDistance(other, name, 2) <= 2 && sum(few) * 2 <= sum(most);
    const isStranger = sum(few) * STRANGER <= sum(most);
    if (!isNear && !isStranger) continue;
    const facts = { host: other, usual: name, others: sum(most), near: isNear };
    for (const one of few) add(one, urlProblem("url-host-outlier", facts));
  }
}

/** A bucket is in one region: of two that addresses name, one is wrong. */
function regions(folders: readonly Placed[], add: Add): void {
  const named = folders.filter(({ region }) => region !== undefined);
  for (const [bucket, own] of groupedBy(named, ({ host }) => host)) {
    const by = [...groupedBy(own, ({ region = "" }) => region)].toSorted(([, a], [, b]) => sum(b) - sum(a));
    const [usual, ...others] = by;
    if (usual === undefined) continue;
    const [name, most] = usual;
    for (const [region, few] of others) {
      const facts = { host: `${bucket} in ${region}`, usual: `${bucket} in ${name}`, others: sum(most), near: false };
      for (const one of few) add(one, urlProblem("url-host-outlier", { ...facts, regions: [region, name] }));
    }
  }
}
