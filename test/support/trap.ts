/** A server that must never be called: it records requests. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll } from 'vitest';

export interface Trap {
  /** Its origin, such as `http://127.0.0.1:4711`. */
  readonly url: string;
  /** The requested paths. */
  readonly caught: readonly string[];
}

export function useTrap(): Trap {
  const caught: string[] = [];
  let server: Server | undefined;
  let url = '';
  beforeAll(async () => {
    server = createServer((request, response) => {
      caught.push(request.url ?? '');
      response.end('<!ENTITY evil "caught">');
    });
    await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => new Promise((resolve) => server?.close(resolve)));
  return {
    caught,
    get url() {
      return url;
    },
  };
}
