/** GetCapabilities: which coverages there are for whoever asks. */
import type { ServiceReply } from '../../http/service-reply.ts';
import { escapeText } from '../../lib/xml/escape.ts';
import { asTheyCome, checkUpdateSequence, element, inPieces } from '../ows/capabilities-parts.ts';
import {
  keywords,
  operation,
  type PrintAllowed,
  serviceIdentification,
  serviceProvider,
  values,
} from '../ows/ows-common.ts';
import { coverageId, isServedCoverage, type ServedCoverage, type WcsContext } from './context.ts';
import { namespaces, XML_HEAD } from './documents.ts';
import { type GetCapabilitiesRequest, operations, wcsVersions } from './request.ts';

const print: PrintAllowed = (kind, allowed) =>
  `<ows:${kind} name="${allowed.name}"><ows:AllowedValues>${values(allowed)}</ows:AllowedValues></ows:${kind}>`;

export async function getCapabilities(context: WcsContext, request: GetCapabilitiesRequest): Promise<ServiceReply> {
  const updateSequence = context.services.catalog.position();
  checkUpdateSequence(request.updateSequence, updateSequence);
  const served: ServedCoverage[] = [];
  for await (const map of context.door.each()) if (isServedCoverage(map)) served.push(map);
  const pieces = capabilities(context, request, served, updateSequence);
  return { contentType: 'application/xml;charset=utf-8', body: asTheyCome(pieces) };
}

function* capabilities(
  context: WcsContext,
  { sections }: GetCapabilitiesRequest,
  served: readonly ServedCoverage[],
  updateSequence: number,
): Iterable<string> {
  const wants = (section: string) =>
    sections === undefined ||
    sections.some((each) => each.toLowerCase() === section.toLowerCase() || each.toLowerCase() === 'all');
  yield `${XML_HEAD}<wcs:Capabilities version="2.0.1" updateSequence="${updateSequence}" ${namespaces}>\n`;
  if (wants('ServiceIdentification')) {
    yield serviceIdentification(context.service, 'urn:ogc:service:wcs', wcsVersions).replace(
      '<ows:Fees>',
      `${profiles.map((each) => `<ows:Profile>${each}</ows:Profile>`).join('')}<ows:Fees>`,
    );
  }
  if (wants('ServiceProvider')) yield serviceProvider(context);
  if (wants('OperationsMetadata')) {
    const told = operations.map((name) => operation(name, context.address, [], print, ['GET']));
    yield `<ows:OperationsMetadata>\n${told.join('')}</ows:OperationsMetadata>\n`;
  }
  if (wants('ServiceMetadata')) yield serviceMetadata;
  if (wants('Contents')) {
    yield '<wcs:Contents>\n';
    yield* inPieces(served, summary);
    yield '</wcs:Contents>\n';
  }
  yield '</wcs:Capabilities>\n';
}

const profiles = [
  'http://www.opengis.net/spec/WCS/2.0/conf/core',
  'http://www.opengis.net/spec/WCS_protocol-binding_get-kvp/1.0.1',
  'http://www.opengis.net/spec/GMLCOV_geotiff-coverages/1.0/conf/geotiff-coverage',
  'http://www.opengis.net/spec/WCS_service-extension_crs/1.0/conf/crs',
  'http://www.opengis.net/spec/WCS_service-extension_scaling/1.0/conf/scaling',
  'http://www.opengis.net/spec/WCS_service-extension_range-subsetting/1.0/conf/record-subsetting',
  'http://www.opengis.net/spec/WCS_service-extension_interpolation/1.0/conf/interpolation',
];

/** Every system that is known is taken; a list of all of them would fill megabytes. */
const serviceMetadata = `<wcs:ServiceMetadata>
<wcs:formatSupported>image/tiff</wcs:formatSupported>
<wcs:Extension>
<crs:CrsMetadata><crs:crsSupported>http://www.opengis.net/def/crs/EPSG/0/4326</crs:crsSupported><crs:crsSupported>http://www.opengis.net/def/crs/EPSG/0/3857</crs:crsSupported></crs:CrsMetadata>
<int:InterpolationMetadata>${['nearest-neighbor', 'linear', 'cubic'].map((name) => `<int:InterpolationSupported>http://www.opengis.net/def/interpolation/OGC/1/${name}</int:InterpolationSupported>`).join('')}</int:InterpolationMetadata>
</wcs:Extension>
</wcs:ServiceMetadata>
`;

function summary(served: ServedCoverage): string {
  const { title, abstract, latLonBounds: box } = served;
  const bounds =
    box === null
      ? ''
      : `<ows:WGS84BoundingBox><ows:LowerCorner>${box.minX} ${box.minY}</ows:LowerCorner><ows:UpperCorner>${box.maxX} ${box.maxY}</ows:UpperCorner></ows:WGS84BoundingBox>`;
  return `<wcs:CoverageSummary>
<ows:Title>${escapeText(title)}</ows:Title>${element('ows:Abstract', abstract)}${keywords(served.keywords)}${bounds}
<wcs:CoverageId>${escapeText(coverageId(served))}</wcs:CoverageId>
<wcs:CoverageSubtype>RectifiedGridCoverage</wcs:CoverageSubtype>
</wcs:CoverageSummary>
`;
}
