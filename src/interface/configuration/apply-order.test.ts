/** Steps run once, in the order of their references and unique names, whatever the order of the document. */
import { beforeAll, describe, expect, it } from 'vitest';
import { publishLayers } from '../../../test/support/layer-groups.ts';
import { lineSld } from '../../../test/support/styles.ts';
import { type Reply, useTestServer } from '../../../test/support/test-server.ts';

interface Resource {
  readonly kind: string;
  readonly path: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

const format = 'graticule-configuration/1';

/** The members are layers, or groups with a leading `group `. */
const group = (name: string, ...members: readonly string[]): Resource => ({
  kind: 'layerGroup',
  path: `/layergroups/${name}`,
  fields: {
    mode: 'SINGLE',
    publishables: {
      published: members.map((member) =>
        member.startsWith('group ')
          ? { '@type': 'layerGroup', name: member.slice(6) }
          : { '@type': 'layer', name: member },
      ),
    },
  },
});

const workspace = (name: string, namespaceUri: string): Resource => ({
  kind: 'workspace',
  path: `/workspaces/${name}`,
  fields: { namespaceUri },
});

const style = (path: string, filename: string): Resource => ({
  kind: 'style',
  path,
  fields: { filename, content: lineSld('any') },
});

describe('the steps of an apply', () => {
  const server = useTestServer();
  const apply = (resources: readonly Resource[], query = ''): Promise<Reply> =>
    server.request('POST', `/configuration/apply${query}`, {
      type: 'application/json',
      accept: 'application/problem+json, application/json',
      body: JSON.stringify({ format, resources }),
    });
  const listSteps = (reply: Reply) =>
    (reply.json() as { readonly steps: readonly { readonly action: string; readonly path: string }[] }).steps.map(
      ({ action, path }) => `${action} ${path}`,
    );

  beforeAll(() => publishLayers(server, 'acme', ['a', 'b']));

  it('create the members of a group before the group', async () => {
    const reply = await apply([
      group('one', 'group two'),
      group('two', 'acme:a', 'group three'),
      group('three', 'acme:b'),
    ]);

    expect(reply.status, reply.text).toBe(200);
    expect(listSteps(reply)).toEqual([
      'create /layergroups/three',
      'create /layergroups/two',
      'create /layergroups/one',
    ]);
  });

  it('remove a member from a group before that group becomes its member', async () => {
    const reply = await apply([group('three', 'acme:b', 'group two'), group('two', 'acme:a')]);

    expect(reply.status, reply.text).toBe(200);
    expect(listSteps(reply)).toEqual(['update /layergroups/two', 'update /layergroups/three']);
  });

  it('delete a group before its members', async () => {
    const reply = await apply([], '?mode=mirror&path=/layergroups');

    expect(reply.status, reply.text).toBe(200);
    expect(listSteps(reply)).toEqual([
      'delete /layergroups/three',
      'delete /layergroups/one',
      'delete /layergroups/two',
    ]);
  });

  it('are rejected when groups contain each other', async () => {
    const reply = await apply([group('one', 'group two'), group('two', 'group one')]);

    expect([reply.status, reply.json()]).toMatchObject([
      422,
      {
        errors: [
          { path: '/layergroups/two', code: 'layer-group-part-unknown' },
          { path: '/layergroups/one', code: 'layer-group-part-unknown' },
        ],
      },
    ]);
    expect(reply.text).toContain('These resources refer to each other: /layergroups/one, /layergroups/two');
  });

  it('are rejected when a member neither exists nor is created', async () => {
    const reply = await apply([group('one', 'group two')]);

    expect([reply.status, reply.json()]).toMatchObject([
      422,
      { errors: [{ path: '/layergroups/one', code: 'layer-group-part-unknown' }] },
    ]);
    expect(reply.text).not.toContain('refer to each other');
  });

  it('free a namespace URI, a file name and a name of a store before others use it', async () => {
    const store = (collection: string, kind: string, url: string): Resource => ({
      kind,
      path: `/workspaces/old/${collection}/data`,
      fields: kind === 'dataStore' ? { connectionParameters: { url } } : { type: 'GeoTIFF', url },
    });
    await apply([
      workspace('old', 'http://moving'),
      workspace('gone', 'http://gone'),
      style('/workspaces/old/styles/was', 'line.sld'),
      {
        kind: 'dataStore',
        path: '/workspaces/gone/datastores/inner',
        fields: { connectionParameters: { url: 'file:data/x' } },
      },
      store('datastores', 'dataStore', 'file:data/x'),
    ]);

    const reply = await apply(
      [
        workspace('another', 'http://gone'),
        workspace('new', 'http://moving'),
        workspace('old', 'http://other'),
        style('/workspaces/old/styles/is', 'line.sld'),
        store('coveragestores', 'coverageStore', 'file:data/x.tif'),
      ],
      '?mode=mirror&path=/workspaces/another&path=/workspaces/new&path=/workspaces/old&path=/workspaces/gone',
    );

    expect(reply.status, reply.text).toBe(200);
    expect(listSteps(reply)).toEqual([
      'delete /workspaces/gone/datastores/inner',
      'delete /workspaces/gone',
      'create /workspaces/another',
      'update /workspaces/old',
      'create /workspaces/new',
      'delete /workspaces/old/styles/was',
      'create /workspaces/old/styles/is',
      'delete /workspaces/old/datastores/data',
      'create /workspaces/old/coveragestores/data',
    ]);
  });
});
