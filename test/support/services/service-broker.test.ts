import { afterEach, describe, expect, test } from 'vitest';
import { type ServiceBroker, startServiceBroker } from './service-broker.ts';

describe('the broker of services', () => {
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

  test('starts nothing until somebody asks', async () => {
    const broker = await startBroker();

    await broker.close();

    expect(history).toEqual([]);
  });

  test('starts a service once for all who ask, and stops it at the end', async () => {
    const broker = await startBroker();

    const replies = await Promise.all([ask(`${broker.address}clock`), ask(`${broker.address}clock`)]);
    await broker.close();

    expect(replies).toEqual(Array(2).fill({ status: 200, body: { port: 13 } }));
    expect(history).toEqual(['start clock', 'stop clock']);
  });

  test('tells everybody who asks why a service does not start', async () => {
    const broker = await startBroker();

    expect(await ask(`${broker.address}broken`)).toEqual({ status: 500, body: { reason: 'no springs' } });
  });

  test('knows no other services', async () => {
    const broker = await startBroker();

    expect(await ask(`${broker.address}toString`)).toMatchObject({ status: 404 });
  });

  test('answers nobody who does not know its secret address', async () => {
    const broker = await startBroker();

    expect(await ask(new URL('/clock', broker.address).href)).toMatchObject({ status: 404 });
    expect(history).toEqual([]);
  });
});
