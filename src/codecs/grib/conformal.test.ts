/** The worked examples of Snyder, Map Projections, A Working Manual (USGS Professional Paper 1395), appendix A. */
import { describe, expect, it } from "vitest";
import { lambertConformal, mercator, polarStereographic, type Projection } from "./projected.ts";

const CLARKE = { radius: 6_378_206.4, eccentricity: Math.sqrt(0.00676866) };
const INTERNATIONAL = { radius: 6_378_388, eccentricity: Math.sqrt(0.00672267) };
const UNIT = { radius: 1, eccentricity: 0 };

function coneOf(...[earth, of]: Parameters<typeof lambertConformal>): Projection {
  const found = lambertConformal(earth, of);
  if (found === undefined) throw new Error("no cone");
  return found;
}

function backAndForth(projection: Projection, longitude: number, latitude: number): void {
  const [x, y] = projection.project(longitude, latitude);
  const [again, north] = projection.locate(x, y);
  expect(again).toBeCloseTo(longitude, 9);
  expect(north).toBeCloseTo(latitude, 9);
}

describe("as Snyder computes them", () => {
  it("Mercator", () => {
    // 75° west is 105° east of the book's central meridian, 180° west.
    const [x, y] = mercator(CLARKE, 0).project(105, 35);
    expect(x).toBeCloseTo(11_688_673.7, 0);
    expect(y).toBeCloseTo(4_139_145.6, 0);
    expect(mercator(UNIT, 0).project(105, 35)[1]).toBeCloseTo(0.6528366, 6);
  });

  it("Lambert conformal", () => {
    const cone = { meridian: -96, latitudes: [33, 45] } as const;
    const projection = coneOf(CLARKE, cone);
    const [x, y] = projection.project(-75, 35);
    expect(x).toBeCloseTo(1_894_410.9, 0);
    expect(y - projection.project(-96, 23)[1]).toBeCloseTo(1_564_649.5, 0);
    expect(coneOf(UNIT, cone).project(-75, 35)[0]).toBeCloseTo(0.2966785, 6);
  });

  it("polar stereographic: the south pole", () => {
    const projection = polarStereographic(INTERNATIONAL, { meridian: -100, trueLatitude: -71, isSouth: true });
    const [x, y] = projection.project(150, -75);
    expect(x).toBeCloseTo(-1_540_033.6, 0);
    expect(y).toBeCloseTo(-560_526.4, 0);
  });
});

describe("back and forth", () => {
  const projections: readonly (readonly [string, Projection])[] = [
    ["Mercator", mercator(CLARKE, 20)],
    ["polar stereographic, north", polarStereographic(UNIT, { meridian: -150, trueLatitude: 60, isSouth: false })],
    [
      "polar stereographic, true at the pole",
      polarStereographic(CLARKE, { meridian: 0, trueLatitude: 90, isSouth: false }),
    ],
    ["Lambert conformal that touches", coneOf(CLARKE, { meridian: -97.5, latitudes: [38.5, 38.5] })],
    ["Lambert conformal of the south", coneOf(CLARKE, { meridian: 140, latitudes: [-18, -36] })],
    ["Lambert conformal across 180°", coneOf(UNIT, { meridian: 185, latitudes: [50, 50] })],
  ];
  it.each(projections)("%s", (name, projection) => {
    const south = name.endsWith("south") ? -1 : 1;
    for (const longitude of [-179.5, -120, -0.25, 60.125, 171]) {
      for (const latitude of [1, 33.25, 71.5]) backAndForth(projection, longitude, south * latitude);
    }
  });

  it("there is no cone for parallels on both sides of the equator, or for a pole", () => {
    expect(lambertConformal(UNIT, { meridian: 0, latitudes: [30, -30] })).toBeUndefined();
    expect(lambertConformal(UNIT, { meridian: 0, latitudes: [0, 0] })).toBeUndefined();
  });
});
