/** The lists that workspaces link to, of kinds of stores that do not exist yet. */
import { describe, expect, it } from 'vitest';
import { useTestServer } from '../../../test/support/test-server.ts';

const lists = [
  ['wmsstores', 'wmsStores', 'wmsStore'],
  ['wmtsstores', 'wmtsStores', 'wmtsStore'],
] as const;

describe.each(lists)('GET /workspaces/{workspace}/%s', (collection, root, item) => {
  const server = useTestServer();
  const reference = useTestServer({ compat: 'geoserver' });
  const path = `/workspaces/acme/${collection}`;
  const made = async (on: typeof server) => {
    await on.post('/workspaces', '{"workspace":{"name":"acme"}}');
    return on;
  };

  it('is an empty list', async () => {
    const on = await made(server);

    expect((await on.get(`${path}.xml`)).text).toBe(`<${root}/>\n`);
    expect((await on.get(`${path}.json`)).json()).toEqual({ [root]: { [item]: [] } });
    expect((await on.get(`${path}.html`)).text).toContain('Nothing here yet.');
  });

  it("is the empty string in the reference server's JSON", async () => {
    const on = await made(reference);

    expect((await on.get(`${path}.json`)).json()).toEqual({ [root]: '' });
    expect((await on.get(`${path}.xml`)).text).toBe(`<${root}/>\n`);
  });

  it('can only be read, and has nothing in it', async () => {
    const on = await made(server);

    const created = await on.post(path, `{"${item}":{"name":"a"}}`);

    expect(created.status).toBe(405);
    expect(created.headers['allow']).toBe('GET, HEAD, OPTIONS');
    expect((await on.get(`${path}/a`)).status).toBe(404);
    expect((await on.get(`/workspaces/nowhere/${collection}`)).status).toBe(404);
  });
});
