export declare function memoryOf(pid: number): {
    readonly resident: number;
    readonly peak: number;
};
/** Milliseconds of processor that the threads of a process took so far, by the beginning of their names. */
export declare function processorOf(pid: number, name: string): number;
/** From now on the peak is counted afresh. Where the kernel refuses, it stays that since the start. */
export declare function resetPeak(pid: number): void;
/** Ids of the renderer processes below a browser. */
export declare function renderersOf(browser: number): readonly number[];
