/** GetCapabilities: describes the service and the types visible to the principal. */
import type { StoreData } from '../../../catalog/stores/store-data.ts';
import { toXmlName, toXmlPrefix } from '../../../formats/gml/xml-names.ts';
import type { ServiceReply } from '../../../http/session/service-reply.ts';
import { isEditable } from '../../access/edit-type.ts';
import type { PublishedType } from '../../access/published-type.ts';
import { type CapabilitiesDocument, createCapabilitiesReply } from '../../ows/capabilities-cache.ts';
import { checkUpdateSequence } from '../../ows/capabilities-parts.ts';
import type { WfsContext } from '../context/context.ts';
import { listFormatNames } from '../features/output-formats.ts';
import { isOffered, listOperations } from '../request/operations.ts';
import type { GetCapabilitiesRequest } from '../request/request.ts';
import { listSchemaFormatNames } from '../schema/describe-feature-type.ts';
import { type ListedType, writeCapabilities } from './capabilities.ts';

/** Clients use it as their page size: large enough for throughput, small enough to display soon. */
const COUNT_DEFAULT = 10_000;

export async function getCapabilities(context: WfsContext, request: GetCapabilitiesRequest): Promise<ServiceReply> {
  const { services, address, featureAccess } = context;
  const { version, sections } = request;
  checkUpdateSequence(request.updateSequence, services.catalog.position());
  return createCapabilitiesReply(context, {
    contentType: 'application/xml;charset=utf-8',
    question: ['WFS', version, address, featureAccess.workspace?.name, featureAccess.layer, sections],
    make: () => buildCapabilities(context, request),
  });
}

async function buildCapabilities(
  { services, settings, publication, address, featureAccess }: WfsContext,
  { version, sections }: GetCapabilitiesRequest,
): Promise<CapabilitiesDocument> {
  // Keeps only the listed properties of each type in memory.
  const types: ListedType[] = [];
  for await (const type of featureAccess.each()) types.push(toListedType(type, settings.otherCrs, services.vectorData));
  const pieces = writeCapabilities(version, {
    address,
    service: settings.facts,
    contact: publication.contact,
    updateSequence: services.catalog.position(),
    operations: listOperations(version).filter((each) => isOffered(each, settings)),
    types,
    outputFormats: listFormatNames(version, settings),
    lockFormats: listFormatNames(version, settings, ({ writesLock }) => writesLock === true),
    schemaFormats: listSchemaFormatNames(version),
    countDefault: Math.min(COUNT_DEFAULT, settings.maxFeatures),
    sections,
  });
  return { pieces };
}

function toListedType(
  type: PublishedType,
  otherCrs: readonly string[],
  vectorData: Pick<StoreData, 'isWritable'>,
): ListedType {
  const { prefix, namespace, name, title, abstract, keywords, crs, latLonBounds } = type;
  const isOffered = crs.code !== undefined && otherCrs.includes(crs.code);
  return {
    prefix: toXmlPrefix(prefix),
    uri: namespace,
    name: toXmlName(name),
    title,
    abstract,
    keywords,
    crs: crs.code,
    otherCrs: isOffered ? otherCrs.filter((code) => code !== crs.code) : otherCrs,
    bounds: latLonBounds ?? undefined,
    isWritable: isEditable(type, vectorData),
  };
}
