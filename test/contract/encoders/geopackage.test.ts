/** Runs the encoder contract over GeoPackage. */
import { outputFormats } from '../../../src/formats/formats.ts';
import { encodingWorld } from '../../support/encoding-world.ts';
import { encoderContract } from './encoder.contract.ts';

const world = encodingWorld();

encoderContract({
  title: 'a GeoPackage',
  load: () => outputFormats.geopackage.load(world),
  fileExtension: 'gpkg',
  crsOf: () => ({ isNorthFirst: false }),
});
