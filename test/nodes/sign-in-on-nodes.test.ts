/** Users of identity providers, proxies and tokens sign in on several nodes, which keep no sessions. */
import { expect, onTestFinished, test } from 'vitest';
import { client, startOpenIdProvider } from '../support/openid-provider.ts';
import { postgresAddress } from '../support/postgres-places.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';
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
});
