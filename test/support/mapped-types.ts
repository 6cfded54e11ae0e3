/** Mappings for tests: in a short notation, parsed by the mapping reader, over tables that a test defines. */
import { mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AttributeType } from '../../src/filter/model/schema.ts';
import { readEcqlFor } from '../../src/filter/resolve/resolve.ts';
import { readMappings } from '../../src/vector/app-schema/mapping/read-mappings.ts';
import { readTargetPath } from '../../src/vector/app-schema/mapping/target-path.ts';
import type { PathCondition } from '../../src/vector/app-schema/read/feature-filter.ts';
import { type MappedQuery, type MappedSource, openMapped } from '../../src/vector/app-schema/read/open-mapped.ts';
import type { OpenSource } from '../../src/vector/app-schema/read/source-tables.ts';
import { readSchemas } from '../../src/vector/app-schema/xsd/read-schemas.ts';
import type { SchemaSet } from '../../src/vector/app-schema/xsd/schema-set.ts';
import type { ComplexFeature } from '../../src/vector/port/complex-feature.ts';
import type { Mapping } from '../../src/vector/port/mapping.ts';
import { openPropertyDirectory } from '../../src/vector/properties/properties-source.ts';
import { printFeature } from './print-feature.ts';
import { useTemporaryFolder } from './temporary-folder.ts';

export interface AttributeSpec {
  readonly target: string;
  readonly id?: string;
  readonly ocql?: string;
  readonly index?: number | 'LAST';
  /** The chained type and its field. */
  readonly link?: string;
  readonly field?: string;
  readonly multiple?: true;
  readonly list?: true;
  readonly ifEmpty?: true;
  readonly node?: string;
  readonly client?: Readonly<Record<string, string>>;
  readonly anonymous?: Readonly<Record<string, string>>;
  readonly values?: { readonly column: string; readonly table: string; readonly key: string; readonly value: string };
}

export interface TypeSpec {
  readonly target: string;
  readonly name?: string;
  readonly table: string;
  readonly more?: string;
  readonly attributes: readonly AttributeSpec[];
}

const namespaces = {
  gml: 'http://www.opengis.net/gml/3.2',
  xlink: 'http://www.w3.org/1999/xlink',
  xsi: 'http://www.w3.org/2001/XMLSchema-instance',
  ro: 'urn:example:rocks',
};

export const rockSchema = `<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:ro="${namespaces.ro}" xmlns:gml="${namespaces.gml}"
  targetNamespace="${namespaces.ro}" elementFormDefault="qualified">
  <xs:import namespace="${namespaces.gml}" schemaLocation="http://schemas.opengis.net/gml/3.2.1/gml.xsd"/>
  <xs:element name="Outcrop" substitutionGroup="gml:AbstractFeature"/>
  <xs:element name="RockUnit" substitutionGroup="gml:AbstractFeature"/>
  <xs:element name="Part" type="ro:PartType"/>
  <xs:complexType name="PartType"><xs:sequence><xs:element name="share" type="xs:string"/></xs:sequence></xs:complexType>
</xs:schema>`;

export function mappingText(types: readonly TypeSpec[]): string {
  const spaces = Object.entries(namespaces).map(
    ([prefix, uri]) => `<Namespace><prefix>${prefix}</prefix><uri>${uri}</uri></Namespace>`,
  );
  return `<as:AppSchemaDataAccess xmlns:as="http://www.geotools.org/app-schema"><namespaces>${spaces.join('')}</namespaces>
<sourceDataStores><DataStore><id>rocks</id><parameters/></DataStore></sourceDataStores>
<targetTypes><FeatureType><schemaUri>rocks.xsd</schemaUri></FeatureType></targetTypes>
<typeMappings>${types.map(typeText).join('\n')}</typeMappings></as:AppSchemaDataAccess>`;
}

function typeText({ target, name, table, more = '', attributes }: TypeSpec): string {
  return `<FeatureTypeMapping>${name === undefined ? '' : `<mappingName>${name}</mappingName>`}
<sourceDataStore>rocks</sourceDataStore><sourceType>${table}</sourceType><targetElement>${target}</targetElement>${more}<attributeMappings>
${attributes.map(attributeText).join('\n')}
</attributeMappings></FeatureTypeMapping>`;
}

function attributeText(spec: AttributeSpec): string {
  const element = (name: string, value: string | number | undefined): string =>
    value === undefined ? '' : `<${name}>${escaped(String(value))}</${name}>`;
  const pairs = (name: string, list: Readonly<Record<string, string>> | undefined): string =>
    Object.entries(list ?? {})
      .map(([key, value]) => `<${name}>${element('name', key)}${element('value', value)}</${name}>`)
      .join('');
  const source = [
    element('OCQL', spec.ocql),
    element('index', spec.index),
    element('linkElement', spec.link),
    element('linkField', spec.field),
  ].join('');
  const { values } = spec;
  return [
    '<AttributeMapping>',
    element('targetAttribute', spec.target),
    element('targetAttributeNode', spec.node),
    spec.id === undefined ? '' : `<idExpression>${element('OCQL', spec.id)}</idExpression>`,
    source === '' ? '' : `<sourceExpression>${source}</sourceExpression>`,
    spec.multiple ? element('isMultiple', 'true') : '',
    spec.list ? element('isList', 'true') : '',
    spec.ifEmpty ? element('encodeIfEmpty', 'true') : '',
    pairs('ClientProperty', spec.client),
    pairs('anonymousAttribute', spec.anonymous),
    values === undefined
      ? ''
      : `<jdbcMultipleValue>${element('sourceColumn', values.column)}${element('targetTable', values.table)}${element('targetColumn', values.key)}${element('targetValue', values.value)}</jdbcMultipleValue>`,
    '</AttributeMapping>',
  ].join('');
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

export function createMappings(types: readonly TypeSpec[]): readonly Mapping[] {
  const files = new Map([['main.appschema', Buffer.from(mappingText(types))]]);
  const outcome = readMappings(
    { files, main: 'main.appschema' },
    { limits: { maxDepth: 50, maxNodes: 100_000 }, maxFiles: 10, properties: new Map() },
  );
  if (outcome.kind === 'read') return outcome.mappings;
  throw new Error(outcome.complaints.map(({ line, message }) => `${line}: ${message}`).join('\n'));
}

export function rockSchemas(): SchemaSet {
  const files = new Map([['rocks.xsd', Buffer.from(rockSchema)]]);
  const wanted = [{ location: 'rocks.xsd', neededBy: { file: 'main.appschema', line: 1 } }];
  const outcome = readSchemas(files, wanted, { limits: { maxDepth: 50, maxNodes: 100_000 }, maxFiles: 10 });
  if (outcome.kind === 'read') return outcome.schemas;
  throw new Error(JSON.stringify(outcome));
}

export function openTypes(types: readonly TypeSpec[], openSource: OpenSource): MappedSource {
  return openMapped({ mappings: createMappings(types), schemas: rockSchemas(), openSource });
}

/** Property files by type, each as its lines. */
export type PropertyFiles = Readonly<Record<string, readonly string[]>>;

export interface MappedPropertyFiles {
  open(types: readonly TypeSpec[], files: PropertyFiles): Promise<MappedSource>;
}

export function useMappedPropertyFiles(): MappedPropertyFiles {
  const folder = useTemporaryFolder('mapped');
  return {
    open: async (types, files) => {
      const own = await mkdtemp(join(folder, 'x'));
      for (const [name, lines] of Object.entries(files)) {
        await writeFile(join(own, `${name}.properties`), `${lines.join('\n')}\n`);
      }
      return openTypes(types, async () => openPropertyDirectory(own));
    },
  };
}

/** A condition on paths in the target type with these value types. */
export async function conditionOn(
  text: string,
  types: Readonly<Record<string, AttributeType>>,
): Promise<PathCondition> {
  const attributes = Object.entries(types).map(([name, type]) => ({ name, type }));
  const outcome = await readEcqlFor(text, { attributes });
  if (outcome.kind !== 'read') throw new Error(`${text} is no condition`);
  const spaces = new Map(Object.entries(namespaces));
  return { filter: outcome.value, getSteps: (name) => readTargetPath(name, spaces).steps };
}

export async function readMapped(
  source: MappedSource,
  name: string,
  query: MappedQuery = {},
): Promise<readonly ComplexFeature[]> {
  const features: ComplexFeature[] = [];
  for await (const batch of source.read(name, query, new AbortController().signal)) features.push(...batch);
  return features;
}

/** All features of a type, as nested records. */
export async function printMapped(source: MappedSource, name: string, query: MappedQuery = {}): Promise<string> {
  return (await readMapped(source, name, query)).map(printFeature).join('\n');
}
