/**
 * The sections of a GRIB message, by their lengths (FM 92, edition 2: regulation 92.2; edition 1: FM 92 of 1988). Never
 * throws and never reads outside the bytes: what is wrong is reported beside the sections found before it.
 */
import { sectionName, sectionName1 } from "./tables.ts";
import { unsigned24, view } from "./numbers.ts";

export interface RawSection {
  readonly number: number;
  /** From the start of the message. */
  readonly offset: number;
  /** The whole section, its length and number included. */
  readonly bytes: Uint8Array;
}

export interface Problem {
  /** 0 to 8; what was to be there. */
  readonly section: number;
  readonly expected: string;
  readonly found: string;
}

/** eccodes logs this and goes on; here it is an error, since it is how a cut or shifted reference shows. */
const LENIENT = "(eccodes logs this and reads the values all the same, Refscope does not)";

export interface Walk {
  /** `undefined` where the bytes are not a GRIB message at all. */
  readonly edition: 1 | 2 | undefined;
  readonly sections: readonly RawSection[];
  readonly problem?: Problem;
}

const MAGIC = 0x47524942;
const END = 0x37373737;
/** Far more than any message has; each is looked at one by one. */
const MAX_SECTIONS = 10_000;
/** Sections 1 to 7, up to where their templates begin. */
const LEAST_BYTES = [16, 21, 5, 14, 9, 11, 6, 5];
/** Which sections may come after each (regulation 92.1.4: 2 to 7, 3 to 7 or 4 to 7 may be repeated). */
const AFTER: readonly (readonly number[])[] = [[1], [2, 3], [3], [4], [5], [6], [7], [2, 3, 4, 8]];

export function walk(bytes: Uint8Array): Walk {
  if (bytes.length < 8) return { edition: undefined, sections: [] };
  const data = view(bytes);
  if (data.getUint32(0) !== MAGIC) return { edition: undefined, sections: [] };
  const edition = data.getUint8(7);
  if (edition === 2) return walk2(bytes, data);
  if (edition === 1) return walk1(bytes, data);
  return { edition: undefined, sections: [] };
}

function walk2(bytes: Uint8Array, data: DataView): Walk {
  if (bytes.length < 16) {
    const problem = { section: 0, expected: "16 bytes", found: `${bytes.length} bytes` };
    return { edition: 2, sections: [], problem };
  }
  const sections: RawSection[] = [{ number: 0, offset: 0, bytes: bytes.subarray(0, 16) }];
  const total = data.getUint32(8) * 2 ** 32 + data.getUint32(12);
  const ended = (problem: Problem): Walk => ({ edition: 2, sections, problem });
  let [at, last] = [16, 0];
  while (sections.length < MAX_SECTIONS) {
    const problem = headProblem(bytes, data, at, last, total);
    if (problem !== undefined) return ended(problem);
    const length = data.getUint32(at);
    if (last === 7 && length === END) {
      sections.push({ number: 8, offset: at, bytes: bytes.subarray(at, at + 4) });
      if (total === at + 4) return { edition: 2, sections };
      const found = `a length of ${total} bytes, where the sections end after ${at + 4} ${LENIENT}`;
      return ended({ section: 0, expected: "the message's own length", found });
    }
    last = data.getUint8(at + 4);
    sections.push({ number: last, offset: at, bytes: bytes.subarray(at, at + length) });
    at += length;
  }
  return ended({ section: last, expected: `at most ${MAX_SECTIONS} sections`, found: "more" });
}

/** Returns the problem of the section that begins at `at`, if any; the end section counts as a section. */
function headProblem(bytes: Uint8Array, data: DataView, at: number, last: number, total: number): Problem | undefined {
  const allowed = AFTER[last] ?? [];
  const section = allowed.at(-1) ?? 8;
  const left = bytes.length - at;
  const cut = `only ${bytes.length} bytes of the message's ${total}`;
  const isEnd = last === 7 && left >= 4 && data.getUint32(at) === END;
  if (isEnd) return undefined;
  if (left < 5) {
    const expected = section === 8 ? "the letters 7777" : `the section, from byte ${at} on`;
    const found = left === 0 ? `${cut}, which end before it` : cut;
    return { section, expected, found: section === 8 ? `${found} ${LENIENT}` : found };
  }
  const length = data.getUint32(at);
  const number = data.getUint8(at + 4);
  if (!allowed.includes(number)) {
    const names = allowed.map((one) => (one === 8 ? "the letters 7777" : sectionName(one))).join(" or ");
    return { section, expected: `${names} at byte ${at}`, found: `section number ${number}, length ${length}` };
  }
  const least = LEAST_BYTES[number] ?? 5;
  if (length < least) {
    return { section: number, expected: `a length of at least ${least} bytes`, found: `${length} at byte ${at}` };
  }
  if (length <= left) return undefined;
  const found = bytes.length < total ? `${left} of them: ${cut} are here` : `${left} bytes to the end`;
  return { section: number, expected: `${length} bytes from byte ${at} on`, found };
}

/** Sections 1 and 4 always, 2 and 3 where bits of section 1 say so; numbers are not written. */
function walk1(bytes: Uint8Array, data: DataView): Walk {
  const total = unsigned24(data, 4);
  const sections: RawSection[] = [{ number: 0, offset: 0, bytes: bytes.subarray(0, 8) }];
  const ended = (section: number, expected: string, found: string): Walk => ({
    edition: 1,
    sections,
    problem: { section, expected: `${sectionName1(section)}: ${expected}`, found },
  });
  const cut = `only ${bytes.length} bytes of the message's ${total}`;
  let at = 8;
  let flags = 0;
  for (const number of [1, 2, 3, 4]) {
    if ((number === 2 && (flags & 128) === 0) || (number === 3 && (flags & 64) === 0)) continue;
    if (bytes.length - at < 3) return ended(number, `the section, from byte ${at} on`, cut);
    const length = unsigned24(data, at);
    const least = number === 1 ? 28 : number === 4 ? 11 : 6;
    if (length < least) return ended(number, `a length of at least ${least} bytes`, `${length} at byte ${at}`);
    if (length > bytes.length - at) return ended(number, `${length} bytes from byte ${at} on`, cut);
    sections.push({ number, offset: at, bytes: bytes.subarray(at, at + length) });
    if (number === 1) flags = data.getUint8(at + 7);
    at += length;
  }
  if (bytes.length - at < 4 || data.getUint32(at) !== END) {
    return ended(5, `the letters 7777 at byte ${at}`, bytes.length - at < 4 ? cut : "other bytes");
  }
  sections.push({ number: 5, offset: at, bytes: bytes.subarray(at, at + 4) });
  if (total === at + 4) return { edition: 1, sections };
  return ended(0, "the message's own length", `${total} bytes, where the sections end after ${at + 4} ${LENIENT}`);
}
