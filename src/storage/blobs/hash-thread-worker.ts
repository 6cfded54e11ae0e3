/** The thread that works out hashes of large files. */
import { createHash, type Hash } from 'node:crypto';
import { parentPort } from 'node:worker_threads';
import type { HashReply, HashRequest } from './hash-thread.ts';

const hashes = new Map<number, Hash>();

parentPort?.on('message', ({ id, piece }: HashRequest) => {
  const reply = (message: HashReply) => parentPort?.postMessage(message);
  if (piece === 'discard') {
    hashes.delete(id);
    return;
  }
  const hash = hashes.get(id) ?? createHash('sha256');
  if (piece === 'end') {
    hashes.delete(id);
    reply({ id, hash: hash.digest('hex') });
    return;
  }
  hashes.set(id, hash);
  hash.update(piece);
  reply({ id, takenBytes: piece.length });
});
