/** Runs the query contract over indirect sources: a remote WFS, a mapping, and documents. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gml32 } from '../../src/formats/gml/gml.ts';
import { writeXmlSchema } from '../../src/formats/gml/schema/xml-schema.ts';
import { encodeWkt } from '../../src/geometry/wkt-encode.ts';
import { documentDriver } from '../../src/vector/documents/driver.ts';
import { vectorDrivers } from '../../src/vector/drivers.ts';
import { getDriver } from '../../src/vector/port/parameters.ts';
import type { Feature } from '../../src/vector/port/port.ts';
import { openWfs } from '../../src/vector/wfs/wfs-source.ts';
import { encodeText } from '../support/feature-collections.ts';
import type { TestRow } from '../support/filter-rows.ts';
import { attribute, files, mapping, SURVEY, schema, typeMapping } from '../support/mapping-samples.ts';
import { rowAttributes, rowFeatures } from '../support/row-features.ts';
import { describeWithDocuments } from '../support/with-documents.ts';
import { featureQueryContract, type RowsUnderTest } from './feature-query.contract.ts';

const typeName = { prefix: 'acme', uri: 'http://acme.example/ns', local: 'rows' };

const capabilities = `<wfs:WFS_Capabilities version="2.0.0" xmlns:wfs="http://www.opengis.net/wfs/2.0">
<wfs:FeatureTypeList><wfs:FeatureType xmlns:acme="${typeName.uri}"><wfs:Name>acme:rows</wfs:Name>
<wfs:DefaultCRS>urn:ogc:def:crs:EPSG::4326</wfs:DefaultCRS></wfs:FeatureType></wfs:FeatureTypeList></wfs:WFS_Capabilities>`;

/** A remote server without filter support: it only serves pages. */
async function otherWfs(rows: readonly TestRow[]): Promise<RowsUnderTest> {
  const features: Feature[] = [];
  for await (const batch of rowFeatures(rows))
    features.push(...batch.map((each) => ({ ...each, id: `rows.${each.id}` })));
  const description = { name: 'rows', attributes: rowAttributes, defaultGeometry: 'geom' };
  const page = (url: URL): Promise<string> => {
    const start = Number(url.searchParams.get('STARTINDEX') ?? 0);
    const wanted = features.slice(start, start + Number(url.searchParams.get('COUNT') ?? features.length));
    const crs = { reference: { code: 'EPSG:4326' }, name: 'urn:ogc:def:crs:EPSG::4326', isNorthFirst: true };
    const batches = (async function* () {
      yield wanted;
    })();
    const counts = { numberMatched: features.length, numberReturned: wanted.length };
    return encodeText(gml32, {
      sets: [{ typeName, description, crs, batches, ...counts }],
      timeStamp: new Date(0),
      links: () => [],
      schemaLocations: [],
      options: { decimals: 9 },
    });
  };
  const answerTo = async (url: URL): Promise<string> => {
    switch (url.searchParams.get('REQUEST')) {
      case 'GetCapabilities':
        return capabilities;
      case 'DescribeFeatureType':
        return writeXmlSchema([{ typeName, description }], '3.2.1');
      default:
        return page(url);
    }
  };
  return {
    source: openWfs({
      capabilitiesUrl: 'http://wfs.example/ows?version=2.0.0',
      maxFeatures: 0,
      fetchFromServer: async (url) => ({ bytes: Buffer.from(await answerTo(new URL(url))) }),
      run: async (task, input) => task.work(input),
    }),
    typeName: 'acme_rows',
    destroy: async () => undefined,
  };
}

featureQueryContract('another WFS', otherWfs, {
  sortable: ['name', 'code', 'pop', 'area', 'open', 'time', 'until'],
  numRuns: 2,
});

const rowSchema =
  schema(`<xs:import namespace="http://www.opengis.net/gml/3.2" schemaLocation="http://schemas.opengis.net/gml/3.2.1/gml.xsd"/>
<xs:element name="Row" substitutionGroup="gml:AbstractFeature"><xs:complexType><xs:complexContent><xs:extension base="gml:AbstractFeatureType"><xs:sequence>
<xs:element name="name" type="xs:string" minOccurs="0"/><xs:element name="pop" type="xs:long" minOccurs="0"/>
<xs:element name="open" type="xs:boolean" minOccurs="0"/><xs:element name="geom" type="gml:GeometryPropertyType" minOccurs="0"/>
</xs:sequence></xs:extension></xs:complexContent></xs:complexType></xs:element>`);

/** Some columns are mapped to source columns; `pop` is computed, so the source cannot filter by it. */
async function mappedRows(rows: readonly TestRow[]): Promise<RowsUnderTest> {
  const folder = await mkdtemp(join(tmpdir(), 'graticule-queries-'));
  const written = (value: string | number | bigint | boolean | null): string =>
    String(value ?? '').replaceAll(/[\\|=\r\n]/g, '\\$&');
  const lines = rows.map(({ id, name, pop, open, geom }) =>
    [`rows.${id}=${written(name)}`, written(pop), written(open), geom === null ? '' : encodeWkt(geom)].join('|'),
  );
  const head = '_=name:String,pop:Long,open:Boolean,geom:Geometry:srid=4326';
  const attributes = [
    attribute('s:name', 'name'),
    attribute('s:pop', 'pop'),
    attribute('s:open', 'open'),
    attribute('s:geom', 'geom'),
  ];
  const documents = {
    'rows.properties': [head, ...lines, ''].join('\n'),
    'survey.xsd': rowSchema,
    'rows.appschema': mapping({ stores: files, types: [typeMapping('s:Row', 'rows', attributes)] }),
  };
  for (const [name, text] of Object.entries(documents)) await writeFile(join(folder, name), text);
  const parameters = { dbtype: 'app-schema', url: join(folder, 'rows.appschema') };
  return {
    source: await getDriver(vectorDrivers, parameters).open(parameters, {
      resolvePath: async (named) => named,
      findFolder: async () => folder,
    }),
    typeName: 'Row',
    destroy: () => rm(folder, { recursive: true }),
  };
}

featureQueryContract(`a mapping to ${SURVEY}`, mappedRows, { sortable: ['name', 'pop', 'open'], numRuns: 2 });

describeWithDocuments('feature queries on documents', (documents) => {
  featureQueryContract(
    'documents',
    async (rows) => {
      const folder = await mkdtemp(join(tmpdir(), 'graticule-queries-'));
      // The schema is derived from existing documents, so one document has all attributes.
      const whole = {
        _id: 'all',
        name: 'whole',
        pop: 1,
        open: true,
        area: 0.5,
        geom: { type: 'Point', coordinates: [90, 80] },
      };
      await documents.insert('rows', [
        whole,
        ...rows.map(({ id, name, pop, open, area, geom }) => ({
          _id: `d${String(id).padStart(6, '0')}`,
          ...(name === null ? {} : { name }),
          ...(pop === null ? {} : { pop: Number(pop) }),
          ...(open === null ? {} : { open }),
          ...(area === null ? {} : { area }),
          ...(geom?.type === 'Point' ? { geom: { type: 'Point', coordinates: [...geom.ordinates].slice(0, 2) } } : {}),
        })),
      ] as never);
      return {
        source: await documentDriver.open(
          { data_store: documents.uri(), schema_store: folder, max_objs_schema: '-1' },
          { resolvePath: async (named) => named },
        ),
        destroy: async () => {
          await documents.drop('rows');
          await rm(folder, { recursive: true });
        },
      };
    },
    { sortable: ['name', 'pop', 'open'], numRuns: 2 },
  );
});
