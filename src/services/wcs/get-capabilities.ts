/** GetCapabilities: which coverages there are for whoever asks. */
import { writeCrsName } from '../../data/crs/axis-order.ts';
import type { ServiceReply } from '../../http/service-reply.ts';
import { escapeText } from '../../lib/xml/escape.ts';
import { checkUpdateSequence, element } from '../ows/capabilities-parts.ts';
import { keptCapabilities } from '../ows/kept-capabilities.ts';
import {
  type Allowed,
  keywords,
  operation,
  type PrintAllowed,
  serviceIdentification,
  serviceProvider,
  values,
} from '../ows/ows-common.ts';
import { coverageId, isServedCoverage, type ServedCoverage, type WcsContext } from './context.ts';
import { coverageFormats } from './coverage-formats.ts';
import { namespaces, XML_HEAD } from './documents.ts';
import { type GetCapabilitiesRequest, operations, type Section, sectionNames, wcsVersions } from './request.ts';

const print: PrintAllowed = (kind, allowed) =>
  `<ows:${kind} name="${allowed.name}"><ows:AllowedValues>${values(allowed)}</ows:AllowedValues></ows:${kind}>`;

export async function getCapabilities(context: WcsContext, request: GetCapabilitiesRequest): Promise<ServiceReply> {
  const { services, address, door } = context;
  checkUpdateSequence(request.updateSequence, services.catalog.position());
  return keptCapabilities(context, {
    contentType: 'application/xml;charset=utf-8',
    question: ['WCS', address, door.workspace?.name, door.layer, request.sections],
    // Coverages are written as they are found, since there may be very many.
    make: async () => ({ pieces: capabilities(context, request, services.catalog.position()) }),
  });
}

async function* capabilities(
  context: WcsContext,
  { sections }: GetCapabilitiesRequest,
  updateSequence: number,
): AsyncIterable<string> {
  const wants = (section: Section) => sections.includes(section);
  yield `${XML_HEAD}<wcs:Capabilities version="2.0.1" updateSequence="${updateSequence}" ${namespaces}>\n`;
  if (wants('ServiceIdentification')) {
    yield serviceIdentification(context.service, 'urn:ogc:service:wcs', wcsVersions).replace(
      '<ows:Fees>',
      `${profiles.map((each) => `<ows:Profile>${each}</ows:Profile>`).join('')}<ows:Fees>`,
    );
  }
  if (wants('ServiceProvider')) yield serviceProvider(context);
  if (wants('OperationsMetadata')) {
    const told = operations.map((name) => operation(name, context.address, parametersOf(name), print));
    yield `<ows:OperationsMetadata>\n${told.join('')}</ows:OperationsMetadata>\n`;
  }
  if (wants('ServiceMetadata')) yield serviceMetadata(context);
  if (wants('Contents')) {
    yield '<wcs:Contents>\n';
    for await (const map of context.door.each()) if (isServedCoverage(map)) yield summary(map);
    yield '</wcs:Contents>\n';
  }
  yield '</wcs:Capabilities>\n';
}

const profiles = [
  'http://www.opengis.net/spec/WCS/2.0/conf/core',
  'http://www.opengis.net/spec/WCS_protocol-binding_get-kvp/1.0.1',
  'http://www.opengis.net/spec/WCS_protocol-binding_post-xml/1.0',
  'http://www.opengis.net/spec/GMLCOV/1.0/conf/gml-coverage',
  'http://www.opengis.net/spec/GMLCOV/1.0/conf/multipart',
  'http://www.opengis.net/spec/GMLCOV_geotiff-coverages/1.0/conf/geotiff-coverage',
  'http://www.opengis.net/spec/WCS_service-extension_crs/1.0/conf/crs',
  'http://www.opengis.net/spec/WCS_service-extension_scaling/1.0/conf/scaling',
  'http://www.opengis.net/spec/WCS_service-extension_range-subsetting/1.0/conf/record-subsetting',
  'http://www.opengis.net/spec/WCS_service-extension_interpolation/1.0/conf/interpolation',
];

function parametersOf(name: (typeof operations)[number]): readonly Allowed[] {
  return name === 'GetCapabilities'
    ? [
        { name: 'AcceptVersions', values: wcsVersions },
        { name: 'Sections', values: sectionNames },
      ]
    : [];
}

const interpolations = ['nearest-neighbor', 'linear', 'cubic'].map(
  (name) =>
    `<int:InterpolationSupported>http://www.opengis.net/def/interpolation/OGC/1/${name}</int:InterpolationSupported>`,
);

/** Every system that is known is taken, whichever are listed. */
function serviceMetadata({ crsCodes }: WcsContext): string {
  const formats = Object.values(coverageFormats).map(
    ({ mediaType }) => `<wcs:formatSupported>${mediaType}</wcs:formatSupported>`,
  );
  const systems = crsCodes.map(
    (code) => `<crs:crsSupported>${writeCrsName({ code, isLongitudeFirst: false }, 'uri')}</crs:crsSupported>`,
  );
  return `<wcs:ServiceMetadata>
${formats.join('')}
<wcs:Extension>
<crs:CrsMetadata>${systems.join('')}</crs:CrsMetadata>
<int:InterpolationMetadata>${interpolations.join('')}</int:InterpolationMetadata>
</wcs:Extension>
</wcs:ServiceMetadata>
`;
}

function summary(served: ServedCoverage): string {
  const { title, abstract, latLonBounds: box } = served;
  const bounds =
    box === null
      ? ''
      : `<ows:WGS84BoundingBox><ows:LowerCorner>${box.minX} ${box.minY}</ows:LowerCorner><ows:UpperCorner>${box.maxX} ${box.maxY}</ows:UpperCorner></ows:WGS84BoundingBox>`;
  return `<wcs:CoverageSummary>
<ows:Title>${escapeText(title)}</ows:Title>${element('ows:Abstract', abstract)}${keywords(served.keywords)}${bounds}
<wcs:CoverageId>${coverageId(served)}</wcs:CoverageId>
<wcs:CoverageSubtype>RectifiedGridCoverage</wcs:CoverageSubtype>
</wcs:CoverageSummary>
`;
}
