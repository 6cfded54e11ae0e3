/** The thread that writes an archive: compressing tiles and waiting for the disk would block the event loop. */
import { parentPort, workerData } from 'node:worker_threads';
import { findErrorCode } from '../../lib/problems/error-code.ts';
import { createArchiveFile } from '../../lib/tile-archive/archive-file.ts';
import type { ArchiveOrder, ArchiveReply, ArchiveRequest } from './archive-messages.ts';

const post = (reply: ArchiveReply) => parentPort?.postMessage(reply);

function fail(error: unknown): void {
  post({
    kind: 'failed',
    message: error instanceof Error ? error.message : String(error),
    code: findErrorCode(error) || undefined,
  });
  parentPort?.close();
}

function run({ path, kind, type }: ArchiveOrder): void {
  const archive = createArchiveFile(path, kind, type);
  parentPort?.on('message', (request: ArchiveRequest) => {
    try {
      if (request.kind === 'tile') {
        archive.add(request.position, request.bytes);
        post({ kind: 'written', tileBytes: request.bytes.length, archiveBytes: archive.countBytes() });
        return;
      }
      archive.finish(request.summary);
      post({ kind: 'finished' });
      parentPort?.close();
    } catch (error) {
      archive.close();
      fail(error);
    }
  });
}

try {
  run(workerData as ArchiveOrder);
} catch (error) {
  fail(error);
}
