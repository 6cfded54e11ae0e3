/** GetCapabilities of WCS 1.1.1: lists the coverages that are visible to the principal. */
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
import { isServedCoverage, type ServedCoverage, type WcsContext } from '../coverage/context.ts';
import { coverageFormats } from '../coverage/coverage-formats.ts';
import { XML_HEAD } from '../coverage/documents.ts';
import { type OperationName, operationNames } from '../coverage/protocol.ts';
import { wcsVersions } from '../coverage/versions.ts';
import { CONTENT_TYPE, namespaces, writeLonLatBox } from './documents.ts';
import { type Section, sectionNames } from './parameters.ts';

const writeAllowedValues: WriteAllowedValues = (kind, allowed) =>
  `<ows:${kind} name="${allowed.name}"><ows:AllowedValues>${writeValues(allowed)}</ows:AllowedValues></ows:${kind}>`;

export interface CapabilitiesRequest {
  readonly sections: readonly Section[];
  readonly updateSequence: string | undefined;
}

export async function getCapabilities(context: WcsContext, request: CapabilitiesRequest): Promise<ServiceReply> {
  const { services, address, mapAccess } = context;
  const { sections } = request;
  checkUpdateSequence(request.updateSequence, services.catalog.position());
  return createCapabilitiesReply(context, {
    contentType: CONTENT_TYPE,
    question: ['WCS 1.1.1', address, mapAccess.workspace?.name, mapAccess.layer, sections],
    make: async () => ({ pieces: writeCapabilities(context, sections, services.catalog.position()) }),
  });
}

async function* writeCapabilities(
  context: WcsContext,
  sections: readonly Section[],
  updateSequence: number,
): AsyncIterable<string> {
  const hasSection = (section: Section) => sections.includes(section);
  const schema = 'http://www.opengis.net/wcs/1.1.1 http://schemas.opengis.net/wcs/1.1.1/wcsGetCapabilities.xsd';
  yield `${XML_HEAD}<wcs:Capabilities version="1.1.1" updateSequence="${updateSequence}" ${namespaces} xsi:schemaLocation="${schema}">\n`;
  if (hasSection('ServiceIdentification')) yield writeServiceIdentification(context.service, 'WCS', wcsVersions);
  if (hasSection('ServiceProvider')) yield writeServiceProvider(context);
  if (hasSection('OperationsMetadata')) {
    const { address } = context;
    const operationElements = operationNames.map((name) =>
      writeOperation(
        { name, address: `${address}?`, parameters: listOperationParameters(name), methods: ['GET', 'POST'] },
        writeAllowedValues,
      ),
    );
    yield `<ows:OperationsMetadata>\n${operationElements.join('')}</ows:OperationsMetadata>\n`;
  }
  if (hasSection('Contents')) {
    yield '<wcs:Contents>\n';
    for await (const map of context.mapAccess.each()) if (isServedCoverage(map)) yield writeCoverageSummary(map);
    yield `${writeSupported(context.crsCodes)}</wcs:Contents>\n`;
  }
  yield '</wcs:Capabilities>\n';
}

function listOperationParameters(name: OperationName): readonly AllowedValues[] {
  switch (name) {
    case 'GetCapabilities':
      return [
        { name: 'AcceptVersions', values: wcsVersions },
        { name: 'Sections', values: sectionNames },
      ];
    case 'DescribeCoverage':
      return [];
    case 'GetCoverage':
      return [{ name: 'store', values: ['False'] }];
  }
}

function writeCoverageSummary({ title, abstract, keywords, latLonBounds, qualifiedName }: ServedCoverage): string {
  return `<wcs:CoverageSummary><ows:Title>${escapeText(title)}</ows:Title>${writeTextElement('ows:Abstract', abstract)}${writeKeywords(keywords)}${writeLonLatBox(latLonBounds)}<wcs:Identifier>${escapeText(qualifiedName)}</wcs:Identifier></wcs:CoverageSummary>
`;
}

/** Writes the CRSs, with the name that has their axis order and the one with x first, and the formats. */
export function writeSupported(codes: readonly string[]): string {
  const names = codes.flatMap((code) => [writeCrsName({ code, isLongitudeFirst: false }, 'urn'), code]);
  const systems = names.map((name) => `<wcs:SupportedCRS>${name}</wcs:SupportedCRS>`);
  const formats = Object.values(coverageFormats).map(
    ({ mediaType }) => `<wcs:SupportedFormat>${mediaType}</wcs:SupportedFormat>`,
  );
  return `${systems.join('')}\n${formats.join('')}\n`;
}
