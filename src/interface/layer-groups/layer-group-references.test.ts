import { beforeAll, describe, expect, it } from 'vitest';
import { groupOf, publishLayers, readGroupParts, readGroupStyles } from '../../../test/support/layer-groups.ts';
import { lineSld, SLD_TYPE, send } from '../../../test/support/styles.ts';
import { type TestServer, useTestServer } from '../../../test/support/test-server.ts';
import { pointShapefile, putZip, readResource, UTM33_PRJ, zipOf } from '../../../test/support/vector-samples.ts';

const isGone = async (server: TestServer, path: string) => (await server.get(path)).status === 404;

describe('a layer group', () => {
  const server = useTestServer();
  beforeAll(async () => {
    await publishLayers(server, 'acme', ['a', 'b']);
    await send(server, 'POST', '/styles?name=thin', SLD_TYPE, lineSld('thin'));
    await server.post('/workspaces/acme/layergroups', groupOf('inner', ['b']));
    const styles = { style: ['thin', ''] };
    await server.post('/layergroups', groupOf('outer', ['acme:a', 'group acme:inner'], { styles }));
  });

  it('follows new names of its layers, styles, groups and workspaces, with a new version each', async () => {
    const tags = new Set<string | undefined>();
    const note = async () => tags.add((await server.get('/layergroups/outer.json')).headers['etag']);
    await note();

    for (const [path, body] of [
      ['/workspaces/acme/featuretypes/a', '{"featureType":{"name":"fields"}}'],
      ['/styles/thin', '{"style":{"name":"fine"}}'],
      ['/workspaces/acme/layergroups/inner', '{"layerGroup":{"name":"core"}}'],
      ['/workspaces/acme', '{"workspace":{"name":"ajax"}}'],
    ] as const) {
      expect((await server.put(path, body)).status).toBe(200);
      await note();
    }

    expect(await readGroupParts(server, '/layergroups/outer')).toEqual(['ajax:fields', 'ajax:core']);
    expect(await readGroupStyles(server, '/layergroups/outer')).toEqual(['fine', '']);
    expect(tags.size).toBe(5);
  });

  it('is renamed together with the access rules that name it', async () => {
    await server.post('/workspaces/ajax/layergroups', groupOf('guarded', ['b']));
    await server.post('/security/acl/layers', '{"ajax.guarded.r":"ROLE_READER"}');

    await server.put('/workspaces/ajax/layergroups/guarded', '{"layerGroup":{"name":"watched"}}');

    expect((await server.get('/security/acl/layers.json')).json()).toEqual({ 'ajax.watched.r': 'ROLE_READER' });
  });
});

describe('a member of a layer group', () => {
  const server = useTestServer();
  beforeAll(() => publishLayers(server, 'acme', ['a', 'b', 'c', 'd']));

  it('is not deleted without recurse if it is a layer', async () => {
    await server.post('/workspaces/acme/layergroups', groupOf('near', ['a', 'b']));
    await server.post('/layergroups', groupOf('far', ['acme:a']));

    const refused = await server.delete('/layers/acme:a');

    expect([refused.status, refused.text]).toEqual([
      403,
      expect.stringContaining(
        "The layer 'acme:a' is used by layer group 'acme:near', layer group 'far'. Remove it from them first, or delete it with recurse=true.",
      ),
    ]);
    expect((await server.get('/layers/acme:a')).status).toBe(200);
  });

  it('is removed from the group with recurse, and an emptied group is deleted', async () => {
    await server.post('/layergroups', groupOf('chain', ['group far']));

    expect((await server.delete('/layers/acme:a?recurse=true')).status).toBe(200);

    expect(await readGroupParts(server, '/workspaces/acme/layergroups/near')).toEqual(['acme:b']);
    expect(await isGone(server, '/layergroups/far')).toBe(true);
    expect(await isGone(server, '/layergroups/chain')).toBe(true);
  });

  it('is excluded from the computed box of the group after its removal, and a given box is kept', async () => {
    await putZip(server, '/workspaces/acme/datastores/far/file.shp', zipOf({ far: pointShapefile() }));
    await server.post('/workspaces/acme/layergroups', groupOf('computed', ['b', 'far']));
    await server.post('/layergroups', groupOf('around', ['acme:b', 'group acme:computed']));
    const bounds = { minx: -5, maxx: 5, miny: -5, maxy: 5, crs: 'EPSG:4326' };
    await server.post('/workspaces/acme/layergroups', groupOf('given', ['b', 'far'], { bounds }));
    const [whole, near] = await Promise.all(
      ['layergroups/computed', 'featuretypes/b'].map((path) => readResource(server, `/workspaces/acme/${path}`)),
    );
    expect(whole).not.toMatchObject({ bounds: (near as { nativeBoundingBox: unknown }).nativeBoundingBox });

    await server.delete('/workspaces/acme/datastores/far?recurse=true');

    expect(await readResource(server, '/workspaces/acme/layergroups/computed')).toMatchObject({
      bounds: (near as { nativeBoundingBox: unknown }).nativeBoundingBox,
    });
    expect(await readResource(server, '/workspaces/acme/layergroups/given')).toMatchObject({ bounds });
    for (const path of [
      '/layergroups/around',
      '/workspaces/acme/layergroups/computed',
      '/workspaces/acme/layergroups/given',
    ]) {
      await server.delete(path);
    }
  });

  it('is removed with its feature type', async () => {
    await server.post('/layergroups', groupOf('pair', ['acme:c', 'acme:d']));

    expect((await server.delete('/workspaces/acme/featuretypes/c')).status).toBe(403);
    expect((await server.delete('/workspaces/acme/featuretypes/c?recurse=true')).status).toBe(200);

    expect(await readGroupParts(server, '/layergroups/pair')).toEqual(['acme:d']);
  });

  it('is not deleted without recurse if it is a group', async () => {
    await server.post('/layergroups', groupOf('held', ['acme:d']));
    await server.post('/layergroups', groupOf('holder', ['acme:d', 'group held']));

    const refused = await server.delete('/layergroups/held');

    expect([refused.status, refused.text]).toEqual([
      403,
      expect.stringContaining("The layer group 'held' is used by layer group 'holder'."),
    ]);
    expect((await server.delete('/layergroups/held?recurse=true')).status).toBe(200);
    expect(await readGroupParts(server, '/layergroups/holder')).toEqual(['acme:d']);
    expect((await server.delete('/layergroups/holder')).status).toBe(200);
    expect((await server.get('/layers/acme:d')).status).toBe(200);
  });

  it('is not deleted without recurse if it is a style', async () => {
    await send(server, 'POST', '/styles?name=thin', SLD_TYPE, lineSld('thin'));
    const root = { mode: 'EO', rootLayer: 'acme:d', rootLayerStyle: 'thin' };
    await server.post('/layergroups', groupOf('styled', ['acme:d'], { styles: { style: ['thin'] }, ...root }));

    const refused = await server.delete('/styles/thin');

    expect([refused.status, refused.text]).toEqual([
      403,
      expect.stringContaining("The style 'thin' is used by layer group 'styled'."),
    ]);
    expect((await server.delete('/styles/thin?recurse=true')).status).toBe(200);
    expect(await readGroupStyles(server, '/layergroups/styled')).toEqual(['']);
    // The root layer is drawn as everywhere else.
    expect(await readResource(server, '/layergroups/styled')).toMatchObject({
      mode: 'EO',
      rootLayerStyle: { name: 'polygon' },
    });
    await server.delete('/layergroups/styled');
  });

  it('is removed as the root layer, which turns the group into a named tree', async () => {
    await publishLayers(server, 'roots', ['top', 'below']);
    const root = { mode: 'EO', rootLayer: 'roots:top', rootLayerStyle: 'polygon' };
    await server.post('/layergroups', groupOf('scene', ['roots:below'], root));

    const refused = await server.delete('/layers/roots:top');
    expect([refused.status, refused.text]).toEqual([403, expect.stringContaining("layer group 'scene'")]);
    await server.delete('/layers/roots:top?recurse=true');

    expect(await readResource(server, '/layergroups/scene')).toMatchObject({ mode: 'NAMED' });
  });

  it('is deleted with its workspace, including the groups there and the members of global groups', async () => {
    await publishLayers(server, 'doomed', ['x', 'y']);
    await server.post('/workspaces/doomed/layergroups', groupOf('local', ['x']));
    await server.post('/layergroups', groupOf('mixed', ['doomed:x', 'acme:d', 'group doomed:local', 'doomed:y']));
    await server.post('/layergroups', groupOf('alone', ['doomed:x', 'doomed:y']));

    const refused = await server.delete('/workspaces/doomed');
    expect([refused.status, refused.text]).toEqual([403, expect.stringContaining("layerGroup 'local'")]);
    expect((await server.delete('/workspaces/doomed?recurse=true')).status).toBe(200);

    expect(await readGroupParts(server, '/layergroups/mixed')).toEqual(['acme:d']);
    expect(await isGone(server, '/layergroups/alone')).toBe(true);
    await server.delete('/layergroups/mixed');
  });

  it('is not moved away from the groups of its workspace', async () => {
    await publishLayers(server, 'from', ['moving']);
    await server.post('/workspaces', '{"workspace":{"name":"to"}}');
    await server.post('/workspaces/from/layergroups', groupOf('bound', ['moving']));
    await server.post('/layergroups', groupOf('free', ['from:moving']));
    const move = () => server.put('/workspaces/from/datastores/s', '{"dataStore":{"workspace":{"name":"to"}}}');

    const refused = await move();
    expect([refused.status, refused.text]).toEqual([403, expect.stringContaining("layer group 'from:bound'")]);
    await server.delete('/workspaces/from/layergroups/bound');
    expect((await move()).status).toBe(200);

    expect(await readGroupParts(server, '/layergroups/free')).toEqual(['to:moving']);
  });

  it('is not moved out of reach of the group if it is a style', async () => {
    await publishLayers(server, 'here', ['x']);
    await server.post('/workspaces', '{"workspace":{"name":"there"}}');
    await send(server, 'POST', '/styles?name=roaming', SLD_TYPE, lineSld('roaming'));
    const styles = { style: ['roaming'] };
    await server.post('/workspaces/here/layergroups', groupOf('settled', ['x'], { styles }));
    await server.post('/layergroups', groupOf('worldwide', ['here:x'], { styles }));
    const move = (workspace: string) =>
      server.put('/styles/roaming', JSON.stringify({ style: { workspace: { name: workspace } } }));

    const refused = await move('there');
    expect([refused.status, refused.text]).toEqual([403, expect.stringContaining("layer group 'here:settled'")]);
    expect((await move('here')).status).toBe(200);

    expect(await readGroupStyles(server, '/layergroups/here:settled')).toEqual(['here:roaming']);
    expect(await readGroupStyles(server, '/layergroups/worldwide')).toEqual(['here:roaming']);
  });

  it('is removed from the group in one change that reports both', async () => {
    await publishLayers(server, 'reported', ['x', 'y']);
    await server.post('/layergroups', groupOf('story', ['reported:x', 'reported:y']));

    const reported = await server.delete('/layers/reported:x?recurse=true', {
      accept: 'application/vnd.graticule.change+json',
    });

    const { items } = reported.json() as { items: readonly { kind: string; action: string; path: string }[] };
    expect(items).toContainEqual(
      expect.objectContaining({ kind: 'layerGroup', action: 'update', path: '/layergroups/story' }),
    );
    expect(items).toContainEqual(expect.objectContaining({ kind: 'layer', action: 'delete' }));
  });
});

describe('a layer group that would contain itself', () => {
  const server = useTestServer();
  beforeAll(() => publishLayers(server, 'acme', ['a']));

  it('is rejected with the cycle', async () => {
    await server.post('/layergroups', groupOf('one', ['acme:a']));
    await server.post('/layergroups', groupOf('two', ['acme:a', 'group one']));
    await server.post('/layergroups', groupOf('three', ['group two']));

    const itself = await server.put('/layergroups/one', groupOf('one', ['group one']));
    const round = await server.put('/layergroups/one', groupOf('one', ['acme:a', 'group three']));

    expect([itself.status, itself.text]).toEqual([400, expect.stringContaining("'one' contains 'one'.")]);
    expect([round.status, round.text]).toEqual([
      400,
      expect.stringContaining(
        "A layer group cannot contain itself: 'one' contains 'three' contains 'two' contains 'one'.",
      ),
    ]);
    expect(await readGroupParts(server, '/layergroups/one')).toEqual(['acme:a']);
  });
});

describe('the box of several layers', () => {
  const server = useTestServer();
  const publish = (name: string, from: readonly [number, number], prj?: string) =>
    putZip(server, `/workspaces/acme/datastores/${name}/file.shp`, zipOf({ [name]: pointShapefile(3, from, prj) }));
  beforeAll(async () => {
    await server.post('/workspaces', '{"workspace":{"name":"acme"}}');
    await publish('west', [10, 50]);
    await publish('east', [14, 48]);
    await publish('flat', [500_000, 5_500_000], UTM33_PRJ);
    await publish('flatter', [600_000, 5_500_000], UTM33_PRJ);
  });

  it('contains all layers in their common CRS', async () => {
    await server.post('/layergroups', groupOf('degrees', ['acme:west', 'acme:east']));
    await server.post('/layergroups', groupOf('metres', ['acme:flat', 'acme:flatter']));

    expect(await readResource(server, '/layergroups/degrees')).toMatchObject({
      bounds: { minx: 10, maxx: 16, miny: 48, maxy: 52, crs: 'EPSG:4326' },
    });
    expect(await readResource(server, '/layergroups/metres')).toMatchObject({
      bounds: { minx: 500_000, maxx: 600_002, miny: 5_500_000, maxy: 5_500_002, crs: { $: 'EPSG:32633' } },
    });
  });

  it('is in longitude and latitude without a common CRS, also through nested groups', async () => {
    await server.post('/layergroups', groupOf('plane', ['acme:flat']));

    await server.post('/layergroups', groupOf('both', ['acme:west', 'group plane']));

    const { bounds } = (await readResource(server, '/layergroups/both')) as { bounds: Record<string, number> };
    expect(bounds).toMatchObject({ minx: 10, maxy: 52, crs: 'EPSG:4326' });
    expect(bounds['maxx']).toBeCloseTo(15, 3);
    expect(bounds['miny']).toBeCloseTo(49.65, 1);
  });

  it('is recomputed with the members unless it was given', async () => {
    await server.post('/layergroups', groupOf('growing', ['acme:west']));
    const read = (await server.get('/layergroups/growing.xml')).text;
    const more = '<published type="layer"><name>acme:east</name></published></publishables>';

    await server.put(
      '/layergroups/growing',
      read.replace('</publishables>', more).replace(/<styles>.*<\/styles>/s, ''),
    );

    expect(await readResource(server, '/layergroups/growing')).toMatchObject({ bounds: { minx: 10, maxx: 16 } });
  });
});
