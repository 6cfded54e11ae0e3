/**
 * The server answers other requests while it processes a large one. The tests count responses instead of measuring
 * time.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { styleKind } from '../../src/catalog/kinds/style.ts';
import { workspaceKind } from '../../src/records/workspace.ts';
import { type Reply, type TestServer, useTestServer } from '../support/test-server.ts';

const RECORDS = 20_000;

/** Adds a workspace with very many styles to the catalog. */
async function fill(server: TestServer, name: string): Promise<void> {
  expect((await server.post('/workspaces', JSON.stringify({ workspace: { name } }))).status).toBe(201);
  await server.server.storage.write({ who: 'test', what: 'fill' }, async (transaction) => {
    const workspace = await transaction.find(workspaceKind.kind, null, name);
    for (let count = 0; count < RECORDS; count += 1) {
      await transaction.insert({
        kind: styleKind.kind,
        parent: workspace?.id ?? '',
        name: `style-${count}`,
        body: { filename: `${count}.sld`, format: { language: 'sld', version: '1.0.0' }, legend: null, metadata: {} },
        keys: { file: [`${workspace?.id}/${count}.sld`] },
      });
    }
  });
}

/** Repeats a small request until the large request is answered. */
async function beside(large: Promise<Reply>, small: () => Promise<Reply>) {
  const replies: Reply[] = [];
  let isOver = false;
  const reply = large.finally(() => {
    isOver = true;
  });
  while (!isOver) {
    replies.push(await small());
    // External requests arrive in separate turns of the event loop.
    await nextTurn();
  }
  return { reply: await reply, replies };
}

describe('requests beside a large one', () => {
  const server = useTestServer();

  beforeAll(() => fill(server, 'huge'));

  it('answers other requests while a long list is read and written', async () => {
    const { reply, replies } = await beside(server.get('/workspaces/huge/styles.json'), () =>
      server.get('/workspaces/huge.json'),
    );

    expect(JSON.parse(reply.text)).toMatchObject({ styles: { style: { length: RECORDS } } });
    expect(replies.length).toBeGreaterThan(3);
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
  });

  it('answers other requests during a large deletion with the state before it, until it is complete', async () => {
    const { reply, replies } = await beside(server.delete('/workspaces/huge?recurse=true'), () =>
      server.get('/workspaces/huge/styles/style-19999.json'),
    );

    expect(reply.status).toBe(200);
    expect(replies.length).toBeGreaterThan(10);
    // The last of them may have started after the deletion finished.
    expect(new Set(replies.slice(0, -1).map(({ status }) => status))).toEqual(new Set([200]));
    expect((await server.get('/workspaces/huge.json')).status).toBe(404);
    expect(await server.server.storage.count(styleKind.kind)).toBeLessThan(10);
  });
});
