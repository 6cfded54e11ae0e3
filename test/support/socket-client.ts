/** Sends requests over a real socket that cannot be injected: chunked bodies, unusual paths, unusual HTTP. */
import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll } from 'vitest';
import { ADMIN_PASSWORD, startTestServer, type TestServer, type TestServerOptions } from './test-server.ts';

export interface SocketReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly text: string;
}

export interface SocketRequest {
  readonly headers?: Readonly<Record<string, string>>;
  /** Each is sent as one chunk, without a Content-Length. */
  readonly chunks?: readonly (string | Buffer)[];
  /** Sent in one piece with its Content-Length. */
  readonly body?: string;
  /** Sends no credentials. */
  readonly anonymous?: boolean;
}

export interface SocketClient {
  readonly server: TestServer;
  readonly port: number;
  /** Paths are below the REST root and are sent unchanged, one byte per character. */
  request(method: string, path: string, options?: SocketRequest): Promise<SocketReply>;
  /** Sends this text and returns the response until the connection ends. */
  exchange(requestText: string): Promise<string>;
}

export const authorization = `Basic ${Buffer.from(`admin:${ADMIN_PASSWORD}`).toString('base64')}`;

/** A listening server for all the tests of a describe block. */
export function useSocketClient(options: TestServerOptions = {}): SocketClient {
  let server: TestServer | undefined;
  let port = 0;
  const running = (): TestServer => {
    if (server === undefined) {
      throw new Error('The test server runs inside tests and hooks only');
    }
    return server;
  };
  beforeAll(async () => {
    server = await startTestServer(options);
    port = Number(new URL(await server.server.app.listen({ host: '127.0.0.1', port: 0 })).port);
  });
  afterAll(() => server?.close());
  return {
    get server() {
      return running();
    },
    get port() {
      return port;
    },
    request: (method, path, how = {}) => send(port, method, `${running().server.restRoot}${path}`, how),
    exchange: (requestText) => exchange(port, requestText),
  };
}

function send(port: number, method: string, path: string, how: SocketRequest): Promise<SocketReply> {
  return new Promise((resolve, reject) => {
    const length = how.body === undefined ? {} : { 'content-length': String(Buffer.byteLength(how.body)) };
    const headers = { ...(how.anonymous ? {} : { authorization }), ...length, ...how.headers };
    const request = httpRequest({ host: '127.0.0.1', port, method, path, headers, agent: false }, (response) => {
      text(response).then((body) => {
        const entries = Object.entries(response.headers).map(([name, value]) => [name, value?.toString()]);
        resolve({ status: response.statusCode ?? 0, headers: Object.fromEntries(entries), text: body });
      }, reject);
    });
    request.on('error', reject);
    for (const chunk of how.chunks ?? []) {
      request.write(chunk);
    }
    request.end(how.body);
  });
}

function exchange(port: number, requestText: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.write(requestText, 'latin1');
  return text(socket);
}
