/**
 * XXH64 with seed 0 (xxhash_spec.md), of which zstd keeps the low 32 bits. 64-bit numbers are two 32-bit halves in an
 * Int32Array [low, high]: BigInt would take longer than the decompression.
 */
const PRIMES = {
  1: [0x85eb_ca87 | 0, 0x9e37_79b1 | 0],
  2: [0x27d4_eb4f | 0, 0xc2b2_ae3d | 0],
  3: [0x9e37_79f9 | 0, 0x1656_67b1 | 0],
  4: [0xc2b2_ae63 | 0, 0x85eb_ca77 | 0],
  5: [0x1656_67c5 | 0, 0x27d4_eb2f | 0],
} as const;

type Prime = readonly [number, number];

export function xxHash64Low(bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const hash = new Int32Array(2);
  let at = 0;
  if (bytes.length < 32) add(hash, PRIMES[5][0], PRIMES[5][1]);
  else at = hashStripes(view, hash);
  add(hash, bytes.length | 0, Math.floor(bytes.length / 2 ** 32));
  hashRest(view, at, hash);
  xorShift(hash, 33);
  multiply(hash, PRIMES[2]);
  xorShift(hash, 29);
  multiply(hash, PRIMES[3]);
  xorShift(hash, 32);
  return (hash[0] as number) >>> 0;
}

function hashStripes(view: DataView, hash: Int32Array): number {
  const lanes = [0, 1, 2, 3].map(() => new Int32Array(2));
  const [first, second, , fourth] = lanes as [Int32Array, Int32Array, Int32Array, Int32Array];
  add(first, ...PRIMES[1]);
  add(first, ...PRIMES[2]);
  add(second, ...PRIMES[2]);
  negate(add(fourth, ...PRIMES[1]));
  let at = 0;
  for (; at + 32 <= view.byteLength; at += 32) {
    for (let i = 0; i < 4; i++) round(lanes[i] as Int32Array, view, at + 8 * i);
  }
  lanes.forEach((lane, i) => {
    const turned = lane.slice();
    rotate(turned, [1, 7, 12, 18][i] as number);
    add(hash, turned[0] as number, turned[1] as number);
  });
  for (const lane of lanes) {
    multiply(lane, PRIMES[2]);
    rotate(lane, 31);
    multiply(lane, PRIMES[1]);
    xor(hash, lane);
    multiply(hash, PRIMES[1]);
    add(hash, ...PRIMES[4]);
  }
  return at;
}

function hashRest(view: DataView, from: number, hash: Int32Array): void {
  const lane = new Int32Array(2);
  let at = from;
  for (; at + 8 <= view.byteLength; at += 8) {
    lane.fill(0);
    round(lane, view, at);
    xor(hash, lane);
    mix(hash, 27, PRIMES[1], PRIMES[4]);
  }
  if (at + 4 <= view.byteLength) {
    lane.set([view.getInt32(at, true), 0]);
    multiply(lane, PRIMES[1]);
    xor(hash, lane);
    mix(hash, 23, PRIMES[2], PRIMES[3]);
    at += 4;
  }
  for (; at < view.byteLength; at++) {
    lane.set([view.getUint8(at), 0]);
    multiply(lane, PRIMES[5]);
    xor(hash, lane);
    rotate(hash, 11);
    multiply(hash, PRIMES[1]);
  }
}

function round(lane: Int32Array, view: DataView, at: number): void {
  const word = WORD;
  word[0] = view.getInt32(at, true);
  word[1] = view.getInt32(at + 4, true);
  multiply(word, PRIMES[2]);
  add(lane, word[0], word[1]);
  rotate(lane, 31);
  multiply(lane, PRIMES[1]);
}

const WORD = new Int32Array(2);

function mix(hash: Int32Array, turn: number, factor: Prime, sum: Prime): void {
  rotate(hash, turn);
  multiply(hash, factor);
  add(hash, ...sum);
}

function add(value: Int32Array, low: number, high: number): Int32Array {
  const sum = ((value[0] as number) >>> 0) + (low >>> 0);
  value[1] = (value[1] as number) + high + (sum > 0xffff_ffff ? 1 : 0);
  value[0] = sum;
  return value;
}

function negate(value: Int32Array): void {
  value[0] = ~(value[0] as number);
  value[1] = ~(value[1] as number);
  add(value, 1, 0);
}

function xor(value: Int32Array, other: Int32Array): void {
  value[0] = (value[0] as number) ^ (other[0] as number);
  value[1] = (value[1] as number) ^ (other[1] as number);
}

/** Lower 64 bits of the product: the full product of the low halves, and the cross products for the high half. */
function multiply(value: Int32Array, [low, high]: Prime): void {
  const own = value[0] as number;
  const [a, b, c, d] = [own >>> 16, own & 0xffff, low >>> 16, low & 0xffff];
  const middle = ((b * d) >>> 16) + ((a * d) & 0xffff) + b * c;
  const carry = Math.floor(middle / 65_536) + ((a * d) >>> 16) + a * c;
  value[1] = (carry | 0) + Math.imul(own, high) + Math.imul(value[1] as number, low);
  value[0] = Math.imul(own, low);
}

function rotate(value: Int32Array, count: number): void {
  const [low, high] = value as unknown as [number, number];
  value[0] = (low << count) | (high >>> (32 - count));
  value[1] = (high << count) | (low >>> (32 - count));
}

/** value ^= value >>> count; 0 < count < 64. */
function xorShift(value: Int32Array, count: number): void {
  const low = value[0] as number;
  const high = value[1] as number;
  if (count < 32) value[0] = low ^ ((low >>> count) | (high << (32 - count)));
  else value[0] = low ^ (high >>> (count - 32));
  if (count < 32) value[1] = high ^ (high >>> count);
}
