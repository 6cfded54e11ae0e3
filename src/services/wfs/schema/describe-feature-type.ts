/** DescribeFeatureType: returns schemas of feature types as XML Schema or JSON. */
import type { DescribedType } from '../../../formats/gml/schema/described-type.ts';
import type { GmlVersion } from '../../../geometry/gml/version.ts';
import type { ServiceReply } from '../../../http/session/service-reply.ts';
import { problem } from '../../../lib/problems/problem.ts';
import type { PublishedType } from '../../access/published-type.ts';
import { isAmong } from '../../ows/format-names.ts';
import { createSpool } from '../../ows/spool.ts';
import { getPublishedType, type WfsContext } from '../context/context.ts';
import type { DescribeFeatureTypeRequest, TypeName, WfsVersion } from '../request/request.ts';
import { findApplicationSchema } from './application-schema.ts';

interface SchemaFormat {
  /** The first name is the media type of the response. */
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

/** The default format of the version first. A bare `text/xml` selects it too. */
function listSchemaFormats(version: WfsVersion): readonly SchemaFormat[] {
  const usual = { ...defaults[version], names: [...defaults[version].names, 'text/xml', 'XMLSCHEMA'] as const };
  return [usual, ...[gml32, gml31, gml2].filter(({ gml }) => gml !== usual.gml), json];
}

export function listSchemaFormatNames(version: WfsVersion): readonly string[] {
  return listSchemaFormats(version).map(({ names }) => names[0]);
}

export async function describeFeatureType(
  context: WfsContext,
  request: DescribeFeatureTypeRequest,
): Promise<ServiceReply> {
  const { version, outputFormat, typeNames } = request;
  const formats = listSchemaFormats(version);
  const format = outputFormat === undefined ? formats[0] : formats.find(({ names }) => isAmong(names, outputFormat));
  if (format === undefined) {
    const expected = `expected one of ${listSchemaFormatNames(version).join(', ')}`;
    const value = outputFormat ?? '';
    throw problem('ows-parameter-invalid', { parameter: 'outputFormat', value, expected, field: 'outputFormat' });
  }
  const types = listRequestedTypes(context, typeNames);
  return format.gml === undefined
    ? { contentType: 'application/json;charset=utf-8', ...(await writeJsonSchema(context, types)) }
    : { contentType: format.names[0], ...(await writeXmlSchema(context, request, types, format.gml)) };
}

/** Returns each type once, or all types if none is named. */
async function* listRequestedTypes(context: WfsContext, typeNames: readonly TypeName[]): AsyncGenerator<PublishedType> {
  if (typeNames.length === 0) yield* context.featureAccess.each();
  const given = new Set<string>();
  for (const typeName of typeNames) {
    const type = await getPublishedType(context, typeName, 'description');
    if (!given.has(type.qualifiedName)) yield type;
    given.add(type.qualifiedName);
  }
}

async function writeJsonSchema(
  { services, signal }: WfsContext,
  types: AsyncIterable<PublishedType>,
): Promise<Pick<ServiceReply, 'body' | 'release'>> {
  const {
    jsonSchemaEnd,
    writeJsonSchemaStart: jsonSchemaStart,
    writeJsonTypeSchema: jsonTypeSchema,
  } = await import('../../../formats/gml/schema/json-schema.ts');
  const texts = createSpool(services.encoding);
  let first: DescribedType['typeName'] | undefined;
  for await (const type of types) {
    const written = toDescribedType(type);
    await texts.add(`${first === undefined ? '' : ','}${jsonTypeSchema(written)}`);
    first ??= written.typeName;
  }
  return texts.createBody(jsonSchemaStart(first), jsonSchemaEnd, signal);
}

/** A schema document has one namespace: the document for several namespaces imports each from its own address. */
async function writeXmlSchema(
  { address, root, services, signal }: WfsContext,
  { version, typeNames }: DescribeFeatureTypeRequest,
  types: AsyncIterable<PublishedType>,
  gml: GmlVersion,
): Promise<Pick<ServiceReply, 'body' | 'release'>> {
  const {
    writeImportingSchema: importingSchema,
    schemaEnd,
    writeSchemaStart: schemaStart,
    writeTypeSchema: typeSchema,
  } = await import('../../../formats/gml/schema/xml-schema.ts');
  const texts = createSpool(services.encoding);
  const locations = new Map<string, string>();
  const namespaces = new Map<string, PublishedType[]>();
  const included = new Set<string>();
  let prefix: string | undefined;
  for await (const type of types) {
    const followed = await findApplicationSchema(services.vectorData, root, type);
    const uri = followed?.element.uri ?? type.namespace;
    if (typeNames.length === 0 && followed === undefined) {
      // An address cannot name an unlimited number of types.
      locations.set(uri, formatWorkspaceSchemaUrl(root, version, type));
    }
    if (!locations.has(uri) || namespaces.get(uri) === undefined) {
      namespaces.set(uri, [...(namespaces.get(uri) ?? []), type]);
    }
    for (const location of followed?.locations ?? []) included.add(location);
    if (followed === undefined && namespaces.size === 1) {
      prefix ??= type.prefix;
      await texts.add(typeSchema(toDescribedType(type), gml, prefix));
    }
  }
  if (namespaces.size > 1) {
    await texts.discard();
    const all = [...namespaces].map(([uri, members]) => ({
      uri,
      location: locations.get(uri) ?? formatSchemaUrl(address, version, members),
    }));
    return { body: importingSchema(all) };
  }
  const schema = { uri: [...namespaces.keys()][0] ?? '', included: [...included] };
  return texts.createBody(schemaStart(gml, prefix, schema), schemaEnd, signal);
}

/** Returns the address of the schema of all types of a workspace. */
function formatWorkspaceSchemaUrl(root: string, version: WfsVersion, { prefix }: PublishedType): string {
  const query = new URLSearchParams({ service: 'WFS', version, request: 'DescribeFeatureType' });
  return `${root}/${encodeURIComponent(prefix)}/wfs?${query}`;
}

/** Returns the address of the schema of types of one namespace. */
export function formatSchemaUrl(address: string, version: WfsVersion, types: readonly PublishedType[]): string {
  const names = new Set(types.map(({ qualifiedName }) => qualifiedName));
  const query = new URLSearchParams({
    service: 'WFS',
    version,
    request: 'DescribeFeatureType',
    [version === '2.0.0' ? 'typeNames' : 'typeName']: [...names].join(','),
  });
  return `${address}?${query}`;
}

function toDescribedType({ prefix, namespace, name, attributes }: PublishedType): DescribedType {
  return { typeName: { prefix, uri: namespace, local: name }, description: { attributes } };
}
