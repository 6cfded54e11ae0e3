/** Data rules in every service: rows, attributes and areas that a principal can see. */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ask, FEATURES, places, publishShapefiles } from '../../../test/support/features.ts';
import { type Reply, useTestServer } from '../../../test/support/test-server.ts';
import { addUser } from '../../../test/support/test-users.ts';

const WFS = '//geoserver/wfs?service=WFS&version=2.0.0&typeNames=acme:towns';

interface Features {
  readonly numberMatched?: number;
  readonly features: readonly {
    readonly id: string;
    readonly geometry: { readonly type: string; readonly coordinates: unknown } | null;
    readonly properties: Readonly<Record<string, unknown>>;
  }[];
}

describe('data rules', () => {
  const server = useTestServer();
  let ann = '';
  let bob = '';
  beforeAll(async () => {
    await publishShapefiles(server, 'acme', { towns: places });
    ann = await addUser(server, 'place 3', 'FIELD');
    bob = await addUser(server, 'bob', 'AUDIT', 'FIELD');
  });
  beforeEach(async () => {
    const { dataRules } = (await server.get('/security/acl/data')).json() as { dataRules: { name: string }[] };
    for (const { name } of dataRules) await server.delete(`/security/acl/data/${name}`);
  });

  async function addRule(fields: object): Promise<void> {
    const dataRule = { layer: 'acme:towns', roles: ['FIELD'], ...fields };
    const reply = await server.post('/security/acl/data', JSON.stringify({ dataRule }));
    expect(reply.status, reply.text).toBe(201);
  }
  const getItems = async (query = '', as: string | null = ann) =>
    (await ask(server, `/collections/acme:towns/items?limit=100${query}`, { as })).json() as Features;
  const getAllItems = async () =>
    (await server.get(`${FEATURES}/collections/acme:towns/items?limit=100`)).json() as Features;
  const getWfs = (query: string, as: string | null = ann): Promise<Reply> => server.get(`${WFS}&${query}`, { as });
  const listRanks = ({ features }: Features) => features.map(({ properties }) => properties['rank']);

  it('do not limit layers without rules, administrators, and administrators of the workspace', async () => {
    expect((await getItems()).features).toHaveLength(25);
    await addRule({ name: 'none', roles: ['OTHER'] });

    expect((await getItems()).features).toHaveLength(0);
    expect((await getAllItems()).features).toHaveLength(25);
    await server.post('/security/acl/layers', '{"acme.*.a":"AUDIT"}');
    expect((await getItems('', bob)).features).toHaveLength(25);
    await server.delete('/security/acl/layers/acme.*.a');
  });

  it('limit rows, counts, single items and paging', async () => {
    await addRule({ name: 'low', rows: 'rank < 3 OR name = ${user.name}' });
    const all = await getItems();

    expect(listRanks(all)).toEqual([0, 1, 2, 3]);
    expect(all.numberMatched).toBe(4);
    expect(listRanks(await getItems('&offset=1'))).toEqual([1, 2, 3]);
    expect((await ask(server, '/collections/acme:towns/items/towns.2', { as: ann })).status).toBe(200);
    expect((await ask(server, '/collections/acme:towns/items/towns.9', { as: ann })).status).toBe(404);
    expect((await getWfs('request=GetFeature&resultType=hits')).text).toContain('numberMatched="4"');
    expect((await getWfs('request=GetFeature&outputFormat=csv')).text.trim().split('\n')).toHaveLength(5);
    expect(listRanks(await getItems('', null))).toEqual([]);
  });

  it('hide an attribute by rows also if a rule selects all rows', async () => {
    await addRule({ name: 'all', attributes: { name: 'hide' } });
    await addRule({ name: 'some', roles: ['AUDIT'], rows: 'rank < 2' });
    const { features } = await getItems('', bob);

    expect(features.map(({ properties }) => properties['name'] ?? null).filter((name) => name !== null)).toHaveLength(
      2,
    );
    expect(features).toHaveLength(25);
  });

  it('bind values of the principal as values', async () => {
    const evil = await addUser(server, "x' OR 1=1 OR name='", 'FIELD');
    await addRule({ name: 'own', rows: 'NOT (name <> ${user.name})' });

    expect((await getItems('', evil)).features).toHaveLength(0);
    await addRule({ name: 'lacking', rows: 'NOT (name = ${claim.dept})' });
    expect((await getItems('', evil)).features).toHaveLength(0);
  });

  it('decide on the most specific level, and by union of the roles', async () => {
    await addRule({ name: 'all', layer: '*:*', roles: ['*'], rows: 'rank = 1' });
    expect(listRanks(await getItems('', null))).toEqual([1]);
    await addRule({ name: 'space', layer: 'acme:*', roles: ['*'], rows: 'rank = 2' });
    expect(listRanks(await getItems('', null))).toEqual([2]);
    await addRule({ name: 'one', rows: 'rank = 3', attributes: { seen: 'hide' } });
    await addRule({ name: 'two', roles: ['AUDIT'], rows: 'rank IN (3, 4)', attributes: { name: 'hide' } });
    expect(listRanks(await getItems('', null))).toEqual([]);
    expect(listRanks(await getItems())).toEqual([3]);

    const [third, fourth] = (await getItems('', bob)).features;
    expect([third?.properties, fourth?.properties]).toEqual([
      { name: expect.any(String), rank: 3, seen: expect.anything() },
      { name: null, rank: 4, seen: expect.anything() },
    ]);
  });

  it('hide attributes in schemas, filters, sorting, property names and messages', async () => {
    await addRule({ name: 'masked', attributes: { name: 'hide' } });
    const unknown = (path: string) => ask(server, `/collections/acme:towns/items?${path}`, { as: ann });

    expect(Object.keys((await getItems()).features[0]?.properties ?? {})).toEqual(['rank', 'seen']);
    expect((await getWfs('request=DescribeFeatureType')).text).not.toContain('"name"');
    expect((await ask(server, '/collections/acme:towns/queryables', { as: ann })).text).not.toContain('"name"');
    for (const [path, other] of [
      ["filter=name='a'", "filter=nonsense='a'"],
      ['sortby=name', 'sortby=nonsense'],
      ['properties=name', 'properties=nonsense'],
      ['name=a', 'nonsense=a'],
    ]) {
      const [reply, expected] = [await unknown(path ?? ''), await unknown(other ?? '')];
      expect([path, reply.status, reply.text.replaceAll('name', 'X')]).toEqual([
        path,
        expected.status,
        expected.text.replaceAll('nonsense', 'X').replaceAll('name', 'X'),
      ]);
    }
    for (const query of ['propertyName=name', "cql_filter=name='a'", 'sortBy=name']) {
      expect((await getWfs(`request=GetFeature&${query}`)).status, query).toBe(400);
    }
    expect((await getWfs('request=GetPropertyValue&valueReference=name')).status).toBe(400);
  });

  it('evaluate client filters on visible values', async () => {
    await addRule({ name: 'few', rows: 'rank < 3' });
    await addRule({ name: 'more', rows: 'rank < 5', attributes: { name: 'hide' } });

    expect(listRanks(await getItems('&filter=name IS NULL'))).toEqual([3, 4]);
    expect((await getItems('&filter=NOT (name IS NULL)')).numberMatched).toBe(3);
    expect((await getItems('&filter=name%3C%3E%27x%27')).features).toHaveLength(3);
    expect(listRanks(await getItems('&sortby=-name,rank')).slice(-2)).toEqual([3, 4]);
    expect((await getWfs('request=GetFeature&resultType=hits&cql_filter=name IS NULL')).text).toContain(
      'numberMatched="2"',
    );
  });

  it('limit and clip areas', async () => {
    const area = { geometry: 'POLYGON ((-1 -1, 5.5 -1, 5.5 80, -1 80, -1 -1))' };
    const all = (await getAllItems()).features.map(({ geometry }) => geometry?.coordinates as number[]);
    const inside = all.filter(([x = 99]) => x < 5.5).length;
    expect(inside).toBeLessThan(25);
    await addRule({ name: 'west', area });

    expect((await getItems()).numberMatched).toBe(inside);
    await server.put('/security/acl/data/west', JSON.stringify({ dataRule: { area: { ...area, mode: 'clip' } } }));
    expect((await getItems()).features).toHaveLength(inside);
    expect((await getItems('&bbox=5.6,-90,180,90')).features).toHaveLength(0);
  });

  it('show nothing if a rule names an attribute that the layer lacks, which the doctor reports', async () => {
    await addRule({ name: 'masked', attributes: { name: 'hide' } });
    await addRule({ name: 'wide', layer: 'acme:*', attributes: { other: 'hide' } });
    const type = '/workspaces/acme/datastores/towns/featuretypes/towns';
    const rename = async (name: string) => {
      const attribute = [
        { name: 'the_geom', binding: 'org.locationtech.jts.geom.Point' },
        { name, source: 'name', binding: 'java.lang.String' },
        { name: 'rank', binding: 'java.lang.Integer' },
        { name: 'seen', binding: 'java.sql.Date' },
      ];
      const reply = await server.put(type, JSON.stringify({ featureType: { attributes: { attribute } } }));
      expect(reply.status, reply.text).toBe(200);
    };
    await rename('title');

    expect((await getItems()).features).toEqual([]);
    expect((await getWfs('request=DescribeFeatureType')).text).not.toContain('"title"');
    const { problems } = (await server.get('/doctor')).json() as { problems: { code: string; message: string }[] };
    expect(problems.filter(({ code }) => code === 'data-rule-unusable').map(({ message }) => message)).toEqual([
      expect.stringContaining("The data rule 'masked' matches no row, because it cannot be evaluated."),
    ]);
    // Rules for several layers name attributes that some of them lack.
    await server.delete('/security/acl/data/masked');
    expect((await getItems()).features).toHaveLength(25);
    await rename('name');
  });
});
