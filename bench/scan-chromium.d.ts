import { type Server } from "node:http";
import type { Outcome, Subject } from "./subjects.ts";
export type Measured = Outcome & {
    readonly netPeak: number;
};
export interface Chromium {
    measure(subject: Subject, path: string): Promise<Measured>;
    close(): void;
}
export declare function openChromium(): Promise<Chromium>;
/** A worker of this folder as one script. */
export declare function bundleWorker(entry: string): Promise<string>;
export declare function listen(server: Server): Promise<string>;
export declare function chromiumExecutable(): {
    readonly executablePath: string;
} | object;
