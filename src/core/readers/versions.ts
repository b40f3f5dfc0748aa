/** Versions of software: of a rule, and of what the user has. */

/** The software that a rule is about in some versions only. */
export interface VersionRange {
  /** Name in package lists, in small letters. */
  readonly package: string;
  /** The first version that no longer does so. */
  readonly before: string;
  /** When that was released: year and month. */
  readonly released?: string;
}

/** Versions that the user has: by package, or as released by a day. */
export interface AskedVersions {
  readonly versions: ReadonlyMap<string, string>;
  /** "2024-02", "2024-02-15". */
  readonly date?: string;
}

export const NO_VERSIONS: AskedVersions = { versions: new Map() };

/** Names of packages under which package lists have the same. */
const ALIASES: ReadonlyMap<string, string> = new Map([
  ["zarr-python", "zarr"],
  ["titiler.xarray", "titiler-xarray"],
  ["osgeo", "gdal"],
]);

export function packageName(written: string): string {
  const name = written.toLowerCase().replaceAll("_", "-");
  return ALIASES.get(name) ?? name;
}

/**
 * True if a version is before another, compared by the numbers that both have: "2024.2" is "2024.2.0". A suffix of the
 * numbers (rc1, .dev0) makes a version earlier.
 */
export function isBefore(version: string, other: string): boolean {
  const [one, two] = [numbersOf(version), numbersOf(other)];
  for (let at = 0; at < Math.max(one.length, two.length); at += 1) {
    const [a, b] = [one[at] ?? 0, two[at] ?? 0];
    if (a !== b) return a < b;
  }
  return /\d\.?(?:a|b|rc|dev)\d*/i.test(version) && !/\d\.?(?:a|b|rc|dev)\d*/i.test(other);
}

const numbersOf = (version: string): readonly number[] =>
  (/^v?(\d+(?:\.\d+)*)/.exec(version)?.[1] ?? "0").split(".").map(Number);

/** True if the version is in the range; `undefined` if the known facts do not tell. */
export function isInRange(
  { package: name, before, released }: VersionRange,
  asked: AskedVersions,
): boolean | undefined {
  const version = asked.versions.get(name);
  if (version !== undefined) return isBefore(version, before);
  if (asked.date === undefined || released === undefined) return undefined;
  const [day, month] = [asked.date.slice(0, 7), released];
  return day === month ? undefined : day < month;
}

/** "fsspec 2024.2.0, zarr 2.18.3", "software of 2024-02": those that a reader is made of. */
export function askedWords({ versions, date }: AskedVersions, packages: readonly string[]): string | undefined {
  const known = packages.flatMap((name) => (versions.has(name) ? [`${name} ${versions.get(name)}`] : []));
  if (known.length > 0) return known.join(", ");
  return date === undefined ? undefined : `software of ${date}`;
}
