/** Checks a whole database in a thread: a large one takes seconds, which would block the event loop. */
import { Worker } from 'node:worker_threads';

export function findIntegrityProblemsInThread(file: string): Promise<readonly string[]> {
  // The worker is in the same folder. Its extension differs after the build.
  const program = new URL(import.meta.url.replace(/integrity-thread(\.\w+)$/, 'integrity-thread-worker$1'));
  return new Promise((resolve, reject) => {
    const worker = new Worker(program, { workerData: file });
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', () => reject(new Error('The integrity check thread ended unexpectedly.')));
  });
}
