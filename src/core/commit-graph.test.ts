import { assert, integer, property, array, record, option } from "fast-check";
import { describe, expect, it } from "vitest";
import { commitLanes, commitOrder, type Dated, linesIn } from "./commit-graph.ts";

const graphOf = (snapshots: readonly Dated[], first = -1) => {
  const { order, parents, circles } = commitOrder(snapshots);
  return { order, parents, circles, ...commitLanes(parents, first) };
};

/** Snapshots whose clocks may disagree, each with a parent before it in the list, or none. */
const forests = array(record({ clock: integer({ min: 0, max: 30 }), back: option(integer({ min: 1, max: 8 })) }), {
  maxLength: 60,
}).map((all) =>
  all.map(({ clock, back }, at): Dated => ({
    id: `S${at}`,
    parent: back === null || at - back < 0 ? undefined : `S${at - back}`,
    time: String(clock).padStart(2, "0"),
  })),
);

const places = (rows: readonly number[], lanes: Uint32Array) => rows.map((row) => `${row} ${lanes[row]}`);

describe("the order of snapshots", () => {
  it("has each once, children before parents, and of those that may come next the newest", () => {
    assert(
      property(forests, (snapshots) => {
        const { order, parents } = commitOrder(snapshots);
        expect(order.toSorted((a, b) => a - b)).toEqual(snapshots.map((_, at) => at));
        const row = new Map(order.map((at, place) => [snapshots[at]!.id, place]));
        for (const [place, at] of order.entries()) {
          const { parent, time } = snapshots[at]!;
          expect(parents[place]).toBe(parent === undefined ? -1 : row.get(parent));
          expect(parents[place] === -1 || parents[place]! > place).toBe(true);
          const isReady = (other: number) =>
            snapshots.every((one) => one.parent !== snapshots[other]!.id || row.get(one.id)! < place);
          for (const later of order.slice(place + 1))
            if (isReady(later)) expect(snapshots[later]!.time! <= time!).toBe(true);
        }
      }),
    );
  });

  it("cuts a circle of parents at its newest snapshot", () => {
    const { order, parents, circles } = commitOrder([
      { id: "A", parent: "B", time: "1" },
      { id: "B", parent: "C", time: "3" },
      { id: "C", parent: "A", time: "2" },
      { id: "D", parent: "A", time: "4" },
    ]);
    expect(order).toEqual([3, 1, 2, 0]);
    expect([...parents]).toEqual([3, 2, 3, -1]);
    expect([...circles]).toEqual([3]);
  });
});

describe("lanes", () => {
  it("hold one line or dot at a place, whatever the forest", () => {
    assert(
      property(forests, integer({ min: -1, max: 59 }), (snapshots, wanted) => {
        const { parents, lanes, count } = graphOf(snapshots, Math.min(wanted, snapshots.length - 1));
        const dots = new Set(places([...parents.keys()], lanes));
        const lines = [...parents].flatMap((parent, child) =>
          Array.from({ length: Math.max(0, parent - child - 1) }, (_, step) => `${child + 1 + step} ${lanes[child]}`),
        );
        expect(new Set(lines).size).toBe(lines.length);
        for (const line of lines) expect(dots).not.toContain(line);
        expect(Math.max(-1, ...lanes)).toBeLessThan(Math.max(1, count));
      }),
    );
  });

  it("stay with a line of descent; the first one has lane 0 for itself", () => {
    assert(
      property(forests, integer({ min: 0, max: 59 }), (snapshots, wanted) => {
        const first = Math.min(wanted, snapshots.length - 1);
        const { parents, lanes } = graphOf(snapshots, first);
        const line = new Set<number>();
        for (let row = first; row >= 0; row = parents[row]!) line.add(row);
        for (const row of parents.keys()) expect(lanes[row] === 0).toBe(line.has(row));
        // Of a parent's children one at most has its lane, and where any comes, one has.
        for (const parent of parents.keys()) {
          const children = [...parents.keys()].filter((row) => parents[row] === parent);
          const own = children.filter((row) => lanes[row] === lanes[parent]);
          const isRoot = line.has(parent) && !children.some((row) => line.has(row));
          if (children.length > 0 && !isRoot) expect(own).toHaveLength(1);
        }
      }),
    );
  });

  it("are given back: branches one after another share one", () => {
    const snapshots = Array.from({ length: 9 }, (_, at): Dated => ({
      id: `S${at}`,
      // Every third leaves the line and ends.
      parent: at === 0 ? undefined : `S${at % 3 === 2 ? at - 1 : at % 3 === 0 ? at - 2 : at - 1}`,
      time: String(at),
    }));
    expect(graphOf(snapshots, 2).count).toBeLessThanOrEqual(3);
  });

  it("of a hundred thousand branches are found in time", { timeout: 20_000 }, () => {
    const many = Array.from({ length: 100_000 }, (_, at): Dated => ({
      id: `S${at}`,
      parent: at === 0 ? undefined : "S0",
      time: String(at).padStart(6, "0"),
    }));
    expect(graphOf(many).count).toBe(99_999);
  });
});

it("lines of a window are those of the whole", () => {
  assert(
    property(forests, integer({ min: 0, max: 60 }), integer({ min: 0, max: 60 }), (snapshots, a, b) => {
      const { parents, lanes } = graphOf(snapshots);
      const [from, to] = [a, b].map((one) => Math.min(one, snapshots.length)).toSorted((x, y) => x - y) as [
        number,
        number,
      ];
      const all = linesIn(parents, lanes, 0, snapshots.length);
      expect(linesIn(parents, lanes, from, to)).toEqual(all.slice(from, to));
      for (const [row, { passing, joining, isContinued }] of all.entries()) {
        const children = [...parents.keys()].filter((child) => parents[child] === row);
        expect(joining.length + Number(isContinued)).toBe(children.length);
        expect(new Set([...passing, ...joining, lanes[row]]).size).toBe(passing.length + joining.length + 1);
      }
    }),
  );
});
