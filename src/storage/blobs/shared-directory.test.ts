import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { temporaryFolder } from '../../../test/e2e/temporary-folder.ts';
import { createKeyedMutex } from '../../lib/async/keyed-mutex.ts';
import { hashBytes } from './port.ts';
import { openSharedDirectory } from './shared-directory.ts';

const DAY_MS = 86_400_000;

test('a starting node removes the staging folders of dead nodes only, regardless of clock differences', async () => {
  const directory = await temporaryFolder();
  const staging = join(directory, 'staging');
  await mkdir(staging);
  await writeFile(join(staging, 'blob-under-way'), 'half a file');
  await writeFile(join(staging, 'blob-left'), 'half a file');
  const longAgo = new Date(Date.now() - 2 * DAY_MS);
  await utimes(join(staging, 'blob-left'), longAgo, longAgo);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3 * DAY_MS });
  onTestFinished(() => void vi.useRealTimers());
  const bytes = Buffer.from('a style');

  const node = openSharedDirectory({ directory, shelf: 'blobs', runExclusive: createKeyedMutex() });
  await node.put(hashBytes(bytes), bytes);

  expect(await readdir(staging)).toEqual(['blob-under-way']);
});
