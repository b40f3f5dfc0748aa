/** Shows progress on stderr while a command runs: the work done, bytes, speed, and time left. */
import type { Progress } from "#core/byte-source.ts";
import { count } from "#core/words.ts";
import { fitted } from "./columns.ts";
import { printable } from "./lines.ts";

/** Bytes that files and servers have given, whoever asked for them. */
export const received = { bytes: 0 };

interface Since {
  readonly label: string;
  readonly started: number;
  readonly bytes: number;
}

const UNITS = ["B", "kB", "MB", "GB", "TB"] as const;

/** `12 MB`, `3.4 GB`. */
export function bytesWords(bytes: number): string {
  const power = Math.min(UNITS.length - 1, bytes < 1000 ? 0 : Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1000 ** power;
  return `${power === 0 || value >= 9.95 ? Math.round(value) : value.toFixed(1)} ${UNITS[power]}`;
}

/** `40 s`, `3 min`. */
export function timeWords(seconds: number): string {
  if (seconds < 90) return `${Math.max(1, Math.round(seconds))} s`;
  return seconds < 5400 ? `${Math.round(seconds / 60)} min` : `${(seconds / 3600).toFixed(1)} h`;
}

/** Nothing is said of the rest in the first moments: it would jump. */
const FIRST_SECONDS = 2;

/** `since`: seconds, and bytes that came, since this label was first shown. */
export function progressWords(
  { label, done, total, unit }: Progress,
  since: { seconds: number; bytes: number },
): string {
  const isBytes = unit === "bytes";
  const amount = isBytes ? bytesWords : count;
  const share = total === undefined || total === 0 ? [] : [`${Math.floor((100 * done) / total)}%`];
  const how = total === undefined ? amount(done) : `${amount(done)} of ${amount(total)}`;
  const came = isBytes ? done : since.bytes;
  const isSettled = since.seconds >= FIRST_SECONDS;
  const rate = came > 0 && isSettled ? [`${bytesWords(came / since.seconds)}/s`] : [];
  const isRest = isSettled && total !== undefined && done > 0 && done < total;
  const rest = isRest ? [`${timeWords((since.seconds * (total - done)) / done)} left`] : [];
  return [
    `${label}: ${how}${isBytes ? "" : ` ${unit}`}`,
    ...share,
    ...(isBytes || came === 0 ? [] : [bytesWords(came)]),
    ...rate,
    ...rest,
  ].join(" · ");
}

/** Writes over its own line. */
export function progressOn(stream: NodeJS.WriteStream): (progress: Progress) => void {
  let since: Since | undefined;
  return (progress) => {
    const now = performance.now();
    if (since?.label !== progress.label) since = { label: progress.label, started: now, bytes: received.bytes };
    const passed = { seconds: (now - since.started) / 1000, bytes: received.bytes - since.bytes };
    // One line: what is beyond the last column would stay when it is written over.
    const [line = ""] = fitted(printable(progressWords(progress, passed)), Math.max(40, (stream.columns ?? 80) - 1));
    stream.write(`\r\u001b[K${line}`);
    if (progress.done === progress.total) stream.write("\r\u001b[K");
  };
}
