/** Realistic mappings, schemas and data: a geological survey with boreholes, samples and faults. */
import { rawZip } from './raw-zip.ts';

export const SURVEY = 'http://example.com/survey';

export type UploadedFiles = Readonly<Record<string, string>>;

export function createArchive(files: UploadedFiles): Buffer {
  return rawZip(Object.entries(files).map(([name, data]) => ({ name, data })));
}

interface MappingParts {
  readonly includes?: readonly string[];
  readonly schemas?: readonly string[];
  /** The content of `sourceDataStores`. */
  readonly stores?: string;
  readonly types?: readonly string[];
}

export function mapping({ includes = [], schemas = ['survey.xsd'], stores = '', types = [] }: MappingParts): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<as:AppSchemaDataAccess xmlns:as="http://www.geotools.org/app-schema">
  <namespaces>
    <Namespace><prefix>s</prefix><uri>${SURVEY}</uri></Namespace>
    <Namespace><prefix>gml</prefix><uri>http://www.opengis.net/gml/3.2</uri></Namespace>
    <Namespace><prefix>xlink</prefix><uri>http://www.w3.org/1999/xlink</uri></Namespace>
  </namespaces>
  <includedTypes>${includes.map((path) => `<Include>${path}</Include>`).join('')}</includedTypes>
  <sourceDataStores>${stores}</sourceDataStores>
  <targetTypes><FeatureType>${schemas.map((uri) => `<schemaUri>${uri}</schemaUri>`).join('')}</FeatureType></targetTypes>
  <typeMappings>
${types.join('\n')}
  </typeMappings>
</as:AppSchemaDataAccess>
`;
}

export function store(id: string, parameters: Readonly<Record<string, string>>): string {
  const written = Object.entries(parameters).map(
    ([name, value]) => `<Parameter><name>${name}</name><value>${value}</value></Parameter>`,
  );
  return `<DataStore><id>${id}</id><parameters>${written.join('')}</parameters></DataStore>`;
}

/** The folder of the property files that come with the mapping. */
export const files: string = store('files', { directory: 'file:./' });

export function typeMapping(target: string, source: string, attributes: readonly string[], store = 'files'): string {
  return `    <FeatureTypeMapping>
      <sourceDataStore>${store}</sourceDataStore>
      <sourceType>${source}</sourceType>
      <targetElement>${target}</targetElement>
      <attributeMappings>
${attributes.join('\n')}
      </attributeMappings>
    </FeatureTypeMapping>`;
}

export function attribute(target: string, expression: string, more = ''): string {
  return `        <AttributeMapping><targetAttribute>${target}</targetAttribute><sourceExpression><OCQL>${expression}</OCQL></sourceExpression>${more}</AttributeMapping>`;
}

export const boreholes: string = typeMapping('s:Borehole', 'holes', [
  `        <AttributeMapping><targetAttribute>s:Borehole</targetAttribute><idExpression><OCQL>strConcat('bh.', code)</OCQL></idExpression></AttributeMapping>`,
  attribute('gml:name', 'title'),
  attribute('s:depth', 'metres'),
  attribute('s:place', 'place'),
  attribute('s:drilled/s:Event/s:by', 'company'),
]);

export const samples: string = typeMapping('s:Sample', 'cores', [
  attribute('s:label', 'label'),
  attribute('s:weight', 'grams'),
]);

export const faults: string = typeMapping('s:Fault', 'lines', [attribute('s:trace', 'trace')]);

export function schema(content: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:s="${SURVEY}" xmlns:gml="http://www.opengis.net/gml/3.2" targetNamespace="${SURVEY}" elementFormDefault="qualified">
${content}
</xs:schema>
`;
}

const gmlImport =
  '<xs:import namespace="http://www.opengis.net/gml/3.2" schemaLocation="http://schemas.opengis.net/gml/3.2.1/gml.xsd"/>';

function feature(name: string, elements: string): string {
  return `<xs:element name="${name}" type="s:${name}Type" substitutionGroup="gml:AbstractFeature"/>
<xs:complexType name="${name}Type"><xs:complexContent><xs:extension base="gml:AbstractFeatureType"><xs:sequence>
${elements}
</xs:sequence></xs:extension></xs:complexContent></xs:complexType>`;
}

/** The main schema and the two schemas it includes. */
export const schemas: UploadedFiles = {
  'survey.xsd': schema(`${gmlImport}
<xs:include schemaLocation="parts/borehole.xsd"/>
<xs:include schemaLocation="parts/sample.xsd"/>
${feature('Fault', '<xs:element name="trace" type="gml:CurvePropertyType"/>')}`),
  'parts/borehole.xsd': schema(`${gmlImport}
${feature(
  'Borehole',
  `<xs:element name="depth" type="xs:double"/>
<xs:element name="place" type="gml:PointPropertyType"/>
<xs:element name="drilled" type="s:EventPropertyType" minOccurs="0" maxOccurs="unbounded"/>`,
)}
<xs:complexType name="EventPropertyType"><xs:sequence><xs:element ref="s:Event"/></xs:sequence></xs:complexType>
<xs:element name="Event" type="s:EventType"/>
<xs:complexType name="EventType"><xs:sequence><xs:element name="by" type="xs:string"/><xs:element name="on" type="xs:date" minOccurs="0"/></xs:sequence></xs:complexType>`),
  'parts/sample.xsd': schema(`${gmlImport}
${feature(
  'Sample',
  `<xs:element name="label" type="xs:string"/>
<xs:element name="weight" type="xs:double" nillable="true"/>`,
)}`),
};

/** One table for each type. */
export const tables: UploadedFiles = {
  'holes.properties':
    '_=code:String,title:String,metres:Double,company:String,*place:Point:srid=4326\nholes.1=A1|North|120.5|Deep Ltd|POINT(7 50)\nholes.2=A2|South|80|Deep Ltd|POINT(8 49)\n',
  'cores.properties': '_=label:String,grams:Double\ncores.1=core one|12.5\n',
  'lines.properties': '_=*trace:LineString:srid=4326\nlines.1=LINESTRING(0 0,1 1)\n',
};

/** The documented example: a main mapping with two includes, and a main schema with its includes. */
export const surveyFiles: UploadedFiles = {
  'survey.appschema': mapping({ includes: ['samples.xml', 'faults.xml'], stores: files, types: [boreholes] }),
  'samples.xml': mapping({ stores: '', types: [samples] }),
  'faults.xml': mapping({ types: [faults] }),
  ...schemas,
  ...tables,
};

/** The main mapping of the survey with another name for boreholes. */
export const changedSurveyMapping: string = (surveyFiles['survey.appschema'] ?? '').replace(
  '<OCQL>title</OCQL>',
  "<OCQL>strConcat('hole ', title)</OCQL>",
);

/** The whole survey in one mapping. */
export function surveyMapping(types: readonly string[] = [boreholes, samples, faults], stores: string = files): string {
  return mapping({ stores, types });
}
