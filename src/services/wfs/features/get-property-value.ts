/** GetPropertyValue: returns the values of one property as a wfs:ValueCollection. */
import { outputFormats } from '../../../formats/formats.ts';
import type { ServiceReply } from '../../../http/session/service-reply.ts';
import { getPublishedAttribute } from '../../ows/property-names.ts';
import { getPublishedType, type WfsContext } from '../context/context.ts';
import type { GetPropertyValueRequest } from '../request/request.ts';
import { getFeatures } from './get-feature.ts';
import type { WfsFormat } from './output-formats.ts';

export async function getPropertyValue(context: WfsContext, request: GetPropertyValueRequest): Promise<ServiceReply> {
  const { query, valueReference, ...rest } = request;
  const published = await getPublishedType(context, query.typeName, 'read');
  const { name } = getPublishedAttribute(published, valueReference, 'valueReference');
  const queries = [{ ...query, propertyNames: [name] }];
  return getFeatures(context, { ...rest, kind: 'GetFeature', queries, isById: false }, { ...values, only: name });
}

const values: WfsFormat = {
  names: ['application/gml+xml; version=3.2'],
  format: outputFormats['wfs-values'],
  head: 'counts',
};
