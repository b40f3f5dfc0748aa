/** How targets are to be asked. */
export interface SourcesRequest {
  /** Targets that are asked at most. */
  readonly limit: number;
  /** Only what no request is needed for: files, and relative paths that no file has. */
  readonly isHere?: true;
  /** Sent as `Origin` where a program may: what CORS allows pages from there is then judged. */
  readonly origin?: string | undefined;
  /** When the references were written, in milliseconds; absent = as the set's own address says. */
  readonly written?: number | undefined;
}

/** Targets that are asked where nothing else is said. */
export const DEFAULT_TARGETS = 2000;

/** Source files whose own index is read where nothing else is said. */
export const MOST_HELD = 64;
