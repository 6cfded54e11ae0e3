/** Looks through a whole database in a thread of its own: a large one takes seconds, in which nothing else would run. */
import { Worker } from 'node:worker_threads';

export function findIntegrityProblemsInThread(file: string): Promise<readonly string[]> {
  // Beside this file, which has another ending when it is built.
  const program = new URL(import.meta.url.replace(/integrity-thread(\.\w+)$/, 'integrity-thread-worker$1'));
  return new Promise((resolve, reject) => {
    const worker = new Worker(program, { workerData: file });
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', () => reject(new Error('The integrity check thread ended unexpectedly.')));
  });
}
