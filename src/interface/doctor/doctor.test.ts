import { chmod, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { itInDirectory } from '../../../test/support/shared-storage.ts';
import type { TestServer } from '../../../test/support/test-server.ts';
import { startWithTwoStates, type TwoStates } from '../../../test/support/two-states.ts';
import { recordKinds } from '../../server/storage/record-kinds.ts';
import type { JsonObject, StoredRecord } from '../../storage/port/port.ts';

interface DoctorReport {
  readonly healthy: boolean;
  readonly position: number;
  readonly checks: readonly { readonly check: string; readonly ok: boolean; readonly message: string }[];
  readonly problems: readonly { readonly path: string | null; readonly code: string; readonly message: string }[];
}

describe('doctor', () => {
  let states: TwoStates;
  let server: TestServer;
  beforeAll(async () => {
    states = await startWithTwoStates();
    server = states.server;
  });
  afterAll(() => server?.close());

  async function examine(query = ''): Promise<DoctorReport> {
    const reply = await server.get(`/doctor${query}`);
    expect(reply.status).toBe(200);
    return reply.json() as DoctorReport;
  }

  it('has a page with the result of each check', async () => {
    const [page, connected] = [await server.get('/doctor.html'), await server.get('/doctor.html?connect=true')];

    expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(page.text).toContain('<td data-label="Check">references</td><td data-label="Result">✓ passed</td>');
    expect(page.text).toContain('/geoserver/rest/doctor.html?connect=true">Check the data of stores too</a>');
    expect(connected.text).toContain('<td data-label="Check">stores</td>');
  });

  itInDirectory('reports no problems on a healthy server and changes nothing', async () => {
    const position = server.server.storage.position();

    const reported = await examine();

    expect(reported).toEqual({
      healthy: true,
      position,
      checks: [
        { check: 'storage', ok: true, message: 'The whole database was checked.' },
        { check: 'keystore', ok: true, message: 'The keystore and all encrypted secrets were opened.' },
        { check: 'files', ok: true, message: expect.stringMatching(/^\d+ files were checked, \d+ of them completely/) },
        { check: 'references', ok: true, message: expect.stringMatching(/^\d+ references were checked\.$/) },
        { check: 'data-rules', ok: true, message: '2 data rules were checked.' },
        {
          check: 'disk',
          ok: true,
          message: expect.stringMatching(
            /^\d+ bytes are free on the disk of the data directory\. \d+ stored files? with \d+ bytes (?:is|are) not referenced and will be deleted\.$/,
          ),
        },
      ],
      problems: [],
    });
    expect(server.server.storage.position()).toBe(position);
  });

  it('checks the data of every enabled store on request', async () => {
    const { healthy, checks, problems } = await examine('?connect=true');

    expect(healthy).toBe(false);
    expect(checks.find(({ check }) => check === 'stores')).toMatchObject({ ok: false });
    // The map servers behind these are down; all others respond.
    expect(problems.map(({ path }) => path)).toEqual([
      '/workspaces/acme/wmsstores/near-wmsStore',
      '/workspaces/acme/wmtsstores/near-wmtsStore',
    ]);
    expect(problems[0]).toMatchObject({ code: 'store-unreachable' });
    expect((await server.get('/workspaces/acme/wmsstores/near-wmsStore.json')).json()).toMatchObject({
      wmsStore: { enabled: true },
    });
  });

  it('checks only the resources at the requested paths', async () => {
    const near = '/workspaces/acme/wmsstores/near-wmsStore';
    const [sick, sound] = [
      await examine(`?connect=true&path=${near}&path=/workspaces/acme/styles`),
      await examine('?connect=true&path=/workspaces/acme/styles'),
    ];
    const page = await server.get(`/doctor.html?path=${near}`);

    expect(sick.problems.map(({ path }) => path)).toEqual([near]);
    expect(sick.checks.find(({ check }) => check === 'stores')).toMatchObject({ ok: false });
    expect(sick.checks.map(({ check }) => check)).not.toContain('storage');
    expect(sound.healthy).toBe(true);
    expect(sound.checks).toContainEqual({ check: 'stores', ok: true, message: 'The data of 0 stores was checked.' });
    expect(page.text).toContain(`connect=true&amp;path=${encodeURIComponent(near)}`);
  });

  it('returns 404 for a path of no resource, also beside other paths', async () => {
    const reply = await server.get('/doctor?path=/workspaces/acme&path=/workspaces/missing');

    expect(reply.status).toBe(404);
    expect(reply.text.trim()).toBe(
      "No stored resource exists at or below '/workspaces/missing'. Use paths as the history shows them, such as /workspaces/acme/layers/roads.",
    );
  });

  it('accepts the path of every resource of the configuration', async () => {
    const { resources } = (await server.get('/configuration.json')).json() as { resources: { path: string }[] };
    const replies = [];
    for (const { path } of resources) {
      replies.push({ path, status: (await server.get(`/doctor?path=${encodeURIComponent(path)}`)).status });
    }

    expect(replies.length).toBeGreaterThan(20);
    expect(replies.filter(({ status }) => status !== 200)).toEqual([]);
  });

  itInDirectory('reports missing and modified files', async () => {
    const [set = ''] = await filesOf('dataStore', 'shapes');
    const [content = ''] = await filesOf('styleFile', 'local.sld');
    const [gone, cut] = await listedIn(set);
    await rm(blob(gone?.hash ?? ''));
    await chmod(blob(cut?.hash ?? ''), 0o600);
    await truncate(blob(cut?.hash ?? ''), 3);
    await rm(blob(content));
    await writeFile(blob(content), 'something else');

    const { healthy, checks, problems } = await examine();

    expect(healthy).toBe(false);
    expect(checks.find(({ check }) => check === 'files')).toMatchObject({ ok: false });
    expect(problems).toContainEqual({
      path: '/workspaces/acme/datastores/shapes',
      code: 'files-missing',
      message: `The file '${gone?.path}' of the dataStore 'shapes' is missing.`,
    });
    expect(problems).toContainEqual({
      path: '/workspaces/acme/datastores/shapes',
      code: 'files-damaged',
      message: `The file '${cut?.path}' of the dataStore 'shapes' has 3 bytes instead of ${cut?.bytes}.`,
    });
    expect(problems).toContainEqual({
      path: null,
      code: 'files-damaged',
      message: expect.stringMatching(/^The content of the styleFile '.*local.sld' does not match its hash\.$/),
    });
  });

  it('reports data rules that cannot be evaluated, and their unknown layers and roles', async () => {
    await rewrite('dataRule', 'staff', { rows: "missing = 'x'" });
    for (const dataRule of [
      { name: 'early', layer: 'acme:later', roles: ['ADMIN', '*', 'ROLE_AUTHENTICATED', 'UNKNOWN'] },
      { name: 'lost', layer: 'nowhere:*', roles: ['*'] },
      { name: 'off', layer: 'acme:later', roles: ['*'], enabled: false },
    ]) {
      expect((await server.post('/security/acl/data', JSON.stringify({ dataRule }))).status).toBe(201);
    }

    const { checks, problems } = await examine();

    expect(checks.find(({ check }) => check === 'data-rules')).toMatchObject({ ok: false });
    expect(problems.filter(({ code }) => code.startsWith('data-rule'))).toEqual([
      {
        path: '/security/acl/data/early',
        code: 'data-rule-layer-unknown',
        message: "The data rule 'early' has no effect. Unknown layer 'acme:later'. The rule applies once it exists.",
      },
      {
        path: '/security/acl/data/early',
        code: 'data-rule-role-unknown',
        message: "The data rule 'early' names the unknown role 'UNKNOWN'. Create the role, or remove it from the rule.",
      },
      {
        path: '/security/acl/data/lost',
        code: 'data-rule-layer-unknown',
        message: "The data rule 'lost' has no effect. Unknown workspace 'nowhere'. The rule applies once it exists.",
      },
      {
        path: '/security/acl/data/staff',
        code: 'data-rule-unusable',
        message: expect.stringContaining(
          "The data rule 'staff' matches no row, because it cannot be evaluated. Invalid 'dataRule.rows': line 1, column 1: unknown attribute 'missing'",
        ),
      },
    ]);
  });

  it('checks references between records and decrypts sealed values', async () => {
    await rewrite('layer', 'places', { defaultStyle: 'style-gone' });
    await rewrite('dataStore', 'fewer', { sealedParameters: { passwd: 'sealed:1:AAAA' } });

    const { checks, problems } = await examine();

    expect(checks.filter(({ ok }) => !ok).map(({ check }) => check)).toEqual(
      expect.arrayContaining(['keystore', 'references']),
    );
    expect(problems).toContainEqual({
      path: '/workspaces/acme/datastores/fewer',
      code: 'secret-unreadable',
      message: "A secret of the dataStore 'fewer' cannot be decrypted with the keystore. Set the secret again.",
    });
    expect(problems).toContainEqual({
      path: expect.stringMatching(/^\/workspaces\/\w+\/layers\/places$/),
      code: 'reference-dangling',
      message: "The layer 'places' refers to a missing style (style-gone).",
    });
  });

  it('reports the integrity errors of the database', async () => {
    const { storage } = server.server;
    const sound = storage.findIntegrityProblems.bind(storage);
    Object.assign(storage, { findIntegrityProblems: async () => ['row 7 missing from index records_place'] });

    const { checks, problems } = await examine();

    Object.assign(storage, { findIntegrityProblems: sound });
    expect(checks[0]).toEqual({
      check: 'storage',
      ok: false,
      message: '1 problem. The whole database was checked.',
    });
    expect(problems[0]).toEqual({
      path: null,
      code: 'storage-damaged',
      message: 'row 7 missing from index records_place',
    });
  });

  it('requires administrator rights even if a rule admits other users', async () => {
    await server.post('/security/acl/rest', '{"/doctor/**:GET":"KEEPER"}', { type: 'json' });

    expect((await server.get('/doctor', { as: states.keeper })).status).toBe(403);
    expect((await server.get('/doctor', { as: null })).status).toBe(401);
    expect((await server.get('/doctor.json')).status).toBe(200);
  });

  it('rejects unknown parameters', async () => {
    expect((await server.get('/doctor?conect=true')).status).toBe(400);
    expect((await server.get('/doctor?connect=maybe')).status).toBe(400);
    expect((await server.request('POST', '/doctor')).status).toBe(405);
  });

  function blob(hash: string): string {
    return join(server.dataDir, 'blobs', hash.slice(0, 2), hash);
  }

  async function listedIn(set: string): Promise<readonly { path: string; hash: string; bytes: number }[]> {
    const text = await readFile(join(server.dataDir, 'sets', set.slice(0, 2), set), 'utf8');
    const { files } = JSON.parse(text) as { files: readonly (readonly [string, string, number])[] };
    return files.map(([path, hash, bytes]) => ({ path, hash, bytes }));
  }

  async function recordOf(kind: string, name: string): Promise<StoredRecord> {
    const all = await server.server.storage.listOfKind(kind, undefined, 1_000);
    const found = all.find((record) => record.name.endsWith(name));
    if (found === undefined) throw new Error(`There is no ${kind} ${name}`);
    return found;
  }

  async function filesOf(kind: string, name: string): Promise<readonly string[]> {
    const record = await recordOf(kind, name);
    return recordKinds.find((rules) => rules.kind === kind)?.index(record).files ?? [];
  }

  async function rewrite(kind: string, name: string, fields: JsonObject): Promise<void> {
    const record = await recordOf(kind, name);
    const { parent } = record;
    const draft = { kind, parent, name, body: { ...record.body, ...fields }, keys: {} };
    await server.server.storage.write({ who: 'tester', what: 'break it' }, async (transaction) => {
      await transaction.update(record.id, draft);
    });
  }
});
