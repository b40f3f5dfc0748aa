/** Pages whose locations came before, as the shelf of pools gives them. */
import { describe, expect, it } from "vitest";
import { poolShelf, type BytePoolWriter, type ChunkColumns } from "#formats/icechunk/references.ts";
import { locationBook } from "./load-page.ts";

const ALL = Array.from({ length: 400 }, (_, at) => at);
const without = (...lacking: readonly number[]) => ALL.filter((at) => !lacking.includes(at));
/** Id that stands for the target of a location. */
const idOf = (at: number): number => 7000 + at;

function columns(writer: BytePoolWriter, all: readonly number[], dictionary?: Uint8Array): ChunkColumns {
  for (const at of all) {
    const location = Buffer.from(`s3://bucket/run_${at}.grib`);
    writer.intern(0, location, 0, location.length);
  }
  return { entries: writer.finish(), dictionary } as unknown as ChunkColumns;
}

function pages(dictionary?: Uint8Array) {
  const [shelf, book, read] = [poolShelf(), locationBook(), [] as number[]];
  const first = without(0, 20, 21, 300);
  book.keep(columns(shelf.writer(), first, dictionary), Uint32Array.from(first, idOf));
  return {
    read,
    find: (all: readonly number[], of = dictionary, isRead: (at: number) => boolean = () => true) => {
      const ids = book.find(columns(shelf.writer(), all, of), (entry) => {
        read.push(all[entry] as number);
        return isRead(all[entry] as number) ? idOf(all[entry] as number) : undefined;
      });
      return ids === undefined ? undefined : [...ids];
    },
  };
}

describe("ids of locations", () => {
  it("that a page lacks are read once, however many pages then have them", () => {
    const { read, find } = pages();
    for (const lacking of [[5, 300], [5, 300], [0, 300], [1, 2, 300], [300], [20, 21, 300], [7], []])
      expect(find(without(...lacking))).toEqual(without(...lacking).map(idOf));
    expect(read.toSorted((a, b) => a - b)).toEqual([0, 20, 21, 300]);
  });

  it("are not asked for of locations that another page alone has", () => {
    const [one, other] = [Uint8Array.of(1), Uint8Array.of(2)];
    const { read, find } = pages(one);
    // Its locations are other ones, though its bytes are the same.
    expect(find(without(5), other)).toBeUndefined();
    expect(find(without(0, 20, 21, 300), one)).toEqual(without(0, 20, 21, 300).map(idOf));
    expect(read).toEqual([]);
    expect(find(without(20, 21), one)).toEqual(without(20, 21).map(idOf));
    expect(read).toEqual([0, 300]);
  });

  it("are not given where one cannot be read, or too many must be", () => {
    const { read, find } = pages();
    expect(find(without(5), undefined, (at) => at !== 20)).toBeUndefined();
    expect(find(without(20))).toEqual(without(20).map(idOf));
    const more = Array.from({ length: 700 }, (_, at) => at);
    const before = read.length;
    expect(find(more)).toBeUndefined();
    expect(read).toHaveLength(before);
  });

  it("are found for a few locations of a pool that no page had", () => {
    const { read, find } = pages();
    expect(find(ALL.slice(1, 20))).toEqual(ALL.slice(1, 20).map(idOf));
    expect(read).toEqual([]);
    expect(find([1, 2, 3, 20, 4])).toEqual([1, 2, 3, 20, 4].map(idOf));
    expect(read).toEqual([20]);
  });
});
