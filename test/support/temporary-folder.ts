/** A folder that lives as long as the tests of a file. */
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

/** Its path; the folder is there at once, and gone after the tests. */
export function useTemporaryFolder(purpose: string): string {
  const folder = mkdtempSync(join(tmpdir(), `graticule-${purpose}-`));
  afterAll(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
