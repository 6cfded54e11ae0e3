/** LDAP directories for tests: a single query, or a fake server that records its connections. */
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import {
  authenticateWithDirectory,
  type DecryptedSettings,
  type LdapCredentials,
} from '../../src/security/auth-providers/ldap/ldap-login.ts';
import { type LdapOptions, openDirectories } from '../../src/security/auth-providers/ldap/ldap-session.ts';

export const poolLimits = { maxConnections: 4, maxWaiting: 1_000, idleMs: 600_000 };

/** Sends a single query to a directory. */
export async function askOnce(
  settings: DecryptedSettings,
  credentials: LdapCredentials,
  options: Omit<LdapOptions, 'pool'>,
): Promise<readonly string[] | undefined> {
  const directories = openDirectories({ ...options, pool: poolLimits });
  try {
    return await authenticateWithDirectory(settings, credentials, directories);
  } finally {
    directories.close();
  }
}

/** The password that the fake directory accepts for every name. */
export const RIGHT = 'right';

const BIND = 0x60;
const SEARCH = 0x63;

/** A request to the directory, and the means to answer it. */
export interface Question {
  readonly kind: 'bind' | 'search' | 'other';
  /** Whether it is an anonymous bind. */
  readonly isAnonymous: boolean;
  readonly socket: Socket;
  /** The number of earlier requests on this connection. */
  readonly earlier: number;
  answer(): void;
}

export interface MadeUpDirectory {
  readonly url: string;
  readonly port: number;
  readonly questions: readonly Question[];
  /** The total number of connections opened. */
  readonly connections: () => number;
  /** Waits for this number of requests. */
  waitForRequests(count: number): Promise<void>;
  close(): Promise<void>;
}

/** A directory that accepts one password for every name and finds nothing; `treat` can override a response. */
export async function startMadeUpDirectory(
  treat: (question: Question) => void = (question) => question.answer(),
  port = 0,
): Promise<MadeUpDirectory> {
  const questions: Question[] = [];
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    let earlier = 0;
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    socket.on('data', (message: Buffer) => {
      // Messages are short, arrive one at a time, and number at most a hundred per connection.
      const [id = 0, kind = 0] = [message[4], message[5]];
      if (kind !== BIND && kind !== SEARCH) {
        return;
      }
      const isAnonymous = kind === BIND && message.subarray(-4).equals(Buffer.from([0x04, 0x00, 0x80, 0x00]));
      const code = kind === SEARCH || isAnonymous || message.subarray(-RIGHT.length).toString() === RIGHT ? 0 : 49;
      const question: Question = {
        kind: kind === BIND ? 'bind' : 'search',
        isAnonymous,
        socket,
        earlier,
        answer: () => {
          const result = [kind === BIND ? 0x61 : 0x65, 0x07, 0x0a, 0x01, code, 0x04, 0x00, 0x04, 0x00];
          socket.write(Buffer.from([0x30, 0x0c, 0x02, 0x01, id, ...result]));
        },
      };
      earlier += 1;
      questions.push(question);
      treat(question);
      server.emit('question');
    });
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const actual = typeof address === 'object' ? (address?.port ?? 0) : 0;
  return {
    url: `ldap://127.0.0.1:${actual}`,
    port: actual,
    questions,
    connections: () => connections,
    async waitForRequests(count) {
      while (questions.length < count) {
        await once(server, 'question');
      }
    },
    async close() {
      for (const socket of sockets) {
        socket.destroy();
      }
      server.close();
      await once(server, 'close');
    },
  };
}
