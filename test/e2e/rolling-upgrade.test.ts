/** Nodes of the previous release are replaced by this version, one after the other, while clients use them. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { postgresAddress } from '../support/postgres-places.ts';
import { CSS_TYPE } from '../support/styles.ts';
import { describeWithPostgis } from '../support/with-postgis.ts';
import { projectFolder } from './server-process.ts';
import { type StartedServer, type StartOptions, startServer } from './started-server.ts';
import { temporaryFolder } from './temporary-folder.ts';

const releases = join(projectFolder, 'test/fixtures/releases');

/** Unpacks the previous release. It uses the packages of this version. */
async function unpackRelease(): Promise<string> {
  const folder = await temporaryFolder();
  const [name = ''] = readdirSync(releases);
  execFileSync('tar', ['-x', '-C', folder], { input: brotliDecompressSync(readFileSync(join(releases, name))) });
  await symlink(join(projectFolder, 'node_modules'), join(folder, 'node_modules'));
  return join(folder, 'dist', 'main.js');
}

async function write(node: StartedServer, name: string): Promise<void> {
  const workspace = { body: JSON.stringify({ workspace: { name } }) };
  expect((await node.request('POST', '/workspaces', workspace)).status).toBe(201);
  const style = { body: `* { stroke: navy; /* ${name} */ }`, headers: { 'content-type': CSS_TYPE } };
  expect((await node.request('POST', `/workspaces/${name}/styles?name=lines`, style)).status).toBe(201);
}

async function expectWritten(node: StartedServer, names: readonly string[]): Promise<void> {
  for (const name of names) {
    const style = await node.request('GET', `/workspaces/${name}/styles/lines.css`);
    expect([style.status, style.text]).toEqual([200, `* { stroke: navy; /* ${name} */ }`]);
  }
}

describeWithPostgis('A rolling upgrade', (postgis) => {
  test('nodes of the previous release and of this version serve each other, and all writes stay', async () => {
    const older = [process.execPath, await unpackRelease()] as const;
    const folder = await temporaryFolder();
    const options: StartOptions = {
      environment: {
        GRATICULE_STORAGE: postgresAddress(postgis, 'rolling_upgrade'),
        GRATICULE_SERVER_KEY: Buffer.alloc(32, 7).toString('base64'),
      },
    };
    const start = (name: string, command?: StartOptions['command']) =>
      startServer({
        ...options,
        dataDir: join(folder, name),
        flags: ['--node-name', name],
        ...(command === undefined ? {} : { command }),
      });
    const [first, second] = [await start('first', older), await start('second', older)];
    await write(first, 'old');
    await expectWritten(second, ['old']);

    expect((await first.stop()).code).toBe(0);
    const newFirst = await start('first');
    await expectWritten(newFirst, ['old']);
    await write(newFirst, 'by-the-new');
    await expectWritten(second, ['old', 'by-the-new']);
    await write(second, 'by-the-old');
    await expectWritten(newFirst, ['old', 'by-the-new', 'by-the-old']);

    expect((await second.stop()).code).toBe(0);
    await write(newFirst, 'meanwhile');
    const newSecond = await start('second');
    await expectWritten(newSecond, ['old', 'by-the-new', 'by-the-old', 'meanwhile']);
    const doctor = await newSecond.request('GET', '/doctor');
    expect(doctor.json()).toMatchObject({ healthy: true });
  });
});
