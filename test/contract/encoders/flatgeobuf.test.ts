/** Runs the encoder contract over FlatGeobuf. */
import { outputFormats } from '../../../src/formats/formats.ts';
import { encoderContract } from './encoder.contract.ts';

encoderContract({
  title: 'FlatGeobuf',
  load: outputFormats.flatgeobuf.load,
  fileExtension: 'fgb',
  crsOf: () => ({ isNorthFirst: false }),
  // The format has timestamps but no dates, and sorts features spatially.
  writtenValue: (value, type) => (type === 'date' && value !== null ? `${String(value)}T00:00:00.000Z` : value),
  isSorted: true,
});
