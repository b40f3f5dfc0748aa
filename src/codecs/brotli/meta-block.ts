/** The header of a compressed meta-block (RFC 7932 §9.2): block types, context maps, prefix codes. */
import { kBlockLengthPrefixCode } from "hyparquet-compressors/src/brotli.prefix.js";
import { corrupt, take, takeCount, takePrefixCode, takeSymbol, type Bits, type PrefixCode } from "./bits.ts";

/** Of literals, commands or distances: which block is being read, and how many of its symbols are left. */
export interface Blocks {
  readonly types: number;
  readonly typeCode: PrefixCode;
  readonly countCode: PrefixCode;
  type: number;
  before: number;
  left: number;
}

export interface MetaBlock {
  readonly literals: Blocks;
  readonly commands: Blocks;
  readonly distances: Blocks;
  readonly postfixBits: number;
  readonly direct: number;
  /** By the literals' block type. */
  readonly modes: Uint8Array;
  readonly literalMap: Uint8Array;
  readonly distanceMap: Uint8Array;
  readonly literalCodes: readonly PrefixCode[];
  readonly commandCodes: readonly PrefixCode[];
  readonly distanceCodes: readonly PrefixCode[];
}

const NO_CODE: PrefixCode = { only: 0 };

function takeBlocks(bits: Bits): Blocks {
  const types = takeCount(bits);
  // More than a meta-block has symbols.
  if (types === 1) return { types, typeCode: NO_CODE, countCode: NO_CODE, type: 0, before: 1, left: 2 ** 28 };
  const typeCode = takePrefixCode(bits, types + 2);
  const countCode = takePrefixCode(bits, kBlockLengthPrefixCode.length);
  return { types, typeCode, countCode, type: 0, before: 1, left: takeBlockCount(bits, countCode) };
}

function takeBlockCount(bits: Bits, code: PrefixCode): number {
  const prefix = kBlockLengthPrefixCode[takeSymbol(bits, code)];
  if (prefix === undefined) throw corrupt("a block count", "none");
  return prefix.offset + take(bits, prefix.nbits);
}

/** Counts one symbol; another block begins where the last one is used up. */
export function countSymbol(bits: Bits, blocks: Blocks): void {
  if (blocks.left === 0) {
    const code = takeSymbol(bits, blocks.typeCode);
    const next = code === 0 ? blocks.before : code === 1 ? (blocks.type + 1) % blocks.types : code - 2;
    blocks.before = blocks.type;
    blocks.type = next;
    blocks.left = takeBlockCount(bits, blocks.countCode);
  }
  blocks.left -= 1;
}

export function takeMetaBlock(bits: Bits): MetaBlock {
  const [literals, commands, distances] = [takeBlocks(bits), takeBlocks(bits), takeBlocks(bits)];
  const postfixBits = take(bits, 2);
  const direct = take(bits, 4) << postfixBits;
  const modes = Uint8Array.from({ length: literals.types }, () => take(bits, 2));
  const literalMap = takeContextMap(bits, literals.types * 64);
  const distanceMap = takeContextMap(bits, distances.types * 4);
  const codes = (count: number, alphabet: number): readonly PrefixCode[] =>
    Array.from({ length: count }, () => takePrefixCode(bits, alphabet));
  return {
    literals,
    commands,
    distances,
    postfixBits,
    direct,
    modes,
    literalMap: literalMap.map,
    distanceMap: distanceMap.map,
    literalCodes: codes(literalMap.codes, 256),
    commandCodes: codes(commands.types, 704),
    distanceCodes: codes(distanceMap.codes, 16 + direct + (48 << postfixBits)),
  };
}

/** Which prefix code each context has (§7.3). */
function takeContextMap(bits: Bits, size: number): { readonly codes: number; readonly map: Uint8Array } {
  const codes = takeCount(bits);
  const map = new Uint8Array(size);
  if (codes === 1) return { codes, map };
  const longest = take(bits, 1) === 0 ? 0 : take(bits, 4) + 1;
  const code = takePrefixCode(bits, codes + longest);
  for (let at = 0; at < size;) {
    const symbol = takeSymbol(bits, code);
    if (symbol > longest || symbol === 0) {
      map[at++] = symbol === 0 ? 0 : symbol - longest;
      continue;
    }
    at += (1 << symbol) + take(bits, symbol);
    if (at > size) throw corrupt(`a context map of ${size} entries`, "more");
  }
  if (take(bits, 1) === 1) undoMoveToFront(map);
  return { codes, map };
}

function undoMoveToFront(map: Uint8Array): void {
  const order = Uint8Array.from({ length: 256 }, (_, at) => at);
  for (const [at, index] of map.entries()) {
    const value = order[index] as number;
    map[at] = value;
    order.copyWithin(1, 0, index);
    order[0] = value;
  }
}
