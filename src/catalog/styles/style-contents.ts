/** Reads the bytes of styles and images by hash. */
import { problem } from '../../lib/problems/problem.ts';
import type { Files } from '../../records/files/files.ts';
import { BlobMissing } from '../../storage/blobs/port.ts';

export interface StyleContents {
  read(hash: string): Promise<Buffer>;
}

export function createStyleContents(files: Pick<Files, 'read'>): StyleContents {
  return {
    async read(hash) {
      try {
        return await files.read(hash);
      } catch (error) {
        if (!(error instanceof BlobMissing)) {
          throw error;
        }
        // Another request may purge the style between reading the record and reading the bytes.
        throw problem(error.state === 'purged' ? 'style-content-purged' : 'style-content-lost', {});
      }
    },
  };
}
