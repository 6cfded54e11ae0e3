/** Requests a port from the system that is currently unused. */
import { once } from 'node:events';
import { createServer } from 'node:net';

export async function freePort(host: string): Promise<number> {
  const probe = createServer().listen(0, host);
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  if (address === null || typeof address === 'string') throw new Error(`no port is free on ${host}`);
  return address.port;
}
