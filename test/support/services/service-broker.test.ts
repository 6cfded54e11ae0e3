import { afterEach, describe, expect, test } from 'vitest';
import { type ServiceBroker, startServiceBroker } from './service-broker.ts';

describe('service broker', () => {
  const brokers: ServiceBroker[] = [];
  const history: string[] = [];

  afterEach(async () => {
    await Promise.all(brokers.splice(0).map((broker) => broker.close()));
    history.splice(0);
  });

  async function startBroker(): Promise<ServiceBroker> {
    const broker = await startServiceBroker({
      async clock() {
        history.push('start clock');
        return { details: { port: 13 }, stop: async () => void history.push('stop clock') };
      },
      async broken() {
        throw new Error('no springs');
      },
    });
    brokers.push(broker);
    return broker;
  }

  async function ask(address: string) {
    const reply = await fetch(address);
    return { status: reply.status, body: await reply.json() };
  }

  test('starts nothing before the first request', async () => {
    const broker = await startBroker();

    await broker.close();

    expect(history).toEqual([]);
  });

  test('starts a service once for all requests, and stops it at the end', async () => {
    const broker = await startBroker();

    const replies = await Promise.all([ask(`${broker.address}clock`), ask(`${broker.address}clock`)]);
    await broker.close();

    expect(replies).toEqual(Array(2).fill({ status: 200, body: { port: 13 } }));
    expect(history).toEqual(['start clock', 'stop clock']);
  });

  test('reports to every caller why a service does not start', async () => {
    const broker = await startBroker();

    expect(await ask(`${broker.address}broken`)).toEqual({ status: 500, body: { reason: 'no springs' } });
  });

  test('rejects unknown services', async () => {
    const broker = await startBroker();

    expect(await ask(`${broker.address}toString`)).toMatchObject({ status: 404 });
  });

  test('rejects requests without its secret path', async () => {
    const broker = await startBroker();

    expect(await ask(new URL('/clock', broker.address).href)).toMatchObject({ status: 404 });
    expect(history).toEqual([]);
  });
});
