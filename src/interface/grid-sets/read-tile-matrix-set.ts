/** Reads TileMatrixSet documents: XML of WMTS 1.0.0 and JSON of the Two Dimensional Tile Matrix Set standard. */
import type { WrittenMatrix, WrittenTileMatrixSet } from '../../catalog/grid-sets/tile-matrix-set-draft.ts';
import type { InputNode } from '../../http/serialization/input-tree.ts';
import { type FieldError, problem } from '../../lib/problems/problem.ts';
import { MAX_LEVELS } from '../../tiles/grids/grid-definition.ts';

const ROOT = 'TileMatrixSet';

/** Returns undefined for another document. */
export function readTileMatrixSet(body: InputNode): WrittenTileMatrixSet | undefined {
  const [root] = body.members.get(ROOT) ?? [];
  const set = root ?? body;
  const matrices = findAll(set, 'TileMatrix', 'tileMatrices', 'tileMatrix');
  if (root === undefined && matrices.length === 0) return undefined;
  const complaints: FieldError[] = [];
  if (matrices.length === 0 || matrices.length > MAX_LEVELS) {
    complaints.push({ field: `${ROOT}.tileMatrices`, message: `expected 1 to ${MAX_LEVELS} levels` });
  }
  const crs = readCrsText(set);
  if (crs === '') complaints.push({ field: `${ROOT}.crs`, message: 'is required' });
  const levels = matrices.slice(0, MAX_LEVELS).map((matrix, level) => readMatrix(matrix, level, complaints));
  if (complaints.length > 0) throw problem('document-invalid', { complaints, field: complaints[0]?.field ?? ROOT });
  return {
    name: readText(set, 'Identifier', 'id', 'identifier') || undefined,
    title: readText(set, 'Title', 'title', 'Abstract', 'description'),
    crs,
    orderedAxes: findAll(set, 'orderedAxes').map(({ text }) => text),
    matrices: levels,
  };
}

function findAll(node: InputNode, ...names: readonly string[]): readonly InputNode[] {
  for (const name of names) {
    const found = node.members.get(name);
    if (found !== undefined) return found;
  }
  return [];
}

function readText(node: InputNode, ...names: readonly string[]): string {
  return findAll(node, ...names)[0]?.text.trim() ?? '';
}

/** JSON documents contain a URI, or an object with a URI. */
function readCrsText(set: InputNode): string {
  const [crs] = findAll(set, 'SupportedCRS', 'crs', 'supportedCRS');
  if (crs === undefined) return '';
  return crs.text.trim() || readText(crs, 'uri');
}

function readNumber(node: InputNode, ...names: readonly string[]): number | undefined {
  const text = readText(node, ...names);
  return text === '' ? undefined : Number(text);
}

/** XML separates the coordinates by a space. */
function readCorner(node: InputNode): readonly [number, number] {
  const nodes = findAll(node, 'TopLeftCorner', 'pointOfOrigin', 'topLeftCorner');
  const [one = Number.NaN, other = Number.NaN, ...more] = nodes
    .flatMap(({ text }) => text.trim().split(/\s+/))
    .map(Number);
  return more.length > 0 ? [Number.NaN, Number.NaN] : [one, other];
}

function readMatrix(node: InputNode, level: number, complaints: FieldError[]): WrittenMatrix {
  const field = `${ROOT}.tileMatrices[${level}]`;
  const matrix = {
    name: readText(node, 'Identifier', 'id', 'identifier'),
    scaleDenominator: readNumber(node, 'ScaleDenominator', 'scaleDenominator'),
    cellSize: readNumber(node, 'cellSize'),
    corner: readCorner(node),
    isFromBelow: readText(node, 'cornerOfOrigin') === 'bottomLeft',
    tileWidth: readNumber(node, 'TileWidth', 'tileWidth') ?? Number.NaN,
    tileHeight: readNumber(node, 'TileHeight', 'tileHeight') ?? Number.NaN,
    columns: readNumber(node, 'MatrixWidth', 'matrixWidth') ?? Number.NaN,
    rows: readNumber(node, 'MatrixHeight', 'matrixHeight') ?? Number.NaN,
  };
  const { scaleDenominator, cellSize, corner, tileWidth, tileHeight, columns, rows } = matrix;
  const numbers = { scale: cellSize ?? scaleDenominator ?? Number.NaN, tileWidth, tileHeight, columns, rows };
  const isSound =
    Object.values(numbers).every((each) => Number.isFinite(each) && each > 0) && corner.every(Number.isFinite);
  if (!isSound) {
    const message = 'expected a scale, a corner, and the sizes of tiles and of the matrix as positive numbers';
    complaints.push({ field, message });
  }
  if (findAll(node, 'variableMatrixWidths').length > 0) {
    complaints.push({ field, message: 'variable matrix widths are not supported' });
  }
  return matrix;
}
