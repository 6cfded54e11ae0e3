/** Data directories of older versions, and the recorded responses of those versions. */
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Recording } from './recorded-answers.ts';
import { projectFolder } from './server-process.ts';
import { temporaryFolder } from './temporary-folder.ts';

const place = join(projectFolder, 'test', 'fixtures', 'data-directories');

/** One for each release. */
export const recordings: readonly Recording[] = readdirSync(place)
  .filter((name) => name.endsWith('.json'))
  .map((name) => JSON.parse(readFileSync(join(place, name), 'utf8')) as Recording);

export function findNewestRecording(): Recording {
  const byNumbers = new Intl.Collator('en', { numeric: true });
  const newest = recordings.toSorted((one, other) => byNumbers.compare(one.version, other.version)).at(-1);
  if (newest === undefined) throw new Error(`No data directory exists in ${place}.`);
  return newest;
}

/** A new copy of the data of that version; it is deleted after the test. */
export async function unpackDataDirectory({ version }: Recording): Promise<string> {
  const folder = await temporaryFolder();
  await promisify(execFile)('tar', ['-xzf', join(place, `${version}.tar.gz`), '--no-same-owner', '-C', folder]);
  return join(folder, 'data');
}
