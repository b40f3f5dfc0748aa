/** Paths at which to look for an array's coordinates: in its own group, then in each one above it, as netCDF does. */
export function nearPaths(array: string, name: string): readonly string[] {
  const groups = array.split("/").slice(0, -1);
  return Array.from({ length: groups.length + 1 }, (_, up) => [...groups.slice(0, groups.length - up), name].join("/"));
}
