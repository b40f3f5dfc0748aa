/** Where the sizes of regions are remembered. Storage may be full, forbidden or absent: then they last as long as the tab. */
const PREFIX = "refscope.layout.1.";

export const layoutStorage = {
  getItem(key: string): string | null {
    try {
      return localStorage.getItem(PREFIX + key);
    } catch {
      return null;
    }
  },
  setItem(key: string, value: string): void {
    try {
      localStorage.setItem(PREFIX + key, value);
    } catch {
      // Not remembered.
    }
  },
};
