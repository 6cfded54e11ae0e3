/** One store cannot keep all threads: the data of another store is read while six long readings hold a GeoPackage. */
import { get, type IncomingMessage } from 'node:http';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { publishTables } from '../support/published-features.ts';
import { authorization, useSocketClient } from '../support/socket-client.ts';

const text = { name: 'text', kind: 'value', type: 'string', nillable: true } as const;

/** More than the buffers of a connection hold, so that a slow client keeps its reading going. */
const longRows = Array.from({ length: 2_500 }, (_, index) => [`${index} ${'x'.repeat(10_000)}`] as const);

describe('while six long readings hold one GeoPackage', () => {
  // Shorter than the readings take.
  const client = useSocketClient({ flags: ['--store-timeout-ms', '10000'] });

  beforeAll(async () => {
    await publishTables(client.server, 'acme', [{ name: 'long', attributes: [text], rows: longRows }], 'large');
    await publishTables(client.server, 'acme', [{ name: 'small', attributes: [text], rows: [['one']] }], 'other');
  });

  it('answers a request for one feature of another store', async () => {
    const path = (type: string) =>
      `/geoserver/wfs?service=WFS&version=2.0.0&request=GetFeature&outputFormat=application/json&typeNames=acme:${type}`;
    const replies: IncomingMessage[] = [];
    const twoBegun = Promise.withResolvers<void>();
    for (let number = 0; number < 6; number += 1) {
      const options = { port: client.port, path: path('long'), headers: { authorization } };
      const asked = get(options, (reply) => {
        // Slowly, but steadily: readings that are not taken at all make room for others.
        const taking = setInterval(() => reply.read(65_536), 100);
        onTestFinished(() => clearInterval(taking));
        replies.push(reply);
        if (replies.length === 2) twoBegun.resolve();
      });
      asked.on('error', () => undefined);
      onTestFinished(() => void asked.destroy());
    }
    await twoBegun.promise;

    const reply = await client.server.get(`/${path('small')}`);

    expect(reply.status).toBe(200);
    expect(JSON.parse(reply.text)).toMatchObject({ features: [{ properties: { text: 'one' } }] });
  });
});
