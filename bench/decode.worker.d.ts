/** One worker in the browser that decodes the cases it is sent, again and again. */
import type { DecodeCase } from "./decode-cases.ts";
import { type DecodeSubject } from "./decode-subjects.ts";
export type DecodeQuestion = {
    readonly kind: "cases";
    readonly cases: readonly DecodeCase[];
} | {
    readonly kind: "time";
    readonly index: number;
    readonly subject: DecodeSubject;
    readonly repetitions: number;
} | {
    readonly kind: "agree";
    readonly index: number;
};
