/** An archive on another server: the main thread reads its blocks and keeps them in memory. */
import { problem } from '../../lib/problems/problem.ts';
import type { RangeChannel } from '../../remote/channel.ts';
import { requestRanges } from '../../remote/range-channel.ts';
import { getRemoteFileName } from '../../remote/remote-url.ts';
import type { ByteFile } from './model/byte-file.ts';

export function openRemoteByteFile(url: string, channel: RangeChannel): ByteFile {
  const name = getRemoteFileName(url);
  const { sizeBytes } = requestRanges(channel, { url, ranges: [] });
  return {
    name,
    sizeBytes,
    read(position, length) {
      if (!(position >= 0 && length >= 0 && position + length <= sizeBytes)) {
        throw problem('vector-file-truncated', { file: name, offset: sizeBytes, expectedBytes: position + length });
      }
      if (length === 0) return new Uint8Array();
      const [bytes] = requestRanges(channel, { url, ranges: [{ position, length }] }).parts;
      if (bytes === undefined) throw new Error('A remote file returned no bytes.');
      return bytes;
    },
    close: () => undefined,
  };
}
