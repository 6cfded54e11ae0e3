import { describe, expect, it } from 'vitest';
import { type Reply, startTestServer, type TestServer } from '../../../test/support/test-server.ts';

interface Change {
  readonly sequence: number;
  readonly at: string;
  readonly who: string;
  readonly what: string;
  readonly items: readonly { readonly kind: string; readonly path: string | null; readonly action: string }[];
}

interface History {
  readonly changes: readonly Change[];
  readonly position: number;
  readonly oldest: number;
}

const workspace = (name: string) => JSON.stringify({ workspace: { name } });

/** A server that has already made its initial changes. */
async function startCounted(): Promise<{ readonly server: TestServer; readonly first: number }> {
  let now = Date.parse('2026-11-15T10:00:00Z');
  const server = await startTestServer({ clock: () => (now += 1_000) });
  const { position } = (await server.get('/history')).json() as History;
  return { server, first: position };
}

async function historyOf(server: TestServer, query = ''): Promise<History> {
  const reply = await server.get(`/history${query}`);
  expect(reply.status).toBe(200);
  return reply.json() as History;
}

const numbers = ({ changes }: History) => changes.map(({ sequence }) => sequence);
const paths = ({ changes }: History) => changes.map(({ items }) => items.map(({ path }) => path));

it('lists changes without their resources on request, also on further pages', async () => {
  const { server, first } = await startCounted();
  for (const name of ['one', 'two', 'three']) await server.post('/workspaces', workspace(name));

  const reply = await server.get('/history?items=none&limit=2');
  const next = /rest\/history(.*)>; rel="next"$/.exec(String(reply.headers['link']))?.[1];
  const rest = await historyOf(server, next);
  const invalid = await server.get('/history?items=some');

  expect(paths(reply.json() as History)).toEqual([[], []]);
  expect(numbers(reply.json() as History)).toEqual([first + 3, first + 2]);
  expect(numbers(rest)[0]).toBe(first + 1);
  expect(paths(rest)[0]).toEqual([]);
  expect(invalid.status).toBe(400);
});

describe('history pages', () => {
  it('have no column of resources with items=none, also on further pages', async () => {
    const { server, first } = await startCounted();
    for (const name of ['one', 'two']) await server.post('/workspaces', workspace(name));

    const whole = await server.get('/history.html?limit=1');
    const page = await server.get('/history.html?items=none&limit=1');
    const next = /history\.html\?([^"]*)"/.exec(page.text)?.[1]?.replaceAll('&amp;', '&') ?? '';
    const further = await server.get(`/history.html?${next}`);

    expect(whole.text).toContain('>Resources</th>');
    expect(whole.text).toContain('create /workspaces/two');
    expect(page.text).toContain(`>${first + 2}</a>`);
    expect(page.text).not.toMatch(/Resources|\/workspaces\/two/);
    expect(further.text).toContain(`>${first + 1}</a>`);
    expect(further.text).not.toMatch(/Resources|\/workspaces\/one/);
  });

  it('show the changes with links, and each change with its fields before and after', async () => {
    const { server } = await startCounted();
    const made = await server.post('/workspaces', workspace('acme'));
    await server.put('/workspaces/acme', '{"workspace":{"name":"<b>roads"}}');
    const renamed = Number(made.headers['graticule-change']) + 1;

    const list = await server.get('/history.html?limit=1&who=admin');
    const change = await server.get(`/history/${renamed}.html`);
    const unfiltered = await server.get('/history', { accept: 'text/html,*/*;q=0.8' });

    expect([list.status, list.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(list.text).toContain(`/geoserver/rest/history/${renamed}.html">${renamed}</a>`);
    expect(list.text).toContain(`/geoserver/rest/history.html?limit=1&amp;who=admin&amp;before=${renamed}">Next page`);
    expect(change.text).toContain('update /workspaces/%3Cb%3Eroads');
    expect(change.text).toContain(
      '<td data-label="Field">name</td><td data-label="Before">acme</td><td data-label="After">&lt;b&gt;roads</td>',
    );
    expect(change.text).toContain(`/geoserver/rest/history/${renamed}/undo`);
    expect(unfiltered.text).toContain('create /workspaces/acme');
  });

  it('are returned only on request, also with --compat geoserver', async () => {
    const server = await startTestServer({ compat: 'geoserver' });

    for (const path of ['/history', '/doctor', '/webhooks']) {
      expect((await server.get(path)).headers['content-type']).toBe('application/json');
    }
  });
});

describe('history', () => {
  it('contains the paths of the resources whose ids are among the fields, also of deleted ones', async () => {
    const { server } = await startCounted();
    await server.post('/workspaces', workspace('acme'));
    await server.post('/workspaces', workspace('second'));
    const changed = await server.put('/workspaces/default', '{"workspace":{"name":"second"}}');
    await server.delete('/workspaces/acme?recurse=true');

    const sequence = changed.headers['graticule-change'];
    type Fields = Readonly<Record<string, string>>;
    interface Item {
      readonly before: Fields;
      readonly after: Fields;
      readonly references: Fields;
    }
    const { items } = (await server.get(`/history/${sequence}`)).json() as { readonly items: readonly [Item] };
    const [{ before, after, references }] = items;
    const page = await server.get(`/history/${sequence}.html`);

    expect(references).toEqual({
      [String(before['defaultWorkspace'])]: '/workspaces/acme',
      [String(after['defaultWorkspace'])]: '/workspaces/second',
    });
    expect(page.text).toContain('>/workspaces/acme</td>');
    await server.close();
  });

  it('contains the paths of accounts, rules and templates', async () => {
    const { server } = await startCounted();
    const pathsOf = async (reply: Promise<Reply>) => {
      const { status, headers, text } = await reply;
      expect(status, text).toBeLessThan(300);
      const { items } = (await server.get(`/history/${headers['graticule-change']}`)).json() as Change;
      return items.flatMap(({ path }) => path ?? []);
    };
    const user = '{"user":{"userName":"ann b","password":"a long password","enabled":true}}';

    expect(await pathsOf(server.post('/security/usergroup/users', user))).toEqual(['/security/usergroup/user/ann%20b']);
    expect(await pathsOf(server.post('/security/usergroup/group/crew', ''))).toContain(
      '/security/usergroup/group/crew',
    );
    expect(await pathsOf(server.post('/security/roles/role/PILOT', ''))).toContain('/security/roles/role/PILOT');
    expect(await pathsOf(server.post('/security/acl/layers', '{"*.*.w":"PILOT"}'))).toContain('/security/acl/layers');
    expect(await pathsOf(server.put('/security/acl/catalog', '{"mode":"MIXED"}'))).toEqual(['/security/acl/catalog']);
    const template = { type: 'text/plain', body: 'x' };
    expect(await pathsOf(server.request('PUT', '/resource/templates/header.ftl', template))).toEqual([
      '/resource/templates/header.ftl',
    ]);
    await server.close();
  });

  it('lists every change, newest first, with the user and the changed resources', async () => {
    const { server, first } = await startCounted();
    await server.post('/workspaces', workspace('harbour'));
    await server.put('/workspaces/harbour', '{"workspace":{"isolated":true}}');

    const history = await historyOf(server, `?after=${first}`);

    expect(history).toEqual({
      changes: [
        {
          sequence: first + 2,
          at: expect.stringMatching(/^2026-11-15T10:.*Z$/),
          who: 'admin',
          what: expect.stringContaining('harbour'),
          undoes: null,
          via: { method: 'basic' },
          items: [{ kind: 'workspace', id: expect.any(String), path: '/workspaces/harbour', action: 'update' }],
        },
        expect.objectContaining({ sequence: first + 1 }),
      ],
      position: first + 2,
      oldest: 1,
    });
    await server.close();
  });

  it('shows one consistent state during concurrent writes', async () => {
    const { server } = await startCounted();
    const names = Array.from({ length: 40 }, (_, index) => `w${index}`);

    const writing = Promise.all(names.map((name) => server.post('/workspaces', workspace(name))));
    const replies = await Promise.all(names.map(() => server.get('/history?limit=1')));
    await writing;

    for (const reply of replies) {
      const { changes, position } = reply.json() as History;
      expect(changes[0]?.sequence).toBe(position);
      expect(reply.headers['graticule-position']).toBe(String(position));
    }
    await server.close();
  });

  it('has no entry for requests without changes', async () => {
    const { server, first } = await startCounted();

    await server.post('/workspaces?dryRun=true', workspace('tried'));
    await server.post('/workspaces', '{"workspace":{}}');

    expect(await historyOf(server)).toMatchObject({ position: first });
    await server.close();
  });

  it('is paged in either order by links', async () => {
    const { server, first } = await startCounted();
    for (const name of ['a', 'b', 'c', 'd', 'e']) await server.post('/workspaces', workspace(name));

    const newest = await server.get(`/history?limit=2&after=${first}`);
    const next = /rest(.*)>; rel="next"$/.exec(newest.headers['link'] ?? '')?.[1];
    const oldest = await server.get(`/history.json?order=asc&limit=3&after=${first}`);

    expect(numbers(newest.json() as History)).toEqual([first + 5, first + 4]);
    expect(numbers(await historyOf(server, next?.replace('/history', '')))).toEqual([first + 3, first + 2]);
    expect(numbers(oldest.json() as History)).toEqual([first + 1, first + 2, first + 3]);
    expect(oldest.headers['link']).toContain(`after=${first + 3}`);
    expect((await server.get(`/history?limit=5&after=${first}`)).headers['link']).toBeUndefined();
    await server.close();
  });

  it('is filtered by a resource and everything below it, also after deletion or renaming', async () => {
    const { server, first } = await startCounted();
    const style = '<StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld"/>';
    await server.post('/workspaces', workspace('acme'));
    await server.post('/workspaces/acme/styles?raw=true', style, { type: 'application/vnd.ogc.sld+xml' });
    await server.post('/workspaces', workspace('acme2'));
    await server.delete('/workspaces/acme?recurse=true');

    const found = await historyOf(server, `?path=/workspaces/acme&after=${first}`);

    expect(numbers(found)).toEqual([first + 4, first + 2, first + 1]);
    expect(paths(found)[1]).toContainEqual(expect.stringMatching(/^\/workspaces\/acme\/styles\//));
    expect(paths(found)[0]).toContain('/workspaces/acme');
    expect(numbers(await historyOf(server, `?kind=style&after=${first}`))).toEqual([first + 4, first + 2]);
    await server.close();
  });

  it('is filtered by a path in any encoding of its names', async () => {
    const { server, first } = await startCounted();
    for (const name of ['Zürich', '100%', 'a b']) await server.post('/workspaces', workspace(name));
    const find = async (path: string) => numbers(await historyOf(server, `?${new URLSearchParams({ path })}`));

    for (const [index, names] of [
      ['Zürich', 'Z%C3%BCrich', 'Z%c3%bcrich'],
      ['100%', '100%25'],
      ['a b', 'a%20b'],
    ].entries()) {
      for (const name of names) expect([name, await find(`/workspaces/${name}/`)]).toEqual([name, [first + 1 + index]]);
    }
    await server.close();
  });

  it('is filtered by several paths and kinds, and omits changes of excluded kinds only', async () => {
    const { server, first } = await startCounted();
    for (const name of ['a', 'b', 'c']) await server.post('/workspaces', workspace(name));
    await server.post('/security/self/tokens', '{"token":{"name":"ci"}}');
    const token = first + 4;

    const page = await server.get('/history?path=/workspaces/a&path=/workspaces/c&kind=layer&kind=workspace&limit=1');
    const next = /rest\/history(.*)>; rel="next"$/.exec(String(page.headers['link']))?.[1];
    const listed = await server.get('/history.html?path=/workspaces/a&path=/workspaces/c&limit=1');

    expect(numbers(page.json() as History)).toEqual([first + 3]);
    expect(numbers(await historyOf(server, next))).toEqual([first + 1]);
    expect(listed.text).toContain('path=%2Fworkspaces%2Fa&amp;path=%2Fworkspaces%2Fc');
    expect(numbers(await historyOf(server, `?after=${first}&kind=apiToken`))).toEqual([token]);
    expect(numbers(await historyOf(server, `?after=${first}&excludeKind=apiToken`))).toEqual(
      [3, 2, 1].map((number) => first + number),
    );
    const excluded = ['apiToken', 'workspace', 'namespace'].map((kind) => `&excludeKind=${kind}`).join('');
    // The first workspace also becomes the default.
    expect(numbers(await historyOf(server, `?after=${first}${excluded}`))).toEqual([first + 1]);
    await server.close();
  });

  it('is filtered by user and by time', async () => {
    const { server, first } = await startCounted();
    await server.post('/workspaces', workspace('a'));
    await server.post('/workspaces', workspace('b'));
    const [b, a] = (await historyOf(server, `?after=${first}`)).changes;

    expect(numbers(await historyOf(server, `?from=${b?.at}`))).toEqual([b?.sequence]);
    expect(numbers(await historyOf(server, `?to=${a?.at}&after=${first}`))).toEqual([a?.sequence]);
    expect(numbers(await historyOf(server, `?order=asc&from=${a?.at}&to=${a?.at}`))).toEqual([a?.sequence]);
    expect(numbers(await historyOf(server, `?who=admin&after=${first}`))).toEqual([first + 2, first + 1]);
    expect((await historyOf(server, '?who=missing')).changes).toEqual([]);
    await server.close();
  });

  it.each(['after=-1', 'after=x', 'limit=0', 'limit=1001', 'order=up', 'from=yesterday', 'unheard=of'])(
    'rejects %s',
    async (query) => {
      const { server } = await startCounted();

      const reply = await server.get(`/history?${query}`, { accept: 'application/problem+json' });

      expect(reply.status).toBe(400);
      await server.close();
    },
  );

  it('requires administrator rights', async () => {
    const { server } = await startCounted();

    expect((await server.get('/history', { as: null })).status).toBe(401);
    await server.close();
  });
});

describe('history entry', () => {
  it('contains the resource before and after the change, without secrets', async () => {
    const { server, first } = await startCounted();
    const store = (host: string) =>
      JSON.stringify({
        dataStore: { name: 'db', connectionParameters: { dbtype: 'postgis', host, database: 'd', passwd: 'hush' } },
      });
    await server.post('/workspaces', workspace('acme'));
    await server.post('/workspaces/acme/datastores', store('a.example'));
    await server.put('/workspaces/acme/datastores/db', '{"dataStore":{"description":"new"}}');

    const reply = await server.get(`/history/${first + 3}`);

    expect(reply.json()).toMatchObject({
      sequence: first + 3,
      undoes: null,
      items: [
        {
          kind: 'dataStore',
          path: '/workspaces/acme/datastores/db',
          action: 'update',
          before: { name: 'db', description: null },
          after: { name: 'db', description: 'new' },
        },
      ],
    });
    expect(reply.text).not.toContain('hush');
    expect(reply.text).toContain('(secret)');
    await server.close();
  });

  it.each(['0', '999999', '-1', 'x', '1.5'])('returns 404 for the number %s', async (number) => {
    const { server } = await startCounted();

    const reply = await server.get(`/history/${number}`, { accept: 'application/problem+json' });

    expect([reply.status, (reply.json() as { code: string }).code]).toEqual([404, 'change-unknown']);
    await server.close();
  });
});
