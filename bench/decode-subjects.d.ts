import type { DecodeCase } from "./decode-cases.ts";
export type DecodeSubject = "refscope" | "zarrita";
export type Timed = {
    readonly median: number;
    readonly fastest: number;
} | {
    readonly unable: string;
};
export declare function timeDecoding(subject: DecodeSubject, one: DecodeCase, repetitions: number): Promise<Timed>;
/** Whether both give the same bytes; `undefined` where one cannot. */
export declare function agree(one: DecodeCase): Promise<boolean | undefined>;
