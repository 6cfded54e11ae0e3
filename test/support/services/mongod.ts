/** Starts a private MongoDB if one is installed: on a free local port, in a temporary folder, never as root. */
import { chownSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { freePort } from './free-port.ts';
import { ordinaryUser } from './ordinary-user.ts';
import type { RunningService } from './running-service.ts';
import { startSupervisedServer } from './supervised-server.ts';

const HOST = '127.0.0.1';
const READY_DEADLINE_MS = 120_000;

export interface MongodServer {
  /** Without a database name. */
  readonly url: string;
}

export async function startMongod(program: string): Promise<RunningService<MongodServer>> {
  const user = ordinaryUser(['mongodb', 'nobody']);
  const folder = mkdtempSync(join(tmpdir(), 'graticule-mongod-'));
  if (user !== undefined) chownSync(folder, user.uid, user.gid);
  const port = await freePort(HOST);
  const server = startSupervisedServer({
    folder,
    user,
    preparations: [],
    server: [program, '--bind_ip', HOST, '--port', String(port), '--dbpath', folder, '--nounixsocket'],
    stopSignal: 'SIGINT',
  });
  const url = `mongodb://${HOST}:${port}/`;
  const client = new MongoClient(url, { serverSelectionTimeoutMS: READY_DEADLINE_MS });
  try {
    await Promise.race([client.db('admin').command({ ping: 1 }), server.unexpectedEnd]);
    return { details: { url }, stop: server.stop };
  } catch (error) {
    await server.stop();
    throw error;
  } finally {
    await client.close();
  }
}
