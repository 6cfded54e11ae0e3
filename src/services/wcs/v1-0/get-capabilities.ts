/** GetCapabilities of WCS 1.0.0: lists the coverages that are visible to the principal. */
import type { ServiceReply } from '../../../http/session/service-reply.ts';
import { escapeAttribute, escapeText } from '../../../lib/xml/escape.ts';
import { createCapabilitiesReply } from '../../ows/capabilities-cache.ts';
import { checkUpdateSequence, writeTextElement } from '../../ows/capabilities-parts.ts';
import { isServedCoverage, type WcsContext } from '../coverage/context.ts';
import { XML_HEAD } from '../coverage/documents.ts';
import { operationNames } from '../coverage/protocol.ts';
import { CONTENT_TYPE, namespaces, writeBrief } from './documents.ts';
import type { Section } from './parameters.ts';

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
    question: ['WCS 1.0.0', address, mapAccess.workspace?.name, mapAccess.layer, sections],
    make: async () => ({ pieces: writeCapabilities(context, sections, services.catalog.position()) }),
  });
}

async function* writeCapabilities(
  context: WcsContext,
  sections: readonly Section[],
  updateSequence: number,
): AsyncIterable<string> {
  const schema = 'http://www.opengis.net/wcs http://schemas.opengis.net/wcs/1.0.0/wcsCapabilities.xsd';
  yield `${XML_HEAD}<wcs:WCS_Capabilities version="1.0.0" updateSequence="${updateSequence}" ${namespaces} xsi:schemaLocation="${schema}">\n`;
  if (sections.includes('Service')) yield writeService(context);
  if (sections.includes('Capability')) yield writeCapability(context);
  if (sections.includes('ContentMetadata')) {
    yield '<wcs:ContentMetadata>\n';
    for await (const map of context.mapAccess.each()) {
      if (isServedCoverage(map)) yield `<wcs:CoverageOfferingBrief>${writeBrief(map)}</wcs:CoverageOfferingBrief>\n`;
    }
    yield '</wcs:ContentMetadata>\n';
  }
  yield '</wcs:WCS_Capabilities>\n';
}

function writeService({ service, contact }: WcsContext): string {
  const { title, abstract, keywords, fees, accessConstraints, onlineResource } = service;
  const link =
    onlineResource === ''
      ? ''
      : `<wcs:metadataLink metadataType="other" xlink:href="${escapeAttribute(onlineResource)}"/>`;
  const words = keywords.map((word) => `<wcs:keyword>${escapeText(word)}</wcs:keyword>`);
  const party = [
    writeTextElement('wcs:individualName', contact.person),
    writeTextElement('wcs:organisationName', contact.organization),
    writeTextElement('wcs:positionName', contact.position),
  ].join('');
  return `<wcs:Service>${link}${writeTextElement('wcs:description', abstract)}<wcs:name>WCS</wcs:name><wcs:label>${escapeText(title)}</wcs:label>
${words.length === 0 ? '' : `<wcs:keywords>${words.join('')}</wcs:keywords>`}${party === '' ? '' : `<wcs:responsibleParty>${party}</wcs:responsibleParty>`}
<wcs:fees>${escapeText(fees || 'NONE')}</wcs:fees><wcs:accessConstraints>${escapeText(accessConstraints || 'NONE')}</wcs:accessConstraints>
</wcs:Service>
`;
}

/** Addresses end with a question mark, because clients append their parameters. */
function writeCapability({ address }: WcsContext): string {
  const url = escapeAttribute(`${address}?`);
  const writeMethod = (method: 'Get' | 'Post') =>
    `<wcs:DCPType><wcs:HTTP><wcs:${method}><wcs:OnlineResource xlink:href="${url}"/></wcs:${method}></wcs:HTTP></wcs:DCPType>`;
  const requests = operationNames.map(
    (name) => `<wcs:${name}>${writeMethod('Get')}${writeMethod('Post')}</wcs:${name}>\n`,
  );
  return `<wcs:Capability><wcs:Request>
${requests.join('')}</wcs:Request>
<wcs:Exception><wcs:Format>application/vnd.ogc.se_xml</wcs:Format></wcs:Exception></wcs:Capability>
`;
}
