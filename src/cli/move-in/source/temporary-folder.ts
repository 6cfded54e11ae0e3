/** A temporary directory that only the owner can read. It is removed when the process exits, also after a signal. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface TemporaryFolder {
  readonly path: string;
  remove(): void;
}

export function createTemporaryFolder(): TemporaryFolder {
  const path = mkdtempSync(join(tmpdir(), 'graticule-move-in-'));
  // A write that is still running in another thread can add a file meanwhile.
  const removeFolder = () => rmSync(path, { recursive: true, force: true, maxRetries: 5 });
  process.on('exit', removeFolder);
  return {
    path,
    remove: () => {
      process.off('exit', removeFolder);
      removeFolder();
    },
  };
}
