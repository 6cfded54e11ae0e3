/** Runs the encoder contract over zipped shapefiles. */

import { outputFormats } from '../../../src/formats/formats.ts';
import type { Geometry } from '../../../src/geometry/geometry.ts';
import { encodingWorld } from '../../support/encoding-world.ts';
import { encoderContract } from './encoder.contract.ts';

/** Shapefiles do not distinguish single from multi lines and polygons. */
function asSingle(geometry: Geometry): Geometry {
  if (geometry.type === 'MultiLineString' && geometry.ends.length === 1) return { ...geometry, type: 'LineString' };
  if (geometry.type === 'MultiPolygon' && geometry.parts.length === 1)
    return { ...geometry, type: 'Polygon', parts: [] };
  return geometry;
}

const world = encodingWorld();

encoderContract({
  title: 'a zipped shapefile',
  load: () => outputFormats.shapefile.load(world),
  fileExtension: 'zip',
  crsOf: () => ({ isNorthFirst: false }),
  path: (path) => `/vsizip/${path}`,
  geometryOf: asSingle,
  // DBF tables store timestamps as text, and GDAL reads booleans as text.
  writtenValue: (value, type) => (type === 'boolean' && value !== null ? (value === true ? 'T' : 'F') : value),
  leavesOut: ['collections of geometries', 'multiple geometries with one part'],
});
