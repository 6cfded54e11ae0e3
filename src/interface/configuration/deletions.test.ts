/** A document names the resources that it deletes. */
import { describe, expect, it } from 'vitest';
import { type RequestOptions, useTestServer } from '../../../test/support/test-server.ts';

const server = useTestServer();

function send(operation: 'diff' | 'apply', document: object, query = '') {
  const options: RequestOptions = {
    type: 'application/json',
    accept: 'application/problem+json, application/json',
    body: JSON.stringify({ format: 'graticule-configuration/1', resources: [], ...document }),
  };
  return server.request('POST', `/configuration/${operation}${query}`, options);
}

async function listPaths(): Promise<readonly string[]> {
  const { resources } = (await server.get('/configuration')).json() as { readonly resources: { path: string }[] };
  return resources.map(({ path }) => path).filter((path) => /^\/(?:workspaces|urlchecks)\//.test(path));
}

const check = (name: string) => ({ kind: 'urlCheck', path: `/urlchecks/${name}`, fields: { regex: name } });
const workspace = (name: string) => ({ kind: 'workspace', path: `/workspaces/${name}`, fields: {} });

describe('the deletions of a configuration', () => {
  it('delete these resources in the same change, in a valid order, and ignore those that do not exist', async () => {
    const group = {
      kind: 'layerGroup',
      path: '/workspaces/acme/layergroups/all',
      fields: { publishables: { published: [] } },
    };
    await send('apply', { resources: [workspace('acme'), workspace('other'), check('a'), check('b')] });
    const before = await listPaths();
    const deletions = ['/workspaces/acme', '/urlchecks/a', '/urlchecks/gone', group.path];

    const plan = await send('diff', { delete: deletions, resources: [check('c')] });
    const dry = await send('apply', { delete: deletions, resources: [check('c')] }, '?dryRun=true');
    const unchanged = await listPaths();
    const applied = await send('apply', { delete: deletions, resources: [check('c')] });
    const after = await listPaths();
    const again = await send('apply', { delete: deletions, resources: [check('c')] });

    expect(plan.json()).toMatchObject({
      summary: { create: 1, update: 0, delete: 2, unchanged: 0 },
      steps: [
        { action: 'create', path: '/urlchecks/c' },
        { action: 'delete', path: '/urlchecks/a' },
        { action: 'delete', path: '/workspaces/acme' },
      ],
    });
    expect(dry.status).toBe(200);
    expect(unchanged).toEqual(before);
    expect(applied.status, applied.text).toBe(200);
    expect(after).toEqual(['/urlchecks/b', '/urlchecks/c', ...before.filter((path) => /default$|other$/.test(path))]);
    expect(again.json()).toMatchObject({ change: null, steps: [] });
  });

  it('must be paths of resources that can be deleted, within the scope and not in the document', async () => {
    const malformed = await send('diff', {
      delete: ['/workspaces', '/security/acl/catalog', '/nothing/here', '/urlchecks/a'],
      resources: [check('a')],
    });
    const outside = await send('diff', { delete: ['/urlchecks/a'] }, '?path=/workspaces');
    const noList = await send('diff', { delete: '/urlchecks/a' });

    expect([malformed.status, malformed.json()]).toMatchObject([400, { code: 'document-invalid' }]);
    for (const index of [0, 1, 2, 3]) expect(malformed.text).toContain(`delete[${index}]`);
    expect([outside.status, outside.json()]).toMatchObject([400, { code: 'outside-scope' }]);
    expect([noList.status, noList.json()]).toMatchObject([400, { code: 'document-invalid' }]);
  });

  it('are errors if something else prevents them', async () => {
    const style = { content: '* { stroke: red; }', format: 'css', filename: 's.css' };
    const made = await send('apply', {
      resources: [workspace('full'), { kind: 'style', path: '/workspaces/full/styles/s', fields: style }],
    });

    const refused = await send('apply', { delete: ['/workspaces/full'] });

    expect(made.status, made.text).toBe(200);
    expect([refused.status, refused.json()]).toMatchObject([
      422,
      { code: 'configuration-invalid', errors: [{ path: '/workspaces/full' }] },
    ]);
  });
});
