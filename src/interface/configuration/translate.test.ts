import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rawZip } from '../../../test/support/raw-zip.ts';
import type { DirectoryFiles } from '../../../test/support/source-directories/documents.ts';
import { createUnsupportedFiles, hostileContents } from '../../../test/support/source-directories/faults.ts';
import { createSampleDirectory } from '../../../test/support/source-directories/sample.ts';
import { createSecurityFiles } from '../../../test/support/source-directories/security.ts';
import { packDirectory } from '../../../test/support/source-directories/write-directory.ts';
import { type Reply, startTestServer, type TestServer } from '../../../test/support/test-server.ts';
import { addUser } from '../../../test/support/test-users.ts';

interface Translation {
  readonly report: {
    readonly format: string;
    readonly summary: { readonly imported: Readonly<Record<string, number>>; readonly skipped: number };
    readonly entries: readonly { readonly code: string; readonly source: string }[];
  };
  readonly configuration: { readonly resources: readonly { readonly kind: string; readonly path: string }[] };
}

const json = { accept: 'application/json, application/problem+json;q=0.9' };

describe('a translation of a data directory', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.close());

  const translate = (body: Buffer, headers: Readonly<Record<string, string>> = {}, query = ''): Promise<Reply> =>
    server.request('POST', `/configuration/translate${query}`, { ...json, type: 'application/zip', body, headers });
  const readCode = (reply: Reply) => [reply.status, (reply.json() as { readonly code: string }).code];

  it('returns the configuration and the report, stores nothing, and diff accepts the configuration', async () => {
    const before = (await server.get('/configuration')).headers['etag'];
    const reply = await translate(packDirectory(createSampleDirectory(), 'data_dir/'));
    const { report, configuration } = reply.json() as Translation;

    expect([reply.status, reply.headers['cache-control']]).toEqual([200, 'no-store']);
    expect(report.format).toBe('graticule-move-in-report/1');
    expect(report.summary.imported).toMatchObject({ workspace: 2, style: 5 });
    expect(configuration.resources.map(({ path }) => path)).toContain('/workspaces/acme');
    expect((await server.get('/configuration')).headers['etag']).toBe(before);
    const plan = await server.request('POST', '/configuration/diff?unverified=accept', {
      ...json,
      type: 'application/json',
      body: JSON.stringify(configuration),
    });
    expect([plan.status, plan.text]).toEqual([200, expect.stringContaining('"path":"/workspaces/acme"')]);
  });

  it('decrypts passwords with the master password of the header', async () => {
    const archive = packDirectory({ ...createSampleDirectory(), ...createSecurityFiles() });
    const passphrase = (text: string) => ({ 'graticule-passphrase': encodeURIComponent(text) });

    expect(readCode(await translate(archive, passphrase('wrong')))).toEqual([422, 'move-in-refused']);
  });

  it('does not read variables of the server for placeholders of the source', async () => {
    process.env['TRANSLATE_CANARY'] = 'value of the server';
    const store = createSampleDirectory();
    const files = Object.fromEntries(
      Object.entries(store).map(([name, content]) => [
        name,
        typeof content === 'string' ? content.replace('file:data/', '${TRANSLATE_CANARY}/') : content,
      ]),
    );
    const reply = await translate(packDirectory(files));
    delete process.env['TRANSLATE_CANARY'];

    expect(reply.status).toBe(200);
    expect(reply.text).not.toContain('value of the server');
  });

  it.each<readonly [string, DirectoryFiles]>([
    ['of GeoServer 1.x', { 'catalog.xml': '<catalog/>', 'services.xml': '<services/>' }],
    ['of the backup module', { 'workspace.dat.1': 'x', 'br_index.xml': '<x/>' }],
    ['without configuration', { 'notes.txt': 'x' }],
  ])('rejects an archive %s', async (_, files) => {
    expect(readCode(await translate(packDirectory(files)))).toEqual([422, 'move-in-refused']);
  });

  it('rejects other types, broken archives, and names that lead out of the folder', async () => {
    const json415 = await server.request('POST', '/configuration/translate', {
      ...json,
      type: 'text/xml',
      body: '<x/>',
    });
    const outside = rawZip([{ name: '../workspaces/x/workspace.xml', data: '<workspace/>' }]);

    expect(readCode(json415)).toEqual([415, 'body-type-unknown']);
    expect(readCode(await translate(Buffer.from('no archive')))[1]).toBe('archive-refused');
    expect(readCode(await translate(outside))[1]).toBe('archive-refused');
  });

  it('translates archives with malformed files, and serves other requests meanwhile', async () => {
    const files = { ...createSampleDirectory(), ...createUnsupportedFiles() };
    const names = Object.keys(files).filter((name) => name.endsWith('.xml'));
    const damaged = Object.fromEntries(
      Object.values(hostileContents).map((content, index) => [names[index * 3] ?? names[0], content] as const),
    );
    const translating = translate(packDirectory({ ...files, ...damaged }));
    const other = await server.get('/workspaces');
    const reply = await translating;

    expect(other.status).toBe(200);
    expect(reply.status).toBe(200);
    expect((reply.json() as Translation).report.summary.skipped).toBeGreaterThan(0);
  });

  it('requires administrator rights', async () => {
    const steward = await addUser(server, 'steward', 'CREW');
    await server.post('/workspaces', '{"workspace":{"name":"own"}}');
    await server.post('/security/acl/layers', '{"own.*.a":"CREW"}');
    const body = packDirectory(createSampleDirectory());
    const send = (as: string | null) =>
      server.request('POST', '/configuration/translate', { ...json, type: 'application/zip', body, as });

    expect((await send(null)).status).toBe(401);
    expect((await send(steward)).status).toBe(403);
  });
});
