/** kill -9 during batches and requests with keys: each batch is stored completely or not at all, and never twice. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readWorkspaces } from './catalog-view.ts';
import { inspectStorage } from './replay.ts';
import { seededRandom } from './seeded-random.ts';
import { type StartedServer, startServer } from './started-server.ts';
import { temporaryFolder } from './temporary-folder.ts';

const KILLS = Number(process.env['BATCH_KILLS'] ?? 4);
const WRITERS = 4;
const SIZE = 5;

const body = (batch: string) =>
  JSON.stringify({
    operations: [
      ...Array.from({ length: SIZE - 1 }, (_, index) => ({
        method: 'POST',
        path: '/workspaces',
        body: { workspace: { name: `${batch}-${index}` } },
      })),
      { method: 'PUT', path: `/resource/data/sent/${batch}`, content: batch, contentType: 'text/plain' },
    ],
  });

test(`a batch survives ${KILLS} kills completely or not at all, and is executed once however often it is sent`, async () => {
  const random = seededRandom(Date.now());
  const dataDir = join(await temporaryFolder(), 'data');
  const sent = new Set<string>();
  const answered = new Set<string>();

  async function send({ client }: StartedServer, batch: string): Promise<void> {
    sent.add(batch);
    const headers = { 'content-type': 'application/json', 'idempotency-key': batch };
    const reply = await client.request('POST', '/batch', { headers, body: body(batch) });
    if (reply.status === 200) answered.add(batch);
  }

  for (let kill = 0; kill < KILLS; kill += 1) {
    const server = await startServer({ dataDir });
    // A client without a response repeats the request with the same key.
    for (const batch of [...sent].filter((each) => !answered.has(each))) await send(server, batch);
    const enough = answered.size + 1 + Math.floor(random() * 12);
    let killed: Promise<void> | undefined;
    const writers = Array.from({ length: WRITERS }, async (_, writer) => {
      for (let index = 0; answered.size < enough; index += 1) await send(server, `b${kill}-${writer}-${index}`);
      killed ??= server.kill();
    });
    await Promise.allSettled(writers);
    await killed;
  }

  const last = await startServer({ dataDir });
  const names = new Set((await readWorkspaces(last.client)).map(({ name }) => name));
  await last.stop();
  const files = new Set(await readdir(join(dataDir, 'data/sent')));
  for (const batch of sent) {
    const workspaces = Array.from({ length: SIZE - 1 }, (_, index) => names.has(`${batch}-${index}`));
    const there = [...workspaces, files.has(batch)].filter(Boolean).length;
    expect([0, SIZE], batch).toContain(there);
    if (answered.has(batch)) expect(there, batch).toBe(SIZE);
  }
  await inspectStorage(dataDir, async (storage) => {
    expect(await storage.findIntegrityProblems()).toEqual([]);
    const batches = (await storage.listChanges(0, 10_000)).filter(({ what }) => what === `batch of ${SIZE} operations`);
    expect(batches.length).toBe(names.size / (SIZE - 1));
    expect(files.size).toBe(batches.length);
    const isWhole = (items: readonly { readonly kind: string }[]) =>
      items.filter(({ kind }) => kind === 'workspace').length === SIZE - 1;
    expect(batches.every(({ items }) => isWhole(items))).toBe(true);
  });
});
