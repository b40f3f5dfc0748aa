/** One block of a bzip2 stream: Huffman codes, move to front, the Burrows-Wheeler transform, runs. */
import { decodeFailed } from "../failure.ts";
import { invalid } from "../lzma/streams.ts";
import { reserve, type Output } from "../output.ts";
import { take, type Bits } from "./bits.ts";
import { readSelectors, readTable, takeSymbol } from "./huffman.ts";

/** Room for the largest block, used again for each: the last column in the low bytes, links in the high ones. */
export type Workspace = Uint32Array;

const GROUP = 50;
const MAX_RUN = 2 * 1024 * 1024;

/** Appends the block's bytes; its magic number and checksum have been taken. */
export function readBlock(bits: Bits, workspace: Workspace, output: Output): void {
  if (take(bits, 1) === 1) {
    const expected = "blocks that are not randomised (bzip2 0.9.5 of 1999 and later)";
    throw decodeFailed(output.codec, expected, "a randomised block, which Refscope does not decode");
  }
  const first = take(bits, 24);
  if (first > workspace.length + 10) throw badStart(output, first, workspace.length);
  const bytes = readBytesInUse(bits);
  const counts = new Uint32Array(256);
  const length = readColumn(bits, bytes, workspace, counts);
  if (first >= length) throw badStart(output, first, length);
  link(workspace, length, counts);
  writeRuns(workspace, length, first, output);
}

function badStart(output: Output, first: number, length: number): Error {
  return invalid(output.codec, `a block that begins at one of its ${length} bytes`, `one that begins at ${first}`);
}

function readBytesInUse(bits: Bits): Uint8Array {
  const rows = take(bits, 16);
  const bytes: number[] = [];
  for (let row = 0; row < 16; row++) {
    if ((rows & (0x8000 >>> row)) === 0) continue;
    const columns = take(bits, 16);
    for (let column = 0; column < 16; column++) {
      if ((columns & (0x8000 >>> column)) !== 0) bytes.push(row * 16 + column);
    }
  }
  if (bytes.length === 0) throw invalid(bits.output.codec, "a block with bytes in it", "one without");
  return Uint8Array.from(bytes);
}

/** The last column of the sorted rotations, into `workspace`, and how often each byte is in it. Returns its length. */
function readColumn(bits: Bits, order: Uint8Array, workspace: Workspace, counts: Uint32Array): number {
  const tableCount = take(bits, 3);
  if (tableCount < 2 || tableCount > 6) throw invalid(bits.output.codec, "2 to 6 Huffman tables", String(tableCount));
  const selectors = readSelectors(bits, tableCount);
  const end = order.length + 1;
  const tables = Array.from({ length: tableCount }, () => readTable(bits, end + 1));
  let [length, run, weight] = [0, 0, 1];
  for (let taken = 0; ; taken++) {
    const table = tables[selectors[Math.floor(taken / GROUP)] ?? -1];
    if (table === undefined) throw invalid(bits.output.codec, `at most ${taken} symbols`, "more");
    const symbol = takeSymbol(bits, table);
    if (symbol < 2) {
      if (weight >= MAX_RUN) throw invalid(bits.output.codec, "runs within a block", "a longer one");
      run += weight << symbol;
      weight *= 2;
      continue;
    }
    if (run > 0) {
      length = putRun(workspace, length, run, order[0] as number, counts, bits.output);
      [run, weight] = [0, 1];
    }
    if (symbol === end) return length;
    const byte = order[symbol - 1] as number;
    order.copyWithin(1, 0, symbol - 1);
    order[0] = byte;
    length = putRun(workspace, length, 1, byte, counts, bits.output);
  }
}

function putRun(
  workspace: Workspace,
  length: number,
  run: number,
  byte: number,
  counts: Uint32Array,
  output: Output,
): number {
  const end = length + run;
  if (end > workspace.length) throw invalid(output.codec, `a block of at most ${workspace.length} bytes`, "more");
  if (run === 1) workspace[length] = byte;
  else workspace.fill(byte, length, end);
  counts[byte] = (counts[byte] as number) + run;
  return end;
}

/** Each place gets the place whose byte comes after its own, in the high 24 bits. */
function link(workspace: Workspace, length: number, counts: Uint32Array): void {
  const next = new Uint32Array(256);
  for (let byte = 1; byte < 256; byte++) next[byte] = (next[byte - 1] as number) + (counts[byte - 1] as number);
  for (let i = 0; i < length; i++) {
    const byte = (workspace[i] as number) & 255;
    const place = next[byte] as number;
    next[byte] = place + 1;
    workspace[place] = (workspace[place] as number) | (i << 8);
  }
}

/** Four equal bytes are followed by how many more there are. */
function writeRuns(workspace: Workspace, length: number, first: number, output: Output): void {
  let at = (workspace[first] as number) >>> 8;
  let [equal, last] = [0, -1];
  for (let i = 0; i < length; i++) {
    const entry = workspace[at] as number;
    const byte = entry & 255;
    at = entry >>> 8;
    if (equal === 4) {
      reserve(output, byte);
      output.bytes.fill(last, output.length, output.length + byte);
      output.length += byte;
      [equal, last] = [0, -1];
      continue;
    }
    equal = byte === last ? equal + 1 : 1;
    last = byte;
    if (output.length === output.bytes.length) reserve(output, 1);
    output.bytes[output.length++] = byte;
  }
  if (equal === 4) throw invalid(output.codec, "a count after four equal bytes", "the end of the block");
}
