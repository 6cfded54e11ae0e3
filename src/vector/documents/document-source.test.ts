import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, expect, it } from 'vitest';
import { describeWithDocuments } from '../../../test/support/with-documents.ts';
import { readEcqlFor } from '../../filter/resolve/resolve.ts';
import type { DriverContext } from '../port/driver.ts';
import { createFilterSchema } from '../port/filter-schema.ts';
import type { VectorSource } from '../port/port.ts';
import { documentDriver } from './driver.ts';

const never = new AbortController().signal;
const anywhere: DriverContext = { resolvePath: async (path) => path.replace(/^file:/, '') };
const opened: VectorSource[] = [];

afterEach(async () => {
  for (const each of opened.splice(0)) await each.close();
});

const stations = [
  {
    _id: 's1',
    name: 'station 1',
    height: 1200,
    founded: new Date('2001-02-03T00:00:00Z'),
    contact: { mail: 'one@example.com' },
    geometry: { type: 'Point', coordinates: [50, 60] },
    tags: ['alpine', 'old'],
    measurements: [
      { name: 'temp', values: [{ time: 1, value: 20 }] },
      { name: 'wind', values: [{ time: 2, value: 155 }] },
    ],
  },
  {
    _id: 's2',
    name: 'station 2',
    height: 300.5,
    founded: new Date('2011-02-03T00:00:00Z'),
    geometry: { type: 'Point', coordinates: [100, -50] },
    measurements: [],
  },
  { _id: 's3', name: 7, height: null },
];

describeWithDocuments('document source', (documents) => {
  beforeAll(() => documents.insert('stations', stations as never));

  const folder = () => mkdtempSync(join(tmpdir(), 'graticule-schemas-'));
  async function open(parameters: Record<string, string> = {}, context = anywhere): Promise<VectorSource> {
    const source = await documentDriver.open(
      { data_store: documents.uri(), schema_store: folder(), max_objs_schema: '-1', ...parameters },
      context,
    );
    opened.push(source);
    return source;
  }
  async function idsOf(source: VectorSource, ecql?: string, limit?: number): Promise<readonly string[]> {
    const described = await source.describe('stations', never);
    const resolved =
      ecql === undefined ? undefined : await readEcqlFor(ecql, createFilterSchema(described?.attributes ?? []));
    if (resolved?.kind === 'refused') throw new Error(resolved.complaint.message);
    const ids = [];
    const query = {
      ...(resolved === undefined ? {} : { filter: resolved.value }),
      ...(limit === undefined ? {} : { limit }),
    };
    for await (const batch of source.read('stations', query, never)) ids.push(...batch.map(({ id }) => id));
    return ids;
  }

  it('describes types with the attributes of their schema', async () => {
    const source = await open();

    expect(await source.listTypes(never)).toEqual([{ name: 'stations', hasGeometry: false }]);
    expect(await source.describe('nothing', never)).toBeUndefined();
    expect(await source.describe('stations', never)).toEqual({
      name: 'stations',
      attributes: [
        {
          kind: 'geometry',
          name: 'geometry',
          nillable: true,
          type: 'Geometry',
          dimension: 'XY',
          crs: { code: 'EPSG:4326' },
        },
        { kind: 'value', name: 'name', nillable: true, type: 'string' },
        { kind: 'value', name: 'height', nillable: true, type: 'double' },
        { kind: 'value', name: 'founded', nillable: true, type: 'timestamp' },
        { kind: 'value', name: 'contact.mail', nillable: true, type: 'string' },
        { kind: 'value', name: 'tags', nillable: true, type: 'string' },
        { kind: 'value', name: 'measurements.name', nillable: true, type: 'string' },
        { kind: 'value', name: 'measurements.values.time', nillable: true, type: 'string' },
        { kind: 'value', name: 'measurements.values.value', nillable: true, type: 'string' },
        { kind: 'value', name: 'measurements', nillable: true, type: 'string' },
      ],
      defaultGeometry: 'geometry',
      bounds: { minX: 50, minY: -50, maxX: 100, maxY: 60 },
      count: 3,
    });
    expect(await source.listTypes(never)).toEqual([{ name: 'stations', hasGeometry: true }]);
  });

  it('reads features with flat values, and the whole document for mappings', async () => {
    const source = await open();

    const features = [];
    for await (const each of source.read('stations', {}, never)) features.push(...each);

    expect(features.map(({ id, values: [, ...values] }) => [id, ...values])).toEqual([
      [
        's1',
        'station 1',
        1200,
        stations[0]?.founded,
        'one@example.com',
        '["alpine","old"]',
        '["temp","wind"]',
        '[1,2]',
        '[20,155]',
        '[{"name":"temp","values":[{"time":1,"value":20}]},{"name":"wind","values":[{"time":2,"value":155}]}]',
      ],
      ['s2', 'station 2', 300.5, stations[1]?.founded, null, null, null, null, null, '[]'],
      ['s3', '7', null, null, null, null, null, null, null, null],
    ]);
    const document = features[0]?.document;
    expect(document?.first('contact.mail')).toBe('one@example.com');
    expect(document?.all('measurements.values.value')).toEqual([20, 155]);
    expect(document?.nested('measurements').map((each) => [each.key, each.document.first('name')])).toEqual([
      ['measurements.0', 'temp'],
      ['measurements.1', 'wind'],
    ]);
  });

  it.each([
    ["name = 'station 1'", ['s1']],
    ["name = '7'", ['s3']],
    ["name IN ('station 2', '7')", ['s2', 's3']],
    ['height > 300', ['s1', 's2']],
    ['300.5 >= height', ['s2']],
    ['height = 1200', ['s1']],
    ['height <> 1200', ['s2']],
    ['height IS NULL', ['s3']],
    ['founded AFTER 2005-01-01T00:00:00Z', ['s2']],
    ["height > 300 AND name LIKE '%2'", ['s2']],
    ["name = 'station 1' OR name LIKE '7'", ['s1', 's3']],
    ["NOT (name = 'station 1')", ['s2', 's3']],
    ["IN ('s2', 's3')", ['s2', 's3']],
    ['BBOX(geometry, 0, 0, 70, 70)', ['s1']],
  ])('selects features by %s', async (ecql, ids) => {
    expect(await idsOf(await open(), ecql)).toEqual(ids);
  });

  it('counts the selected features', async () => {
    const source = await open();

    expect(await idsOf(source, 'height <> 1200', 1)).toEqual(['s2']);
    expect(await idsOf(source, undefined, 2)).toEqual(['s1', 's2']);
    expect(await idsOf(source, undefined, 0)).toEqual([]);
  });

  it('uses the persisted schema with its names', async () => {
    const schema_store = folder();
    writeFileSync(
      join(schema_store, 'stations.json'),
      '{"typeName":"stations","userData":{"collection":"stations"},"attributeDescriptors":[{"localName":"mail","type":{"binding":"java.lang.String"},"userData":{"mapping":"contact.mail"}}]}',
    );
    const source = await open({ schema_store });

    expect((await source.describe('stations', never))?.attributes.map(({ name }) => name)).toEqual(['mail']);
    expect(await idsOf(source, "mail = 'one@example.com'")).toEqual(['s1']);
  });

  it('infers a schema once and persists it', async () => {
    const schema_store = join(folder(), 'deep', 'er');
    const source = await open({ schema_store, max_objs_schema: '1' });

    await source.describe('stations', never);

    expect(readdirSync(schema_store)).toEqual(['stations.json']);
    expect(readFileSync(join(schema_store, 'stations.json'), 'utf8')).toMatch(/^\{"typeName":"stations","userData"/);
  });

  it('infers the schema from the configured documents', async () => {
    const source = await open({ objs_id_schema: 's3', max_objs_schema: '0' });

    expect((await source.describe('stations', never))?.attributes.map(({ name }) => name)).toEqual(['name', 'height']);
  });

  it('stores schemas in one file or in a database', async () => {
    const file = join(folder(), 'all.json');
    await documents.insert('alarms', [{ text: 'x' }]);
    const inFile = await open({ schema_store: `file:${file}` });
    const inDatabase = await open({ schema_store: `${documents.uri('_s')}.kept` });

    for (const source of [inFile, inDatabase]) {
      await source.describe('stations', never);
      await source.describe('alarms', never);
    }

    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject([{ typeName: 'stations' }, { typeName: 'alarms' }]);
    const kept = await documents.all('kept', '_s');
    expect(kept.map((each) => each['typeName'])).toEqual(['stations', 'alarms']);
    expect((await inDatabase.describe('stations', never))?.defaultGeometry).toBe('geometry');
    await documents.drop('alarms');
  });

  it('stores nothing when it is opened for reading only', async () => {
    const schema_store = folder();
    const hosts: string[] = [];
    const source = await open({ schema_store }, { ...anywhere, checkHost: (host) => hosts.push(host) });

    await source.describe('stations', never);

    expect(readdirSync(schema_store)).toEqual([]);
    expect(hosts).toHaveLength(1);
  });

  it('rejects reads until an invalid persisted schema is corrected', async () => {
    const schema_store = folder();
    writeFileSync(join(schema_store, 'stations.json'), '{"typeName":');
    const source = await open({ schema_store });

    await expect(source.describe('stations', never)).rejects.toMatchObject({
      code: 'document-schema-invalid',
      message:
        "The persisted schema 'stations.json' is unreadable: it is not valid JSON. Clean or rebuild the schemas of the store.",
    });
  });

  it.each([
    [{ data_store: 'mongodb://h/' }, 'data_store', /must include a database/],
    [{ data_store: 'mongodb://h/x', schema_store: '' }, 'schema_store', /requires a schema location/],
    [
      { data_store: 'mongodb://h/x', schema_store: 'http://h/x' },
      'schema_store',
      /path, a file: URL or a mongodb: URI/,
    ],
    [{ data_store: 'mongodb://h/x', schema_store: 'mongodb+srv://h/x' }, 'schema_store', /list the hosts/],
    [{ data_store: 'mongodb://h/x', schema_store: 'a', max_objs_schema: 'x' }, 'max_objs_schema', /integer/],
  ])('rejects parameters such as %j', (parameters, parameter, reason) => {
    expect(documentDriver.validate(parameters)).toEqual({ parameter, reason: expect.stringMatching(reason) });
  });
});
