/** Runs the encoder contract over both variants of GeoJSON. */
import { outputFormats } from '../../../src/formats/formats.ts';
import { encoderContract } from './encoder.contract.ts';

for (const name of ['geojson', 'wfs-geojson'] as const) {
  encoderContract({
    title: `GeoJSON (${name})`,
    load: outputFormats[name].load,
    fileExtension: 'geojson',
    crsOf: () => ({ isNorthFirst: false }),
  });
}
