/** Reads the response of DescribeFeatureType: the properties of one feature type. */
import type { XmlElement } from '../../../lib/xml/element.ts';
import { attribute, child, listChildElements, listChildren } from '../../../lib/xml/elements.ts';
import type { ComparedServer } from '../http/compared-server.ts';
import { readXmlDocument } from '../http/read-xml-document.ts';
import { mapReading, type Reading } from '../model/reading.ts';

export interface SchemaProperty {
  readonly name: string;
  /** The type without a prefix: `string`, `PointPropertyType`. */
  readonly type: string;
}

export async function readSchema(server: ComparedServer, name: string): Promise<Reading<readonly SchemaProperty[]>> {
  // Unlike GetFeature, this request has a parameter in the singular (WFS 2.0.0, 9.2.4).
  const query = { service: 'WFS', version: '2.0.0', request: 'DescribeFeatureType', typeName: name };
  return mapReading(await server.get('/wfs', query), ({ bytes }) => readProperties(readXmlDocument(bytes), name));
}

/** Exported for tests. */
export function readProperties(schema: XmlElement, name: string): readonly SchemaProperty[] {
  if (schema.local !== 'schema') throw new Error(`The response is a document '${schema.name}' instead of a schema.`);
  const local = removePrefix(name);
  const element = listChildren(schema, 'element').find((each) => attribute(each, 'name') === local);
  const typeName = removePrefix((element && attribute(element, 'type')) ?? `${local}Type`);
  const type =
    (element && child(element, 'complexType')) ??
    listChildren(schema, 'complexType').find((each) => attribute(each, 'name') === typeName);
  if (type === undefined) {
    // Schemas of complex features are in documents of their own, which this check does not request.
    throw new Error(`The schema does not contain the type '${typeName}'.`);
  }
  return listSequenceElements(type).map(readProperty);
}

/** The elements of the sequence, in a type or in its extension of another type. */
function listSequenceElements(type: XmlElement): readonly XmlElement[] {
  const content = child(type, 'complexContent');
  const extension = content && (child(content, 'extension') ?? child(content, 'restriction'));
  const sequence = child(extension ?? type, 'sequence');
  return sequence === undefined ? [] : listChildren(sequence, 'element');
}

function readProperty(element: XmlElement): SchemaProperty {
  const name = attribute(element, 'name') ?? removePrefix(attribute(element, 'ref') ?? '');
  return { name, type: removePrefix(attribute(element, 'type') ?? findInlineType(element)) };
}

/** A type with a length or a list of values restricts another one. */
function findInlineType(element: XmlElement): string {
  const [inline] = listChildElements(element).filter(({ local }) => local === 'simpleType' || local === 'complexType');
  const restriction = inline && child(inline, 'restriction');
  return (restriction && attribute(restriction, 'base')) ?? inline?.local ?? 'anyType';
}

function removePrefix(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}
