/** Blocks of remote files, for tests that have none. */
import { RemoteBlocks } from '../../src/remote/remote-blocks.ts';

export const noRemoteFiles = new RemoteBlocks({
  source: {
    async readRange(url) {
      throw new Error(`This test reads no remote files, but '${url}' was requested.`);
    },
  },
  maxBytes: 0,
  clock: () => 0,
});
