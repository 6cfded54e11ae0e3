/** Runs the encoder contract over KML. */
import { outputFormats } from '../../../src/formats/formats.ts';
import { encoderContract } from './encoder.contract.ts';

encoderContract({
  title: 'KML',
  load: outputFormats.kml.load,
  fileExtension: 'kml',
  crsOf: () => ({ isNorthFirst: false }),
  // GDAL reads booleans as numbers, and the format has no integers larger than 32 bits.
  writtenValue: (value, type) => (type === 'boolean' ? Number(value) : type === 'long' ? String(value) : value),
  leavesOut: ['places in a system whose north comes first', 'polygons in a system whose east comes first'],
});
