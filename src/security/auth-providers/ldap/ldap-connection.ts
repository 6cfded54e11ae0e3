/** Opens a connection to a directory server: plain, TLS from the first byte, or upgraded with StartTLS. */
import { once } from 'node:events';
import { isIP, connect as openSocket, type Socket } from 'node:net';
import { connect as openTls, type SecureContext } from 'node:tls';
import type { LdapServer } from './ldap-server.ts';

export interface ConnectionOptions {
  readonly startTls: boolean;
  /** Returns the trusted authorities; called only for TLS connections. */
  readonly getSecureContext: () => SecureContext;
  /** Destroys the connection in any state. */
  readonly signal: AbortSignal;
}

/** Limits the bytes received in one session; a server that sends more for one user is not a directory. */
const MAX_RECEIVED_BYTES = 8_388_608;

export async function openConnection(server: LdapServer, options: ConnectionOptions): Promise<Socket> {
  const plain = openSocket({ host: server.host, port: server.port });
  ignoreSocketErrors(plain);
  const { signal } = options;
  signal.addEventListener('abort', () => plain.destroy(), { once: true });
  await once(plain, 'connect', { signal });
  if (!server.isSecure && !options.startTls) {
    return plain;
  }
  if (!server.isSecure) {
    await startTls(plain, signal);
  }
  const secure = openTls({
    socket: plain,
    host: server.host,
    ...(isIP(server.host) === 0 ? { servername: server.host } : {}),
    secureContext: options.getSecureContext(),
  });
  ignoreSocketErrors(secure);
  await once(secure, 'secureConnect', { signal });
  return secure;
}

/** An error event without a listener would terminate the process; callers learn of the failure in another way. */
function ignoreSocketErrors(socket: Socket): void {
  socket.on('error', () => undefined);
}

/** A connection that limits the bytes received in one session. */
export interface GuardedConnection {
  readonly socket: Socket;
  /** Starts a new session. */
  readonly resetReceivedBytes: () => void;
}

/** Must be called after the connection is handed to the LDAP library, which removes all earlier error listeners. */
export function guardConnection(socket: Socket): GuardedConnection {
  process.nextTick(ignoreSocketErrors, socket);
  let received = 0;
  socket.on('data', (data: Buffer) => {
    received += data.length;
    // A message without end would otherwise be buffered until the deadline.
    if (received > MAX_RECEIVED_BYTES) {
      socket.destroy(new Error(`the server sent more than ${MAX_RECEIVED_BYTES} bytes`));
    }
  });
  return {
    socket,
    resetReceivedBytes() {
      received = 0;
    },
  };
}

/** Message 1: an extended request with the object identifier of StartTLS (RFC 4511, 4.14). */
const START_TLS_REQUEST = Buffer.concat([
  Buffer.from([0x30, 0x1d, 0x02, 0x01, 0x01, 0x77, 0x18, 0x80, 0x16]),
  Buffer.from('1.3.6.1.4.1.1466.20037'),
]);

/** A StartTLS response is a few dozen bytes. */
const MAX_RESPONSE_BYTES = 1_024;

/**
 * Requests StartTLS and reads exactly the response. Cleartext after the response could come from an attacker on the
 * network and must never be treated as part of the TLS stream. The LDAP library would do so, so this code does it.
 */
async function startTls(socket: Socket, signal: AbortSignal): Promise<void> {
  socket.write(START_TLS_REQUEST);
  let received = Buffer.alloc(0);
  for (;;) {
    const [data] = (await once(socket, 'data', { signal })) as [Buffer];
    received = Buffer.concat([received, data]);
    const length = readMessageLength(received);
    if (length !== undefined && received.length >= length) {
      socket.pause();
      if (received.length > length) {
        throw new Error('the server sent data between its StartTLS response and the TLS handshake');
      }
      checkSuccess(received);
      return;
    }
    if (received.length > MAX_RESPONSE_BYTES) {
      throw new Error('the StartTLS response is malformed');
    }
  }
}

/** Returns the length of the first message including its header; undefined while the header is incomplete. */
function readMessageLength(bytes: Buffer): number | undefined {
  const first = bytes[1];
  if (first === undefined || first < 0x80) {
    return first === undefined ? undefined : 2 + first;
  }
  const count = first & 0x7f;
  return count > 0 && count <= 4 && bytes.length >= 2 + count ? 2 + count + bytes.readUIntBE(2, count) : undefined;
}

/** An extended response (0x78) whose result (0x0a 0x01) is 0. */
function checkSuccess(message: Buffer): void {
  const start = (message[1] ?? 0) < 0x80 ? 2 : 2 + ((message[1] ?? 0) & 0x7f);
  const isAnswer = message[0] === 0x30 && message.subarray(start, start + 3).equals(Buffer.from([0x02, 0x01, 0x01]));
  const body = message.subarray(start + 3);
  const bodyStart = (body[1] ?? 0) < 0x80 ? 2 : 2 + ((body[1] ?? 0) & 0x7f);
  if (
    !isAnswer ||
    body[0] !== 0x78 ||
    !body.subarray(bodyStart, bodyStart + 3).equals(Buffer.from([0x0a, 0x01, 0x00]))
  ) {
    throw new Error('the server refuses StartTLS');
  }
}
