/** What the browser remembers. Storage may be full, forbidden or absent: then it lasts until the tab is closed. */

export function remember(place: string, text: string): void {
  try {
    localStorage.setItem(place, text);
  } catch {
    // Not remembered.
  }
}

export function remembered(place: string): string | null {
  try {
    return localStorage.getItem(place);
  } catch {
    return null;
  }
}

/** Texts remembered under places that begin alike, as libraries ask for them. */
export const storageAt = (prefix: string) => ({
  getItem: (key: string) => remembered(prefix + key),
  setItem: (key: string, value: string) => remember(prefix + key, value),
});

/** Members of a JSON object; storage is as untrusted as any input. */
export function rememberedObject(place: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(remembered(place) ?? "{}");
    return typeof value === "object" && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}
