import { beforeAll, describe, expect, it, vi } from 'vitest';
import { type Grid, gridDraft, gridKind, gridStoreDraft, gridStoreKind } from '../../../test/support/grids.ts';
import { type TestServer, useTestServer } from '../../../test/support/test-server.ts';
import { addUser } from '../../../test/support/test-users.ts';
import { polygonShapefile, putZip, zipOf } from '../../../test/support/vector-samples.ts';
import { ROLE_ADMINISTRATOR } from '../../lib/identity/principal.ts';
import { type Catalog, openCatalog } from '../../records/catalog.ts';
import { type Workspace, workspaceKind } from '../../records/workspace.ts';
import { removeStore } from '../kinds/stores.ts';
import { deleteResource, insertResource, moveResources, updateResource } from './write-resource.ts';

// Only these two lists contain the new kinds.
vi.mock('../kinds/resource-kinds.ts', async (original) => {
  const { resourceKinds } = await original<typeof import('../kinds/resource-kinds.ts')>();
  const grids = await import('../../../test/support/grids.ts');
  return { resourceKinds: [...resourceKinds, grids.anyGridKind] };
});
vi.mock('../kinds/store-kinds.ts', async (original) => {
  const { storeKinds } = await original<typeof import('../kinds/store-kinds.ts')>();
  const grids = await import('../../../test/support/grids.ts');
  return { storeKinds: [...storeKinds, grids.anyGridStoreKind] };
});

const administrator = { name: 'test', roles: new Set([ROLE_ADMINISTRATOR]) };

describe('additional kind of store and resource', () => {
  const server = useTestServer();
  let catalog: Catalog;
  beforeAll(() => {
    catalog = openCatalog(server.server.storage);
  });

  /** Creates a workspace with a grid store and publishes the named grids. */
  async function publishGrids(workspaceName: string, names: readonly string[]): Promise<Workspace> {
    await server.post('/workspaces', `<workspace><name>${workspaceName}</name></workspace>`);
    const workspace = await workspaceNamed(workspaceName);
    await catalog.change(administrator, 'publish grids', async (transaction) => {
      const store = await transaction.insert(gridStoreKind, gridStoreDraft(workspace.id, 'elevation'));
      for (const name of names) {
        await insertResource(transaction, gridKind, workspace, { draft: gridDraft(store, name) });
      }
    });
    return workspace;
  }

  async function workspaceNamed(name: string): Promise<Workspace> {
    return found(await catalog.find(workspaceKind, null, name));
  }

  async function gridNamed(workspace: Workspace, name: string): Promise<Grid> {
    return found((await gridsIn(workspace)).find((grid) => grid.name === name));
  }

  async function gridsIn(workspace: Workspace): Promise<readonly Grid[]> {
    const store = found(await catalog.find(gridStoreKind, workspace.id, 'elevation'));
    return catalog.list(gridKind, store.id);
  }

  it('rejects a name that is invalid in URLs, also if it comes from the data', async () => {
    await expect(publishGrids('hostile', ['../../evil'])).rejects.toMatchObject({ code: 'name-illegal', status: 400 });
  });

  it('lists and returns its layers like all others', async () => {
    await publishGrids('shown', ['dem']);
    await publishShapefile(server, 'shown', 'roads');

    const layers = await server.get('/workspaces/shown/layers.json', { headers: { host: 'h' } });
    const layer = await server.get('/layers/shown:dem.json', { headers: { host: 'h' } });

    expect(layers.json()).toMatchObject({ layers: { layer: [{ name: 'dem' }, { name: 'roads' }] } });
    expect(layer.json()).toMatchObject({
      layer: {
        name: 'dem',
        type: 'RASTER',
        defaultStyle: { name: 'raster' },
        resource: {
          '@class': 'grid',
          name: 'shown:dem',
          href: 'http://h/geoserver/rest/workspaces/shown/gridstores/elevation/grids/dem.json',
        },
      },
    });
  });

  it('shares the names of a workspace with all other kinds', async () => {
    const workspace = await publishGrids('unique', ['dem']);
    await publishShapefile(server, 'unique', 'roads');
    const grid = await gridNamed(workspace, 'dem');

    const upload = await publishShapefile(server, 'unique', 'dem', 'second');
    const store = await server.post(
      '/workspaces/unique/datastores',
      '<dataStore><name>elevation</name><connectionParameters><url>file:data/x</url></connectionParameters></dataStore>',
    );
    const rename = catalog.change(administrator, 'rename', (transaction) =>
      updateResource(transaction, gridKind, workspace, { from: grid, to: { ...grid, name: 'roads' } }),
    );

    await expect(rename).rejects.toMatchObject({ code: 'feature-type-exists' });
    expect(store.status).toBe(409);
    // An upload takes the next free name.
    expect(upload.status).toBe(201);
    expect((await server.get('/layers/unique:dem1.json')).status).toBe(200);
  });

  it('blocks the deletion of its parent, and is deleted with it on request', async () => {
    const workspace = await publishGrids('full', ['dem']);
    const grid = await gridNamed(workspace, 'dem');

    const refused = await server.delete('/workspaces/full');
    const inUse = catalog.change(administrator, 'delete', (transaction) =>
      deleteResource(transaction, gridKind, grid, { recurse: false }),
    );

    const notEmpty = catalog.change(administrator, 'delete', async (transaction) =>
      removeStore(transaction, found(await transaction.get(gridStoreKind, grid.parent ?? '')), { recurse: false }),
    );

    expect(refused.status).toBe(403);
    expect(refused.text).toContain("it contains gridStore 'elevation'");
    await expect(notEmpty).rejects.toMatchObject({ message: expect.stringContaining("grid 'dem'") });
    await expect(inUse).rejects.toMatchObject({ message: expect.stringContaining("layer 'dem'") });
    expect((await server.delete('/workspaces/full?recurse=true')).status).toBe(200);
    expect((await server.get('/layers/full:dem')).status).toBe(404);
    expect(await catalog.get(gridKind, grid.id)).toBeUndefined();
  });

  it('is deleted with its layer on request', async () => {
    const workspace = await publishGrids('layered', ['one', 'two']);

    await server.delete('/layers/layered:one');
    await server.delete('/layers/layered:two?recurse=true');

    expect((await gridsIn(workspace)).map(({ name }) => name)).toEqual(['one']);
  });

  it('renames its layer and access rules with it', async () => {
    const workspace = await publishGrids('renamed', ['dem']);
    await server.post('/security/acl/layers', '{"renamed.dem.r":"ROLE_GRIDS"}');
    const grid = await gridNamed(workspace, 'dem');

    await catalog.change(administrator, 'rename', (transaction) =>
      updateResource(transaction, gridKind, workspace, { from: grid, to: { ...grid, name: 'heights' } }),
    );

    expect((await server.get('/layers/renamed:dem')).status).toBe(404);
    expect((await server.get('/layers/renamed:heights')).status).toBe(200);
    expect((await server.get('/security/acl/layers.json')).json()).toMatchObject({ 'renamed.heights.r': 'ROLE_GRIDS' });
  });

  it('moves with its store, and drops the styles of the old workspace', async () => {
    const from = await publishGrids('here', ['dem']);
    await server.post('/workspaces', '<workspace><name>there</name></workspace>');
    const to = await workspaceNamed('there');
    await server.post('/workspaces/here/styles', '<style><name>relief</name><filename>relief.sld</filename></style>');
    await server.put('/layers/here:dem', '<layer><defaultStyle><name>relief</name></defaultStyle></layer>');
    await server.post('/security/acl/layers', '{"here.dem.r":"ROLE_GRIDS"}');

    await catalog.change(administrator, 'move', async (transaction) => {
      const store = found(await transaction.find(gridStoreKind, from.id, 'elevation'));
      await transaction.update(gridStoreKind, { ...store, parent: to.id });
      await moveResources(transaction, store, { from, to });
    });

    expect((await server.get('/layers/here:dem')).status).toBe(404);
    expect((await server.get('/layers/there:dem.json')).json()).toMatchObject({
      layer: { defaultStyle: { name: 'raster' } },
    });
    expect((await server.get('/security/acl/layers.json')).json()).toMatchObject({ 'there.dem.r': 'ROLE_GRIDS' });
  });

  it('is drawn with its default style after the chosen one is deleted', async () => {
    await publishGrids('styled', ['dem']);
    await server.post('/styles', '<style><name>shades</name><filename>shades.sld</filename></style>');
    await server.put('/layers/styled:dem', '<layer><defaultStyle><name>shades</name></defaultStyle></layer>');

    const refused = await server.delete('/styles/shades');
    const deleted = await server.delete('/styles/shades?recurse=true');

    expect(refused.status).toBe(403);
    expect(refused.text).toContain("layer 'styled:dem'");
    expect(deleted.status).toBe(200);
    expect((await server.get('/layers/styled:dem.json')).json()).toMatchObject({
      layer: { defaultStyle: { name: 'raster' } },
    });
  });

  it('is hidden from users without read permission', async () => {
    await publishGrids('secret', ['dem', 'public']);
    const ann = await addUser(server, 'ann', 'ROLE_ANN');
    await server.post('/security/acl/layers', '{"other.*.a":"ROLE_ANN","secret.dem.r":"ROLE_OTHERS"}');

    const listed = await server.get('/layers.json', { as: ann });

    expect(listed.text).toContain('secret:public');
    expect(listed.text).not.toContain('secret:dem');
    expect((await server.get('/layers/secret:dem', { as: ann })).status).toBe(404);
    expect((await server.get('/layers/secret:public', { as: ann })).status).toBe(200);
  });

  it('has its secrets masked in the change log', async () => {
    const before = await server.server.storage.position();
    await publishGrids('masked', []);

    const entries = await server.server.storage.listChanges(before, 10);

    const [store] = entries.flatMap(({ items }) => items).filter(({ kind }) => kind === 'gridStore');
    expect(store?.after?.body['sealedParameters']).toBe('(secret)');
  });
});

function found<R>(record: R | undefined): R {
  if (record === undefined) {
    throw new Error('The record does not exist');
  }
  return record;
}

function publishShapefile(server: TestServer, workspace: string, name: string, store = 'files') {
  return putZip(
    server,
    `/workspaces/${workspace}/datastores/${store}/file.shp?configure=all`,
    zipOf({ [name]: polygonShapefile() }),
  );
}
