/**
 * Lessons 1 to 4 for uploads of vector data: malicious archives are rejected, and the data directory stays unchanged.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { surveyFiles } from '../support/mapping-samples.ts';
import { type RawEntry, rawZip } from '../support/raw-zip.ts';
import { useTestServer } from '../support/test-server.ts';
import { createZipEntries, pointShapefile, putZip, snapshot } from '../support/vector-samples.ts';

const good = createZipEntries({ good: pointShapefile() });
const survey = Object.entries(surveyFiles).map(([name, data]) => ({ name, data }));
const SYMLINK = 0o120777;

/** Each malicious entry accompanies a valid shapefile, which must be rejected too. */
const archives: readonly (readonly [lesson: string, entry: readonly RawEntry[], status: number])[] = [
  ...[
    '../evil.shp',
    'a/../../evil.shp',
    '/etc/evil.shp',
    'C:/evil.shp',
    '\\\\server\\share\\evil.shp',
    '..\\evil.shp',
    'evil\0.shp',
    `${'a'.repeat(300)}.shp`,
  ].map((name) => [`lesson 1: an entry ${JSON.stringify(name.slice(0, 30))}`, [{ name, data: 'x' }], 400] as const),
  ['lesson 2: a symbolic link', [{ name: 'link.shp', data: '/etc/passwd', mode: SYMLINK }], 400],
  [
    'lesson 2: a symbolic link to a folder, and a file in it',
    [
      { name: 'dir', data: '/tmp', mode: SYMLINK },
      { name: 'dir/evil.shp', data: 'x' },
    ],
    400,
  ],
  ['lesson 3: a bomb', [{ name: 'bomb.dbf', data: Buffer.alloc(40_000_000), method: 8 }], 413],
  [
    'lesson 3: a declared size smaller than the data',
    [{ name: 'liar.dbf', data: Buffer.alloc(30_000_000), method: 8, inflatedBytes: 10 }],
    400,
  ],
  ['lesson 3: too many entries', Array.from({ length: 20_001 }, (_, index) => ({ name: `f${index}` })), 413],
  ['lesson 4: a duplicate entry', [{ name: 'good.shp', data: 'other' }], 400],
  ['lesson 4: a duplicate entry in different case', [{ name: 'GOOD.SHP', data: 'other' }], 400],
  ['lesson 4: a file and a folder with the same name', [{ name: 'good.shp/inner.txt', data: 'x' }], 400],
];

describe('archives with vector data', () => {
  const server = useTestServer();
  beforeAll(async () => {
    await server.post('/workspaces', '<workspace><name>acme</name></workspace>');
    await putZip(server, '/workspaces/acme/datastores/there/file.shp', rawZip(good));
  });

  it.each(archives)('rejects %s', async (_lesson, entries, status) => {
    const before = await snapshot(server.dataDir);
    const position = await server.server.storage.position();

    for (const store of ['fresh', 'there']) {
      const reply = await putZip(
        server,
        `/workspaces/acme/datastores/${store}/file.shp`,
        rawZip([...good, ...entries]),
      );
      expect([reply.status, reply.text]).toEqual([status, expect.stringMatching(/^The archive /)]);
    }
    const mapped = await putZip(
      server,
      '/workspaces/acme/datastores/mapped/file.appschema?configure=all',
      rawZip([...good, ...survey, ...entries]),
    );
    expect([mapped.status, mapped.text]).toEqual([status, expect.stringMatching(/^The archive /)]);

    expect(await snapshot(server.dataDir)).toEqual(before);
    expect(await server.server.storage.position()).toBe(position);
    expect((await server.get('/workspaces/acme/datastores/fresh.xml')).status).toBe(404);
    expect((await server.get('/workspaces/acme/datastores/there/featuretypes.json?list=all')).text).toContain('good');
  });

  it('lesson 3: stores a nested archive as a file without unpacking it', async () => {
    const inner = rawZip([{ name: '../../evil.shp', data: 'x' }]);

    const reply = await putZip(
      server,
      '/workspaces/acme/datastores/nested/file.shp',
      rawZip([
        ...good.map((entry) => ({ ...entry, name: `n${String(entry.name)}` })),
        { name: 'inner.zip', data: inner },
      ]),
    );

    expect(reply.status).toBe(201);
    expect(Object.keys(await snapshot(server.dataDir)).filter((name) => name.includes('evil'))).toEqual([]);
  });
});
