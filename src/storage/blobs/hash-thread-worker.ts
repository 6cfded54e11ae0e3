/** The thread that hashes large files. */
import { createHash, type Hash } from 'node:crypto';
import { parentPort } from 'node:worker_threads';
import type { HashReply, HashRequest } from './hash-thread.ts';

const hashes = new Map<number, Hash>();

parentPort?.on('message', (request: HashRequest) => {
  const { id } = request;
  const hash = hashes.get(id) ?? createHash('sha256');
  if ('buffer' in request) {
    const { buffer, bytes } = request;
    hashes.set(id, hash);
    hash.update(new Uint8Array(buffer, 0, bytes));
    sendReply({ id, buffer, bytes }, [buffer]);
    return;
  }
  hashes.delete(id);
  if (request.end === 'digest') {
    sendReply({ id, hash: hash.digest('hex') });
  }
});

function sendReply(message: HashReply, transferred: readonly ArrayBuffer[] = []): void {
  parentPort?.postMessage(message, [...transferred]);
}
