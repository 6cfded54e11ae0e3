/** VectorToRaster: the values of an attribute in the cells that the features cover. */
import { readEcqlExpression } from '../../../filter/ecql/ecql.ts';
import { evaluateExpression, toNumber } from '../../../filter/evaluate/evaluate.ts';
import type { Expression } from '../../../filter/model/expression.ts';
import type { Geometry } from '../../../geometry/geometry.ts';
import { createReprojection } from '../../../geometry/reprojection.ts';
import { vectorToRaster as process } from '../../../styling/transformations/processes.ts';
import { listAttributeNames } from '../../rules/bind-style.ts';
import { createOutputGrid, fillPolygons, type OutputGrid } from '../model/coverage-data.ts';
import { forEachFeature } from '../model/feature-data.ts';
import { rejectTransformation, transformFeatures } from '../model/transformation.ts';
import { createFloatBand, findGeometryAttribute } from '../model/transformed-data.ts';

const band = createFloatBand('value');

export const vectorToRaster = transformFeatures(process, {
  describe: () => ({ kind: 'coverage', bands: [band] }),
  listAttributes: ({ attribute }) => listAttributeNames(readValue(attribute)),
  async run([data], { rasterWidth, rasterHeight, attribute, bounds }, map) {
    const expression = readValue(attribute);
    const grid = createOutputGrid(process, { box: bounds, width: rasterWidth, height: rasterHeight }, map);
    const samples = new Float32Array(grid.columns * grid.rows);
    const mask = new Uint8Array(samples.length);
    const from = data && findGeometryAttribute(data.description)?.crs;
    const reprojection = from && (await createReprojection(from, map.crs));
    if (data !== undefined) {
      forEachFeature(data, (feature) => {
        const value = toNumber(evaluateExpression(expression, feature.values()));
        const geometry = feature.getGeometry();
        const placed = geometry && (reprojection?.reprojectGeometry(geometry) ?? geometry);
        if (value === undefined || placed === undefined) return;
        for (const shift of map.shifts) {
          burn(placed, shift, grid, (start, end) => {
            samples.fill(value, start, end);
            mask.fill(1, start, end);
          });
        }
      });
    }
    return {
      kind: 'coverage',
      width: grid.columns,
      height: grid.rows,
      bounds: grid.bounds,
      crs: map.crs,
      bands: [{ band, samples, mask }],
    };
  },
});

function readValue(attribute: string): Expression {
  const outcome = readEcqlExpression(attribute);
  if (outcome.kind === 'read') return outcome.value;
  throw rejectTransformation(process, "parameter 'attribute' must be an attribute or an ECQL expression");
}

/** Burns the cells of polygons, of lines and of points. */
function burn(
  geometry: Geometry,
  shift: number,
  { columns, rows, bounds, cellWidth, cellHeight }: OutputGrid,
  paint: (from: number, to: number) => void,
): void {
  const toColumn = (x: number) => (x + shift - bounds.minX) / cellWidth;
  const toRow = (y: number) => (bounds.maxY - y) / cellHeight;
  const paintCell = (x: number, y: number): void => {
    const [column, row] = [Math.floor(x), Math.floor(y)];
    if (column >= 0 && column < columns && row >= 0 && row < rows)
      paint(row * columns + column, row * columns + column + 1);
  };
  fillPolygons(geometry, toColumn, toRow, { width: columns, height: rows, paint });
  for (const member of geometry.members ?? [geometry]) {
    if (member.type === 'Polygon' || member.type === 'MultiPolygon') continue;
    const { ordinates, ends } = member;
    let line = 0;
    for (let at = 0; at < ordinates.length; at += 2) {
      const [x, y] = [toColumn(ordinates[at] ?? 0), toRow(ordinates[at + 1] ?? 0)];
      paintCell(x, y);
      if (at / 2 + 1 === ends[line]) line += 1;
      else if (ends.length > 0) {
        const [toX, toY] = [toColumn(ordinates[at + 2] ?? 0), toRow(ordinates[at + 3] ?? 0)];
        // A longer segment leaves the map, whose cells are then found at its ends only.
        const steps = Math.min(columns + rows, Math.ceil(Math.max(Math.abs(toX - x), Math.abs(toY - y))));
        for (let step = 1; step < steps; step += 1)
          paintCell(x + ((toX - x) * step) / steps, y + ((toY - y) * step) / steps);
      }
    }
  }
}
