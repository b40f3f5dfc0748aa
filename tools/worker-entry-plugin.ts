/**
 * Keeps the entry of a worker out of the reach of other files. WebKit runs a worker's entry once more, as another module,
 * where a file that is fetched later imports it: a second engine then takes the place of the first, and no set is open in it.
 */
import type { Plugin } from "vite";

const isEntry = (id: string): boolean => /\.worker\.ts(?:\?.*)?$/.test(id);

/** All that an entry imports goes to a file of its own, which others may share. */
export const besideWorkerEntry = {
  codeSplitting: { groups: [{ name: "engine", tags: ["$initial" as const], test: (id: string) => !isEntry(id) }] },
};

/** Fails the build where a file imports the entry of a worker all the same. */
export function workerEntryAlone(): Plugin {
  return {
    name: "worker-entry-alone",
    generateBundle(_, bundle) {
      const files = Object.values(bundle).filter((file) => file.type === "chunk");
      const entries = new Set(files.filter(({ isEntry }) => isEntry).map(({ fileName }) => fileName));
      for (const { fileName, imports, dynamicImports } of files) {
        const entry = [...imports, ...dynamicImports].find((name) => entries.has(name));
        if (entry !== undefined)
          this.error(`${fileName} imports ${entry}, the entry of a worker: WebKit would run it twice.`);
      }
    },
  };
}
