/** Boxes and parameters that a client leaves empty, in the reference dialect. */
import { beforeAll, describe, expect, it } from 'vitest';
import { useTestServer } from '../../../test/support/test-server.ts';
import { pointShapefile, putZip, readResource, zipOf } from '../../../test/support/vector-samples.ts';

const stores = '/workspaces/acme/datastores';
const zeros = { minx: 0, maxx: 0, miny: 0, maxy: 0 };

describe('a cleared lat/lon box', () => {
  const theirs = useTestServer({ compat: 'geoserver' });
  const ours = useTestServer();
  beforeAll(async () => {
    for (const server of [theirs, ours]) {
      await server.post('/workspaces', '<workspace><name>acme</name></workspace>');
      await putZip(server, `${stores}/s/file.shp?configure=all`, zipOf({ a: pointShapefile(), b: pointShapefile() }));
    }
  });
  const typeOf = (name: string) => `${stores}/s/featuretypes/${name}`;

  it.each([
    ['a', '<featureType><latLonBoundingBox/></featureType>'],
    ['b', '{"featureType":{"latLonBoundingBox":null}}'],
  ])('reads as zeros, and is recomputed with the CRS and the native box (%s)', async (name, body) => {
    const box =
      '<nativeBoundingBox><minx>0</minx><maxx>111319.49</maxx><miny>0</miny><maxy>1</maxy></nativeBoundingBox>';

    expect((await theirs.put(typeOf(name), body)).status).toBe(200);

    expect(await readResource(theirs, typeOf(name))).toMatchObject({ latLonBoundingBox: zeros });
    expect((await theirs.get(`${typeOf(name)}.xml`)).text).toMatch(/<latLonBoundingBox>\s*<minx>0/);
    await theirs.put(typeOf(name), `<featureType><srs>EPSG:3857</srs>${box}</featureType>`);
    const { latLonBoundingBox } = await readResource(theirs, typeOf(name));
    expect((latLonBoundingBox as { maxx: number }).maxx).toBeCloseTo(1, 4);
  });

  it('is recomputed for another CRS, also when the whole document is sent back', async () => {
    await theirs.put(typeOf('b'), '<featureType><srs>EPSG:4326</srs></featureType>');
    await theirs.put(typeOf('b'), '<featureType><latLonBoundingBox/></featureType>');
    const read = await theirs.get(`${typeOf('b')}.xml`);
    expect(read.text).toMatch(/<latLonBoundingBox>\s*<minx>0<\/minx>\s*<maxx>0</);

    await theirs.put(typeOf('b'), read.text.replace('<srs>EPSG:4326</srs>', '<srs>EPSG:4258</srs>'));

    expect(await readResource(theirs, typeOf('b'))).toMatchObject({
      srs: 'EPSG:4258',
      latLonBoundingBox: { maxx: expect.closeTo(12, 6) },
    });
  });

  it('is absent in our own dialect', async () => {
    expect((await ours.put(typeOf('a'), '<featureType><latLonBoundingBox/></featureType>')).status).toBe(200);

    expect(await readResource(ours, typeOf('a'))).not.toHaveProperty('latLonBoundingBox');
  });
});

describe('the omitted namespace parameter of a store', () => {
  const server = useTestServer({ compat: 'geoserver' });
  const parameters = '<host>127.0.0.1</host><port>1</port><database>d</database><dbtype>postgis</dbtype>';
  beforeAll(async () => {
    await server.post('/workspaces', '<workspace><name>acme</name></workspace>');
    await putZip(server, `${stores}/uploaded/file.shp`, zipOf({ uploaded: pointShapefile() }));
    const sent = `<connectionParameters>${parameters}</connectionParameters>`;
    await server.post(stores, `<dataStore><name>posted</name>${sent}</dataStore>`);
    await server.put(`${stores}/posted`, `<dataStore>${sent}</dataStore>`);
  });

  it.each(['uploaded', 'posted'])('is returned nevertheless (%s)', async (name) => {
    expect((await server.get(`${stores}/${name}.xml`)).text).toContain('<entry key="namespace">http://acme</entry>');
    expect((await server.get(`${stores}/${name}.json`)).text).toContain('{"@key":"namespace","$":"http://acme"}');
  });
});
