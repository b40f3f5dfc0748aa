/** What a file holds, as `probe-target.ts` says it of a URL: its size, its time and its first bytes. */
import type { ByteSource, CallContext } from "../core/byte-source.ts";
import { RefscopeError } from "../core/errors.ts";
import { CONTENT_HEAD, contentOf } from "../core/target-content.ts";
import type { TargetProbe } from "../core/target-probe.ts";
import type { FileLook } from "./local-files.ts";

/** How a file is looked at. */
export interface FileAccess {
  /** Throws where there is no such file. */
  open(): ByteSource | Promise<ByteSource>;
  /** Its bytes cost too much for what they tell. */
  readonly isDear?: (source: ByteSource) => boolean;
  /** `undefined` where it must be opened. */
  look(length: number): FileLook | undefined;
}

/** Never throws but for an abort. */
export async function probeFile(path: string, access: FileAccess, context: CallContext): Promise<TargetProbe> {
  const started = performance.now();
  const seen = access.look(CONTENT_HEAD);
  if (seen !== undefined) return lookedAt(path, seen, started);
  const asked = { url: path, requests: 0, attempts: 1 };
  try {
    const source = await access.open();
    if (access.isDear?.(source) === true) {
      const known = source.size === undefined ? {} : { size: source.size };
      return { ...asked, ...known, bytesReceived: 0, milliseconds: performance.now() - started, range: HONOURED };
    }
    const length = Math.min(source.size ?? CONTENT_HEAD, CONTENT_HEAD);
    const { bytes, request } = await source.read({ offset: 0, length }, context);
    // Of a file in an archive the request is about the archive.
    const { targetSize, lastModified } = request;
    const size = source.size ?? targetSize;
    return {
      ...asked,
      bytesReceived: bytes.byteLength,
      milliseconds: performance.now() - started,
      ...(size === undefined ? {} : { size }),
      ...(lastModified === undefined ? {} : { lastModified }),
      range: { kind: "honoured" },
      content: contentOf(bytes),
    };
  } catch (error) {
    if (!(error instanceof RefscopeError)) throw error;
    return { ...asked, bytesReceived: 0, milliseconds: performance.now() - started, failure: error.finding };
  }
}

function lookedAt(path: string, { size, modified, head }: FileLook, started: number): TargetProbe {
  return {
    url: path,
    requests: 0,
    attempts: 1,
    bytesReceived: head.byteLength,
    milliseconds: performance.now() - started,
    size,
    lastModified: modified.toUTCString(),
    range: HONOURED,
    content: contentOf(head),
  };
}

const HONOURED = { kind: "honoured" } as const;
