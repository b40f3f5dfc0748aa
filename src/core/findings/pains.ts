/**
 * What goes wrong in practice with virtual datasets, the codes that catch it, and the planted fault that shows it (its class
 * in the fixtures). From twenty-five troubles found in issues of the field's software (facts: peers §4).
 */
import type { Code } from "./finding.ts";

export interface Pain {
  readonly number: number;
  readonly title: string;
  readonly codes: readonly Code[];
  /** Class of the planted faults that test it; absent where nothing can be planted. */
  readonly planted?: string;
  /** What a browser, or anybody, cannot see of it. */
  readonly unseen?: string;
}

export const PAINS: readonly Pain[] = [
  {
    number: 1,
    title: "A failed read becomes fill value",
    codes: ["target-missing", "target-gone", "http-status", "range-empty", "chunk-zeroed"],
    planted: "target-missing",
  },
  {
    number: 2,
    title: "A missing chunk, or a value that is fill",
    codes: ["steps-missing", "chunks-missing", "positions-incomplete", "chunk-all-missing"],
    planted: "gap-of-a-file",
  },
  {
    number: 3,
    title: "The source changed after it was indexed",
    codes: ["target-unfit", "target-too-short", "target-newer", "icechunk-target-changed"],
    planted: "file-rewritten",
  },
  {
    number: 4,
    title: "Chunks in the wrong place after combining",
    codes: ["ranges-overlap", "range-repeated", "files-swapped", "sources-out-of-order", "coordinate-unordered"],
    planted: "offset-shifted",
  },
  {
    number: 5,
    title: "Packing or fill differs from file to file",
    codes: ["packing-changes", "fill-undeclared"],
    planted: "packing-differs-by-file",
  },
  {
    number: 6,
    title: "Chunk shapes differ, the last chunk is partial",
    codes: ["chunk-lengths-fit-other", "chunk-length-wrong", "keys-past-grid"],
    planted: "chunk-shape-wrong",
  },
  {
    number: 7,
    title: "A chunk is larger than the array",
    codes: ["chunk-lengths-fit-other"],
    planted: "chunk-larger-than-shape",
  },
  {
    number: 8,
    title: "A codec that the reader lacks",
    codes: ["codec-unregistered", "codec-package-needed", "codec-unknown"],
    planted: "codec-unknown",
  },
  {
    number: 9,
    title: "HDF5 left out filters for some chunks",
    codes: ["chunk-codec-skipped"],
    planted: "filter-skipped-in-chunk",
  },
  {
    number: 10,
    title: "Order or element size of filters",
    codes: ["values-misread", "chunk-codecs-other"],
    planted: "codec-parameter-wrong",
  },
  {
    number: 11,
    title: "The wrong byte order",
    codes: ["values-misread"],
    planted: "byte-order-wrong",
  },
  {
    number: 12,
    title: "fill_value or _FillValue",
    codes: ["fill-value-confusing", "fill-value-unfit"],
    planted: "fill-values-disagree",
  },
  {
    number: 13,
    title: "Parquet's nulls, and copies of metadata that disagree",
    codes: ["parquet-raw-and-path", "consolidated-metadata-differs", "consolidated-lacks-array"],
    planted: "consolidated-differs",
  },
  {
    number: 14,
    title: "Huge reference JSON",
    codes: ["icechunk-manifest-large"],
    unseen: "A measure and no fault: nothing is planted.",
  },
  {
    number: 15,
    title: "Inline base64",
    codes: ["inline-bad-base64", "inline-length-wrong"],
    planted: "inline-base64-broken",
  },
  {
    number: 16,
    title: "Templates and gen do not render, or in one reader only",
    codes: ["reader-refuses", "reader-drops-gen", "name-undefined", "template-unused"],
    planted: "template-typo",
  },
  {
    number: 17,
    title: "The server ignores ranges",
    codes: ["range-ignored", "range-encoded", "range-mismatch"],
    planted: "http-range-ignored",
  },
  {
    number: 18,
    title: "CORS looks like a network error",
    codes: ["cors-absent", "cors-missing", "host-unreachable"],
    planted: "http-no-cors",
    unseen:
      "In a browser status and headers of an answer without CORS are hidden: a dead host, DNS and TLS look alike there; “refscope doctor URL” in a terminal tells.",
  },
  {
    number: 19,
    title: "403 that means “not found”",
    codes: ["http-status"],
    planted: "http-forbidden",
    unseen: "Nobody without the right to list a bucket can tell the two apart: both are said.",
  },
  {
    number: 20,
    title: "Region, requester pays, bucket",
    codes: ["url-region-typo", "url-bucket-invalid", "target-error-document"],
    planted: "http-requester-pays",
    unseen: "A page cannot read the body of a 403 without CORS.",
  },
  {
    number: 21,
    title: "Authorization of sources, containers",
    codes: ["url-credentials", "url-signature-expired", "icechunk-no-container", "http-status"],
    planted: "http-unauthorized",
    unseen: "In a page a redirect to a login without CORS is a network error like any other.",
  },
  {
    number: 22,
    title: "Relative, moved or mis-encoded paths",
    codes: ["url-local-path", "url-relative", "url-double-encoded", "target-missing"],
    planted: "url-double-encoded",
  },
  {
    number: 23,
    title: "Which files a set depends on",
    codes: ["url-two-spellings", "ranges-overlap"],
    planted: "url-two-spellings",
  },
  {
    number: 24,
    title: "Types or time units differ between files",
    codes: ["coordinate-unit-changes", "coordinate-restarts", "values-of-other-type"],
    planted: "time-unit-differs-by-file",
  },
  {
    number: 25,
    title: "Truncated or corrupt source or shard index",
    codes: ["range-past-end", "decode-failed", "shard-index-checksum", "checksum-mismatch"],
    planted: "target-truncated",
    unseen: "One low bit in raw data shows only beside a second copy.",
  },
];
