/** A folder that exists as long as the tests of a file. */
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

/** Its path; the folder is created immediately and deleted after the tests. */
export function useTemporaryFolder(purpose: string): string {
  const folder = mkdtempSync(join(tmpdir(), `graticule-${purpose}-`));
  afterAll(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
