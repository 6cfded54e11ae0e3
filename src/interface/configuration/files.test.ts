/** Files of a configuration are sent one by one before the document that refers to them. */
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type RequestOptions, startTestServer, useTestServer } from '../../../test/support/test-server.ts';
import { addUser } from '../../../test/support/test-users.ts';
import { pointShapefile } from '../../../test/support/vector-samples.ts';
import { hashBytes } from '../../storage/blobs/port.ts';

const server = useTestServer();

const files = Object.entries(pointShapefile(3)).map(([extension, bytes]) => {
  const content = Buffer.from(bytes as Uint8Array);
  return { path: `wells.${extension}`, content, bytes: content.length, sha256: hashBytes(content) };
});

const put = (to: Pick<typeof server, 'request'>, hash: string, body: Buffer, options: RequestOptions = {}) =>
  to.request('PUT', `/configuration/files/${hash}`, {
    body,
    type: 'application/octet-stream',
    accept: 'application/problem+json',
    ...options,
  });

async function listMissing(to: Pick<typeof server, 'post'>, sha256: readonly unknown[], options: RequestOptions = {}) {
  const accept = 'application/problem+json, application/json';
  return to.post('/configuration/files/missing', JSON.stringify({ sha256 }), { type: 'json', accept, ...options });
}

function createDocument(workspace: string): string {
  const store = `/workspaces/${workspace}/datastores/wells`;
  return JSON.stringify({
    format: 'graticule-configuration/1',
    resources: [
      { kind: 'workspace', path: `/workspaces/${workspace}`, fields: {} },
      {
        kind: 'dataStore',
        path: store,
        fields: {
          connectionParameters: { url: `file:data/${workspace}/wells/1/wells.shp` },
          files: files.map(({ path, bytes, sha256 }) => ({ path, bytes, sha256 })),
        },
      },
      { kind: 'featureType', path: `${store}/featuretypes/wells`, fields: {} },
    ],
  });
}

it('lists missing files, stores them by hash and applies a document without an archive', async () => {
  const hashes = files.map(({ sha256 }) => sha256);
  const before = (await server.get('/configuration')).json() as { position: number };
  const missing = await listMissing(server, [...hashes, ...hashes]);
  expect([missing.status, missing.json()]).toEqual([200, { sha256: hashes }]);
  const early = await server.post('/configuration/apply', createDocument('early'), {
    type: 'json',
    accept: 'application/problem+json',
  });
  expect(early.json()).toMatchObject({ errors: [{ code: 'files-missing' }] });

  for (const { sha256, content } of files.slice(1)) expect((await put(server, sha256, content)).status).toBe(201);
  expect((await listMissing(server, hashes)).json()).toEqual({ sha256: hashes.slice(0, 1) });
  const [{ sha256 = '', content = Buffer.of() } = {}] = files;
  const dry = await server.request('PUT', `/configuration/files/${sha256}?dryRun=true`, { body: content });
  expect(dry.status).toBe(201);
  expect((await listMissing(server, hashes)).json()).toEqual({ sha256: [sha256] });
  expect((await put(server, sha256, content)).status).toBe(201);
  expect((await put(server, sha256, content)).status).toBe(200);
  expect((await listMissing(server, hashes)).json()).toEqual({ sha256: [] });
  expect(((await server.get('/configuration')).json() as { position: number }).position).toBe(before.position);

  const applied = await server.post('/configuration/apply', createDocument('acme'), { type: 'json' });
  expect(applied.status, applied.text).toBe(200);
  const features = await server.get(
    '//wfs?service=WFS&version=2.0.0&request=GetFeature&typeNames=acme:wells&resultType=hits',
  );
  expect(features.text).toContain('numberMatched="3"');
  const again = await server.post('/configuration/diff', createDocument('acme'), { type: 'json' });
  expect(again.json()).toMatchObject({ steps: [] });
});

it('rejects content with another hash, malformed hashes and users without rights', async () => {
  const content = Buffer.from('something');
  const hash = hashBytes(Buffer.from('another thing'));
  const as = await addUser(server, 'sender', 'EDITOR');

  const other = await put(server, hash, content);
  const malformed = await put(server, 'ABC', content);
  const listed = await listMissing(server, ['abc']);
  const tooMany = await server.post('/configuration/files/missing', '{"sha256":"x"}', {
    type: 'json',
    accept: 'application/problem+json',
  });

  expect([other.status, other.json()]).toMatchObject([422, { code: 'file-hash-mismatch' }]);
  expect([malformed.status, malformed.json()]).toMatchObject([400, { code: 'file-hash-invalid' }]);
  expect([listed.status, listed.json()]).toMatchObject([400, { code: 'document-invalid' }]);
  expect([tooMany.status, tooMany.json()]).toMatchObject([400, { code: 'document-invalid' }]);
  expect((await put(server, hash, content, { as })).status).toBe(403);
  expect((await listMissing(server, [hash], { as: null })).status).toBe(401);
  expect((await listMissing(server, [hash])).json()).toEqual({ sha256: [hash] });
});

it('keeps files without a reference for a day, also over a restart', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'graticule-test-'));
  const content = Buffer.from('a file that no record refers to');
  const hash = hashBytes(content);
  let nowMs = Date.now();
  const options = { dataDir, clock: () => nowMs };
  const first = await startTestServer(options);
  expect((await put(first, hash, content)).status).toBe(201);
  await first.close();

  const second = await startTestServer(options);
  try {
    nowMs += 20 * 3_600_000;
    expect((await listMissing(second, [hash])).json()).toEqual({ sha256: [] });
    nowMs += 20 * 3_600_000;
    expect(await countUnreferenced(second)).toBe(0);
    nowMs += 20 * 3_600_000;
    expect(await countUnreferenced(second)).toBe(1);
  } finally {
    await second.close();
  }
});

/** The doctor counts the files that the collector would delete. */
async function countUnreferenced(of: typeof server): Promise<number> {
  const { checks } = (await of.get('/doctor')).json() as { checks: { check: string; message: string }[] };
  const message = checks.find(({ check }) => check === 'disk')?.message ?? '';
  return Number(/(\d+) stored files? with \d+ bytes (?:is|are) not referenced/.exec(message)?.[1]);
}
