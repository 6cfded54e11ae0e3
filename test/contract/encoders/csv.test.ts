/** Runs the encoder contract over CSV. */
import { outputFormats } from '../../../src/formats/formats.ts';
import { encoderContract } from './encoder.contract.ts';

encoderContract({
  title: 'CSV',
  load: outputFormats.csv.load,
  fileExtension: 'csv',
  crsOf: () => ({ isNorthFirst: false }),
  openOptions: [
    'AUTODETECT_TYPE=YES',
    'GEOM_POSSIBLE_NAMES=the_geom',
    'KEEP_GEOM_COLUMNS=NO',
    'EMPTY_STRING_AS_NULL=YES',
  ],
});
