/** A connection to a server that a test can cut off and let through again. */
import { connect, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

export interface Relay {
  readonly port: number;
  /** From now on every connection breaks, and no new one comes about. */
  cut(): void;
  /** From now on nothing arrives any more, in either direction, while connections stay and come about. */
  swallow(): void;
  /** The same once so many bytes have passed, both ways together; resolved when that has come. */
  swallowAfter(bytes: number): Promise<void>;
  /** How many bytes have passed since it was opened or mended. */
  passed(): number;
  mend(): void;
  close(): void;
}

/** Ends with the test that started it. */
export async function startRelay(to: { readonly host: string; readonly port: number }): Promise<Relay> {
  const relay = await openRelay(to);
  onTestFinished(() => relay.close());
  return relay;
}

/** Goes on until it is closed. */
export async function openRelay(to: { readonly host: string; readonly port: number }): Promise<Relay> {
  const sockets = new Set<Socket>();
  let isCut = false;
  let swallows = false;
  let passed = 0;
  let last = Number.POSITIVE_INFINITY;
  let swallowed: () => void = () => undefined;
  const server = createServer((socket) => {
    if (isCut) {
      socket.destroy();
      return;
    }
    const further = connect(to.port, to.host);
    for (const each of [socket, further]) {
      sockets.add(each.on('error', () => undefined).on('close', () => sockets.delete(each)));
    }
    passOn(socket, further);
    passOn(further, socket);
  });
  /** What arrives while it swallows is gone for good, and with it the connection. */
  function passOn(from: Socket, to: Socket): void {
    from.on('data', (bytes) => {
      if (swallows) return;
      passed += bytes.length;
      to.write(bytes);
      if (passed < last) return;
      swallows = true;
      swallowed();
    });
    from.on('close', () => to.destroy());
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const breakAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  const address = server.address();
  return {
    port: address !== null && typeof address === 'object' ? address.port : 0,
    cut() {
      isCut = true;
      breakAll();
    },
    swallow() {
      swallows = true;
    },
    swallowAfter(bytes) {
      last = bytes;
      return new Promise((resolve) => {
        swallowed = () => resolve();
      });
    },
    passed: () => passed,
    mend() {
      if (swallows) breakAll();
      passed = 0;
      last = Number.POSITIVE_INFINITY;
      isCut = false;
      swallows = false;
    },
    close() {
      breakAll();
      server.close();
    },
  };
}
