/** Commands that a signal interrupts leave no temporary file. */
import { once } from 'node:events';
import { mkdirSync, readdirSync, watch } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type RemoteServer, startRemoteServer } from '../support/remote-server.ts';
import { createCopiedData } from '../support/source-directories/copied-data.ts';
import { createSampleDirectory } from '../support/source-directories/sample.ts';
import { CONTEXT, createStandIn } from '../support/source-directories/stand-in.ts';
import { packDirectory } from '../support/source-directories/write-directory.ts';
import { spawnServer } from './server-process.ts';
import { temporaryFolder } from './temporary-folder.ts';

const exitCodes = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

function startCommand({ port }: RemoteServer, folder: string, flags: readonly string[]) {
  const environment = {
    GRATICULE_URL: `http://127.0.0.1:${port}/geoserver/rest`,
    GRATICULE_PASSWORD: 'x',
    TMPDIR: folder,
  };
  return spawnServer({ command: [process.execPath, 'src/cli/main.ts'], flags, environment });
}

describe.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('%s', (signal) => {
  it('removes the unpacked archive of a move', async () => {
    const folder = await temporaryFolder();
    const temporary = join(folder, 'tmp');
    mkdirSync(temporary);
    await writeFile(join(folder, 'old.zip'), packDirectory(createSampleDirectory()));
    const { promise: asked, resolve } = Promise.withResolvers<void>();
    // The target never answers, so that the command waits with its files.
    const target = await startRemoteServer(() => resolve());

    const command = startCommand(target, temporary, ['move-in', join(folder, 'old.zip'), '--yes']);
    await asked;
    const meanwhile = readdirSync(temporary);
    command.signal(signal);
    const { code } = await command.ended();

    expect(meanwhile).toEqual([expect.stringMatching(/^graticule-move-in-/)]);
    expect(code).toBe(exitCodes[signal]);
    expect(readdirSync(temporary)).toEqual([]);
  });
});

it('SIGINT ends a download of data and removes its files', async () => {
  const folder = await temporaryFolder();
  const temporary = join(folder, 'tmp');
  mkdirSync(temporary);
  const { promise: asked, resolve } = Promise.withResolvers<void>();
  const source = await startRemoteServer(
    createStandIn(await createCopiedData(), {
      intercept: (path, response) => {
        if (!path.endsWith('/heights.tif')) return false;
        // The second half never arrives.
        response.writeHead(200, { 'content-length': '131072', 'resource-type': 'resource' });
        response.write(Buffer.alloc(65_536), () => resolve());
        return true;
      },
    }),
  );
  const old = `http://127.0.0.1:${source.port}${CONTEXT}`;

  const command = startCommand(source, temporary, ['move-in', old, '--output', join(folder, 'x.zip')]);
  await asked;
  const meanwhile = readdirSync(temporary);
  command.signal('SIGINT');
  const { code } = await command.ended();

  expect(meanwhile).toEqual([expect.stringMatching(/^graticule-move-in-/)]);
  expect(code).toBe(130);
  expect(readdirSync(temporary)).toEqual([]);
});

it('SIGINT removes a file that is not yet complete', async () => {
  const folder = await temporaryFolder();
  const output = join(folder, 'output');
  mkdirSync(output);
  const target = await startRemoteServer((_, response) => {
    response.writeHead(200, { 'content-type': 'application/octet-stream' }).write(Buffer.alloc(65_536));
  });
  const watcher = watch(output);
  const written = once(watcher, 'change');

  const command = startCommand(target, folder, ['backup', join(output, 'all.backup')]);
  await written;
  watcher.close();
  const meanwhile = readdirSync(output);
  command.signal('SIGINT');
  const { code } = await command.ended();

  expect(meanwhile).toEqual([expect.stringMatching(/^all\.backup\./)]);
  expect(code).toBe(130);
  expect(readdirSync(output)).toEqual([]);
});
