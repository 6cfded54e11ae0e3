/** A server that speaks as much of the MySQL protocol as a login needs, and then whatever a test wants. */
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';

const [LOCAL_FILES, PLUGIN_AUTH] = [0x80, 0x8_0000];
const CAPABILITIES = 0x8 | 0x200 | 0x2000 | 0x8000 | LOCAL_FILES | PLUGIN_AUTH;

export interface FakeMysql {
  readonly port: number;
  /** Everything that clients sent. */
  received(): Buffer;
  connections(): number;
  close(): Promise<void>;
}

export interface FakeConnection {
  readonly socket: Socket;
  /** Sends a payload as one packet. */
  send(payload: Uint8Array, sequence?: number): void;
}

/** The reply to a packet of the client. The first one is the login. */
type Reply = (connection: FakeConnection, packet: Buffer, index: number) => void;

export const okPacket = Buffer.from([0, 0, 0, 2, 0, 0, 0]);

/** Without a greeting the client gets the one of a MariaDB. */
export async function startFakeMysql(reply: Reply, greeting?: Uint8Array | null): Promise<FakeMysql> {
  const sockets = new Set<Socket>();
  const chunks: Buffer[] = [];
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => undefined);
    let pending = Buffer.alloc(0);
    let index = 0;
    const connection: FakeConnection = { socket, send: (payload, sequence = 1) => send(socket, payload, sequence) };
    socket.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      pending = Buffer.concat([pending, chunk]);
      while (pending.length >= 4 && pending.length >= 4 + pending.readUIntLE(0, 3)) {
        const end = 4 + pending.readUIntLE(0, 3);
        const packet = pending.subarray(4, end);
        pending = pending.subarray(end);
        reply(connection, packet, index);
        index += 1;
      }
    });
    if (greeting === undefined) send(socket, createGreeting(), 0);
    else if (greeting !== null) socket.write(greeting);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return {
    port: address.port,
    received: () => Buffer.concat(chunks),
    connections: () => sockets.size,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

function send(socket: Socket, payload: Uint8Array, sequence: number): void {
  const head = Buffer.alloc(4);
  head.writeUIntLE(payload.length, 0, 3);
  head[3] = sequence;
  socket.write(Buffer.concat([head, payload]));
}

function createGreeting(): Buffer {
  const numbers = Buffer.alloc(13);
  const salt = Buffer.from('12345678');
  const flags = Buffer.alloc(18);
  flags.writeUInt16LE(CAPABILITIES & 0xffff, 0);
  flags[2] = 45;
  flags.writeUInt16LE(2, 3);
  flags.writeUInt16LE(CAPABILITIES >>> 16, 5);
  flags[7] = 21;
  numbers.writeUInt32LE(7, 0);
  return Buffer.concat([
    Buffer.from('\x0a5.5.5-10.11.0-MariaDB\0'),
    numbers.subarray(0, 4),
    salt,
    Buffer.alloc(1),
    flags,
    Buffer.from('123456789012\0mysql_native_password\0'),
  ]);
}
