/** Deliveries of a node that was paused until another node acquired its claim. */
import type { ServerResponse } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { postgresAddress } from '../support/postgres-places.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';
import { startReceiver } from '../support/webhook-receiver.ts';
import { describeWithPostgis } from '../support/with-postgis.ts';

describeWithPostgis('webhooks of a node that lost its claim', (postgis) => {
  async function startNode(schema: string): Promise<TestServer> {
    const node = await startTestServer({
      flags: ['--storage', postgresAddress(postgis, schema)],
      environment: { GRATICULE_SERVER_KEY: Buffer.alloc(32, 1).toString('base64') },
      webhookTimes: { timeoutMs: 60_000, firstRetryMs: 5, longestRetryMs: 20 },
    });
    onTestFinished(() => node.close());
    return node;
  }

  async function addWebhook(node: TestServer, url: string): Promise<void> {
    const regex = `^${url.replaceAll('.', '[.]')}/.*$`;
    await node.post('/urlchecks', JSON.stringify({ regexUrlCheck: { name: 'receiver', regex, enabled: true } }));
    const reply = await node.post('/webhooks', JSON.stringify({ webhook: { name: 'ours', url: `${url}/` } }));
    expect(reply.status).toBe(201);
  }

  const addWorkspace = async (node: TestServer, name: string) =>
    Number((await node.post('/workspaces', JSON.stringify({ workspace: { name } }))).headers['graticule-change']);

  /** Simulates another node that acquires the claim and delivers everything up to a change. */
  async function takeOver(schema: string, reached: number): Promise<string> {
    await postgis.query(`UPDATE ${schema}.claims SET node = 'another', until = now() + interval '1 hour'`);
    const state = JSON.stringify({ position: reached, reached, failure: null, deliveries: [] });
    await postgis.query(
      `INSERT INTO ${schema}.notes SELECT 'webhook ' || id, $1 FROM ${schema}.records WHERE kind = 'webhook'
       ON CONFLICT (name) DO UPDATE SET text = excluded.text`,
      [state],
    );
    await postgis.query(`UPDATE ${schema}.head SET commits = commits + 1`);
    return state;
  }

  const savedState = async (schema: string) =>
    (await postgis.query(`SELECT text FROM ${schema}.notes WHERE name LIKE 'webhook %'`))[0]?.['text'];

  test('webhooks neither write an older position nor deliver the next event after a late reply', async () => {
    const unanswered: ServerResponse[] = [];
    const receiver = await startReceiver((_delivery, response, count) =>
      count === 1 ? unanswered.push(response) : response.writeHead(204).end(),
    );
    onTestFinished(() => receiver.close());
    const node = await startNode('late_answer');
    await addWebhook(node, receiver.url);
    const first = await addWorkspace(node, 'a');
    const last = await addWorkspace(node, 'b');
    await receiver.until(1);

    const state = await takeOver('late_answer', last);
    unanswered[0]?.writeHead(204).end();
    const next = await addWorkspace(node, 'c');
    expect(await savedState('late_answer')).toBe(state);
    // Once the claim is free, delivery continues after the last delivered event.
    await postgis.query('DELETE FROM late_answer.claims');
    await receiver.untilId(next);

    expect(receiver.ids()).toEqual([first, next]);
    expect(node.log.join('')).not.toContain('the delivery of events stopped with an error');
  });

  test('webhooks are not sent: the claim is verified before each attempt', async () => {
    const receiver = await startReceiver();
    onTestFinished(() => receiver.close());
    const node = await startNode('early_check');
    await addWebhook(node, receiver.url);
    const first = await addWorkspace(node, 'a');
    await receiver.untilId(first);
    await expect.poll(() => savedState('early_check')).toContain(`"position":${first}`);

    // Simulates the moment after a pause: the node does not know yet that the claim is lost.
    await takeOver('early_check', first);
    const second = await addWorkspace(node, 'b');
    const third = await addWorkspace(node, 'c');
    await takeOver('early_check', second);
    await postgis.query('DELETE FROM early_check.claims');
    await receiver.untilId(third);

    expect(receiver.ids()).toEqual([first, third]);
  });
});
