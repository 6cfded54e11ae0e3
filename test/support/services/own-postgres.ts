/** A PostgreSQL for a single test, to simulate database failures. */
import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { findPostgis } from '../find-postgis.ts';
import { type PostgisConnection, startPostgis } from './postgis.ts';

export interface OwnPostgres {
  readonly connection: PostgisConnection;
  query(statement: string): Promise<readonly Readonly<Record<string, unknown>>[]>;
  /** Stops gracefully or as in a crash; `start` restarts it. */
  stop(how: 'in order' | 'crash'): void;
  start(): void;
  /** Pauses all processes with their connections open. */
  pause(): void;
  resume(): void;
  /** Whether it only accepts reads. */
  setReadOnly(isReadOnly: boolean): Promise<void>;
  close(): Promise<void>;
}

export async function startOwnPostgres(): Promise<OwnPostgres> {
  const programs = findPostgis();
  if (programs === undefined) throw new Error('PostgreSQL is missing');
  const { details, stop } = await startPostgis(programs, undefined, { isStartedAgain: true });
  const { connection, folder } = details;
  const down = join(folder, 'down');
  const processId = () => Number(readFileSync(join(folder, 'data', 'postmaster.pid'), 'utf8').split('\n')[0]);
  let paused: readonly number[] = [];

  async function query(statement: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
    const client = new Client({ ...connection });
    await client.connect();
    try {
      return (await client.query(statement)).rows;
    } finally {
      await client.end();
    }
  }

  function resume(): void {
    for (const id of paused) process.kill(id, 'SIGCONT');
    paused = [];
  }

  return {
    connection,
    query,
    stop(how) {
      writeFileSync(down, '');
      process.kill(processId(), how === 'crash' ? 'SIGQUIT' : 'SIGINT');
    },
    start: () => rmSync(down),
    pause() {
      paused = listProcessFamily(processId());
      for (const id of paused) process.kill(id, 'SIGSTOP');
    },
    resume,
    async setReadOnly(isReadOnly) {
      await query(`ALTER SYSTEM SET default_transaction_read_only = ${isReadOnly ? 'on' : 'off'}`);
      await query('SELECT pg_reload_conf()');
    },
    async close() {
      resume();
      rmSync(down, { force: true });
      await stop();
    },
  };
}

/** A process, followed by its child processes. */
function listProcessFamily(id: number): readonly number[] {
  const pairs = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n');
  const children = pairs
    .map((line) => line.trim().split(/\s+/).map(Number))
    .flatMap(([child, parent]) => (parent === id && child !== undefined ? [child] : []));
  return [id, ...children];
}
