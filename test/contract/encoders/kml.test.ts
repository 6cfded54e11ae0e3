/** KML under the contract of encoders. */
import { outputFormats } from '../../../src/formats/formats.ts';
import { encoderContract } from './encoder.contract.ts';

encoderContract({
  title: 'KML',
  load: outputFormats.kml.load,
  fileExtension: 'kml',
  crsOf: () => ({ isNorthFirst: false }),
  // Yes and no are numbers to GDAL, and the format has no larger whole numbers than those of 32 bits.
  writtenValue: (value, type) => (type === 'boolean' ? Number(value) : type === 'long' ? String(value) : value),
  leavesOut: ['places in a system whose north comes first', 'polygons in a system whose east comes first'],
});
