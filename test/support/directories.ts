/** Directories for tests: asked once, or made up, with all that is known about who talks to them. */
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import {
  authenticateWithDirectory,
  type DecryptedSettings,
  type LdapCredentials,
} from '../../src/security/auth-providers/ldap/ldap-login.ts';
import { type LdapOptions, openDirectories } from '../../src/security/auth-providers/ldap/ldap-session.ts';

export const poolLimits = { maxConnections: 4, maxWaiting: 1_000, idleMs: 600_000 };

/** Asks a directory that nobody asks again. */
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

/** The password that a made-up directory takes for every name. */
export const RIGHT = 'right';

const BIND = 0x60;
const SEARCH = 0x63;

/** A question that the directory was asked, and how to answer it. */
export interface Question {
  readonly kind: 'bind' | 'search' | 'other';
  /** Whether it is a bind without a name and a password. */
  readonly isAnonymous: boolean;
  readonly socket: Socket;
  /** How many this connection was asked before. */
  readonly earlier: number;
  answer(): void;
}

export interface MadeUpDirectory {
  readonly url: string;
  readonly port: number;
  readonly questions: readonly Question[];
  /** How many connections were ever opened. */
  readonly connections: () => number;
  /** Waits until so many questions were asked. */
  asked(count: number): Promise<void>;
  close(): Promise<void>;
}

/** A directory that takes one password for every name and finds nothing; `treat` may do something else with a question. */
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
      // Messages are short, come one at a time, and are no more than a hundred on a connection.
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
    async asked(count) {
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
