/** Data rules on changes of features. */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { column, geometryColumn, wkt } from '../../../test/support/feature-collections.ts';
import { FEATURES } from '../../../test/support/features.ts';
import { publishEditableTables } from '../../../test/support/published-features.ts';
import { useTestServer } from '../../../test/support/test-server.ts';
import { addUser } from '../../../test/support/test-users.ts';

const lots = {
  name: 'lots',
  attributes: [geometryColumn('Polygon'), column('owner', 'string'), column('tax', 'string')],
  rows: [
    [wkt('POLYGON ((0 0, 10 0, 10 10, 0 10, 0 0))'), 'ann', 'a1'],
    [wkt('POLYGON ((20 0, 30 0, 30 10, 20 10, 20 0))'), 'bob', 'b1'],
    [wkt('POLYGON ((5 20, 25 20, 25 30, 5 30, 5 20))'), 'ann', 'a2'],
  ],
};
const WEST = 'POLYGON ((-5 -5, 15 -5, 15 40, -5 40, -5 -5))';

describe('data rules', () => {
  const server = useTestServer();
  let ann = '';
  beforeAll(async () => {
    await publishEditableTables(server, 'land', [lots], 'lots');
    ann = await addUser(server, 'ann', 'OWNER');
    await server.post('/security/acl/layers', '{"land.*.w":"OWNER"}');
  });
  beforeEach(async () => {
    const { dataRules } = (await server.get('/security/acl/data')).json() as { dataRules: { name: string }[] };
    for (const { name } of dataRules) await server.delete(`/security/acl/data/${name}`);
  });

  async function addRule(fields: object): Promise<void> {
    const dataRule = { name: 'own', layer: 'land:lots', roles: ['OWNER'], ...fields };
    const reply = await server.post('/security/acl/data', JSON.stringify({ dataRule }));
    expect(reply.status, reply.text).toBe(201);
  }
  it('limit changes of features', async () => {
    await addRule({
      rows: "owner IN ('ann', 'bob')",
      writeRows: 'owner = ${user.name}',
      attributes: { tax: 'read' },
      area: { geometry: WEST, mode: 'clip' },
    });
    const send = async (method: string, path: string, body?: object) => {
      const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/geo+json';
      const options = body === undefined ? {} : { type, body: JSON.stringify(body) };
      const reply = await server.request(method, `${FEATURES}/collections/land:lots/items${path}`, {
        ...options,
        as: ann,
        headers: { accept: 'application/problem+json' },
      });
      return [reply.status, reply.status < 300 ? undefined : (reply.json() as { code: string }).code];
    };
    const feature = (owner: string, ring: readonly (readonly number[])[], more: object = {}) => ({
      type: 'Feature',
      geometry: { type: 'Polygon', coordinates: [ring] },
      properties: { owner, ...more },
    });
    const inside = [
      [1, 1],
      [2, 1],
      [2, 2],
      [1, 1],
    ];
    const across = [
      [10, 1],
      [20, 1],
      [20, 2],
      [10, 1],
    ];
    const violated = [403, 'data-rule-violated'];

    expect(await send('POST', '', feature('ann', inside))).toEqual([201, undefined]);
    expect(await send('POST', '', feature('bob', inside))).toEqual(violated);
    expect(await send('POST', '', feature('ann', across))).toEqual(violated);
    expect(await send('POST', '', feature('ann', inside, { tax: 'x' }))).toEqual(violated);
    expect(await send('PATCH', '/lots.1', { properties: { owner: 'bob' } })).toEqual(violated);
    expect(await send('PATCH', '/lots.1', { properties: { tax: 'x' } })).toEqual(violated);
    expect(await send('DELETE', '/lots.2')).toEqual([404, 'feature-unknown']);
    expect(await send('PATCH', '/lots.3', { geometry: feature('', inside).geometry })).toEqual(violated);
    expect(await send('PUT', '/lots.1', feature('ann', inside, { tax: 'x' }))).toEqual([204, undefined]);

    const { features } = (await server.get(`${FEATURES}/collections/land:lots/items`)).json() as {
      features: { properties: object; geometry: { coordinates: unknown } }[];
    };
    expect(features.map(({ properties }) => properties)).toEqual([
      { owner: 'ann', tax: 'a1' },
      { owner: 'bob', tax: 'b1' },
      { owner: 'ann', tax: 'a2' },
      { owner: 'ann', tax: null },
    ]);
    expect(features[0]?.geometry.coordinates).toEqual([inside]);
  });

  it.each([
    ['1.1.0', 'http://www.opengis.net/wfs', 'http://www.opengis.net/ogc', 'http://www.opengis.net/gml'],
    ['2.0.0', 'http://www.opengis.net/wfs/2.0', 'http://www.opengis.net/fes/2.0', 'http://www.opengis.net/gml/3.2'],
  ])('refuse transactions of WFS %s with an exception report and status 403', async (version, wfs, fes, gml) => {
    await addRule({
      writeRows: 'owner = ${user.name}',
      attributes: { tax: 'read' },
      area: { geometry: WEST, mode: 'intersects' },
    });
    const transact = (actions: string) => {
      const body = `<wfs:Transaction service="WFS" version="${version}" xmlns:wfs="${wfs}" xmlns:f="${fes}" xmlns:gml="${gml}" xmlns:t="http://land">${actions}</wfs:Transaction>`;
      return server.post('//geoserver/wfs', body, { type: 'text/xml', as: ann });
    };
    const [id, reference] =
      version === '2.0.0' ? ['ResourceId rid', 'wfs:ValueReference'] : ['FeatureId fid', 'wfs:Name'];
    const select = (rid: string) => `<f:Filter><f:${id}="${rid}"/></f:Filter>`;
    const update = (rid: string, name: string, value: string) =>
      `<wfs:Update typeName="t:lots"><wfs:Property><${reference}>${name}</${reference}><wfs:Value>${value}</wfs:Value></wfs:Property>${select(rid)}</wfs:Update>`;
    // Positions are in the axis order of the CRS.
    const polygon = (ring: string) =>
      `<gml:Polygon gml:id="p" srsName="http://www.opengis.net/gml/srs/epsg.xml#4326"><gml:exterior><gml:LinearRing><gml:posList>${ring}</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon>`;
    const outside = polygon('50 0 60 0 60 10 50 0');
    const before = await server.get(`${FEATURES}/collections/land:lots/items`);

    for (const action of [
      update('lots.1', 't:owner', 'bob'),
      update('lots.1', 't:tax', 'x'),
      update('lots.1', 't:the_geom', outside),
      `<wfs:Insert><t:lots><t:the_geom>${outside}</t:the_geom><t:owner>ann</t:owner></t:lots></wfs:Insert>`,
      `<wfs:Insert><t:lots><t:the_geom>${polygon('1 1 2 1 2 2 1 1')}</t:the_geom><t:owner>bob</t:owner></t:lots></wfs:Insert>`,
      // An earlier change of the same request is not written either.
      `<wfs:Delete typeName="t:lots">${select('lots.1')}</wfs:Delete>${update('lots.3', 't:owner', 'bob')}`,
    ]) {
      const reply = await transact(action);
      expect([action, reply.status, reply.headers['content-type']]).toEqual([
        action,
        403,
        'application/xml;charset=utf-8',
      ]);
      expect(reply.text).toContain('<ows:Exception exceptionCode="OperationProcessingFailed">');
      expect(reply.text).toContain('A data rule does not permit the change');
    }
    // Rows that the rule hides do not match.
    expect((await transact(`<wfs:Delete typeName="t:lots">${select('lots.2')}</wfs:Delete>`)).text).toMatch(
      /totalDeleted>0</,
    );
    const after = await server.get(`${FEATURES}/collections/land:lots/items`);
    expect((after.json() as { features: unknown }).features).toEqual((before.json() as { features: unknown }).features);
  });

  it('refuse every change of a layer whose rules do not apply to the user', async () => {
    await addRule({ roles: ['OTHER'] });
    const items = `${FEATURES}/collections/land:lots/items`;
    const send = (method: string, path: string, type: string, body?: string) =>
      server.request(method, path, { as: ann, type, ...(body === undefined ? {} : { body }) });
    const feature = '{"type":"Feature","geometry":null,"properties":{"owner":"ann"}}';
    const transact = (actions: string) =>
      send(
        'POST',
        '//geoserver/wfs',
        'text/xml',
        `<wfs:Transaction service="WFS" version="2.0.0" xmlns:wfs="http://www.opengis.net/wfs/2.0" xmlns:t="http://land">${actions}</wfs:Transaction>`,
      );
    const property =
      '<wfs:Property><wfs:ValueReference>t:owner</wfs:ValueReference><wfs:Value>x</wfs:Value></wfs:Property>';
    const replies = [
      await send('POST', items, 'application/geo+json', feature),
      await send('PUT', `${items}/lots.1`, 'application/geo+json', feature),
      await send('PATCH', `${items}/lots.1`, 'application/merge-patch+json', '{"properties":{"owner":"x"}}'),
      await send('DELETE', `${items}/lots.1`, 'application/geo+json'),
      await transact(
        '<wfs:Delete typeName="t:lots"><f:Filter xmlns:f="http://www.opengis.net/fes/2.0"><f:ResourceId rid="lots.1"/></f:Filter></wfs:Delete>',
      ),
      await transact(`<wfs:Update typeName="t:lots">${property}</wfs:Update>`),
      await transact('<wfs:Insert><t:lots><t:owner>ann</t:owner></t:lots></wfs:Insert>'),
    ];

    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 403));
    for (const { text } of replies) expect(text).toContain('no rule of the layer applies to the user');
  });
});
