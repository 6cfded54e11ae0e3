/** The thread that looks through a database. */
import { parentPort, workerData } from 'node:worker_threads';
import { openReader } from './connection.ts';
import { integrityProblems } from './integrity.ts';

const database = openReader(String(workerData));
try {
  parentPort?.postMessage(integrityProblems(database));
} finally {
  database.close();
}
