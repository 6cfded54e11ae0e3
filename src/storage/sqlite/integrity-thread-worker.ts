/** The thread that checks the integrity of a database. */
import { parentPort, workerData } from 'node:worker_threads';
import { openReader } from './connection.ts';
import { findIntegrityProblems } from './integrity.ts';

const database = openReader(String(workerData));
try {
  parentPort?.postMessage(findIntegrityProblems(database));
} finally {
  database.close();
}
