/** One of the threads that hash stored files for a backup. */
import { createHash } from 'node:crypto';
import { readSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';
import { crc32 } from 'node:zlib';
import { type FileHashOrder, states } from './file-hash-threads.ts';
import { lowerPriority } from './low-priority.ts';

const buffer = Buffer.allocUnsafeSlow(1_048_576);

function hashFile({ descriptor, bytes, result }: FileHashOrder): void {
  const sha256 = createHash('sha256');
  let checksum = 0;
  for (let at = 0; at < bytes; ) {
    // A position, because the thread of the backup reads the same open file.
    const read = readSync(descriptor, buffer, 0, Math.min(buffer.length, bytes - at), at);
    if (read === 0) throw new Error('a file became shorter while it was read');
    const part = buffer.subarray(0, read);
    checksum = crc32(part, checksum);
    sha256.update(part);
    at += read;
  }
  result.checksum[0] = checksum;
  result.sha256.set(sha256.digest());
}

lowerPriority();
parentPort?.on('message', (order: FileHashOrder) => {
  const { state } = order.result;
  try {
    hashFile(order);
    Atomics.store(state, 0, states.finished);
  } catch {
    Atomics.store(state, 0, states.failed);
  }
  Atomics.notify(state, 0);
});
