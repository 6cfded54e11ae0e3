/** A local server in the role of a remote one: it answers as configured and records its requests. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { type AddressInfo, createServer as createRawServer, type Server, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

export interface RemoteServer {
  readonly port: number;
  /** `METHOD host path` of each request, in order; all first bytes for a raw server. */
  readonly asked: readonly string[];
  readonly headers: readonly IncomingMessage['headers'][];
  /** The number of open connections. */
  connections(): Promise<number>;
}

/** Listens on 127.0.0.1 until the test ends. */
export async function startRemoteServer(answer: RequestListener): Promise<RemoteServer> {
  const asked: string[] = [];
  const headers: IncomingMessage['headers'][] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.headers.host} ${request.url}`);
    headers.push(request.headers);
    answer(request, response);
  });
  onTestFinished(() => server.closeAllConnections());
  return { ...(await listening(server)), asked, headers };
}

/** Answers every connection with these bytes; `ends` decides whether it then closes the connection. */
export async function startRawServer(bytes: string, ends: boolean): Promise<RemoteServer> {
  const asked: string[] = [];
  const sockets = new Set<Socket>();
  const server = createRawServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.once('data', (data) => {
      asked.push(data.toString('latin1'));
      socket.write(bytes);
      if (ends) {
        socket.end();
      }
    });
  });
  onTestFinished(() => {
    for (const socket of sockets) {
      socket.destroy();
    }
  });
  return { ...(await listening(server)), asked, headers: [] };
}

async function listening(server: Server): Promise<Pick<RemoteServer, 'port' | 'connections'>> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return {
    port,
    connections: () =>
      new Promise((resolve, reject) => {
        server.getConnections((error, count) => (error === null ? resolve(count) : reject(error)));
      }),
  };
}
