/** Data rules on maps and tiles. */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { column, geometryColumn, wkt } from '../../../test/support/feature-collections.ts';
import { publishTables } from '../../../test/support/published-features.ts';
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
  let bob = '';
  beforeAll(async () => {
    await publishTables(server, 'land', [lots], 'lots');
    ann = await addUser(server, 'ann', 'OWNER');
    bob = await addUser(server, 'bob', 'OWNER');
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
  const MAP = '//geoserver/wms?service=WMS&version=1.1.1&layers=land:lots&styles=&srs=EPSG:4326&bbox=-5,-5,35,35';
  const TILE =
    '//geoserver/gwc/service/wmts?service=WMTS&request=GetTile&version=1.0.0&layer=land:lots&tilematrixset=EPSG:4326&tilematrix=EPSG:4326:0&tilerow=0&tilecol=1';
  const getInfo = async (x: number, y: number, as: string) => {
    const pixel = `&width=400&height=400&x=${Math.round((x + 5) * 10)}&y=${Math.round((35 - y) * 10)}`;
    const path = `${MAP}&request=GetFeatureInfo&query_layers=land:lots&info_format=application/json${pixel}`;
    const reply = await server.get(path, { as });
    expect(reply.status, reply.text).toBe(200);
    return (reply.json() as { features: { properties: { owner?: string } }[] }).features.map(
      ({ properties }) => properties.owner,
    );
  };
  const getMap = async (as: string) => {
    const reply = await server.get(`${MAP}&request=GetMap&format=image/png&width=64&height=64`, { as });
    expect(reply.headers['content-type'], reply.text.slice(0, 500)).toBe('image/png');
    return reply.bytes;
  };
  const getTile = async (as: string, format: string) => {
    const reply = await server.get(`${TILE}&format=${format}`, { as });
    expect(reply.status, reply.text.slice(0, 300)).toBe(200);
    return Buffer.from(reply.bytes).toString('latin1');
  };

  it('limit maps, feature information and tiles, which users do not share', async () => {
    await addRule({ rows: 'owner = ${user.name}', attributes: { tax: 'hide' } });

    expect(await getInfo(5, 5, ann)).toEqual(['ann']);
    expect(await getInfo(25, 5, ann)).toEqual([]);
    expect(await getInfo(25, 5, bob)).toEqual(['bob']);
    expect(await getMap(ann)).not.toEqual(await getMap(bob));
    const format = 'application/vnd.mapbox-vector-tile';
    const [first, second, again] = [await getTile(ann, format), await getTile(bob, format), await getTile(ann, format)];
    expect([first.includes('ann'), first.includes('bob'), first.includes('a1')]).toEqual([true, false, false]);
    expect([second.includes('ann'), second.includes('bob')]).toEqual([false, true]);
    expect(again).toBe(first);
    expect(await getTile(ann, 'image/png')).not.toBe(await getTile(bob, 'image/png'));
  });

  it('clip geometries on maps, and leave maps empty if the geometry is hidden', async () => {
    await addRule({ area: { geometry: WEST, mode: 'clip' } });
    expect(await getInfo(10, 25, ann)).toEqual(['ann']);
    expect(await getInfo(20, 25, ann)).toEqual([]);

    const hiding = JSON.stringify({
      dataRule: { area: null, attributes: { [lots.attributes[0]?.name ?? '']: 'hide' } },
    });
    expect((await server.put('/security/acl/data/own', hiding)).status).toBe(200);
    const hidden = await getMap(ann);
    expect(await getInfo(5, 5, ann)).toEqual([]);
    const format = 'application/vnd.mapbox-vector-tile';
    const tiles = '//geoserver/ogc/tiles/v1/collections/land:lots/tiles/WebMercatorQuad/0/0/0?f=mvt';
    const replies = [
      await server.get(`${TILE}&format=${format}`, { as: ann }),
      await server.get(tiles, { as: ann }),
      await server.get(`${MAP}&request=GetMap&format=${format}&width=64&height=64`, { as: ann }),
    ];
    expect(replies.map(({ status, bytes }) => [status, bytes.length])).toEqual([
      [204, 0],
      [204, 0],
      [200, 0],
    ]);
    const kml = await server.get(`${MAP}&request=GetMap&format=kml&width=64&height=64`, { as: ann });
    expect([kml.status, kml.text.includes('<Placemark')]).toEqual([200, false]);
    await server.put('/security/acl/data/own', '{"dataRule":{"rows":"EXCLUDE","attributes":null}}');
    expect(hidden).toEqual(await getMap(ann));
  });
});
