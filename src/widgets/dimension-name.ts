/** Name of a dimension on screen: its own, else its number. */
export function dimensionName(names: readonly (string | undefined)[] | undefined, dimension: number): string {
  return names?.[dimension] ?? `dimension ${dimension}`;
}
