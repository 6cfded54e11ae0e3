/** One store cannot occupy all threads: another store is readable while six long reads occupy a GeoPackage. */
import { get, type IncomingMessage } from 'node:http';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { publishTables } from '../support/published-features.ts';
import { authorization, useSocketClient } from '../support/socket-client.ts';

const text = { name: 'text', kind: 'value', type: 'string', nillable: true } as const;

/** More than the buffers of a connection hold, so that a slow client keeps its read active. */
const longRows = Array.from({ length: 2_500 }, (_, index) => [`${index} ${'x'.repeat(10_000)}`] as const);

describe('a server with six long reads of one GeoPackage', () => {
  // Shorter than the duration of the reads.
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
        // Reads slowly but steadily: the server suspends reads whose client receives nothing.
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
