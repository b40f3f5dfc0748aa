/**
 * Keeps the entry of a worker out of the reach of other files. WebKit runs a worker's entry once more, as another module,
 * where a file that is fetched later imports it: a second engine then takes the place of the first, and no set is open in it.
 */
import type { Plugin } from "vite";
/** All that an entry imports goes to a file of its own, which others may share. */
export declare const besideWorkerEntry: {
    codeSplitting: {
        groups: {
            name: string;
            tags: "$initial"[];
            test: (id: string) => boolean;
        }[];
    };
};
/** Fails the build where a file imports the entry of a worker all the same. */
export declare function workerEntryAlone(): Plugin;
