import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { type EventClient, openEventClient } from '../../../test/support/event-client.ts';
import { ADMIN_PASSWORD, startTestServer, type TestServer, useTestServer } from '../../../test/support/test-server.ts';

interface Event {
  readonly id: string;
  readonly subject?: string;
  readonly data: { readonly sequence: number; readonly items: readonly { readonly path: string }[] };
}

interface Events {
  readonly events: readonly Event[];
  readonly position: number;
}

const workspace = (name: string) => JSON.stringify({ workspace: { name } });
const problems = { accept: 'application/problem+json' };
const admin = `admin:${ADMIN_PASSWORD}`;

const opened: EventClient[] = [];
afterEach(() => {
  for (const client of opened.splice(0)) client.close();
});

async function portOf({ server }: TestServer): Promise<number> {
  if (!server.app.server.listening) await server.app.listen({ host: '127.0.0.1', port: 0 });
  return (server.app.server.address() as AddressInfo).port;
}

async function follow(
  server: TestServer,
  query = '',
  options: { readonly headers?: Readonly<Record<string, string>>; readonly as?: string } = {},
): Promise<EventClient> {
  const path = `${server.server.restRoot}/events${query}`;
  const client = await openEventClient({ port: await portOf(server), path, as: admin, ...options });
  opened.push(client);
  return client;
}

const positionOf = async (server: TestServer) =>
  Number((await server.get('/events?after=0')).headers['graticule-position']);
const ids = (client: EventClient) => client.events.map(({ id }) => id);

async function eventsOf(server: TestServer, query: string): Promise<Events> {
  const reply = await server.get(`/events?${query}`);
  expect(reply.status).toBe(200);
  return reply.json() as Events;
}

describe('event stream', () => {
  const server = useTestServer();

  it('begins with the reconnection delay and sends each committed change as a CloudEvent', async () => {
    const first = await positionOf(server);
    const client = await follow(server);
    await server.post('/workspaces', workspace('harbour'));

    const [event] = await client.until(1);

    expect(client.status).toBe(200);
    expect(client.headers['content-type']).toBe('text/event-stream');
    expect(client.headers['cache-control']).toBe('no-store');
    expect(client.text()).toMatch(/^: [^\n]*\nretry: 2000\n\n/);
    expect(event).toEqual({
      id: first + 1,
      type: 'change',
      data: {
        specversion: '1.0',
        id: String(first + 1),
        source: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/geoserver\/rest$/),
        type: 'org.graticule.change',
        time: expect.stringMatching(/^\d{4}-.*Z$/),
        subject: '/workspaces/harbour',
        datacontenttype: 'application/json',
        data: {
          sequence: first + 1,
          at: expect.any(String),
          who: 'admin',
          what: 'create workspace harbour',
          undoes: null,
          via: { method: 'basic' },
          items: expect.arrayContaining([
            { kind: 'workspace', id: expect.any(String), path: '/workspaces/harbour', action: 'create' },
          ]),
        },
      },
    });
  });

  it('continues after the last event that the client received, or after a number', async () => {
    const first = await positionOf(server);
    for (const name of ['back-a', 'back-b', 'back-c']) await server.post('/workspaces', workspace(name));

    const back = await follow(server, `?after=${first}`, { headers: { 'last-event-id': String(first + 1) } });
    const behind = await follow(server, `?after=${first}`);
    await back.until(2);
    await behind.until(3);

    expect(ids(back)).toEqual([first + 2, first + 3]);
    expect(ids(behind)).toEqual([first + 1, first + 2, first + 3]);
  });

  it('omits dry runs and requests without changes', async () => {
    const first = await positionOf(server);
    const client = await follow(server);
    await server.post('/workspaces?dryRun=true', workspace('tried'));
    await server.post('/workspaces', '{"workspace":{}}');
    await server.post('/workspaces', workspace('real'));

    await client.until(1);

    expect(ids(client)).toEqual([first + 1]);
  });

  it('sends only the requested kinds and paths, including everything below them', async () => {
    const style = '<StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld"/>';
    const client = await follow(server, '?path=/workspaces/near&path=/workspaces/far&kind=style&kind=workspace');
    await server.post('/workspaces', workspace('near2'));
    await server.post('/workspaces', workspace('near'));
    await server.post('/workspaces/near/styles?raw=true&name=s', style, { type: 'application/vnd.ogc.sld+xml' });
    await server.post('/workspaces', workspace('far'));

    const events = (await client.until(3)).map(({ data }) => data as Event);

    expect(events.map(({ subject }) => subject)).toEqual([
      '/workspaces/near',
      '/workspaces/near/styles/s',
      '/workspaces/far',
    ]);
    expect(events.map(({ data }) => data.items.map(({ path }) => path))).toEqual([
      ['/workspaces/near'],
      ['/workspaces/near/styles/s'],
      ['/workspaces/far'],
    ]);
  });

  it('sends the fields of resources on request, and never secrets', async () => {
    const client = await follow(server, '?expand=items&kind=dataStore');
    const parameters = { dbtype: 'postgis', host: 'db.example', database: 'd', passwd: 'hush' };
    await server.post('/workspaces', workspace('vault'));
    await server.post(
      '/workspaces/vault/datastores',
      JSON.stringify({ dataStore: { name: 'db', connectionParameters: parameters } }),
    );

    const [event] = await client.until(1);

    expect(event?.data).toMatchObject({ data: { items: [{ before: null, after: { name: 'db' } }] } });
    expect(client.text()).toContain('(secret)');
    expect(client.text()).not.toContain('hush');
  });

  it('answers HEAD with headers alone', async () => {
    const reply = await server.request('HEAD', '/events', { accept: 'text/event-stream' });

    expect([reply.status, reply.headers['content-type'], reply.text]).toEqual([200, 'text/event-stream', '']);
  });
});

describe('an open event stream', () => {
  it('sends keep-alives while idle, and ends with the server even if its client does not read', async () => {
    const server = await startTestServer({ eventTimes: { keepAliveMs: 10, rightsCheckMs: 2_000 } });
    const client = await follow(server);
    await client.untilText(': keep-alive\n\n: keep-alive\n\n');

    await server.close();

    await client.ended;
  });

  it('ends soon after its user has lost the permission to read it', async () => {
    const server = await startTestServer({ eventTimes: { keepAliveMs: 5_000, rightsCheckMs: 20 } });
    const user = { user: { userName: 'ann', password: 'apple', enabled: true } };
    await server.post('/security/usergroup/users', JSON.stringify(user));
    await server.post('/security/roles/role/ADMIN/user/ann', '');
    const client = await follow(server, '', { as: 'ann:apple' });
    const other = await follow(server);

    await server.delete('/security/roles/role/ADMIN/user/ann');
    await client.ended;

    await server.post('/workspaces', workspace('after'));
    await other.until(2);
    expect(client.text()).not.toContain('/workspaces/after');
    await server.close();
  });

  it('sends a change with very many resources in pieces, followed by later changes', async () => {
    const server = await startTestServer();
    const first = await positionOf(server);
    const clients = [await follow(server), await follow(server, '?kind=role&path=/nowhere'), await follow(server)];
    await server.server.storage.write({ who: 'ann', what: 'a lot' }, async (transaction) => {
      for (let index = 0; index < 3_000; index += 1) {
        await transaction.insert({ kind: 'urlCheck', parent: null, name: `n${index}`, body: {}, keys: {} });
      }
    });
    await server.post('/workspaces', workspace('small'));

    for (const client of [clients[0], clients[2]]) {
      const [large, small] = (await client?.until(2)) ?? [];
      const { subject, data } = (large?.data ?? {}) as Event;

      expect([subject, data.items.length]).toEqual(['/urlchecks/n0', 3_000]);
      expect(small?.id).toBe(first + 2);
    }
    expect(clients[1]?.events).toEqual([]);
    expect((await eventsOf(server, `after=${first}&path=/urlchecks/n2999`)).events).toMatchObject([
      { subject: '/urlchecks/n2999', data: { items: [{ path: '/urlchecks/n2999' }] } },
    ]);
    await server.close();
  });
});

describe('paged events', () => {
  const server = useTestServer();

  it('are returned oldest first after a number, with a link to the next page', async () => {
    const first = await positionOf(server);
    for (const name of ['a', 'b', 'c']) await server.post('/workspaces', workspace(name));

    const reply = await server.get(`/events.json?after=${first}&limit=2`);
    const next = /rest(.*)>; rel="next"$/.exec(reply.headers['link'] ?? '')?.[1] ?? '';
    const rest = await server.get(next);

    expect((reply.json() as Events).events.map(({ id }) => Number(id))).toEqual([first + 1, first + 2]);
    expect((reply.json() as Events).position).toBe(first + 3);
    expect((rest.json() as Events).events.map(({ subject }) => subject)).toEqual(['/workspaces/c']);
    expect(rest.headers['link']).toBeUndefined();
    expect(reply.headers['content-type']).toBe('application/json');
  });

  it('wait for the first matching event when there are none yet', async () => {
    const first = await positionOf(server);

    const waiting = eventsOf(server, `after=${first}&wait=60&path=/workspaces/fits`);
    await server.post('/workspaces', workspace('does-not'));
    await server.post('/workspaces', workspace('fits'));

    expect(await waiting).toMatchObject({ events: [{ id: String(first + 2) }], position: first + 2 });
  });

  it('wait no longer than requested, and not beyond a server shutdown', async () => {
    const ending = await startTestServer();
    const first = await positionOf(ending);

    expect(await eventsOf(ending, `after=${first}&wait=0.05`)).toEqual({ events: [], position: first });
    const waiting = eventsOf(ending, `after=${first}&wait=60`);
    // Sent later and answered, which proves that the other request waits.
    await eventsOf(ending, `after=${first}`);
    await ending.close();

    expect((await waiting).events).toEqual([]);
  });

  it.each([
    ['', 'query-invalid'],
    ['after=', 'query-invalid'],
    ['after=-1', 'query-invalid'],
    ['after=1.5', 'query-invalid'],
    ['after=x', 'query-invalid'],
    ['after=0&limit=0', 'query-invalid'],
    ['after=0&limit=1001', 'query-invalid'],
    ['after=0&wait=61', 'query-invalid'],
    ['after=0&wait=-1', 'query-invalid'],
    ['after=0&expand=all', 'query-invalid'],
    ['after=0&unheard=of', 'names-unknown'],
    ['after=999999', 'position-ahead'],
    ['after=99999999999999999999', 'position-ahead'],
  ])('are rejected for ?%s with %s', async (query, code) => {
    const reply = await server.get(`/events?${query}`, problems);

    expect([reply.status, (reply.json() as { code: string }).code]).toEqual([400, code]);
  });

  it.each(['x', '-1', '999999'])('are rejected, as is the stream, for the Last-Event-ID %s', async (id) => {
    const reply = await server.get('/events', { accept: 'text/event-stream', headers: { 'last-event-id': id } });

    expect(reply.status).toBe(400);
  });

  it('require administrator rights', async () => {
    expect((await server.get('/events?after=0', { as: null })).status).toBe(401);
    expect((await server.get('/events', { as: null, accept: 'text/event-stream' })).status).toBe(401);
    expect((await server.request('OPTIONS', '/events')).headers['allow']).toBe('GET, HEAD, OPTIONS');
  });
});

describe('events of truncated history', () => {
  it('return 410 with the number of the oldest retained change', async () => {
    let now = Date.parse('2026-11-15T10:00:00Z');
    const server = await startTestServer({ clock: () => now });
    const first = await positionOf(server);
    now += 1_000;
    await server.post('/workspaces', workspace('kept'));
    await server.server.storage.deleteChanges(now, 1_000);

    const page = await server.get(`/events?after=${first - 1}`, problems);
    const stream = await server.get('/events', { accept: 'text/event-stream', headers: { 'last-event-id': '0' } });

    expect([page.status, page.json()]).toMatchObject([410, { code: 'history-trimmed', oldest: first + 1 }]);
    expect(stream.status).toBe(410);
    expect((await eventsOf(server, `after=${first}`)).events).toMatchObject([{ subject: '/workspaces/kept' }]);
    expect((await eventsOf(server, `after=${first + 1}`)).events).toEqual([]);
    await server.close();
  });
});
