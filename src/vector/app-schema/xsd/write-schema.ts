/** Writes the parts of XML schemas. */
import { XS } from './schema-model.ts';
import { GML, GML_32, ISO, XLINK } from './well-known.ts';

/** Writes an element of a type: `name`, `name?`, `name*` or `name+`, with a namespace prefix. */
export function writeChild(written: string): string {
  const [, name = '', sign = ''] = /^(.*?)([?*+]?)$/.exec(written) ?? [];
  const min = sign === '?' || sign === '*' ? ' minOccurs="0"' : '';
  const max = sign === '*' || sign === '+' ? ' maxOccurs="unbounded"' : '';
  return `<xs:element ref="${name}"${min}${max}/>`;
}

interface TypeParts {
  readonly base?: string;
  readonly children?: readonly string[];
  /** Unqualified attributes by name and type. */
  readonly attributes?: Readonly<Record<string, string>>;
  readonly more?: string;
}

export function writeComplexType(name: string, { base, children = [], attributes = {}, more = '' }: TypeParts): string {
  const sequence = `<xs:sequence>${children.map(writeChild).join('')}</xs:sequence>`;
  const own = Object.entries(attributes).map(([local, type]) => `<xs:attribute name="${local}" type="${type}"/>`);
  const body = `${sequence}${own.join('')}${more}`;
  const content =
    base === undefined
      ? body
      : `<xs:complexContent><xs:extension base="${base}">${body}</xs:extension></xs:complexContent>`;
  return `<xs:complexType name="${name}">${content}</xs:complexType>`;
}

/** Writes a simple content type with attributes. */
export function writeTextType(
  name: string,
  base: string,
  attributes: Readonly<Record<string, string>> = {},
  more = '',
): string {
  const own = Object.entries(attributes).map(([local, type]) => `<xs:attribute name="${local}" type="${type}"/>`);
  return `<xs:complexType name="${name}"><xs:simpleContent><xs:extension base="${base}">${own.join('')}${more}</xs:extension></xs:simpleContent></xs:complexType>`;
}

export function writeElement(name: string, type: string, head?: string): string {
  const substitution = head === undefined ? '' : ` substitutionGroup="${head}"`;
  return `<xs:element name="${name}" type="${type}"${substitution}${/^_|^Abstract/.test(name) ? ' abstract="true"' : ''}/>`;
}

export function writeSchema(namespace: string, parts: readonly string[]): string {
  const prefixes = Object.entries({ xs: XS, xlink: XLINK, gml: GML, gml32: GML_32, gco: `${ISO}gco` });
  const declared = prefixes.map(([prefix, uri]) => `xmlns:${prefix}="${uri}"`).join(' ');
  return `<xs:schema ${declared} targetNamespace="${namespace}" elementFormDefault="qualified">${parts.join('\n')}</xs:schema>`;
}

export const link = '<xs:attributeGroup ref="xlink:simpleLink"/>';
