/** Users of identity providers, proxies and tokens sign in on several nodes, which keep no sessions. */
import { expect, onTestFinished, test } from 'vitest';
import { column, geometryColumn, wkt } from '../support/feature-collections.ts';
import { client, startOpenIdProvider } from '../support/openid-provider.ts';
import { postgresAddress } from '../support/postgres-places.ts';
import { publishTables } from '../support/published-features.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';
import { addUser } from '../support/test-users.ts';
import { featuresOfTile } from '../support/vector-tiles.ts';
import { describeWithPostgis } from '../support/with-postgis.ts';

const redirectUri = 'http://localhost:80/geoserver/console/signin';
const vendor = 'org.geoserver.security.auth';

describeWithPostgis('sign-in on several nodes', (postgis) => {
  async function startNode(): Promise<TestServer> {
    const node = await startTestServer({
      flags: ['--storage', postgresAddress(postgis, 'signing'), '--trust-proxy', '127.0.0.1'],
      environment: { GRATICULE_SERVER_KEY: Buffer.alloc(32, 1).toString('base64') },
    });
    onTestFinished(() => node.close());
    return node;
  }

  test('a provider, a sign-in and a token of one node are valid on the other with the next request', async () => {
    const issuer = await startOpenIdProvider(redirectUri);
    onTestFinished(() => issuer.close());
    const [first, second] = [await startNode(), await startNode()];
    const regex = `^${issuer.issuer.replaceAll('.', '[.]')}/.*$`;
    await first.post('/urlchecks', JSON.stringify({ regexUrlCheck: { name: 'issuer', regex, enabled: true } }));
    for (const authprovider of [
      {
        name: 'kc',
        className: `${vendor}.OpenIdConnectAuthenticationProvider`,
        ...{ issuer: issuer.issuer, audience: ['maps'], browserSignIn: true },
        ...{ clientId: client.id, clientSecret: client.secret },
      },
      { name: 'sso', className: `${vendor}.RequestHeaderAuthenticationProvider`, userHeader: 'X-User' },
    ]) {
      expect((await first.post('/security/authproviders', JSON.stringify({ authprovider }))).status).toBe(201);
    }
    const self = async (node: TestServer, headers: Readonly<Record<string, string>>) => {
      const reply = await node.get('/security/self', { as: null, headers });
      return reply.status === 200 ? (reply.json() as { self: { name: string } }).self.name : reply.status;
    };

    // The page begins at the first node, and another node redeems the code.
    expect((await first.get('/security/signin', { as: null })).text).toContain(`${issuer.issuer}/auth`);
    const code = await issuer.authorize('ann', redirectUri);
    const issued = await second.post('/security/signin/kc', JSON.stringify({ ...code, redirectUri }), { as: null });
    const { accessToken } = issued.json() as { accessToken: string };
    const signedIn = { authorization: `Bearer ${accessToken}` };
    const made = await first.post('/security/self/tokens', '{"token":{"name":"ci"}}', { as: null, headers: signedIn });
    const { secret } = (made.json() as { token: { secret: string } }).token;

    for (const node of [first, second]) {
      expect(await self(node, signedIn)).toBe('ann');
      expect(await self(node, { authorization: `Bearer ${secret}` })).toBe('ann');
      expect(await self(node, { 'x-user': 'bob' })).toBe('bob');
    }
    await second.put('/security/authproviders/order', '{"order":["default"]}');
    for (const node of [first, second]) {
      expect(await self(node, signedIn)).toBe(401);
      expect(await self(node, { authorization: `Bearer ${secret}` })).toBe(401);
      expect(await self(node, { 'x-user': 'bob' })).toBe(401);
    }
  });

  test('a data rule that one node changes limits features and tiles of the other with the next request', async () => {
    const nodes = [await startNode(), await startNode()] as const;
    const attributes = [geometryColumn('Point'), column('owner', 'string', 20)];
    const rows = ['ann', 'bob'].map((owner, index) => [wkt(`POINT (${index} 1)`), owner]);
    await publishTables(nodes[0], 'land', [{ name: 'lots', attributes, rows }]);
    const ann = await addUser(nodes[0], 'ann', 'FIELD');
    const dataRule = { name: 'own', layer: 'land:lots', roles: ['FIELD'], rows: 'EXCLUDE' };
    await nodes[0].post('/security/acl/data', JSON.stringify({ dataRule }));
    const tile =
      '//geoserver/gwc/service/wmts?service=WMTS&request=GetTile&version=1.0.0&layer=land:lots&tilematrixset=EPSG:4326&tilematrix=EPSG:4326:0&tilerow=0&tilecol=1&format=application/vnd.mapbox-vector-tile';
    const count = async (node: TestServer) => {
      const items = await node.get('//geoserver/ogc/features/v1/collections/land:lots/items', { as: ann });
      const { bytes } = await node.get(tile, { as: ann });
      return [(items.json() as { features: object[] }).features.length, featuresOfTile(bytes).length];
    };

    for (const [round, [condition, visible]] of (
      [
        ['owner = ${user.name}', 1],
        [null, 2],
        ['EXCLUDE', 0],
        ['owner = ${user.name}', 1],
      ] as const
    ).entries()) {
      const [writer, reader] = round % 2 === 0 ? nodes : [nodes[1], nodes[0]];
      await writer.put('/security/acl/data/own', JSON.stringify({ dataRule: { rows: condition } }));
      expect([condition, ...(await count(reader))]).toEqual([condition, visible, visible]);
    }
    await nodes[1].post('/security/usergroup/user/ann', '{"user":{"enabled":false}}');
    expect((await nodes[0].get(tile, { as: ann })).status).toBe(401);
  });
});
