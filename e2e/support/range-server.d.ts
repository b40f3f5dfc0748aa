/**
 * A file server that honours byte ranges, and misbehaves on demand: `?fault=NAME` or `?fault=NAME:VALUE`, several with
 * commas, or `misbehave(path, faults)` for URLs that must stay as they are. Every request is logged.
 */
import { type IncomingMessage } from "node:http";
/** VALUE in brackets, with its default. */
export type FaultName = 
/** 200 and the whole file in answer to a range. */
"ignore-range"
/** 206 with [half] so many bytes, properly declared and ended. */
 | "short-206"
/** Declares the whole length, closes the connection after [half] so many bytes; [x]/[n]: only the first n times. */
 | "cut-body" | "403" | "404" | "410" | "416"
/** [always] so many times, then the file; 429 with Retry-After: 0 (exposed). */
 | "429" | "500" | "503"
/** No CORS headers. */
 | "no-cors"
/** Never answers. */
 | "hang"
/** Sends headers and [half] so many bytes, then nothing. */
 | "hang-body"
/** Closes the connection without an answer, [always] so many times. */
 | "drop"
/** Closes the connection without an answer, but to HEAD. */
 | "only-head"
/** [65536] bytes a second. */
 | "slow"
/** Answers after [200] milliseconds. */
 | "slow-start"
/** 206 with bytes [1] further on, Content-Range saying so. */
 | "wrong-range"
/** 206 with more bytes than asked. */
 | "long-206"
/** The answer compressed with gzip, Content-Encoding saying so; to a range: the range's bytes compressed. */
 | "gzip"
/** Content-Length [10] too high (the connection is then closed). */
 | "lying-length"
/** 302 to the same URL without faults, or to [URL]. */
 | "redirect"
/** Exposes Content-Range, ETag, Content-Encoding and Accept-Ranges to other origins. */
 | "expose"
/** No Content-Length (chunked). */
 | "no-length"
/** HEAD answers [403]. */
 | "no-head"
/** 403 instead of 404 where there is no file, as S3 answers where listing is not allowed. */
 | "deny-missing";
export interface LoggedRequest {
    readonly method: string;
    readonly path: string;
    readonly range: string | undefined;
    readonly headers: IncomingMessage["headers"];
    /** Status sent; 0 until then, or where the connection was closed instead. */
    status: number;
    /** Bytes of body handed to the connection. */
    sent: number;
    /** Whether the client went away before the answer was complete. */
    aborted: boolean;
}
export interface RangeServerOptions {
    /** Directory to serve; nothing outside it is. */
    readonly root?: string;
    /** Files in memory by path: `/a.bin`. They come before those of the directory. */
    readonly files?: Readonly<Record<string, Uint8Array | string>>;
    /** 0 = any free port. */
    readonly port?: number;
}
export interface RangeServer {
    /** `http://127.0.0.1:PORT`, no slash at the end. */
    readonly origin: string;
    readonly requests: LoggedRequest[];
    /** URL of a path, with faults if any: `url("/a.bin", "short-206:3,expose")`. */
    url(path: string, faults?: string): string;
    put(path: string, content: Uint8Array | string): void;
    /** From now on, whatever the query says; `""` ends it. */
    misbehave(path: string, faults: string): void;
    /** Forgets the log, and how often each fault has struck. */
    reset(): void;
    stop(): Promise<void>;
}
export declare function startRangeServer(options?: RangeServerOptions): Promise<RangeServer>;
