/** The uploaded files of a store on the disk. */
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { openFiles } from '../../src/records/files/files.ts';
import type { TestServer } from './test-server.ts';

/** The file set of the store `workspace/store`; null without uploaded files. */
export async function findFileSet({ server }: TestServer, store: string): Promise<string | null> {
  const [workspaceName = '', name = ''] = store.split('/');
  const workspace = await server.storage.find('workspace', null, workspaceName);
  const found = await server.storage.find('dataStore', workspace?.id ?? '', name);
  return found?.body['fileSet'] as string | null;
}

/** A copy of its files, deleted after the test. */
export async function uploadedFiles(server: TestServer, store: string): Promise<string> {
  const copy = await mkdtemp(join(tmpdir(), 'graticule-uploaded-'));
  onTestFinished(() => rm(copy, { recursive: true }));
  const folder = await openFiles({ root: server.dataDir }).openSet(String(await findFileSet(server, store)));
  await cp(folder, copy, { recursive: true });
  return copy;
}
