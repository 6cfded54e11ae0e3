/** Receives webhook deliveries, and answers as configured by a test. */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface ReceivedDelivery {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** The change number. */
  readonly id: number;
}

export interface WebhookReceiver {
  readonly url: string;
  readonly received: readonly ReceivedDelivery[];
  /** The change numbers in order of arrival. */
  readonly ids: () => readonly number[];
  /** Resolves after this number of deliveries. */
  until(count: number): Promise<readonly ReceivedDelivery[]>;
  /** Resolves after a delivery of this number. */
  untilId(id: number): Promise<void>;
  close(): Promise<void>;
}

type Answer = (delivery: ReceivedDelivery, response: ServerResponse, count: number) => void;

const thanks: Answer = (_delivery, response) => response.writeHead(204).end();

export async function startReceiver(answer: Answer = thanks): Promise<WebhookReceiver> {
  const received: ReceivedDelivery[] = [];
  const waiting = new Set<() => void>();
  const server = createServer(async (request, response) => {
    const body = await text(request).catch(() => undefined);
    if (body === undefined) return;
    const { id } = JSON.parse(body) as { readonly id: string };
    const delivery = { path: request.url ?? '', headers: request.headers, body, id: Number(id) };
    received.push(delivery);
    answer(delivery, response, received.length);
    for (const each of waiting) each();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  function untilTrue(isSo: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      const check = () => {
        if (isSo()) {
          waiting.delete(check);
          resolve();
        }
      };
      waiting.add(check);
      check();
    });
  }

  return {
    url: `http://127.0.0.1:${port}`,
    received,
    ids: () => received.map(({ id }) => id),
    until: async (count) => {
      await untilTrue(() => received.length >= count);
      return received;
    },
    untilId: (id) => untilTrue(() => received.some((each) => each.id === id)),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
