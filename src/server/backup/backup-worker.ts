/** The thread that writes a backup: hashing and encrypting would block the event loop. */
import { once } from 'node:events';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { ArchiveWriter } from '../../lib/backup/archive-writer.ts';
import { ChunkWriter } from '../../lib/backup/chunks.ts';
import { FORMAT } from '../../lib/backup/format.ts';
import { createSeal } from '../../lib/backup/seal.ts';
import { StoredFileChecks } from '../../lib/backup/stored-file-checks.ts';
import type { BackupMessage, BackupOrder } from './backup-order.ts';
import type { BackupSource } from './backup-source.ts';
import { ChunkSender } from './chunk-ring.ts';
import { FileHashThreads } from './file-hash-threads.ts';
import { lowerPriority } from './low-priority.ts';
import { writeBackup } from './write-backup.ts';

type PostMessage = (message: BackupMessage) => void;

/** Returns undefined after the failure has been reported. */
async function openSource({ source }: BackupOrder, post: PostMessage): Promise<BackupSource | undefined> {
  if (source.kind === 'directory') {
    const { LockedFile, openDirectorySource } = await import('./directory-source.ts');
    try {
      return await openDirectorySource(source);
    } catch (error) {
      if (!(error instanceof LockedFile)) throw error;
      post({ kind: 'locked', path: error.path });
      return undefined;
    }
  }
  const { openPostgresBackup } = await import('./postgres-source.ts');
  return openPostgresBackup(source);
}

async function run(order: BackupOrder, port: MessagePort): Promise<void> {
  const post: PostMessage = (message) => port.postMessage(message);
  const sender = new ChunkSender(order.ring);
  const emit = (chunk: Uint8Array) => {
    sender.add(chunk);
    post({ kind: 'chunk', bytes: chunk.length });
  };
  const source = await openSource(order, post);
  if (source === undefined) return;
  const hashThreads = new FileHashThreads();
  try {
    const resumed = once(port, 'message');
    post({ kind: 'opened' });
    await resumed;
    const { version, createdAt, base } = order;
    const seal = order.passphrase === undefined ? undefined : await createSeal(order.passphrase);
    const out = new ChunkWriter(emit, seal, () => sender.allocate());
    const header = { format: FORMAT, version, createdAt, since: base?.id ?? null };
    const checks = new StoredFileChecks(order.checksums, (...file) => hashThreads.start(...file));
    const writer = new ArchiveWriter(out, header, { base: base?.objects, checks });
    const { id } = await writeBackup(source, writer);
    const { damaged } = writer;
    const omitted = source.entries.filter(({ kind }) => kind === 'invalid name').map(({ path }) => path);
    post({ kind: 'done', id, objects: writer.listShortHashes(), checksums: checks.listChecksums(), damaged, omitted });
  } finally {
    await hashThreads.end();
    await source.close();
  }
}

lowerPriority();
if (parentPort === null) throw new Error('This module runs in a thread');
await run(workerData as BackupOrder, parentPort);
