/** Part of a codec's label beyond its id: `2-byte elements` of `shuffle, 2-byte elements`; empty if there is none. */
export function codecDetail(id: string, label: string): string {
  if (label === id) return "";
  return label.toLowerCase().startsWith(`${id.toLowerCase()}, `) ? label.slice(id.length + 2) : label;
}

/** Name of a dimension on screen: its own, else its number. */
export function dimensionName(names: readonly (string | undefined)[] | undefined, dimension: number): string {
  return names?.[dimension] ?? `dimension ${dimension}`;
}

/** Words for the value of missing chunks, by the array's fill value as JSON text. */
export function fillWords(fill: string | undefined): string {
  return fill === undefined || fill === "null" ? "no fill value" : `fill value ${fill}`;
}
