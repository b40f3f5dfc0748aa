/** What a dimension is called on screen: by its name, else by its number. */
export function dimensionName(names: readonly (string | undefined)[] | undefined, dimension: number): string {
  return names?.[dimension] ?? `dimension ${dimension}`;
}
