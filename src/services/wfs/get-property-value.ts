/** GetPropertyValue: the values of one property, as the standard writes a collection of them. */
import { outputFormats } from '../../data/encode/formats.ts';
import type { ServiceReply } from '../../http/service-reply.ts';
import { getPublishedType, type WfsContext } from './context.ts';
import { getFeatures } from './get-feature.ts';
import type { WfsFormat } from './output-formats.ts';
import { getPublishedAttribute } from './property-names.ts';
import type { GetPropertyValueRequest } from './request.ts';

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
