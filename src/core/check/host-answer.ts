/** Answer of a host to a question that is no read. */
export interface HostAnswer {
  readonly status: number;
  /** `Access-Control-Allow-Origin` and `-Headers`, as sent. */
  readonly allowOrigin: string | undefined;
  readonly allowHeaders: string | undefined;
}

/** True if a page of this origin may read the response to its request. */
export const allows = (allowOrigin: string | undefined, origin: string): boolean =>
  allowOrigin === "*" || allowOrigin === origin;

/** True if a preflight lets a page send a header; a wildcard does, unless credentials go along. */
export const allowsHeader = ({ allowHeaders = "" }: HostAnswer, name: string): boolean =>
  allowHeaders
    .toLowerCase()
    .split(",")
    .map((one) => one.trim())
    .some((one) => one === "*" || one === name.toLowerCase());
