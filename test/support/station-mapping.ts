/** A mapping over documents: weather stations with nested measurements and values. */
import { type BSON, MongoClient } from 'mongodb';
import { createArchive } from './mapping-samples.ts';
import { type DocumentServer, startDocumentServer } from './services/document-server.ts';

export const WEATHER = 'http://example.com/weather';

export const stationDocuments: readonly BSON.Document[] = [
  {
    _id: 's1' as never,
    name: 'Summit',
    contact: { mail: 'summit@example.com' },
    place: { type: 'Point', coordinates: [7.5, 46.5] },
    measurements: [
      { name: 'temperature', unit: 'C', values: [{ time: 1, value: 20 }] },
      {
        name: 'wind',
        unit: 'km/h',
        values: [
          { time: 2, value: 155 },
          { time: 3, value: 80.5 },
        ],
      },
    ],
  },
  {
    _id: 's2' as never,
    name: 'Valley',
    established: new Date('2001-02-03T04:05:06Z'),
    place: { type: 'Point', coordinates: [8.25, 47] },
    measurements: [],
  },
];

export const weatherSchema = `<?xml version="1.0" encoding="UTF-8"?>
<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:gml="http://www.opengis.net/gml/3.2" xmlns:w="${WEATHER}"
    targetNamespace="${WEATHER}" elementFormDefault="qualified">
  <xs:import namespace="http://www.opengis.net/gml/3.2" schemaLocation="http://schemas.opengis.net/gml/3.2.1/gml.xsd"/>
  <xs:element name="Station" type="w:StationType" substitutionGroup="gml:AbstractFeature"/>
  <xs:complexType name="StationType">
    <xs:complexContent>
      <xs:extension base="gml:AbstractFeatureType">
        <xs:sequence>
          <xs:element name="title" type="xs:string"/>
          <xs:element name="contact" type="w:ContactType" minOccurs="0"/>
          <xs:element name="place" type="gml:GeometryPropertyType" minOccurs="0"/>
          <xs:element name="measurement" type="w:MeasurementPropertyType" minOccurs="0" maxOccurs="unbounded"/>
        </xs:sequence>
      </xs:extension>
    </xs:complexContent>
  </xs:complexType>
  <xs:complexType name="ContactType">
    <xs:sequence><xs:element name="mail" type="xs:string" minOccurs="0"/></xs:sequence>
  </xs:complexType>
  <xs:complexType name="MeasurementPropertyType">
    <xs:sequence><xs:element ref="w:Measurement"/></xs:sequence>
  </xs:complexType>
  <xs:element name="Measurement" type="w:MeasurementType"/>
  <xs:complexType name="MeasurementType">
    <xs:sequence>
      <xs:element name="kind" type="xs:string"/>
      <xs:element name="unit" type="xs:string" minOccurs="0"/>
      <xs:element name="value" type="w:ValuePropertyType" minOccurs="0" maxOccurs="unbounded"/>
    </xs:sequence>
    <xs:attribute ref="gml:id"/>
  </xs:complexType>
  <xs:complexType name="ValuePropertyType">
    <xs:sequence><xs:element ref="w:Value"/></xs:sequence>
  </xs:complexType>
  <xs:element name="Value" type="w:ValueType"/>
  <xs:complexType name="ValueType">
    <xs:sequence>
      <xs:element name="at" type="xs:long"/>
      <xs:element name="number" type="xs:double"/>
    </xs:sequence>
    <xs:attribute ref="gml:id"/>
  </xs:complexType>
</xs:schema>
`;

interface StationStore {
  readonly dataStore: string;
  readonly schemaStore: string;
  readonly collection?: string;
  /** Additional stores of the mapping. */
  readonly more?: string;
  readonly parameters?: Readonly<Record<string, string>>;
}

export function stationMapping({
  dataStore,
  schemaStore,
  collection = 'stations',
  more = '',
  parameters = {},
}: StationStore): string {
  const all = { data_store: dataStore, schema_store: schemaStore, data_store_type: 'complex', ...parameters };
  const written = Object.entries(all).map(
    ([name, value]) => `<Parameter><name>${name}</name><value>${value.replaceAll('&', '&amp;')}</value></Parameter>`,
  );
  const type = (target: string, attributes: readonly string[]): string =>
    `<FeatureTypeMapping><sourceDataStore>weather</sourceDataStore><sourceType>${collection}</sourceType>` +
    `<targetElement>${target}</targetElement><attributeMappings>${attributes.join('')}</attributeMappings></FeatureTypeMapping>`;
  const id = (target: string, ocql: string): string =>
    `<AttributeMapping><targetAttribute>${target}</targetAttribute><idExpression><OCQL>${ocql}</OCQL></idExpression></AttributeMapping>`;
  const attribute = (target: string, ocql: string): string =>
    `<AttributeMapping><targetAttribute>${target}</targetAttribute><sourceExpression><OCQL>${ocql}</OCQL></sourceExpression></AttributeMapping>`;
  const chained = (target: string, path: string, element: string, link: number): string =>
    `<AttributeMapping><targetAttribute>${target}</targetAttribute><sourceExpression><OCQL>collectionLink('${path}')</OCQL>` +
    `<linkElement>${element}</linkElement><linkField>FEATURE_LINK[${link}]</linkField></sourceExpression><isMultiple>true</isMultiple></AttributeMapping>`;
  return `<?xml version="1.0" encoding="UTF-8"?>
<as:AppSchemaDataAccess xmlns:as="http://www.geotools.org/app-schema">
  <namespaces>
    <Namespace><prefix>w</prefix><uri>${WEATHER}</uri></Namespace>
    <Namespace><prefix>gml</prefix><uri>http://www.opengis.net/gml/3.2</uri></Namespace>
  </namespaces>
  <sourceDataStores>
    <DataStore><id>weather</id><parameters>${written.join('')}</parameters></DataStore>${more}
  </sourceDataStores>
  <targetTypes><FeatureType><schemaUri>weather.xsd</schemaUri></FeatureType></targetTypes>
  <typeMappings>
    ${type('w:Station', [
      id('w:Station', "jsonSelect('_id')"),
      attribute('w:title', "jsonSelect('name')"),
      attribute('w:contact/w:mail', "jsonSelect('contact.mail')"),
      attribute('w:place', "jsonSelect('place')"),
      chained('w:measurement', 'measurements', 'w:Measurement', 1),
    ])}
    ${type('w:Measurement', [
      id('w:Measurement', 'collectionId()'),
      attribute('w:kind', "jsonSelect('name')"),
      attribute('w:unit', "jsonSelect('unit')"),
      chained('w:value', 'values', 'w:Value', 2),
      attribute('FEATURE_LINK[1]', 'nestedCollectionLink()'),
    ])}
    ${type('w:Value', [
      id('w:Value', 'collectionId()'),
      attribute('w:at', "jsonSelect('time')"),
      attribute('w:number', "jsonSelect('value')"),
      attribute('FEATURE_LINK[2]', 'nestedCollectionLink()'),
    ])}
  </typeMappings>
</as:AppSchemaDataAccess>
`;
}

export function stationArchive(store: StationStore, files: Readonly<Record<string, string>> = {}): Buffer {
  return createArchive({ 'stations.appschema': stationMapping(store), 'weather.xsd': weatherSchema, ...files });
}

/** Runs work with an in-process document database that contains the stations. */
export async function withStations(work: (uri: string, server: DocumentServer) => Promise<void>): Promise<void> {
  const server = await startDocumentServer();
  try {
    const client = new MongoClient(server.uri('x'));
    await client
      .db()
      .collection('stations')
      .insertMany([...stationDocuments]);
    await client.close();
    await work(server.uri('x'), server);
  } finally {
    await server.close();
  }
}
