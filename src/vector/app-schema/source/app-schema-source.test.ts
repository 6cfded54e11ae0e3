/** Tests a mapping in a folder through the vector port. */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  attribute,
  boreholes,
  files,
  mapping,
  samples,
  schema,
  schemas,
  surveyFiles,
  surveyMapping,
  tables,
  typeMapping,
  type UploadedFiles,
} from '../../../../test/support/mapping-samples.ts';
import { printFeature } from '../../../../test/support/print-feature.ts';
import { useTemporaryFolder } from '../../../../test/support/temporary-folder.ts';
import { vectorDrivers } from '../../drivers.ts';
import { getDriver } from '../../port/parameters.ts';
import type { Feature, VectorSource } from '../../port/port.ts';

const signal = new AbortController().signal;
const root = useTemporaryFolder('app-schema');
let count = 0;

async function open(all: UploadedFiles, main = 'survey.appschema'): Promise<VectorSource> {
  count += 1;
  const folder = join(root, String(count));
  for (const [name, text] of Object.entries(all)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
  const parameters = { dbtype: 'app-schema', url: join(folder, main) };
  const source = await getDriver(vectorDrivers, parameters).open(parameters, {
    resolvePath: async (named) => named,
    findFolder: async () => folder,
  });
  onTestFinished(() => source.close());
  return source;
}

async function featuresOf(source: VectorSource, name: string, limit?: number): Promise<readonly Feature[]> {
  const found: Feature[] = [];
  for await (const batch of source.read(name, limit === undefined ? {} : { limit }, signal)) found.push(...batch);
  return found;
}

describe('app-schema source', () => {
  it('lists its feature types and marks those of included mappings', async () => {
    const source = await open(surveyFiles);

    expect(await source.listTypes(signal)).toEqual([
      { name: 'Borehole', hasGeometry: true },
      { name: 'Fault', hasGeometry: true, isIncluded: true },
      { name: 'Sample', hasGeometry: false, isIncluded: true },
    ]);
  });

  it('describes types by their schema, with the extent and CRS of their source', async () => {
    const source = await open(surveyFiles);

    const described = await source.describe('Borehole', signal);

    expect(described).toMatchObject({
      name: 'Borehole',
      defaultGeometry: 'place',
      bounds: { minX: 7, minY: 49, maxX: 8, maxY: 50 },
    });
    expect(described?.attributes.find(({ name }) => name === 'place')).toMatchObject({ crs: { code: 'EPSG:4326' } });
    expect(await source.describe('Nothing', signal)).toBeUndefined();
  });

  it('reads features with all nested properties and a value per attribute', async () => {
    const source = await open(surveyFiles);
    const { attributes = [] } = (await source.describe('Borehole', signal)) ?? {};

    const [first, second, ...more] = await featuresOf(source, 'Borehole');

    expect(more).toEqual([]);
    expect([first?.id, second?.id]).toEqual(['bh.A1', 'bh.A2']);
    expect(first?.content && printFeature(first.content)).toBe(`<s:Borehole gml:id="bh.A1">
  <gml:name>North</gml:name>
  <s:depth>120.5</s:depth>
  <s:place srsName="EPSG:4326">POINT (7 50)</s:place>
  <s:drilled>
    <s:Event>
      <s:by>Deep Ltd</s:by>
    </s:Event>
  </s:drilled>
</s:Borehole>`);
    const reported = (name: string) => first?.values[attributes.findIndex((each) => each.name === name)];
    expect(['gml:name', 'depth', 'drilled', 'gml:description'].map(reported)).toEqual([
      'North',
      120.5,
      'Deep Ltd',
      null,
    ]);
    expect(reported('place')).toMatchObject({ type: 'Point' });
    expect(await featuresOf(source, 'Borehole', 1)).toHaveLength(1);
  });

  it('distinguishes several mappings of one element by name', async () => {
    const second = samples
      .replace('<sourceDataStore>', '<mappingName>heavy</mappingName><sourceDataStore>')
      .replace('>label<', ">'heavy'<");
    const source = await open({ ...schemas, ...tables, 'survey.appschema': surveyMapping([samples, second]) });

    expect((await source.listTypes(signal)).map(({ name }) => name)).toEqual(['Sample', 'heavy']);
    const [plain] = await featuresOf(source, 'Sample');
    const [heavy] = await featuresOf(source, 'heavy');
    expect([plain, heavy].map((each) => each?.content?.children[0]?.value)).toEqual(['core one', 'heavy']);
  });

  it('finds schemas through an uploaded catalog or cache', async () => {
    const far = 'http://schemas.example.com/survey/1.0/survey.xsd';
    const main = mapping({ schemas: [far], stores: files, types: [boreholes] });
    const moved = (folder: string): UploadedFiles =>
      Object.fromEntries(Object.entries(schemas).map(([name, text]) => [`${folder}/${name}`, text]));
    const catalog =
      '<catalog xmlns="urn:oasis:names:tc:entity:xmlns:xml:catalog"><rewriteURI uriStartString="http://schemas.example.com/survey/1.0/" rewritePrefix="copies/"/></catalog>';

    const cataloged = await open({
      ...tables,
      ...moved('copies'),
      'catalog.xml': catalog,
      'survey.appschema': main.replace('<targetTypes>', '<catalog>catalog.xml</catalog><targetTypes>'),
    });
    const cached = await open({
      ...tables,
      ...moved('app-schema-cache/com/example/schemas/survey/1.0'),
      'survey.appschema': main,
    });

    expect((await cataloged.listTypes(signal)).map(({ name }) => name)).toEqual(['Borehole']);
    expect((await cached.listTypes(signal)).map(({ name }) => name)).toEqual(['Borehole']);
  });

  it('uses changed documents only after it is reopened', async () => {
    const source = await open(surveyFiles);
    await source.listTypes(signal);
    await writeFile(join(root, String(count), 'survey.appschema'), '<no/>');

    expect(await source.listTypes(signal)).toHaveLength(3);
  });

  it('returns the current extent of its tables', async () => {
    const source = await open(surveyFiles);
    await source.describe('Borehole', signal);
    const [head] = (tables['holes.properties'] ?? '').split('\n');
    await writeFile(join(root, String(count), 'holes.properties'), `${head}\nholes.1=A1|North|1|x|POINT(1 2)\n`);

    expect(await source.describe('Borehole', signal)).toMatchObject({ bounds: { minX: 1, minY: 2, maxX: 1, maxY: 2 } });
  });

  it('contains chained objects that are not features', async () => {
    const holes = boreholes.replace(
      attribute('s:drilled/s:Event/s:by', 'company'),
      `<AttributeMapping><targetAttribute>s:drilled</targetAttribute><sourceExpression><OCQL>code</OCQL><linkElement>s:Event</linkElement><linkField>FEATURE_LINK</linkField></sourceExpression><isMultiple>true</isMultiple></AttributeMapping>`,
    );
    const event = typeMapping('s:Event', 'events', [attribute('FEATURE_LINK', 'hole'), attribute('s:by', 'who')]);
    const events = '_=hole:String,who:String\ne.1=A1|Ann\ne.2=A1|Bob\ne.3=A2|Cy\n';
    const source = await open({
      ...schemas,
      ...tables,
      'events.properties': events,
      'survey.appschema': surveyMapping([holes, event]),
    });

    const { attributes = [] } = (await source.describe('Borehole', signal)) ?? {};
    const features = await featuresOf(source, 'Borehole');

    const at = attributes.findIndex(({ name }) => name === 'drilled');
    expect(features.map(({ values }) => values[at])).toEqual(['Ann, Bob', 'Cy']);
    expect((await source.listTypes(signal)).map(({ name }) => name)).toEqual(['Borehole']);
  });

  it('does not describe a type whose schema lacks the feature element', async () => {
    const source = await open({ 'survey.xsd': schema(''), ...tables, 'survey.appschema': surveyMapping() });

    await expect(source.listTypes(signal)).rejects.toMatchObject({ code: 'mapping-refused' });
  });
});
