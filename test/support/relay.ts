/** A relay to a server that a test can cut and restore. */
import { connect, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

export interface Relay {
  readonly port: number;
  /** From now on every connection is closed, and new ones are rejected. */
  cut(): void;
  /** From now on all data is dropped in both directions, while connections stay open and new ones are accepted. */
  swallow(): void;
  /** The same after this many bytes in both directions together; resolves at that point. */
  swallowAfter(bytes: number): Promise<void>;
  /** The number of bytes transferred since it was opened or restored. */
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

/** Runs until it is closed. */
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
  /** Data that arrives while dropping is lost, so the connection is unusable afterwards. */
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
