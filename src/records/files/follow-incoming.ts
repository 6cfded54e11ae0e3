/** Stores files of a staging folder while they are written. */
import { allSettled } from '../../lib/async/all-settled.ts';
import type { Blobs, IncomingBlob } from '../../storage/blobs/port.ts';
import type { StagingFolder } from '../../storage/files/staging.ts';

/** The bytes of files that were not stored in the end are discarded with the folder. */
export function followIncoming(folder: StagingFolder, blobs: Pick<Blobs, 'follow'>): StagingFolder {
  const followed: IncomingBlob[] = [];
  return {
    path: folder.path,
    follow(file, isStorable) {
      const incoming = blobs.follow?.(file, isStorable);
      if (incoming !== undefined) followed.push(incoming);
      return incoming;
    },
    async discard() {
      await allSettled([...followed.splice(0).map((each) => each.discard()), folder.discard()]);
    },
  };
}
