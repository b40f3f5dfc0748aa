/** numcodecs `jenkins_lookup3`: Bob Jenkins' lookup3 (HDF5's H5_checksum_lookup3), 4 bytes little-endian after the data. */
import type { Codec } from "./codec.ts";
import { brief, integerMember } from "./configuration.ts";
import { badConfiguration, checksumMismatch, decodeFailed } from "./failure.ts";

const ID = "jenkins_lookup3";

export const jenkinsLookup3: Codec = {
  id: ID,
  names: { v3: ["numcodecs.jenkins_lookup3"] },
  kind: "bytes-bytes",
  words: "Verifies Jenkins' lookup3 checksum and takes it off.",
  checksum: { name: "Jenkins lookup3", place: "end", sum: (data) => lookup3(data, 0) },
  insertable: "{}",
  prepare: (configuration) => {
    const initial = integerMember(ID, configuration, "initval", { least: 0, most: 2 ** 32 - 1, otherwise: 0 });
    const prefix = configuration.get("prefix") ?? null;
    // numcodecs takes a Python `bytes` here, which JSON has no form for: it refuses all else.
    if (prefix !== null)
      throw badConfiguration(ID, "prefix", "null, as numcodecs reads no prefix from JSON", brief(prefix));
    return { label: "Jenkins lookup3 checksum, verified", decode: (input) => verify(input, initial) };
  },
};

function verify(input: Uint8Array<ArrayBuffer>, initial: number): Uint8Array<ArrayBuffer> {
  const size = input.length - 4;
  if (size < 0) throw decodeFailed(ID, "a checksum of 4 bytes", `${input.length} bytes`);
  const data = input.subarray(0, size);
  const stored = new DataView(input.buffer, input.byteOffset + size, 4).getUint32(0, true);
  const computed = lookup3(data, initial);
  if (stored !== computed) throw checksumMismatch(ID, stored, computed);
  return data;
}

/** lookup3 over bytes, as `hashlittle` gives it on every machine. Unsigned, 32 bits. */
export function lookup3(bytes: Uint8Array, initial: number): number {
  const start = (0xdead_beef + bytes.length + initial) | 0;
  let state: State = [start, start, start];
  let at = 0;
  for (; bytes.length - at > 12; at += 12) {
    state = mixed(added(state, bytes, at));
  }
  // Nothing is left only where there was nothing: then there is no last step.
  return (bytes.length === 0 ? state[2] : finished(added(state, bytes, at))) >>> 0;
}

type State = readonly [number, number, number];

/** The next 12 bytes; past the end they are zeros. */
function added([a, b, c]: State, bytes: Uint8Array, at: number): State {
  return [(a + word(bytes, at)) | 0, (b + word(bytes, at + 4)) | 0, (c + word(bytes, at + 8)) | 0];
}

function word(bytes: Uint8Array, at: number): number {
  const byte = (i: number) => bytes[at + i] ?? 0;
  return byte(0) | (byte(1) << 8) | (byte(2) << 16) | (byte(3) << 24);
}

function turned(value: number, bits: number): number {
  return (value << bits) | (value >>> (32 - bits));
}

function mixed([first, second, third]: State): State {
  let [a, b, c] = [first, second, third];
  a = (a - c) ^ turned(c, 4);
  c = (c + b) | 0;
  b = (b - a) ^ turned(a, 6);
  a = (a + c) | 0;
  c = (c - b) ^ turned(b, 8);
  b = (b + a) | 0;
  a = (a - c) ^ turned(c, 16);
  c = (c + b) | 0;
  b = (b - a) ^ turned(a, 19);
  a = (a + c) | 0;
  c = (c - b) ^ turned(b, 4);
  b = (b + a) | 0;
  return [a, b, c];
}

function finished([first, second, third]: State): number {
  let [a, b, c] = [first, second, third];
  c = ((c ^ b) - turned(b, 14)) | 0;
  a = ((a ^ c) - turned(c, 11)) | 0;
  b = ((b ^ a) - turned(a, 25)) | 0;
  c = ((c ^ b) - turned(b, 16)) | 0;
  a = ((a ^ c) - turned(c, 4)) | 0;
  b = ((b ^ a) - turned(a, 14)) | 0;
  c = ((c ^ b) - turned(b, 24)) | 0;
  return c;
}
