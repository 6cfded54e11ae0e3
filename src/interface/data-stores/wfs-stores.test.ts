/** Stores of remote WFS servers: creation, type lists and publication. */
import { beforeAll, describe, expect, it } from 'vitest';
import { startRemoteServer } from '../../../test/support/remote-server.ts';
import { useTestServer } from '../../../test/support/test-server.ts';
import { addUser } from '../../../test/support/test-users.ts';

const capabilities = `<WFS_Capabilities version="1.1.0" xmlns:t="urn:town" xmlns:ows="http://www.opengis.net/ows"><FeatureTypeList>
  <FeatureType><Name>t:roads</Name><DefaultSRS>EPSG:4326</DefaultSRS>
    <ows:WGS84BoundingBox><ows:LowerCorner>7 50</ows:LowerCorner><ows:UpperCorner>8 51</ows:UpperCorner></ows:WGS84BoundingBox></FeatureType>
  <FeatureType><Name>t:rivers</Name><DefaultSRS>EPSG:4326</DefaultSRS></FeatureType></FeatureTypeList></WFS_Capabilities>`;
const schema = `<schema xmlns="http://www.w3.org/2001/XMLSchema" xmlns:gml="http://www.opengis.net/gml">
  <element name="roads" type="t:roadsType"/><complexType name="roadsType"><complexContent><extension base="gml:AbstractFeatureType"><sequence>
    <element name="name" type="string"/><element name="lanes" type="int"/><element name="geom" type="gml:MultiCurvePropertyType"/>
  </sequence></extension></complexContent></complexType></schema>`;

const URL_PARAMETER = 'WFSDataStoreFactory:GET_CAPABILITIES_URL';

describe('a store of a remote WFS', () => {
  const server = useTestServer({ resolveHost: async () => [{ address: '127.0.0.1', family: 4 }] });
  const stores = '/workspaces/acme/datastores';
  const remoteWfs = () =>
    startRemoteServer((request, response) =>
      response.end(request.url?.includes('DescribeFeatureType') ? schema : capabilities),
    );
  const storeOf = (name: string, url: string, more: Readonly<Record<string, string>> = {}) => {
    const entry = Object.entries({ [URL_PARAMETER]: url, ...more }).map(([key, value]) => ({ '@key': key, $: value }));
    return JSON.stringify({ dataStore: { name, connectionParameters: { entry } } });
  };

  beforeAll(async () => {
    const check = { regexUrlCheck: { name: 'maps', enabled: true, regex: '^http://maps\\.example\\.com:\\d+/.*$' } };
    await server.post('/workspaces', '{"workspace":{"name":"acme"}}');
    await server.post('/urlchecks', JSON.stringify(check));
  });

  it('lists the types of the remote server and publishes them with their schema', async () => {
    const remote = await remoteWfs();
    const url = `http://maps.example.com:${remote.port}/wfs?service=WFS&request=GetCapabilities`;
    const secret = { 'WFSDataStoreFactory:USERNAME': 'me', 'WFSDataStoreFactory:PASSWORD': 'open sesame' };

    const created = await server.post(stores, storeOf('town', url, secret));
    const available = await server.get(`${stores}/town/featuretypes.json?list=available`);
    const published = await server.post(
      `${stores}/town/featuretypes`,
      '<featureType><name>roads</name><nativeName>t_roads</nativeName></featureType>',
    );

    expect(created.status, created.text).toBe(201);
    expect(created.headers['warning']).toBeUndefined();
    const read = await server.get(`${stores}/town.json`);
    expect(read.json()).toMatchObject({ dataStore: { type: 'Web Feature Server (NG)' } });
    expect(read.text).not.toContain('sesame');
    expect(remote.headers[0]?.authorization).toBe(`Basic ${Buffer.from('me:open sesame').toString('base64')}`);
    expect(available.json()).toEqual({ list: { string: ['t_rivers', 't_roads'] } });
    expect(published.status, published.text).toBe(201);
    expect((await server.get(`${stores}/town/featuretypes/roads.json`)).json()).toMatchObject({
      featureType: {
        nativeName: 't_roads',
        srs: 'EPSG:4326',
        nativeBoundingBox: { minx: 7, maxx: 8, miny: 50, maxy: 51 },
        attributes: {
          attribute: [
            { name: 'name', binding: 'java.lang.String' },
            { name: 'lanes', binding: 'java.lang.Integer' },
            { name: 'geom', binding: 'org.locationtech.jts.geom.MultiLineString' },
          ],
        },
      },
    });
    expect((await server.get('/layers/acme:roads.json')).json()).toMatchObject({
      layer: { defaultStyle: { name: 'line' } },
    });
  });

  it('is saved with a warning when no URL check allows its URL, which is then not opened', async () => {
    const created = await server.post(stores, storeOf('unchecked', 'http://inner.example/wfs'));
    const asked = await server.get(`${stores}/unchecked/featuretypes.json?list=available`);

    expect(created.status, created.text).toBe(201);
    expect(created.headers['warning']).toContain(
      "The URL 'http://inner.example/wfs' is not allowed: no enabled URL check matches it",
    );
    expect([asked.status, asked.text]).toEqual([403, expect.stringContaining('no enabled URL check matches it')]);
  });

  it.each([
    ['a file URL', 'file:///etc/passwd', 400, 'http: or https:'],
    ['nothing', '', 400, 'http: or https:'],
  ])('is rejected with %s', async (_, url, status, said) => {
    const reply = await server.post(stores, storeOf('refused', url));

    expect(reply.status).toBe(status);
    expect(reply.text).toContain(said);
    expect((await server.get(`${stores}/refused.json`)).status).toBe(404);
  });

  it('does not send its password to another server chosen by a workspace administrator', async () => {
    const [first, second] = [await remoteWfs(), await remoteWfs()];
    const ann = await addUser(server, 'ann', 'ROLE_ACME');
    await server.post('/security/acl/layers', '{"acme.*.a":"ROLE_ACME"}');
    const user = { 'WFSDataStoreFactory:USERNAME': 'me' };
    const secret = { ...user, 'WFSDataStoreFactory:PASSWORD': 'open sesame' };
    await server.post(stores, storeOf('moved', `http://maps.example.com:${first.port}/wfs`, secret));
    const kept = first.headers.length;

    await server.put(`${stores}/moved`, storeOf('moved', `http://maps.example.com:${first.port}/ows`, user), {
      as: ann,
    });
    await server.put(`${stores}/moved`, storeOf('moved', `http://maps.example.com:${second.port}/wfs`, user), {
      as: ann,
    });
    await server.get(`${stores}/moved/featuretypes.json?list=available`, { as: ann });

    const withPassword = `Basic ${Buffer.from('me:open sesame').toString('base64')}`;
    expect(first.headers[kept]?.authorization).toBe(withPassword);
    expect(second.headers.length).toBeGreaterThan(0);
    expect(second.headers.map(({ authorization }) => authorization)).not.toContain(withPassword);
  });

  it('hides the password and the token in quoted remote responses', async () => {
    const remote = await startRemoteServer((request, response) => {
      const said = request.headers.authorization ?? request.url?.replaceAll('&', '&amp;');
      response.end(`<ExceptionReport><Exception><ExceptionText>${said}</ExceptionText></Exception></ExceptionReport>`);
    });
    const url = `http://maps.example.com:${remote.port}/wfs`;
    const secret = { 'WFSDataStoreFactory:USERNAME': 'me', 'WFSDataStoreFactory:PASSWORD': 'open sesame' };

    await server.post(stores, storeOf('passwords', url, secret));
    await server.post(stores, storeOf('tokens', `${url}?apikey=open-sesame`));
    await server.post(stores, storeOf('neither', `${url}?map=town`));
    const listed = (name: string) => server.get(`${stores}/${name}/featuretypes.json?list=available`);

    for (const { status, text } of [await listed('passwords'), await listed('tokens')]) {
      expect(status).toBe(502);
      expect(text).toContain('the response is not shown');
      expect(text).not.toMatch(/sesame|Basic/);
    }
    expect((await listed('neither')).text).toContain('the service responded with an error: /wfs?map=town');
  });

  it('is saved with a warning when the server does not respond like a WFS', async () => {
    const remote = await startRemoteServer((_request, response) => response.end('<html/>'));

    const created = await server.post(stores, storeOf('odd', `http://maps.example.com:${remote.port}/`));
    const listed = await server.get(`${stores}/odd/featuretypes.json?list=available`);

    expect(created.status).toBe(201);
    expect(created.headers['warning']).toContain("the response is a 'html'");
    expect(listed.status).toBe(502);
  });
});
