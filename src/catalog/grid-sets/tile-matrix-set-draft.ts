/** Converts TileMatrixSet documents of OGC to the fields of a grid set. */
import { type NamedCrs, readCrsName } from '../../crs/axis-order.ts';
import type { Bounds } from '../../crs/bounds.ts';
import { problem } from '../../lib/problems/problem.ts';
import { excerpt } from '../../lib/text/excerpt.ts';
import { findGridCrs } from '../../tiles/grids/create-set.ts';
import { createMatrices, type GridMatrix, gridDefaults } from '../../tiles/grids/grid-definition.ts';
import { computeMatrixBounds, PIXEL_METRES, type TileMatrix } from '../../tiles/tile-matrix-set.ts';
import type { GridSetDraft } from './grid-set-draft.ts';

/** One level as it is written. */
export interface WrittenMatrix {
  readonly name: string;
  readonly scaleDenominator: number | undefined;
  readonly cellSize: number | undefined;
  /** In the axis order of the document. */
  readonly corner: readonly [number, number];
  readonly isFromBelow: boolean;
  readonly tileWidth: number;
  readonly tileHeight: number;
  readonly columns: number;
  readonly rows: number;
}

/** A document of WMTS 1.0.0 or of the Two Dimensional Tile Matrix Set standard 1.0 or 2.0, as it is written. */
export interface WrittenTileMatrixSet {
  readonly name: string | undefined;
  readonly title: string;
  readonly crs: string;
  /** Empty for the order of the CRS. */
  readonly orderedAxes: readonly string[];
  readonly matrices: readonly WrittenMatrix[];
}

export async function toGridSetDraft(written: WrittenTileMatrixSet): Promise<GridSetDraft> {
  const named = await readCrsName(written.crs, 'as-authority');
  const epsg = Number(/^EPSG:(\d{1,6})$/.exec(named?.code ?? '')?.[1]);
  const crs = Number.isNaN(epsg) ? undefined : await findGridCrs(epsg);
  if (named === undefined || crs === undefined) {
    const message = `unknown CRS '${excerpt(written.crs)}'; expected a name such as http://www.opengis.net/def/crs/EPSG/0/2056`;
    throw problem('document-invalid', {
      complaints: [{ field: 'TileMatrixSet.crs', message }],
      field: 'TileMatrixSet.crs',
    });
  }
  const isNorthFirst = findAxisOrder(written.orderedAxes, named);
  const matrices = written.matrices
    .map((matrix) => toTileMatrix(matrix, isNorthFirst, crs.metresPerUnit))
    .sort((one, other) => other.cellSize - one.cellSize);
  const base = {
    ...(written.name === undefined ? {} : { name: written.name }),
    description: written.title,
    srs: epsg,
    extent: findExtent(matrices),
    alignTopLeft: true,
    ...listScales(written, matrices),
    levels: null,
    metersPerUnit: null,
    pixelSize: null,
    scaleNames: matrices.map(({ name }) => name),
    tileWidth: matrices[0]?.tileWidth ?? null,
    tileHeight: matrices[0]?.tileHeight ?? null,
    yCoordinateFirst: isNorthFirst,
  };
  return { ...base, tileMatrices: followsFromExtent(base.extent, matrices) ? null : matrices.map(toGridMatrix) };
}

/** Documents without pixel sizes keep their scale denominators, which lose no digits. */
function listScales({ matrices: written }: WrittenTileMatrixSet, matrices: readonly TileMatrix[]) {
  if (written.some(({ cellSize }) => cellSize !== undefined)) {
    return { resolutions: matrices.map(({ cellSize }) => cellSize), scaleDenominators: null };
  }
  const scaleDenominators = written.map(({ scaleDenominator = Number.NaN }) => scaleDenominator);
  return { resolutions: null, scaleDenominators: scaleDenominators.sort((one, other) => other - one) };
}

function findAxisOrder([first]: readonly string[], { isNorthFirst }: NamedCrs): boolean {
  if (first === undefined) return isNorthFirst;
  return /^(?:n|y|lat)/i.test(first.trim());
}

function toTileMatrix(written: WrittenMatrix, isNorthFirst: boolean, metresPerUnit: number): TileMatrix {
  const { name, tileWidth, tileHeight, columns, rows } = written;
  const cellSize = written.cellSize ?? ((written.scaleDenominator ?? Number.NaN) * PIXEL_METRES) / metresPerUnit;
  const [x, y] = isNorthFirst ? written.corner.toReversed() : written.corner;
  const top = (y ?? Number.NaN) + (written.isFromBelow ? rows * tileHeight * cellSize : 0);
  return { name, cellSize, origin: [x ?? Number.NaN, top], columns, rows, tileWidth, tileHeight };
}

/** The tiles of the finest level exceed the intended area least. */
function findExtent(matrices: readonly TileMatrix[]): Bounds | null {
  const finest = matrices.at(-1);
  return finest === undefined ? null : computeMatrixBounds(finest);
}

/** A fraction of a pixel that is not visible. */
const TOLERANCE = 0.01;

function followsFromExtent(extent: Bounds | null, matrices: readonly TileMatrix[]): boolean {
  const [first] = matrices;
  if (extent === null || first === undefined) return true;
  const { tileWidth, tileHeight } = first;
  const scales = { kind: 'resolutions', values: matrices.map(({ cellSize }) => cellSize) } as const;
  const definition = { ...gridDefaults, name: '', epsg: 0, extent, scales, alignTopLeft: true, tileWidth, tileHeight };
  return createMatrices(definition, 1).every((computed, level) => isSameMatrix(computed, matrices[level]));
}

function isSameMatrix(one: TileMatrix, other: TileMatrix | undefined): boolean {
  if (other === undefined) return false;
  const isNear = one.origin.every(
    (value, axis) => Math.abs(value - (other.origin[axis] ?? Number.NaN)) < one.cellSize * TOLERANCE,
  );
  const sides = ['columns', 'rows', 'tileWidth', 'tileHeight'] as const;
  return isNear && sides.every((side) => one[side] === other[side]);
}

function toGridMatrix({ origin, columns, rows, tileWidth, tileHeight }: TileMatrix): GridMatrix {
  return { originX: origin[0], originY: origin[1], columns, rows, tileWidth, tileHeight };
}
