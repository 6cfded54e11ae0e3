/** The thread that hashes large files. */
import { parentPort } from 'node:worker_threads';
import { ContentHash } from './content-hash.ts';
import type { HashReply, HashRequest } from './hash-thread.ts';
import { hashBytes } from './port.ts';

const hashes = new Map<number, ContentHash>();

parentPort?.on('message', (request: HashRequest) => {
  const { id } = request;
  const hash = hashes.get(id) ?? new ContentHash();
  if ('buffer' in request) {
    const { buffer, bytes } = request;
    hashes.set(id, hash);
    hash.update(new Uint8Array(buffer, 0, bytes));
    sendReply({ id, buffer, bytes }, [buffer]);
    return;
  }
  if ('part' in request) {
    const view = new Uint8Array(request.part, 0, request.bytes);
    hashes.set(id, hash);
    hash.update(view);
    sendReply({ id, partHash: hashBytes(view) });
    return;
  }
  hashes.delete(id);
  if (request.end === 'digest') {
    sendReply({ id, content: hash.digest() });
  }
});

function sendReply(message: HashReply, transferred: readonly ArrayBuffer[] = []): void {
  parentPort?.postMessage(message, [...transferred]);
}
