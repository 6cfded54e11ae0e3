/** Templates next to the resources that they apply to. */
import { beforeAll, describe, expect, it } from 'vitest';
import { itInDirectory } from '../../../test/support/shared-storage.ts';
import { useTestServer } from '../../../test/support/test-server.ts';
import { addUser } from '../../../test/support/test-users.ts';

const text = '<#list features as feature>\n<p>a feature</p>\n</#list>\n';

describe('a template', () => {
  const server = useTestServer();
  const put = (path: string, body = text, options: object = {}) =>
    server.request('PUT', `/resource/${path}`, { type: 'text/plain', body, ...options });
  const childrenOf = async (path: string) => {
    const { ResourceDirectory } = (await server.get(`/resource/${path}?format=json`)).json() as {
      ResourceDirectory: { children: { child: readonly { name: string }[] } };
    };
    return ResourceDirectory.children.child.map(({ name }) => name);
  };

  beforeAll(async () => {
    await server.post('/workspaces', '{"workspace":{"name":"acme"}}');
    const made = await server.request('PUT', '/workspaces/acme/datastores/towns/file.csv?filename=places', {
      type: 'text/csv',
      body: 'name,lon,lat\na,7,50\n',
    });
    expect(made.status, made.text).toBe(201);
  });

  it.each([
    ['everything', 'templates/header.ftl'],
    ['a workspace', 'workspaces/acme/header.ftl'],
    ['a store', 'workspaces/acme/towns/header.ftl'],
    ['a published type', 'workspaces/acme/towns/places/header.ftl'],
  ])('for %s is stored, read, replaced, moved and deleted', async (_, path) => {
    const moved = path.replace('header', 'footer');

    const created = await put(path);
    const read = await server.get(`/resource/${path}`);
    const facts = await server.get(`/resource/${path}?operation=metadata&format=json`);
    const late = await put(path, 'late', { headers: { 'if-match': '"1"' } });
    const replaced = await put(path, 'new');
    const listed = await childrenOf(path.slice(0, path.lastIndexOf('/')));
    const renamed = await put(`${moved}?operation=move`, `/${path}`);

    expect([created.status, late.status, replaced.status, renamed.status], renamed.text).toEqual([201, 412, 200, 201]);
    expect(read.text).toBe(text);
    expect(facts.json()).toMatchObject({ ResourceMetadata: { name: 'header.ftl', type: 'resource' } });
    expect(listed).toContain('header.ftl');
    expect((await server.get(`/resource/${path}`)).status).toBe(404);
    expect((await server.get(`/resource/${moved}`)).text).toBe('new');
    expect((await server.delete(`/resource/${moved}`)).status).toBe(200);
    expect((await server.get(`/resource/${moved}`)).status).toBe(404);
  });

  it.each(['workspaces/acme/notes.json', 'workspaces/acme/towns/places/template.xhtml'])(
    'may have another name if an administrator stores it: %s',
    async (path) => {
      const created = await put(path, '{}', { type: 'application/json' });
      const read = await server.get(`/resource/${path}`);
      const deleted = await server.delete(`/resource/${path}`);

      expect([created.status, read.text, deleted.status], created.text).toEqual([201, '{}', 200]);
    },
  );

  it.each([
    ['everything', '', 'templates'],
    ['a workspace', '/workspaces/acme', 'workspaces/acme'],
    ['a store', '/workspaces/acme/datastores/towns', 'workspaces/acme/towns'],
    ['a published type', '/workspaces/acme/datastores/towns/featuretypes/places', 'workspaces/acme/towns/places'],
  ])('for %s has the path of its resource, too', async (_, owner, folder) => {
    const path = `${owner}/templates`;
    const sent = { type: 'text/plain', body: text };

    const created = await server.request('PUT', `${path}/title.ftl`, sent);
    const replaced = await server.request('PUT', `${path}/title.ftl`, sent);
    const read = await server.get(`${path}/title`);
    const listed = await server.get(`${path}.json`);
    const same = await server.get(`/resource/${folder}/title.ftl`);
    const refused = await server.request('PUT', `${path}/title.ftl`, { ...sent, body: '<#macro x>' });
    const deleted = await server.delete(`${path}/title.ftl`);

    expect([created.status, replaced.status, refused.status, deleted.status], created.text).toEqual([
      201, 200, 400, 200,
    ]);
    expect([read.text, same.text, read.headers['content-type']]).toEqual([
      text,
      text,
      expect.stringContaining('text/plain'),
    ]);
    expect(listed.json()).toEqual({
      templates: {
        template: expect.arrayContaining([
          { name: 'title.ftl', href: expect.stringContaining(`/rest/resource/${folder}/title.ftl`) },
        ]),
      },
    });
    expect((await server.get(`${path}/title.ftl`)).status).toBe(404);
  });

  it('is in folders that exist as long as its resource', async () => {
    await put('workspaces/acme/towns/places/content.ftl');

    expect(await childrenOf('')).toEqual(['data', 'layouts', 'palettes', 'styles', 'templates', 'workspaces']);
    expect(await childrenOf('workspaces/acme')).toEqual(['styles', 'towns']);
    expect(await childrenOf('workspaces/acme/towns')).toEqual(['places']);
    expect(await childrenOf('workspaces/acme/towns/places')).toEqual(['content.ftl']);
  });

  it('follows the name of its resource, and is deleted with it without blocking the deletion', async () => {
    await server.post('/workspaces', '{"workspace":{"name":"gone"}}');
    await put('workspaces/gone/header.ftl');

    await server.put('/workspaces/gone', '{"workspace":{"name":"left"}}');
    const found = await server.get('/resource/workspaces/left/header.ftl');
    const deleted = await server.delete('/workspaces/left');

    expect([found.status, deleted.status], deleted.text).toEqual([200, 200]);
    expect((await server.get('/resource/workspaces/left/header.ftl')).status).toBe(404);
  });

  it.each([
    ['a name that is not a template', 'templates/header.txt', 405],
    ['a catalog document', 'workspaces/acme/workspace.xml', 405],
    ['a folder', 'workspaces/acme/towns', 405],
    ['an unknown workspace', 'workspaces/nowhere/header.ftl', 404],
    ['an unknown store', 'workspaces/acme/nowhere/header.ftl', 404],
    ['a path below a type', 'workspaces/acme/towns/places/more/header.ftl', 404],
    ['a folder of templates', 'templates/more/header.ftl', 404],
    ['an invalid file name', 'templates/a%3Ab.ftl', 400],
  ])('is rejected for %s', async (_, path, status) => {
    const reply = await put(path);

    expect(reply.status, reply.text).toBe(status);
  });

  it('is rejected over the size limit', async () => {
    expect((await put('templates/long.ftl', 'x'.repeat(1_048_577))).status).toBe(413);
    expect((await server.get('/resource/templates/long.ftl')).status).toBe(404);
  });

  it('is writable by administrators of its resource', async () => {
    const ann = await addUser(server, 'ann', 'ROLE_ACME');
    await server.post('/security/acl/layers', '{"acme.*.a":"ROLE_ACME"}');
    await server.post('/workspaces', '{"workspace":{"name":"other"}}');

    const own = await put('workspaces/acme/own.ftl', text, { as: ann });
    const others = await put('workspaces/other/own.ftl', text, { as: ann });
    const global = await put('templates/own.ftl', text, { as: ann });
    const otherName = await put('workspaces/acme/own.json', text, { as: ann });
    const strangers = await put('workspaces/acme/own.ftl', text, { as: null });

    expect([own.status, otherName.status]).toEqual([201, 405]);
    expect([403, 404]).toContain(others.status);
    expect(global.status).toBe(403);
    expect(strangers.status).toBe(401);
    await server.delete('/resource/workspaces/acme/own.ftl');
  });

  itInDirectory('may be copied, also to the data folder, and is moved among templates only', async () => {
    await put('templates/first.ftl');

    const copied = await put('workspaces/acme/towns/second.ftl?operation=copy', 'templates/first.ftl');
    const asData = await put('data/acme/third.ftl?operation=copy', 'templates/first.ftl');
    const movedOut = await put('data/acme/fourth.ftl?operation=move', 'templates/first.ftl');

    expect([copied.status, asData.status, movedOut.status], movedOut.text).toEqual([201, 201, 400]);
    expect((await server.get('/resource/workspaces/acme/towns/second.ftl')).text).toBe(text);
  });
});
