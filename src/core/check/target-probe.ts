/** Result of a few requests to a target, and its interpretation. */
import type { ByteRange, RequestReport, Resolution } from "../byte-source.ts";
import type { Finding } from "../findings/finding.ts";
import type { TargetContent } from "./target-content.ts";

/**
 * Why no answer came. In a page a browser tells less than a terminal: `undecided` is for `refscope doctor URL`; a terminal
 * knows, and its reason is a fact of the finding.
 */
export type Unreachable = "blocked-by-cors" | "unreachable" | "undecided";

/** How the server took a request for a range. */
export type RangeAnswer =
  | { readonly kind: "honoured" }
  /** The whole target came. */
  | { readonly kind: "ignored" }
  /** Compressed on the way: the range counts in other bytes. */
  | { readonly kind: "encoded"; readonly encoding: string }
  | { readonly kind: "other"; readonly asked: ByteRange; readonly first: number; readonly last: number | undefined }
  /** The answer ended properly before the range did, though the target goes on. */
  | { readonly kind: "short"; readonly asked: ByteRange; readonly received: number }
  /** More than the range, or declared to be: `received` is what it declares, where it does. */
  | { readonly kind: "long"; readonly asked: ByteRange; readonly received: number | undefined };

/** Permissions that the answer gives pages of other sites; known only to programs that see all headers. */
export interface CorsHeaders {
  /** `Access-Control-Allow-Origin`, as sent. */
  readonly allowOrigin: string | undefined;
  /** `Access-Control-Expose-Headers`, in small letters. */
  readonly exposed: readonly string[];
}

export interface TargetProbe extends Pick<
  RequestReport,
  | "url"
  | "attempts"
  | "bytesReceived"
  | "milliseconds"
  | "status"
  | "lastModified"
  | "etag"
  | "redirectedTo"
  | "relayed"
> {
  readonly requests: number;
  /** Bytes of the whole target, where it could be learnt. */
  readonly size?: number;
  /** It ends before this byte; nothing said how long it is. */
  readonly lacks?: number;
  readonly contentType?: string;
  readonly range?: RangeAnswer;
  readonly cors?: CorsHeaders;
  /** `x-amz-bucket-region`. */
  readonly region?: string;
  readonly content?: TargetContent;
  /** The body of an error, where it is a store's. */
  readonly said?: { readonly code: string; readonly message: string };
  /** Why there is nothing to judge: no answer, or one that broke off. */
  readonly failure?: Finding;
  readonly unreachable?: Unreachable;
}

/** One target of a set: what the set says of it, what was seen, what is made of it. */
export interface TargetReport {
  /** Target as references name it; `null`: the target that was given for the set. */
  readonly target: string | null;
  readonly resolution: Resolution;
  readonly references: number;
  /** References without a range: to the whole target. */
  readonly whole: number;
  /** Bytes that its ranges need it to have. */
  readonly end: number;
  /** Absent where it could not be asked for. */
  readonly probe?: TargetProbe;
  /** Ranges that reach past its end. */
  readonly pastEnd: number;
  /** It was there, and as it should be. */
  readonly isSound: boolean;
  readonly codes: readonly string[];
}

/** Cost of checking sources, stated before it is done. */
export interface SourcesCost {
  /** Distinct targets of the set, and how many of them would be asked. */
  readonly targets: number;
  readonly asked: number;
  readonly requests: number;
  /** Present if source files' own metadata is read as well: the number of requests is then an estimate. */
  readonly isAbout?: true;
  /** About so many, headers included. */
  readonly bytes: number;
  /** Bytes of source files' own metadata, for those that are compared with them: not among `bytes`. */
  readonly metadata: number;
  /** Targets that would be asked, by where they are; most first. */
  readonly hosts: readonly { readonly host: string; readonly targets: number }[];
}
