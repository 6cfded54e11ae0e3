/**
 * The program of the process that reads a view. Its statement runs in a thread, so that the process notices when its
 * reader is gone: a thread that executes SQLite cannot be ended, but the process can.
 */
import { Worker } from 'node:worker_threads';
import type { ViewOrder } from './view-messages.ts';

function start(order: ViewOrder): void {
  // The worker is in the same folder. Its extension differs after the build.
  const program = new URL(import.meta.url.replace(/view-process(\.\w+)$/, 'view-thread$1'));
  const thread = new Worker(program, { workerData: order });
  thread.on('error', () => process.exit(1));
  thread.on('exit', (code) => process.exit(code));
}

const end = () => process.kill(process.pid, 'SIGKILL');

let text = '';
let isStarted = false;
process.stdin.setEncoding('utf8');
process.stdin.on('data', (piece: string) => {
  text += piece;
  if (isStarted || !text.endsWith('\n')) return;
  isStarted = true;
  start(JSON.parse(text) as ViewOrder);
});
// The reader, or the server, has ended.
process.stdin.on('end', end).on('error', end);
