/** The file format around a JPEG 2000 code stream, JP2 (ITU-T T.800 Annex I). */
import { hexBytes } from "../../core/hex-bytes.ts";
import { damaged, type Source } from "./source.ts";

/** `undefined`: as the components are. `sycc`: luminance and chrominance, which readers turn into RGB. */
export interface Boxed {
  readonly codeStream: Uint8Array;
  readonly colours: "sycc" | undefined;
}

/** What readers make other samples of, and this does not. */
const REFUSED: ReadonlyMap<string, string> = new Map([
  ["pclr", "a palette"],
  ["cmap", "a palette"],
]);
const SIGNATURE = "jP  ";
/** Others by number, CMYK and e-sYCC among them, are left as they are. */
const SYCC = 18;
/** The code stream itself may come bare. Throws `decode-failed`. */
export function unbox(source: Source, bytes: Uint8Array): Boxed {
  if (bytes[0] === 0xff && bytes[1] === 0x4f) return { codeStream: bytes, colours: undefined };
  if (String.fromCharCode(...bytes.subarray(4, 8)) !== SIGNATURE) {
    const found = bytes.length === 0 ? "nothing" : hexBytes(bytes.subarray(0, 8));
    throw damaged(source, "the file", "a code stream (ff 4f ff 51) or a JP2 file (box “jP  ”)", found);
  }
  let colours: Boxed["colours"] | "unknown" = "unknown";
  for (const { kind, body } of boxesOf(source, bytes)) {
    if (kind === "jp2c") return { codeStream: body, colours: colours === "unknown" ? undefined : colours };
    if (kind !== "jp2h") continue;
    for (const inner of boxesOf(source, body)) {
      const refused = REFUSED.get(inner.kind);
      if (refused !== undefined) throw damaged(source, "the JP2 header", "components as they are", refused);
      // The first specification of colours counts.
      if (inner.kind === "colr" && colours === "unknown") colours = coloursOf(source, inner.body);
      if (inner.kind === "cdef") refuseReordered(source, inner.body);
    }
  }
  throw damaged(source, "the file", "a code stream (box jp2c)", "none");
}

interface Box {
  readonly kind: string;
  readonly body: Uint8Array;
}

function* boxesOf(source: Source, bytes: Uint8Array): Generator<Box> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let at = 0; at + 8 <= bytes.length;) {
    const kind = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
    const [short, head] = [view.getUint32(at), view.getUint32(at) === 1 ? 16 : 8];
    const long = short === 1 && at + 16 <= bytes.length ? Number(view.getBigUint64(at + 8)) : short;
    // The last box may leave its length out.
    const end = short === 0 ? bytes.length : at + long;
    if (end < at + head || end > bytes.length) {
      throw damaged(source, "the file", `a box of ${long} bytes`, `${bytes.length - at} bytes`);
    }
    yield { kind, body: bytes.subarray(at + head, end) };
    at = end;
  }
}

/** Box colr (§I.5.3.3): by number, or a profile. */
function coloursOf(source: Source, body: Uint8Array): Boxed["colours"] {
  if (body[0] === 2) throw damaged(source, "the JP2 header", "colours by number (sRGB, grey, sYCC)", "an ICC profile");
  if (body[0] !== 1 || body.length < 7) return undefined;
  const number = new DataView(body.buffer, body.byteOffset, body.length).getUint32(3);
  return number === SYCC ? "sycc" : undefined;
}

/** Box cdef (§I.5.3.6): channels may stand in another order than their colours. */
function refuseReordered(source: Source, body: Uint8Array): void {
  for (let at = 2; at + 6 <= body.length; at += 6) {
    const [channel, kind, colour] = [at, at + 2, at + 4].map((from) => (body[from] ?? 0) * 256 + (body[from + 1] ?? 0));
    if (kind === 0 && colour !== undefined && colour > 0 && colour < 65_535 && colour !== (channel ?? 0) + 1) {
      throw damaged(
        source,
        "the JP2 header",
        "channels in the order of their colours",
        `channel ${channel} for ${colour}`,
      );
    }
  }
}
