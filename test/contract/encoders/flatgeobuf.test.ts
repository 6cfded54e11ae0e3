/** FlatGeobuf under the contract of encoders. */
import { outputFormats } from '../../../src/formats/formats.ts';
import { encoderContract } from './encoder.contract.ts';

encoderContract({
  title: 'FlatGeobuf',
  load: outputFormats.flatgeobuf.load,
  fileExtension: 'fgb',
  crsOf: () => ({ isNorthFirst: false }),
  // The format has moments, but no days; and features are in the order of their places.
  writtenValue: (value, type) => (type === 'date' && value !== null ? `${String(value)}T00:00:00.000Z` : value),
  isSorted: true,
});
