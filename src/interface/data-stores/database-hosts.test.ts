import { beforeAll, describe, expect, it } from 'vitest';
import { type TestServer, useTestServer } from '../../../test/support/test-server.ts';
import { addUser } from '../../../test/support/test-users.ts';

const stores = '/workspaces/acme/datastores';

function storeXml(name: string, host: string, more = ''): string {
  const parameters = `<dbtype>postgis</dbtype>${host === '' ? '' : `<host>${host}</host>`}<database>d</database><user>u</user>${more}`;
  return `<dataStore><name>${name}</name><connectionParameters>${parameters}</connectionParameters></dataStore>`;
}

async function addAnn(server: TestServer): Promise<string> {
  await server.post('/workspaces', '<workspace><name>acme</name></workspace>');
  await server.post('/security/acl/layers', '{"acme.*.a":"ROLE_ACME"}');
  return addUser(server, 'ann', 'ROLE_ACME');
}

describe('the administrator of a workspace', () => {
  const server = useTestServer({ flags: ['--database-hosts', 'db.example,10.0.0.7'] });
  let ann = '';
  beforeAll(async () => {
    ann = await addAnn(server);
  });

  it.each(['db.example', 'DB.Example.', '10.0.0.7'])(
    'can use databases on %s, which the operator allowed',
    async (host) => {
      const reply = await server.post(stores, storeXml(`on-${host.toLowerCase()}db`, host), { as: ann });

      expect([reply.status, reply.text]).toEqual([201, `on-${host.toLowerCase()}db`]);
    },
  );

  it.each(['', 'localhost', '127.0.0.1', '127.1', '[::1]', 'db.example.evil', '169.254.169.254'])(
    "cannot use databases on '%s', and the error names the setting",
    async (host) => {
      const reply = await server.post(`${stores}?validate=connect`, storeXml('foreign', host), { as: ann });

      expect([reply.status, reply.text]).toEqual([403, expect.stringContaining('The server setting database-hosts')]);
      expect((await server.get(`${stores}/foreign`)).status).toBe(404);
    },
  );

  it('cannot use MySQL databases on other hosts', async () => {
    const parameters = (host: string) =>
      `<dataStore><name>mysql-${host.length}</name><connectionParameters><dbtype>mysql</dbtype><host>${host}</host><database>d</database></connectionParameters></dataStore>`;

    expect((await server.post(stores, parameters('localhost'), { as: ann })).status).toBe(403);
    expect((await server.post(stores, parameters('db.example'), { as: ann })).status).toBe(201);
  });

  it('keeps the host of a store that a full administrator created, and cannot change it', async () => {
    expect((await server.post(stores, storeXml('given', 'far.example', '<port>5432</port>'))).status).toBe(201);
    const put = (host: string, port: string) =>
      server.put(`${stores}/given`, storeXml('given', host, `<port>${port}</port><schema>s</schema>`), { as: ann });

    expect((await put('far.example', '5432')).status).toBe(200);
    expect((await put('far.example', '22')).status).toBe(403);
    expect((await put('near.example', '5432')).status).toBe(403);
    expect((await put('db.example', '5432')).status).toBe(200);
    expect((await put('far.example', '5432')).status).toBe(403);
  });

  it('cannot convert another store to a database store', async () => {
    const file =
      '<dataStore><name>turned</name><connectionParameters><dbtype>geopkg</dbtype><database>data/x.gpkg</database></connectionParameters></dataStore>';
    expect((await server.post(stores, file)).status).toBe(201);

    expect((await server.put(`${stores}/turned`, storeXml('turned', 'far.example'), { as: ann })).status).toBe(403);
  });
});

describe('without allowed database hosts', () => {
  const server = useTestServer();

  it('only full administrators can create database stores', async () => {
    const ann = await addAnn(server);

    expect((await server.post(stores, storeXml('mine', 'db.example'), { as: ann })).status).toBe(403);
    expect((await server.post(stores, storeXml('ours', 'db.example'))).status).toBe(201);
  });
});
