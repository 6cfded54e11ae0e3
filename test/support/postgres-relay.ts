/** A relay to PostgreSQL that drops a chosen message and its connection, before or after the server receives it. */
import { connect, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

export interface PostgresRelay {
  readonly port: number;
  /** Drops the next message that contains this text, or its reply. */
  loseNext(text: string, what: 'message' | 'answer'): void;
  /** The next loss closes all connections, and rejects all new ones or this many of them. */
  stayLost(refused?: number): void;
}

/** Ends with the test that started it. */
export async function startPostgresRelay(to: { readonly host: string; readonly port: number }): Promise<PostgresRelay> {
  const sockets = new Set<Socket>();
  let lost: { readonly text: string; readonly what: 'message' | 'answer' } | undefined;
  let staysLost = 0;
  let refused = 0;
  const server = createServer((socket) => {
    if (refused > 0) {
      refused -= 1;
      socket.destroy();
      return;
    }
    const further = connect(to.port, to.host);
    let losesAnswer: string | undefined;
    const cut = () => {
      refused = staysLost;
      for (const each of staysLost > 0 ? sockets : [socket, further]) each.destroy();
    };
    for (const each of [socket, further]) {
      sockets.add(each.on('error', () => undefined).on('close', () => sockets.delete(each)));
    }
    socket.on('data', (sent) => {
      if (lost !== undefined && sent.includes(lost.text)) {
        losesAnswer = lost.what === 'answer' ? lost.text : undefined;
        lost = undefined;
        if (losesAnswer === undefined) {
          cut();
          return;
        }
      }
      further.write(sent);
    });
    further.on('data', (answer) => {
      if (losesAnswer !== undefined && answer.includes(losesAnswer)) cut();
      else socket.write(answer);
    });
    socket.on('close', () => further.destroy());
    further.on('close', () => socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const address = server.address();
  return {
    port: address !== null && typeof address === 'object' ? address.port : 0,
    loseNext(text, what) {
      lost = { text, what };
    },
    stayLost(connections = Number.POSITIVE_INFINITY) {
      staysLost = connections;
    },
  };
}
