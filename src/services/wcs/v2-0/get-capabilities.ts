/** GetCapabilities: lists the coverages that are visible to the principal. */
import { writeCrsName } from '../../../crs/axis-order.ts';
import type { ServiceReply } from '../../../http/session/service-reply.ts';
import { escapeText } from '../../../lib/xml/escape.ts';
import { createCapabilitiesReply } from '../../ows/capabilities-cache.ts';
import { checkUpdateSequence, writeTextElement } from '../../ows/capabilities-parts.ts';
import {
  type AllowedValues,
  type WriteAllowedValues,
  writeKeywords,
  writeOperation,
  writeServiceIdentification,
  writeServiceProvider,
  writeValues,
} from '../../ows/ows-common.ts';
import { formatCoverageId, isServedCoverage, type ServedCoverage, type WcsContext } from '../coverage/context.ts';
import { coverageFormats } from '../coverage/coverage-formats.ts';
import { namespaces, XML_HEAD } from '../coverage/documents.ts';
import { type OperationName, operationNames } from '../coverage/protocol.ts';
import { wcsVersions } from '../coverage/versions.ts';
import { type GetCapabilitiesRequest, type Section, sectionNames } from './request.ts';

const writeAllowedValues: WriteAllowedValues = (kind, allowed) =>
  `<ows:${kind} name="${allowed.name}"><ows:AllowedValues>${writeValues(allowed)}</ows:AllowedValues></ows:${kind}>`;

export async function getCapabilities(context: WcsContext, request: GetCapabilitiesRequest): Promise<ServiceReply> {
  const { services, address, mapAccess } = context;
  checkUpdateSequence(request.updateSequence, services.catalog.position());
  return createCapabilitiesReply(context, {
    contentType: 'application/xml;charset=utf-8',
    question: ['WCS', address, mapAccess.workspace?.name, mapAccess.layer, request.sections],
    // Coverages are written as they are found, because there may be very many.
    make: async () => ({ pieces: writeCapabilities(context, request, services.catalog.position()) }),
  });
}

async function* writeCapabilities(
  context: WcsContext,
  { sections }: GetCapabilitiesRequest,
  updateSequence: number,
): AsyncIterable<string> {
  const hasSection = (section: Section) => sections.includes(section);
  yield `${XML_HEAD}<wcs:Capabilities version="2.0.1" updateSequence="${updateSequence}" ${namespaces}>\n`;
  if (hasSection('ServiceIdentification')) {
    yield writeServiceIdentification(context.service, 'urn:ogc:service:wcs', wcsVersions).replace(
      '<ows:Fees>',
      `${profiles.map((each) => `<ows:Profile>${each}</ows:Profile>`).join('')}<ows:Fees>`,
    );
  }
  if (hasSection('ServiceProvider')) yield writeServiceProvider(context);
  if (hasSection('OperationsMetadata')) {
    const { address } = context;
    const operationElements = operationNames.map((name) =>
      writeOperation(
        { name, address, parameters: listOperationParameters(name), methods: ['GET', 'POST'] },
        writeAllowedValues,
      ),
    );
    yield `<ows:OperationsMetadata>\n${operationElements.join('')}</ows:OperationsMetadata>\n`;
  }
  if (hasSection('ServiceMetadata')) yield writeServiceMetadata(context);
  if (hasSection('Contents')) {
    yield '<wcs:Contents>\n';
    for await (const map of context.mapAccess.each()) if (isServedCoverage(map)) yield writeCoverageSummary(map);
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

function listOperationParameters(name: OperationName): readonly AllowedValues[] {
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

/** All known CRSs are accepted, not only the listed ones. */
function writeServiceMetadata({ crsCodes }: WcsContext): string {
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

function writeCoverageSummary(served: ServedCoverage): string {
  const { title, abstract, latLonBounds: box } = served;
  const bounds =
    box === null
      ? ''
      : `<ows:WGS84BoundingBox><ows:LowerCorner>${box.minX} ${box.minY}</ows:LowerCorner><ows:UpperCorner>${box.maxX} ${box.maxY}</ows:UpperCorner></ows:WGS84BoundingBox>`;
  return `<wcs:CoverageSummary>
<ows:Title>${escapeText(title)}</ows:Title>${writeTextElement('ows:Abstract', abstract)}${writeKeywords(served.keywords)}${bounds}
<wcs:CoverageId>${formatCoverageId(served)}</wcs:CoverageId>
<wcs:CoverageSubtype>RectifiedGridCoverage</wcs:CoverageSubtype>
</wcs:CoverageSummary>
`;
}
