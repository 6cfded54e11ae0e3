/** Backups of test servers, and servers on what they restore. */
import { readFile, writeFile } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';
import { expect } from 'vitest';
import { BackupArchive } from '../../src/lib/backup/archive-reader.ts';
import { runRestoreCommand } from '../../src/server/maintenance/restore-command.ts';
import type { TestServer } from './test-server.ts';

export interface RestoreResult {
  readonly code: number;
  readonly printed: string;
  readonly errors: string;
}

export async function runRestore(
  words: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<RestoreResult> {
  let [printed, errors] = ['', ''];
  const code = await runRestoreCommand(words, {
    folder: '/',
    environment,
    print: (text) => {
      printed += text;
    },
    printError: (text) => {
      errors += text;
    },
  });
  return { code, printed, errors };
}

/** Saves a backup as a file. */
export async function saveBackup(
  server: TestServer,
  file: string,
  { query = '', passphrase }: { readonly query?: string; readonly passphrase?: string } = {},
): Promise<void> {
  const headers = passphrase === undefined ? {} : { 'graticule-passphrase': encodeURIComponent(passphrase) };
  const reply = await server.get(`/backup${query}`, { headers });
  expect(reply.status, reply.text.slice(0, 500)).toBe(200);
  await writeFile(file, reply.bytes);
}

export function readBackupId(file: string): string {
  const archive = BackupArchive.open(file, { checksObjects: false });
  archive.close();
  return archive.id;
}

/** Writes a backup of the first format. */
export async function writeFixtureBackup(file: string): Promise<void> {
  const compressed = await readFile(new URL('../fixtures/backups/format-1.backup.gz', import.meta.url));
  await writeFile(file, gunzipSync(compressed));
}
