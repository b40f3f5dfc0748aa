/** What the marker segments of a JPEG 2000 code stream say (ITU-T T.800 Annex A); nothing is decoded here. */

export interface Component {
  /** Bits of a sample, 1 to 31. */
  readonly depth: number;
  readonly isSigned: boolean;
  /** Points of the reference grid that a sample stands for. */
  readonly dx: number;
  readonly dy: number;
}

export interface Rectangle {
  readonly x0: number;
  readonly y0: number;
  /** The first outside. */
  readonly x1: number;
  readonly y1: number;
}

/** SIZ: the image on its reference grid, and the tiles that it is divided into. */
export interface ImageSize extends Rectangle {
  readonly tileWidth: number;
  readonly tileHeight: number;
  /** Corner of the first tile. */
  readonly tileX: number;
  readonly tileY: number;
  /** Tiles in a row, and rows. */
  readonly across: number;
  readonly down: number;
  readonly components: readonly Component[];
}

/** How a component of a tile is coded (COD, COC). */
export interface CodingStyle {
  readonly levels: number;
  /** Exponents of two. */
  readonly blockWidth: number;
  readonly blockHeight: number;
  /** T.800 Table A.19. */
  readonly blockStyle: number;
  readonly isReversible: boolean;
  /** Exponents of two by resolution. */
  readonly precincts: readonly (readonly [width: number, height: number])[];
}

/** QCD, QCC. */
export interface Quantization {
  readonly guardBits: number;
  /** Whether the exponent of all bands follows from the first. */
  readonly isDerived: boolean;
  readonly steps: readonly (readonly [exponent: number, mantissa: number])[];
}

/** 0 LRCP, 1 RLCP, 2 RPCL, 3 PCRL, 4 CPRL (T.800 Table A.16). */
export type ProgressionOrder = 0 | 1 | 2 | 3 | 4;

/** COD: of a whole tile. */
export interface TileStyle {
  readonly order: ProgressionOrder;
  readonly layers: number;
  readonly isTransformed: boolean;
}

/** POC: packets in an order, up to bounds. */
export interface ProgressionChange {
  readonly order: ProgressionOrder;
  readonly resolution: number;
  readonly component: number;
  /** The first outside. */
  readonly layerEnd: number;
  readonly resolutionEnd: number;
  readonly componentEnd: number;
}

/** What holds for a tile; that of the main header holds for tiles that say nothing else. */
export interface Parameters {
  style: TileStyle | undefined;
  coding: CodingStyle | undefined;
  readonly componentCoding: Map<number, CodingStyle>;
  quantization: Quantization | undefined;
  readonly componentQuantization: Map<number, Quantization>;
  /** Bits that coefficients of a region of interest are shifted by (RGN). */
  readonly shifts: Map<number, number>;
  changes: readonly ProgressionChange[];
}

export interface Tile {
  readonly index: number;
  readonly parameters: Parameters;
  /** Packets, as the tile-parts hold them. */
  readonly parts: Uint8Array[];
}

export interface CodeStream {
  readonly size: ImageSize;
  readonly tiles: readonly Tile[];
}

export const ceilDivide = (value: number, by: number): number => Math.ceil(value / by);

/** Samples of a component in a rectangle of the reference grid. */
export function componentRectangle({ x0, y0, x1, y1 }: Rectangle, { dx, dy }: Component): Rectangle {
  return { x0: ceilDivide(x0, dx), y0: ceilDivide(y0, dy), x1: ceilDivide(x1, dx), y1: ceilDivide(y1, dy) };
}

export function tileRectangle(size: ImageSize, index: number): Rectangle {
  const x = size.tileX + (index % size.across) * size.tileWidth;
  const y = size.tileY + Math.floor(index / size.across) * size.tileHeight;
  return {
    x0: Math.max(x, size.x0),
    y0: Math.max(y, size.y0),
    x1: Math.min(x + size.tileWidth, size.x1),
    y1: Math.min(y + size.tileHeight, size.y1),
  };
}
