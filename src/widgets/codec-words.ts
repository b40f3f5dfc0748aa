/** Part of a codec's label beyond its id: `2-byte elements` of `shuffle, 2-byte elements`; empty if there is none. */
export function codecDetail(id: string, label: string): string {
  if (label === id) return "";
  return label.toLowerCase().startsWith(`${id.toLowerCase()}, `) ? label.slice(id.length + 2) : label;
}
