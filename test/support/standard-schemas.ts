/** The parts of the GML 3.2 and WFS 2.0 schemas that validators need, for use without network access. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const GML = 'http://www.opengis.net/gml/3.2';
const WFS = 'http://www.opengis.net/wfs/2.0';

function schema(namespace: string, prefix: string, content: string): string {
  return `<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:${prefix}="${namespace}" targetNamespace="${namespace}" elementFormDefault="qualified">${content}</xs:schema>`;
}

const geometry = (name: string, content: string): string =>
  `<xs:element name="${name}" substitutionGroup="gml:AbstractGeometry"><xs:complexType><xs:sequence>${content}</xs:sequence><xs:attributeGroup ref="gml:place"/></xs:complexType></xs:element>
<xs:complexType name="${name}PropertyType"><xs:sequence minOccurs="0"><xs:element ref="gml:${name}"/></xs:sequence></xs:complexType>`;

const gml = schema(
  GML,
  'gml',
  `<xs:import namespace="http://www.w3.org/1999/xlink" schemaLocation="xlink.xsd"/>
<xs:attribute name="id" type="xs:ID"/>
<xs:attributeGroup name="place"><xs:attribute ref="gml:id" use="required"/><xs:attribute name="srsName" type="xs:anyURI"/><xs:attribute name="srsDimension" type="xs:positiveInteger"/></xs:attributeGroup>
<xs:complexType name="CodeType"><xs:simpleContent><xs:extension base="xs:string"><xs:attribute name="codeSpace" type="xs:anyURI"/></xs:extension></xs:simpleContent></xs:complexType>
<xs:element name="description" type="xs:string"/>
<xs:element name="name" type="gml:CodeType"/>
<xs:complexType name="AbstractFeatureType" abstract="true"><xs:sequence>
<xs:element ref="gml:description" minOccurs="0"/><xs:element ref="gml:name" minOccurs="0" maxOccurs="unbounded"/>
</xs:sequence><xs:attribute ref="gml:id" use="required"/></xs:complexType>
<xs:element name="AbstractFeature" type="gml:AbstractFeatureType" abstract="true"/>
<xs:element name="AbstractGeometry" abstract="true"/>
${geometry('Point', '<xs:element name="pos" type="gml:numbers"/>')}
${geometry('LineString', '<xs:element name="posList" type="gml:numbers"/>')}
<xs:complexType name="CurvePropertyType"><xs:sequence minOccurs="0"><xs:element ref="gml:LineString"/></xs:sequence></xs:complexType>
<xs:simpleType name="numbers"><xs:list itemType="xs:double"/></xs:simpleType>
<xs:attributeGroup name="AssociationAttributeGroup"><xs:attribute ref="xlink:href" xmlns:xlink="http://www.w3.org/1999/xlink"/></xs:attributeGroup>`,
);

const wfs = schema(
  WFS,
  'wfs',
  `<xs:element name="FeatureCollection"><xs:complexType><xs:sequence>
<xs:element name="member" minOccurs="0" maxOccurs="unbounded"><xs:complexType><xs:sequence><xs:any processContents="strict" namespace="##other"/></xs:sequence></xs:complexType></xs:element>
</xs:sequence><xs:anyAttribute processContents="lax"/></xs:complexType></xs:element>`,
);

const xlink = schema('http://www.w3.org/1999/xlink', 'xlink', '<xs:attribute name="href" type="xs:anyURI"/>');

export interface StandardSchemas {
  /** The catalog file for `XML_CATALOG_FILES`. */
  readonly catalog: string;
  /** Writes a schema to validate a whole collection, and returns its path. */
  schemaWith(namespace: string, location: string): Promise<string>;
}

export async function writeStandardSchemas(folder: string): Promise<StandardSchemas> {
  for (const [name, text] of Object.entries({ gml, wfs, xlink })) await writeFile(join(folder, `${name}.xsd`), text);
  const entries = [
    ['http://schemas.opengis.net/gml/3.2.1/gml.xsd', 'gml.xsd'],
    ['http://schemas.opengis.net/wfs/2.0/wfs.xsd', 'wfs.xsd'],
  ].map(([address, file]) => `<system systemId="${address}" uri="${file}"/><uri name="${address}" uri="${file}"/>`);
  const catalog = join(folder, 'catalog.xml');
  await writeFile(
    catalog,
    `<catalog xmlns="urn:oasis:names:tc:entity:xmlns:xml:catalog">${entries.join('')}</catalog>`,
  );
  return {
    catalog,
    async schemaWith(namespace, location) {
      const path = join(folder, 'all.xsd');
      const imports = [
        [WFS, 'wfs.xsd'],
        [namespace, location.replaceAll('&', '&amp;')],
      ].map(([uri, at]) => `<xs:import namespace="${uri}" schemaLocation="${at}"/>`);
      await writeFile(path, `<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema">${imports.join('')}</xs:schema>`);
      return path;
    },
  };
}
