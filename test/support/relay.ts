/** A connection to a server that a test can cut off and let through again. */
import { connect, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

export interface Relay {
  readonly port: number;
  /** From now on every connection breaks, and no new one comes about. */
  cut(): void;
  mend(): void;
}

/** Ends with the test that started it. */
export async function startRelay(to: { readonly host: string; readonly port: number }): Promise<Relay> {
  const sockets = new Set<Socket>();
  let isCut = false;
  const server = createServer((socket) => {
    if (isCut) {
      socket.destroy();
      return;
    }
    const further = connect(to.port, to.host);
    for (const each of [socket, further]) {
      sockets.add(each.on('error', () => undefined).on('close', () => sockets.delete(each)));
    }
    socket.pipe(further).pipe(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const breakAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  onTestFinished(() => {
    breakAll();
    server.close();
  });
  const address = server.address();
  return {
    port: address !== null && typeof address === 'object' ? address.port : 0,
    cut() {
      isCut = true;
      breakAll();
    },
    mend() {
      isCut = false;
    },
  };
}
