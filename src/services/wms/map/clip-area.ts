/** Parses the clip area of a map: a WKT polygon in the CRS of the map or in a CRS that it names. */

import { readCrsName } from '../../../crs/axis-order.ts';
import { createConversion } from '../../../crs/conversion.ts';
import type { CrsReference } from '../../../crs/model/crs-reference.ts';
import { readEcqlExpression } from '../../../filter/ecql/reader.ts';
import type { GeometryLiteral, Position } from '../../../filter/model/geometry-literal.ts';
import { type Problem, problem } from '../../../lib/problems/problem.ts';
import type { ClipArea } from '../../../rendering/rasterizer/clip-area.ts';

/** The maximum number of positions; hand-drawn areas have far fewer. */
const MAX_POSITIONS = 100_000;

export async function readClipArea(text: string, system: CrsReference): Promise<ClipArea> {
  const outcome = readEcqlExpression(text);
  if (outcome.kind !== 'read' || outcome.value.kind !== 'geometry') throw createClipProblem(text);
  const polygons = listPolygons(outcome.value, text);
  const count = polygons.flat().reduce((sum, ring) => sum + ring.length, 0);
  if (count > MAX_POSITIONS) throw createClipProblem(text);
  const { srsName } = outcome.value;
  const named = srsName === undefined ? undefined : await readCrsName(srsName);
  if (srsName !== undefined && named === undefined) throw problem('wms-crs-unknown', { crs: srsName, field: 'clip' });
  const convert = named && (await createConversion({ code: named.code }, system));
  const convertPosition = ([x = 0, y = 0]: Position): Position => {
    const position = convert === undefined ? [x, y] : convert(x, y);
    if (position === undefined) throw createClipProblem(text);
    return position;
  };
  return polygons.map((rings) =>
    rings.map((ring) => Float64Array.from(ring.flatMap((position) => convertPosition(position)))),
  );
}

type Rings = readonly (readonly Position[])[];

function listPolygons(literal: GeometryLiteral, text: string): readonly Rings[] {
  switch (literal.type) {
    case 'Polygon':
      return [literal.coordinates];
    case 'MultiPolygon':
    case 'GeometryCollection':
      return literal.members.flatMap((member) => listPolygons(member, text));
    default:
      throw createClipProblem(text);
  }
}

function createClipProblem(value: string): Problem {
  const expected = 'expected a polygon as well-known text, such as POLYGON((0 0, 1 0, 1 1, 0 0))';
  return problem('ows-parameter-invalid', { parameter: 'clip', value, expected, field: 'clip' });
}
