/** Runs the encoder contract over GML: all versions, with their schema, and every CRS notation. */
import { writeFile } from 'node:fs/promises';
import { outputFormats } from '../../../src/formats/formats.ts';
import { writeXmlSchema } from '../../../src/formats/gml/schema/xml-schema.ts';
import type { Attribute } from '../../../src/vector/port/port.ts';
import { encoderContract } from './encoder.contract.ts';

const northFirst = new Set(['EPSG:4326', 'EPSG:31467']);

function isWithHeights(attribute: Attribute): boolean {
  return attribute.kind === 'geometry' && attribute.dimension === 'XYZ';
}

const variants = [
  { format: 'gml2', version: '2.1.2', spelling: 'http://www.opengis.net/gml/srs/epsg.xml#' },
  { format: 'gml31', version: '3.1.1', spelling: 'urn:x-ogc:def:crs:EPSG:' },
  { format: 'gml31', version: '3.1.1', spelling: 'EPSG:' },
  { format: 'gml32', version: '3.2.1', spelling: 'urn:ogc:def:crs:EPSG::' },
  { format: 'gml32', version: '3.2.1', spelling: 'http://www.opengis.net/def/crs/EPSG/0/' },
] as const;

for (const { format, version, spelling } of variants) {
  encoderContract({
    title: `GML ${version} with systems as ${spelling}`,
    load: outputFormats[format].load,
    fileExtension: 'gml',
    crsOf: (code) => ({
      crsName: `${spelling}${code.slice('EPSG:'.length)}`,
      isNorthFirst: northFirst.has(code) && !/epsg\.xml|^EPSG/.test(spelling),
    }),
    writeBeside: async (path, { sets }) => {
      // A GML 2 schema does not declare heights, so GDAL assumes 2D.
      const hasHeights = sets.some(({ description }) => description.attributes.some(isWithHeights));
      if (version !== '2.1.2' || !hasHeights)
        await writeFile(path.replace(/gml$/, 'xsd'), writeXmlSchema(sets, version));
    },
  });
}
