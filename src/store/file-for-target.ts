/** A file that the user chose for one target: under which path it is given, and what must be said about locations. */
import type { Locations } from "../core/byte-source.ts";

/**
 * The file takes the target's own path, whatever its own name, so that it does not replace another target of that name.
 * An address is only read from a file by a rule; null means the file from now on.
 */
export function fileForTarget(locations: Locations, target: string | null, name: string) {
  if (target === null) return { path: name, locations: { ...locations, target: name } };
  const path = pathOf(target) ?? name;
  if (!isAddress(target)) return { path, locations };
  const others = locations.rewrites.filter(({ from }) => from !== target);
  return { path, locations: { ...locations, rewrites: [...others, { from: target, to: path }] } };
}

const isAddress = (target: string): boolean => /^(?!file:|local:)[a-z][a-z0-9+.-]*:\/\//i.test(target);

/** Components without scheme, drive, query and dots; `undefined` where none is left. */
function pathOf(target: string): string | undefined {
  const bare = isAddress(target) ? target.replace(/[?#].*$/s, "") : target;
  const parts = bare
    .replace(/^[a-z][a-z0-9+.-]*:\/*/i, "")
    .split(/[\\/]+/)
    .filter((part) => part !== "" && part !== "." && part !== "..");
  return parts.length === 0 ? undefined : parts.join("/");
}

/** Prefix that targets beside this one share with it: the folder, or the target itself if it names none. */
export function prefixOf(target: string): string {
  const end = Math.max(target.lastIndexOf("/"), target.lastIndexOf("\\")) + 1;
  const prefix = target.slice(0, end);
  return prefix === "" || /^[a-z][a-z0-9+.-]*:\/+$/i.test(prefix) ? target : prefix;
}
