import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readChangeNumber, recordsIn, startTrial } from '../../../test/support/history.ts';
import { lineSld, SLD_TYPE } from '../../../test/support/styles.ts';
import { startTestServer, type TestServer } from '../../../test/support/test-server.ts';
import { pointShapefile, zipOf } from '../../../test/support/vector-samples.ts';

const workspace = (name: string) => JSON.stringify({ workspace: { name } });
const zipped = (points: number) => ({ type: 'application/zip', body: zipOf({ wells: pointShapefile(points) }) });
const [wells, moreWells] = [zipped(3), zipped(5)];
const problems = { accept: 'application/problem+json' };

const undo = (server: TestServer, change: number, query = '') =>
  server.request('POST', `/history/${change}/undo${query}`, problems);

describe('undo', () => {
  it('deletes the created resources and reports them in one new change', async () => {
    const { server } = await startTrial();
    const made = readChangeNumber(await server.post('/workspaces', workspace('harbour')));

    const undone = await undo(server, made);

    expect(undone.json()).toMatchObject({
      sequence: made + 1,
      who: 'admin',
      undoes: made,
      items: expect.arrayContaining([
        expect.objectContaining({ kind: 'workspace', path: '/workspaces/harbour', action: 'delete', after: null }),
      ]),
    });
    expect(undone.headers['content-type']).toContain('application/json');
    expect((await server.get('/workspaces/harbour')).status).toBe(404);
    expect((await server.get(`/history/${made + 1}`)).json()).toMatchObject({ undoes: made });
  });

  it('restores the former fields of changed resources', async () => {
    const { server } = await startTrial();
    await server.post('/urlchecks', '{"regexUrlCheck":{"name":"ci","regex":"^old$","enabled":true}}');
    const changed = readChangeNumber(await server.put('/urlchecks/ci', '{"regexUrlCheck":{"regex":"^new$"}}'));

    await undo(server, changed);

    expect((await server.get('/urlchecks/ci.json')).json()).toMatchObject({ regexUrlCheck: { regex: '^old$' } });
  });

  it('restores deleted resources with their contents, ids and secrets', async () => {
    const { server, storage } = await startTrial();
    await server.post('/workspaces', workspace('acme'));
    const store = {
      name: 'db',
      connectionParameters: { dbtype: 'postgis', host: 'h.example', database: 'd', passwd: 'hush' },
    };
    await server.post('/workspaces/acme/datastores', JSON.stringify({ dataStore: store }));
    await server.post('/workspaces/acme/styles?name=stroke', lineSld('line'), { type: SLD_TYPE });
    const before = await recordsIn(storage());
    const deleted = readChangeNumber(await server.delete('/workspaces/acme?recurse=true'));

    const undone = await undo(server, deleted);

    expect(undone.status, undone.text).toBe(200);
    expect(undone.text).not.toContain('hush');
    expect(await recordsIn(storage())).toEqual(before);
    expect((await server.get('/workspaces/acme/styles/stroke.sld')).text).toBe(lineSld('line'));
  });

  it('restores the former password of a user, effective immediately', async () => {
    const { server } = await startTrial();
    const user = (password: string) => JSON.stringify({ user: { userName: 'ann', password, enabled: true } });
    await server.post('/security/usergroup/users', user('first password'));
    const changed = readChangeNumber(await server.post('/security/usergroup/user/ann', user('second password')));
    const isLetIn = async (password: string) =>
      (await server.get('/about/version', { as: `ann:${password}` })).status !== 401;
    expect(await isLetIn('second password')).toBe(true);

    await undo(server, changed);

    expect([await isLetIn('first password'), await isLetIn('second password')]).toEqual([true, false]);
  });

  it('restores the former content of a style', async () => {
    const { server } = await startTrial();
    await server.post('/styles?name=stroke', lineSld('first'), { type: SLD_TYPE });
    const changed = readChangeNumber(await server.put('/styles/stroke', lineSld('second'), { type: SLD_TYPE }));

    await undo(server, changed);

    expect((await server.get('/styles/stroke.sld')).text).toBe(lineSld('first'));
  });

  it('restores the former data of a store, and the store itself', async () => {
    const { server, storage } = await startTrial();
    await server.post('/workspaces', workspace('acme'));
    const path = '/workspaces/acme/datastores/pack';
    await server.request('PUT', `${path}/file.shp`, wells);
    const before = await recordsIn(storage());
    const replaced = readChangeNumber(await server.request('PUT', `${path}/file.shp?update=overwrite`, moreWells));
    expect(await recordsIn(storage())).not.toEqual(before);

    expect((await undo(server, replaced)).status).toBe(200);
    expect(await recordsIn(storage())).toEqual(before);
    const deleted = readChangeNumber(await server.delete(`${path}?recurse=true`));
    expect((await undo(server, deleted)).status).toBe(200);

    expect(await recordsIn(storage())).toEqual(before);
    expect((await server.get(`${path}/featuretypes/wells.json?list=all`)).status).toBe(200);
  });

  it('can be undone itself', async () => {
    const { server } = await startTrial();
    const made = readChangeNumber(await server.post('/workspaces', workspace('harbour')));
    const undone = readChangeNumber(await undo(server, made));

    const redone = await undo(server, undone);

    expect(redone.json()).toMatchObject({
      undoes: undone,
      items: expect.arrayContaining([expect.objectContaining({ kind: 'workspace', action: 'create' })]),
    });
    expect((await server.get('/workspaces/harbour')).status).toBe(200);
    expect((await undo(server, undone)).status).toBe(409);
  });

  it('swaps two names back', async () => {
    const { server } = await startTrial();
    for (const name of ['a', 'b']) await server.post('/workspaces', workspace(name));
    const toC = readChangeNumber(await server.put('/workspaces/a', workspace('c')));
    const toA = readChangeNumber(await server.put('/workspaces/b', workspace('a')));

    expect((await undo(server, toC)).status).toBe(409);
    expect((await undo(server, toA)).status).toBe(200);
    expect((await undo(server, toC)).status).toBe(200);
    expect((await server.get('/workspaces/a')).status).toBe(200);
  });

  it('changes nothing in a dry run', async () => {
    const { server } = await startTrial();
    const made = readChangeNumber(await server.post('/workspaces', workspace('harbour')));

    const tried = await undo(server, made, '?dryRun=true');

    expect([tried.status, tried.headers['graticule-change']]).toEqual([200, undefined]);
    expect(tried.json()).toMatchObject({ sequence: null, undoes: made });
    expect((await server.get('/workspaces/harbour')).status).toBe(200);
  });
});

describe('undo rejection', () => {
  async function refused(server: TestServer, change: number): Promise<unknown> {
    const before = (await server.get('/history?limit=1')).headers['graticule-position'];
    const reply = await undo(server, change);
    expect(reply.status, reply.text).toBe(409);
    expect((await server.get('/history?limit=1')).headers['graticule-position']).toBe(before);
    return reply.json();
  }

  it('applies if a resource was changed since', async () => {
    const { server } = await startTrial();
    await server.post('/workspaces', workspace('acme'));
    await server.post('/urlchecks', '{"regexUrlCheck":{"name":"ci","regex":"^a$"}}');
    const first = readChangeNumber(await server.put('/urlchecks/ci', '{"regexUrlCheck":{"regex":"^b$"}}'));
    const second = readChangeNumber(await server.put('/urlchecks/ci', '{"regexUrlCheck":{"regex":"^c$"}}'));

    expect(await refused(server, first)).toMatchObject({
      code: 'undo-conflict',
      conflicts: [{ path: '/urlchecks/ci', change: second }],
    });
  });

  it('applies if a created resource has children now', async () => {
    const { server } = await startTrial();
    const made = readChangeNumber(await server.post('/workspaces', workspace('acme')));
    const inside = readChangeNumber(
      await server.post('/workspaces/acme/styles?name=stroke', lineSld('l'), { type: SLD_TYPE }),
    );

    expect(await refused(server, made)).toMatchObject({
      conflicts: expect.arrayContaining([{ path: '/workspaces/acme/styles/stroke', change: inside }]),
    });
  });

  it('applies if the name of a deleted resource is in use now', async () => {
    const { server } = await startTrial();
    for (const name of ['default-one', 'acme']) await server.post('/workspaces', workspace(name));
    const deleted = readChangeNumber(await server.delete('/workspaces/acme'));
    const taken = readChangeNumber(await server.post('/workspaces', workspace('acme')));

    expect(await refused(server, deleted)).toMatchObject({ conflicts: [{ path: '/workspaces/acme', change: taken }] });
  });

  it('applies if other resources refer to a created resource now', async () => {
    const { server } = await startTrial();
    await server.post('/workspaces', workspace('acme'));
    await server.request('PUT', '/workspaces/acme/datastores/pack/file.shp', wells);
    const made = readChangeNumber(await server.post('/styles?name=stroke', lineSld('stroke'), { type: SLD_TYPE }));
    const used = readChangeNumber(
      await server.put('/layers/acme:wells', '{"layer":{"defaultStyle":{"name":"stroke"}}}'),
    );

    expect(await refused(server, made)).toMatchObject({
      conflicts: [{ path: '/workspaces/acme/layers/wells', change: used }],
    });
  });

  it('applies to changes of the keystore password', async () => {
    const { server } = await startTrial();
    const current = ((await server.get('/security/masterpw.json')).json() as { oldMasterPassword: string })
      .oldMasterPassword;
    const change = await server.put(
      '/security/masterpw',
      JSON.stringify({ oldMasterPassword: current, newMasterPassword: 'another password 1' }),
    );

    expect(await refused(server, readChangeNumber(change))).toMatchObject({ code: 'undo-impossible' });
  });

  it('applies to the resources of a new server', async () => {
    const { server } = await startTrial();

    expect(await refused(server, 1)).toMatchObject({ code: 'undo-impossible' });
  });

  it('applies if the files were purged', async () => {
    const { server } = await startTrial();
    await server.post('/styles?name=stroke', lineSld('line'), { type: SLD_TYPE });
    const deleted = readChangeNumber(await server.delete('/styles/stroke?purge=true'));

    expect(await refused(server, deleted)).toMatchObject({ code: 'undo-files-gone' });
  });

  it('applies beyond the retention period of files', async () => {
    let nowMs = Date.now();
    const server = await startTestServer({ flags: ['--undo-files-hours', '2'], clock: () => nowMs });
    onTestFinished(() => server.close());
    await server.post('/styles?name=stroke', lineSld('first'), { type: SLD_TYPE });
    const changed = readChangeNumber(await server.put('/styles/stroke', lineSld('second'), { type: SLD_TYPE }));
    const renamed = readChangeNumber(await server.post('/workspaces', workspace('acme')));

    nowMs += 2 * 3_600_000;
    expect((await undo(server, changed, '?dryRun=true')).status).toBe(200);
    nowMs += 1;

    expect(await refused(server, changed)).toMatchObject({ code: 'undo-files-gone' });
    expect((await server.request('POST', `/history/${changed - 1}/restore`, problems)).json()).toMatchObject({
      code: 'undo-files-gone',
    });
    expect((await undo(server, renamed)).status).toBe(200);
  });

  it('applies to an unknown change', async () => {
    const { server } = await startTrial();

    expect((await undo(server, 99_999)).status).toBe(404);
    expect((await server.get('/history/1/undo', problems)).status).toBe(405);
    expect((await server.request('POST', '/history/1/undo', { as: null })).status).toBe(401);
  });
});

describe('random history', () => {
  const name = fc.constantFrom('a', 'b', 'c');
  const step = fc.oneof(
    name.map((each) => ['POST', '/workspaces', workspace(each)] as const),
    fc.tuple(name, name).map(([from, to]) => ['PUT', `/workspaces/${from}`, workspace(to)] as const),
    name.map((each) => ['DELETE', `/workspaces/${each}?recurse=true`, undefined] as const),
    fc
      .tuple(name, name)
      .map(([home, each]) => ['POST', `/workspaces/${home}/styles?name=${each}`, lineSld(each)] as const),
    fc.tuple(name, name).map(([each, content]) => ['PUT', `/styles/${each}`, lineSld(content)] as const),
    name.map((each) => ['POST', `/styles?name=${each}`, lineSld(each)] as const),
    name.map((each) => ['DELETE', `/styles/${each}`, undefined] as const),
    name.map((each) => ['POST', '/urlchecks', `{"regexUrlCheck":{"name":"${each}","regex":"x"}}`] as const),
    name.map((each) => ['DELETE', `/urlchecks/${each}`, undefined] as const),
    fc.tuple(name, name).map(([home, role]) => ['POST', '/security/acl/layers', `{"${home}.*.r":"${role}"}`] as const),
    name.map((home) => ['DELETE', `/security/acl/layers/${home}.*.r`, undefined] as const),
    name.map((each) => ['PUT', '/workspaces/default', workspace(each)] as const),
  );

  it('ends in the first state when it is undone in reverse order or restored', {
    timeout: 300_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
        const { server, storage } = await startTrial();
        const fresh = await recordsIn(storage());
        const first = storage().position();
        for (const [method, path, body] of steps) {
          const type = body?.startsWith('<') === true ? SLD_TYPE : 'json';
          await server.request(method, path, body === undefined ? {} : { body, type });
        }
        const last = storage().position();
        const whole = await recordsIn(storage());

        for (let change = last; change > first; change -= 1) {
          const r = await undo(server, change);
          expect(r.status, r.text).toBe(200);
        }
        expect(await recordsIn(storage())).toEqual(fresh);
        expect((await server.request('POST', `/history/${last}/restore`, problems)).status).toBe(200);
        expect(await recordsIn(storage())).toEqual(whole);
        expect((await server.request('POST', `/history/${first}/restore`, problems)).status).toBe(200);
        expect(await recordsIn(storage())).toEqual(fresh);
        expect(await readdir(join(server.dataDir, 'staging'))).toEqual([]);
      }),
      { numRuns: Number(process.env['UNDO_RUNS'] ?? 8) },
    );
  });
});
