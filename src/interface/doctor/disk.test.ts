/** Disk reports of the doctor and the metrics. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { itInDirectory } from '../../../test/support/shared-storage.ts';
import { startTestServer, type TestServer } from '../../../test/support/test-server.ts';
import { type Disk, realDisk } from '../../storage/blobs/disk.ts';
import { hashBytes } from '../../storage/blobs/port.ts';

const GIGABYTE = 1_073_741_824;

/** A server whose disk reports this many free bytes of a terabyte. */
async function serverWith(freeBytes: number): Promise<TestServer> {
  const disk: Disk = { ...realDisk, measureSpace: async () => ({ freeBytes, totalBytes: 1_024 * GIGABYTE }) };
  const server = await startTestServer({ disk });
  onTestFinished(() => server.close());
  return server;
}

async function examine(server: TestServer) {
  const { healthy, checks, problems } = (await server.get('/doctor')).json() as {
    readonly healthy: boolean;
    readonly checks: readonly { readonly check: string; readonly ok: boolean; readonly message: string }[];
    readonly problems: readonly unknown[];
  };
  return { healthy, disk: checks.find(({ check }) => check === 'disk'), problems };
}

async function metric(server: TestServer, name: string): Promise<number | undefined> {
  const line = (await server.get('//metrics')).text.split('\n').find((each) => each.startsWith(`${name} `));
  return line === undefined ? undefined : Number(line.slice(name.length + 1));
}

describe('disk check', () => {
  it('reports the free bytes of a disk with enough space', async () => {
    const server = await serverWith(2 * GIGABYTE);

    const { healthy, disk, problems } = await examine(server);

    expect([healthy, problems]).toEqual([true, []]);
    expect(disk?.message).toContain(`${2 * GIGABYTE} bytes are free on the disk of the data directory.`);
    expect(await metric(server, 'graticule_disk_free_bytes{root="data"}')).toBe(2 * GIGABYTE);
    expect(await metric(server, 'graticule_disk_total_bytes{root="data"}')).toBe(1_024 * GIGABYTE);
  });

  it('reports a problem for a nearly full disk', async () => {
    const server = await serverWith(200_000_000);

    const { healthy, disk, problems } = await examine(server);

    expect([healthy, disk?.ok]).toEqual([false, false]);
    expect(problems).toEqual([
      {
        path: null,
        code: 'disk-nearly-full',
        message:
          'The disk of the data directory is nearly full: 200000000 of 1099511627776 bytes are free. ' +
          'Delete data that is no longer needed, or enlarge the disk.',
      },
    ]);
  });
});

describe('stored files', () => {
  it('are not orphaned while a style or the history refers to them', async () => {
    const server = await serverWith(2 * GIGABYTE);
    const style = { type: 'application/vnd.graticule.geocss+css', body: '* { stroke: navy; }' };
    expect((await server.request('POST', '/styles?name=plan', style)).status).toBe(201);
    expect((await server.delete('/styles/plan')).status).toBe(200);

    expect((await examine(server)).disk?.message).toContain(' 0 stored files with 0 bytes are not referenced');
  });

  itInDirectory('are counted as orphaned when nothing refers to them', async () => {
    const server = await serverWith(2 * GIGABYTE);
    const bytes = Buffer.alloc(4_900, 'left by an upload that failed in an earlier version ');
    const hash = hashBytes(bytes);
    const folder = join(server.dataDir, 'blobs', hash.slice(0, 2));
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, hash), bytes);

    expect((await examine(server)).disk?.message).toContain(' 1 stored file with 4900 bytes is not referenced');
    expect(await metric(server, 'graticule_orphaned_bytes')).toBe(4_900);
    expect(await metric(server, 'graticule_orphaned_files')).toBe(1);
  });

  it('are counted for the metrics without the doctor', async () => {
    const server = await serverWith(2 * GIGABYTE);

    await expect.poll(() => metric(server, 'graticule_orphaned_bytes')).toBe(0);
  });
});
