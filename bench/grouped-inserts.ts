/** The baseline of PostgreSQL writes: inserts of several clients over one connection, with group commit. */
import { Client, type ClientConfig } from 'pg';

const BODY = `{"filler":"${'x'.repeat(400)}"}`;

/** The number of durable inserts per second. */
export async function measureGroupedInserts(connection: ClientConfig, clients: number, count: number): Promise<number> {
  const client = new Client({ ...connection, pipeline: true });
  await client.connect();
  await client.query('CREATE TABLE IF NOT EXISTS bare_inserts (id bigserial PRIMARY KEY, body text NOT NULL)');
  const waiting: (() => void)[] = [];
  let isRunning = false;

  async function commitGroups(): Promise<void> {
    isRunning = true;
    for (let group = waiting.splice(0); group.length > 0; group = waiting.splice(0)) {
      const sent = [client.query('BEGIN')];
      for (const _ of group) {
        sent.push(
          client.query({ name: 'insert', text: 'INSERT INTO bare_inserts (body) VALUES ($1)', values: [BODY] }),
        );
      }
      sent.push(client.query('COMMIT'));
      await Promise.all(sent);
      for (const done of group) done();
      await new Promise(setImmediate);
    }
    isRunning = false;
  }

  let next = 0;
  async function insertAll(): Promise<void> {
    while (next < count) {
      next += 1;
      await new Promise<void>((resolve) => {
        waiting.push(resolve);
        if (!isRunning) void commitGroups();
      });
    }
  }

  const startedAt = performance.now();
  await Promise.all(Array.from({ length: clients }, insertAll));
  const perSecond = (count / (performance.now() - startedAt)) * 1_000;
  await client.end();
  return perSecond;
}
