/** A server that records what it receives, for secrets that the server under test sends to no other place. */
import { createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

export interface Overheard {
  readonly port: number;
  /** Everything received so far. */
  readonly text: () => string;
}

/** `answer` is called with all data of a connection whenever more data arrives. */
export async function overhear(answer: (socket: Socket, said: Buffer) => void): Promise<Overheard> {
  const heard: Buffer[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    let said = Buffer.alloc(0);
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('data', (chunk: Buffer) => {
      heard.push(chunk);
      said = Buffer.concat([said, chunk]);
      answer(socket, said);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    text: () => Buffer.concat(heard).toString('utf8'),
  };
}

/** A database that requests the password in clear, and then closes the connection. */
export function overhearDatabase(): Promise<Overheard> {
  const passwordPlease = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 3]);
  return overhear((socket, said) => {
    const greetingBytes = said.length < 4 ? Number.POSITIVE_INFINITY : said.readInt32BE(0);
    if (said.length > greetingBytes) socket.destroy();
    else if (said.length === greetingBytes) socket.write(passwordPlease);
  });
}

/** A directory that closes the connection after a login. */
export function overhearDirectory(): Promise<Overheard> {
  return overhear((socket) => socket.destroy());
}
