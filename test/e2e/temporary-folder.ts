/** A folder that is deleted after the test. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'graticule-e2e-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
