import { formatBytes, formatExactBytes } from "./number-format.ts";

/** A size for people, with the exact count in the title. */
export function ByteSize({ bytes }: { readonly bytes: number }) {
  return (
    <span className="one-line tabular" title={formatExactBytes(bytes)}>
      {formatBytes(bytes)}
    </span>
  );
}
