/** The programs that an engine needs: started, waited for until they say that they are ready, and ended. */
import { type SpawnOptions } from "node:child_process";
/** Path of an installed program, by its name or one of several full paths. */
export declare function installed(...names: readonly string[]): string | undefined;
export interface Started {
    /** What the pattern's brackets hold, in the first line that fits. */
    readonly said: string;
    stop(): Promise<void>;
}
/** What says that a program is ready, and on which of its outputs. */
interface Ready {
    readonly output: 1 | 2 | 3;
    readonly line: RegExp;
}
/** Starts a program and reads one of its outputs until a line fits, where it says anything at all. */
export declare function start(command: string, args: readonly string[], ready: Ready | undefined, options?: SpawnOptions): Promise<Started>;
export {};
