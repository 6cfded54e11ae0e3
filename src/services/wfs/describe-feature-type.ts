/** DescribeFeatureType: the schema of feature types, as XML Schema or in JSON. */
import type { DescribedType } from '../../data/encode/gml/schema/described-type.ts';
import type { GmlVersion } from '../../data/encode/gml/version.ts';
import type { ServiceReply } from '../../http/service-reply.ts';
import { problem } from '../../lib/problem.ts';
import type { PublishedType } from '../door/published-type.ts';
import { isAmong } from '../ows/format-names.ts';
import { type FollowedSchema, followedSchema } from './application-schema.ts';
import { findType, type WfsContext } from './context.ts';
import type { DescribeFeatureTypeRequest, WfsVersion } from './request.ts';

interface SchemaFormat {
  /** The first is the media type of the answer. */
  readonly names: readonly [string, ...string[]];
  /** Undefined for JSON. */
  readonly gml?: GmlVersion;
}

const json: SchemaFormat = { names: ['application/json', 'json'] };
const gml2: SchemaFormat = { names: ['text/xml', 'XMLSCHEMA', 'text/xml; subtype=gml/2.1.2'], gml: '2.1.2' };
const gml31: SchemaFormat = { names: ['text/xml; subtype=gml/3.1.1', 'gml3'], gml: '3.1.1' };
const gml32: SchemaFormat = {
  names: ['application/gml+xml; version=3.2', 'text/xml; subtype=gml/3.2', 'text/xml; subtype=gml/3.2.1', 'gml32'],
  gml: '3.2.1',
};

const defaults: Readonly<Record<WfsVersion, SchemaFormat>> = { '1.0.0': gml2, '1.1.0': gml31, '2.0.0': gml32 };

/** The usual one of the version first. A bare `text/xml` means that one too. */
function formatsOf(version: WfsVersion): readonly SchemaFormat[] {
  const usual = { ...defaults[version], names: [...defaults[version].names, 'text/xml', 'XMLSCHEMA'] as const };
  return [usual, ...[gml32, gml31, gml2].filter(({ gml }) => gml !== usual.gml), json];
}

export function schemaFormatNames(version: WfsVersion): readonly string[] {
  return formatsOf(version).map(({ names }) => names[0]);
}

export async function describeFeatureType(
  context: WfsContext,
  request: DescribeFeatureTypeRequest,
): Promise<ServiceReply> {
  const { version, outputFormat, typeNames } = request;
  const formats = formatsOf(version);
  const format = outputFormat === undefined ? formats[0] : formats.find(({ names }) => isAmong(names, outputFormat));
  if (format === undefined) {
    const expected = `one of ${schemaFormatNames(version).join(', ')} was expected`;
    const value = outputFormat ?? '';
    throw problem('ows-parameter-invalid', { parameter: 'outputFormat', value, expected, field: 'outputFormat' });
  }
  const named = new Map<string, PublishedType>();
  for (const typeName of typeNames) {
    const type = await findType(context, typeName, 'description');
    named.set(type.qualifiedName, type);
  }
  const types = typeNames.length === 0 ? await context.door.list() : [...named.values()];
  return format.gml === undefined
    ? { contentType: 'application/json;charset=utf-8', body: await inJson(types) }
    : { contentType: format.names[0], body: await inXml(context, version, types, format.gml) };
}

async function inJson(types: readonly PublishedType[]): Promise<string> {
  const { jsonSchema } = await import('../../data/encode/gml/schema/json-schema.ts');
  return jsonSchema(types.map(described));
}

/** A schema has one namespace: that of several imports the others, each from an address of its own. */
async function inXml(
  { address, root, services }: WfsContext,
  version: WfsVersion,
  types: readonly PublishedType[],
  gml: GmlVersion,
): Promise<string> {
  const { importingSchema, xmlSchema } = await import('../../data/encode/gml/schema/xml-schema.ts');
  const all: { readonly type: PublishedType; readonly followed: FollowedSchema | undefined }[] = [];
  for (const type of types) {
    all.push({ type, followed: await followedSchema(services.vectorData, root, type) });
  }
  const namespaces = Map.groupBy(all, ({ type, followed }) => followed?.element.uri ?? type.namespace);
  if (namespaces.size > 1) {
    const locations = [...namespaces].map(([uri, members]) => ({
      uri,
      location: schemaAddress(
        address,
        version,
        members.map(({ type }) => type),
      ),
    }));
    return importingSchema(locations);
  }
  const flat = all.filter(({ followed }) => followed === undefined).map(({ type }) => described(type));
  const included = new Set(all.flatMap(({ followed }) => followed?.locations ?? []));
  return xmlSchema(flat, gml, { uri: [...namespaces.keys()][0] ?? '', included: [...included] });
}

/** Where types of one namespace are described. */
export function schemaAddress(address: string, version: WfsVersion, types: readonly PublishedType[]): string {
  const names = new Set(types.map(({ qualifiedName }) => qualifiedName));
  const query = new URLSearchParams({
    service: 'WFS',
    version,
    request: 'DescribeFeatureType',
    [version === '2.0.0' ? 'typeNames' : 'typeName']: [...names].join(','),
  });
  return `${address}?${query}`;
}

function described({ prefix, namespace, name, attributes }: PublishedType): DescribedType {
  return { typeName: { prefix, uri: namespace, local: name }, description: { attributes } };
}
