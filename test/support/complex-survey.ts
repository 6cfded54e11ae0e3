/** A mapping with all features of complex types: nested elements, lists, chained features, nested geometries. */
import { attribute, mapping, SURVEY, schema, store, typeMapping, type UploadedFiles } from './mapping-samples.ts';

const feature = (name: string, elements: string): string =>
  `<xs:element name="${name}" type="s:${name}Type" substitutionGroup="gml:AbstractFeature"/>
<xs:complexType name="${name}Type"><xs:complexContent><xs:extension base="gml:AbstractFeatureType"><xs:sequence>${elements}</xs:sequence></xs:extension></xs:complexContent></xs:complexType>`;

const gmlImport =
  '<xs:import namespace="http://www.opengis.net/gml/3.2" schemaLocation="http://schemas.opengis.net/gml/3.2.1/gml.xsd"/>';

const schemas: UploadedFiles = {
  'survey.xsd': schema(`${gmlImport}
<xs:include schemaLocation="parts/unit.xsd"/>
${feature(
  'Borehole',
  `<xs:element name="depth" type="xs:double"/>
<xs:element name="place" type="gml:PointPropertyType"/>
<xs:element name="drilled" type="s:EventPropertyType" minOccurs="0" maxOccurs="unbounded"/>
<xs:element name="meets" type="s:UnitPropertyType" minOccurs="0" maxOccurs="unbounded"/>`,
)}
<xs:complexType name="EventPropertyType"><xs:sequence><xs:element ref="s:Event"/></xs:sequence></xs:complexType>
<xs:element name="Event" type="s:EventType"/>
<xs:complexType name="EventType"><xs:sequence>
<xs:element name="by" type="xs:string"/><xs:element name="on" type="xs:date" minOccurs="0"/><xs:element name="seenFrom" type="gml:PointPropertyType" minOccurs="0"/>
</xs:sequence></xs:complexType>`),
  'parts/unit.xsd': schema(`${gmlImport}
<xs:complexType name="UnitPropertyType"><xs:sequence minOccurs="0"><xs:element ref="s:Unit"/></xs:sequence><xs:attributeGroup ref="gml:AssociationAttributeGroup"/></xs:complexType>
${feature('Unit', '<xs:element name="rock" type="xs:string"/><xs:element name="age" type="xs:double" minOccurs="0"/>')}`),
};

/** The attribute order differs from the order of the schema. */
const boreholes = typeMapping('s:Borehole', 'holes', [
  `        <AttributeMapping><targetAttribute>s:Borehole</targetAttribute><idExpression><OCQL>strConcat('bh.', code)</OCQL></idExpression></AttributeMapping>`,
  chained('s:meets', 'unit', 's:Unit'),
  attribute('s:place', 'place'),
  attribute('s:drilled/s:Event/s:seenFrom', 'road'),
  attribute('s:drilled/s:Event/s:on', 'day'),
  attribute('s:drilled/s:Event/s:by', 'company'),
  attribute('s:depth', 'metres'),
  attribute('gml:name', 'title', "<ClientProperty><name>codeSpace</name><value>'urn:holes'</value></ClientProperty>"),
]);

const units = typeMapping('s:Unit', 'units', [
  `        <AttributeMapping><targetAttribute>s:Unit</targetAttribute><idExpression><OCQL>strConcat('unit.', key)</OCQL></idExpression></AttributeMapping>`,
  attribute('FEATURE_LINK', 'key'),
  attribute('s:rock', 'rock'),
  attribute('s:age', 'age'),
  attribute('gml:name', 'rock'),
  attribute('gml:name[2]', 'local'),
]);

function chained(target: string, column: string, element: string): string {
  return `        <AttributeMapping><targetAttribute>${target}</targetAttribute><sourceExpression><OCQL>${column}</OCQL><linkElement>${element}</linkElement><linkField>FEATURE_LINK</linkField></sourceExpression><isMultiple>true</isMultiple></AttributeMapping>`;
}

const tables: UploadedFiles = {
  'holes.properties': `_=code:String,title:String,metres:Double,company:String,day:String,unit:String,*place:Point:srid=4326,road:Point:srid=4326
holes.1=A1|North|120.5|Deep Ltd|2020-05-04|g|POINT(7 50)|POINT(7.5 50.5)
holes.2=A2|South|80|Bore & Sons|2021-01-02|g|POINT(8 49)|POINT(8.5 49.5)
holes.3=A3|West|300|Deep Ltd|2019-07-01|s|POINT(5 51)|
`,
  'units.properties':
    '_=key:String,rock:String,local:String,age:Double\nunits.1=g|Granite|Granit|300\nunits.2=s|Schist|Schiefer|450\n',
};

export const COMPLEX_SURVEY = SURVEY;

export const complexSurvey: UploadedFiles = {
  'survey.appschema': mapping({ stores: store('files', { directory: 'file:./' }), types: [boreholes, units] }),
  ...schemas,
  ...tables,
};
