import type { DecodeCase } from "./decode-cases.ts";
import { type DecodeSubject, type Timed } from "./decode-subjects.ts";
export interface DecodePlace {
    readonly name: string;
    time(index: number, subject: DecodeSubject, repetitions: number): Promise<Timed>;
    /** Whether ours and zarrita's bytes are the same; `undefined` where zarrita cannot. */
    agree(index: number): Promise<boolean | undefined>;
    close(): Promise<void>;
}
export declare function nodePlace(cases: readonly DecodeCase[]): DecodePlace;
export declare function chromiumPlace(cases: readonly DecodeCase[]): Promise<DecodePlace>;
export interface PythonPeer {
    readonly name: string;
    time(index: number, repetitions: number): Promise<Timed>;
    close(): void;
}
/** `undefined` where there is no Python that has numcodecs: the one of REFSCOPE_PYTHON is tried, then `python3`. */
export declare function pythonPeer(cases: readonly DecodeCase[], folder: string): Promise<PythonPeer | undefined>;
