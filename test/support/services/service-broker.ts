/** Lets test files, which run in separate processes, share servers of the main process. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { RunningService } from './running-service.ts';

type Starters = Readonly<Record<string, () => Promise<RunningService<unknown>>>>;

export interface ServiceBroker {
  /** A test requests a service at this URL followed by the name of the service. */
  readonly address: string;
  /** Stops every service that was started. */
  close(): Promise<void>;
}

export async function startServiceBroker(starters: Starters): Promise<ServiceBroker> {
  const started = new Map<string, Promise<RunningService<unknown>>>();
  const secret = randomUUID(); // Other users of the machine can reach the port and must not get the passwords.
  const server = createServer((request, response) => {
    const name = request.url?.startsWith(`/${secret}/`) ? request.url.slice(secret.length + 2) : '';
    const start = Object.hasOwn(starters, name) ? starters[name] : undefined;
    if (start === undefined) return reply(response, 404, { reason: 'no such service' });
    const service = started.get(name) ?? start();
    started.set(name, service);
    service.then(
      ({ details }) => reply(response, 200, details),
      (error: unknown) => reply(response, 500, { reason: error instanceof Error ? error.message : String(error) }),
    );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const listening = server.address();
  if (listening === null || typeof listening === 'string') throw new Error('the broker of services has no port');

  return {
    address: `http://127.0.0.1:${listening.port}/${secret}/`,
    async close() {
      server.close();
      server.closeAllConnections();
      const services = await Promise.allSettled(started.values());
      await Promise.all(services.map((service) => (service.status === 'fulfilled' ? service.value.stop() : undefined)));
    },
  };
}

function reply(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
