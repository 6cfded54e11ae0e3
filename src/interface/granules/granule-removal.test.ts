import { describe, expect, it } from 'vitest';
import { draft, drafts, waterSchema } from '../../../test/support/granules.ts';
import { addMosaic } from '../../../test/support/mosaics.ts';
import { type TestServer, useTestServer } from '../../../test/support/test-server.ts';

function indexOf(store: string): string {
  return `/workspaces/${store}/coveragestores/${store}/coverages/watertemp/index`;
}

async function locations(server: TestServer, store: string): Promise<readonly string[]> {
  const reply = await server.get(`${indexOf(store)}/granules.json`);
  const { features } = reply.json() as { features: { properties: { location: string } }[] };
  return features.map(({ properties }) => properties.location);
}

/** In another workspace of the same name, because coverage names are unique in a workspace. */
async function addAlone(server: TestServer, store: string): Promise<void> {
  await server.post('/workspaces', JSON.stringify({ workspace: { name: store } }));
  await addMosaic(server, store, store, [{ schema: waterSchema, granules: drafts(6) }]);
}

const named = (...numbers: readonly number[]) => numbers.map((number) => draft(number).location);

describe('granule removal', () => {
  const server = useTestServer();
  const add = (store: string) => addAlone(server, store);

  it('removes the granules of a filter as one history entry', async () => {
    await add('filtered');
    const filter = encodeURIComponent("location='tiles/000002.tif'");

    const reply = await server.delete(`${indexOf('filtered')}/granules.xml?filter=${filter}`);

    expect(reply).toMatchObject({ status: 200, text: '' });
    expect(await locations(server, 'filtered')).toEqual(named(0, 1, 3, 4, 5));
    const entries = await server.server.storage.listChanges(server.server.storage.position() - 1, 1);
    expect(entries.map(({ what }) => what)).toEqual(['remove 1 granule of watertemp in filtered']);
  });

  it('removes all granules without a filter', async () => {
    await add('emptied');

    const reply = await server.delete(`${indexOf('emptied')}/granules`);

    expect(reply.status).toBe(200);
    expect(await locations(server, 'emptied')).toEqual([]);
    expect((await server.get(`${indexOf('emptied')}/granules.xml`)).text).toContain('<gml:null>unknown</gml:null>');
  });

  it('removes nothing with an empty filter, which rarely means all', async () => {
    await add('attentive');

    const reply = await server.delete(`${indexOf('attentive')}/granules.json?filter=&purge=all`);

    expect(reply.status).toBe(400);
    expect(reply.text).toContain("Invalid value '' for the query parameter 'filter'");
    expect(await locations(server, 'attentive')).toEqual(named(0, 1, 2, 3, 4, 5));
  });

  it('removes single granules by paths as clients write them', async () => {
    await add('single');
    const paths = ['watertemp.1', 'watertemp.2.xml', 'watertemp.3.json', 'watertemp.4/.json'];

    for (const path of paths) {
      expect((await server.delete(`${indexOf('single')}/granules/${path}`)).status, path).toBe(200);
    }

    expect(await locations(server, 'single')).toEqual(named(4, 5));
  });

  it('returns 404 for an unknown id', async () => {
    await add('strict');

    const reply = await server.delete(`${indexOf('strict')}/granules/watertemp.99`, {
      accept: 'application/problem+json',
    });

    expect(reply.status).toBe(404);
    expect(reply.json()).toMatchObject({ code: 'granule-unknown' });
  });

  it('records no history entry when the filter matches nothing', async () => {
    await add('traceless');
    const before = server.server.storage.position();

    const reply = await server.delete(
      `${indexOf('traceless')}/granules?filter=${encodeURIComponent('elevation = 99')}`,
    );

    expect(reply.status).toBe(200);
    expect(server.server.storage.position()).toBe(before);
  });

  it('rejects a misspelt parameter, because without a filter all granules would be removed', async () => {
    await add('misspelt');

    const reply = await server.delete(`${indexOf('misspelt')}/granules?fliter=${encodeURIComponent('elevation = 0')}`);

    expect(reply.status).toBe(400);
    expect(reply.text).toContain('fliter');
    expect(await locations(server, 'misspelt')).toHaveLength(6);
  });

  it('removes nothing in a dry run', async () => {
    await add('tried');
    const before = server.server.storage.position();

    const reply = await server.delete(`${indexOf('tried')}/granules?dryRun=true&updateBBox=true&purge=all`);

    expect(reply.status).toBe(200);
    expect(await locations(server, 'tried')).toHaveLength(6);
    expect(server.server.storage.position()).toBe(before);
    expect((await server.delete(`${indexOf('tried')}/granules/watertemp.1`)).status).toBe(200);
    expect(await locations(server, 'tried')).toHaveLength(5);
  });

  it('removes nothing when another client changed the coverage first', async () => {
    await add('raced');

    const reply = await server.delete(`${indexOf('raced')}/granules`, { headers: { 'if-match': '"1"' } });

    expect(reply.status).toBe(412);
    expect(await locations(server, 'raced')).toHaveLength(6);
  });

  it('keeps the box of the coverage unless it is to be recomputed', async () => {
    await add('boxed');
    const coverage = '/workspaces/boxed/coveragestores/boxed/coverages/watertemp.json';
    const box = async () => {
      const shown = (await server.get(coverage)).json() as { coverage: { nativeBoundingBox: Record<string, unknown> } };
      const { minx, maxx, miny, maxy } = shown.coverage.nativeBoundingBox;
      return [minx, miny, maxx, maxy];
    };
    const before = await box();

    await server.delete(`${indexOf('boxed')}/granules/watertemp.1`);
    expect(await box()).toEqual(before);

    await server.delete(`${indexOf('boxed')}/granules/watertemp.2?updateBBox=true`);
    expect(await box()).toEqual([2, 0, 6, 1]);

    await server.delete(`${indexOf('boxed')}/granules?updateBBox=true`);
    expect(await box()).toEqual([2, 0, 6, 1]);
    expect(await locations(server, 'boxed')).toEqual([]);
  });

  it('rejects invalid parameters', async () => {
    await add('careful');

    for (const query of ['filter=bogus%20filter', 'filter=depth%3D1', 'purge=everything', 'updateBBox=perhaps']) {
      expect((await server.delete(`${indexOf('careful')}/granules?${query}`)).status, query).toBe(400);
    }
    for (const query of ['purge=NONE', 'purge=Metadata']) {
      expect((await server.delete(`${indexOf('careful')}/granules/watertemp.1?${query}`)).status, query).toSatisfy(
        (status) => status === 200 || status === 404,
      );
    }
    expect(await locations(server, 'careful')).toHaveLength(5);
  });
});

describe('granule removal in the reference dialect', () => {
  const server = useTestServer({ compat: 'geoserver' });

  it('succeeds for an unknown granule', async () => {
    await addAlone(server, 'lenient');

    expect((await server.delete(`${indexOf('lenient')}/granules/watertemp.99`)).status).toBe(200);
    expect(await locations(server, 'lenient')).toHaveLength(6);
  });
});
