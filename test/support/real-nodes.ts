/** Real nodes on one PostgreSQL, each a process as operators start it, and a round-robin proxy. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from './services/free-port.ts';

export const ADMIN_PASSWORD = 'a password for tests';

export const asAdministrator = `Basic ${Buffer.from(`admin:${ADMIN_PASSWORD}`).toString('base64')}`;

export interface RealNode {
  readonly origin: string;
  readonly port: number;
  readonly dataDir: string;
  /** Starts or restarts it, and waits until it is ready. */
  start(): Promise<void>;
  /** Its output so far. */
  readOutput(): string;
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void;
  /** Kills it without a graceful shutdown. */
  kill(): Promise<void>;
  /** Stops it gracefully; returns its output. */
  stop(): Promise<string>;
}

const READY_MS = 120_000;
const HOST = '127.0.0.1';
const projectFolder = fileURLToPath(new URL('../../', import.meta.url));

/** Not started yet. Without a storage, it is a standalone server. */
export async function createNode(storage: string | undefined, flags: readonly string[] = []): Promise<RealNode> {
  const port = await freePort(HOST);
  const origin = `http://${HOST}:${port}`;
  const dataDir = await mkdtemp(join(tmpdir(), 'graticule-node-'));
  let child: ChildProcess | undefined;
  let log = '';

  async function end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  }

  return {
    origin,
    port,
    dataDir,
    async start() {
      child = spawn(process.execPath, ['src/main.ts', '--port', String(port), '--data-dir', dataDir, ...flags], {
        cwd: projectFolder,
        env: {
          ...process.env,
          ...(storage === undefined ? {} : { GRATICULE_STORAGE: storage }),
          GRATICULE_SERVER_KEY: Buffer.alloc(32, 7).toString('base64'),
          GRATICULE_ADMIN_PASSWORD: ADMIN_PASSWORD,
        },
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      child.stderr?.setEncoding('utf8').on('data', (text: string) => {
        log += text;
      });
      await untilReady(
        origin,
        () => child?.exitCode ?? undefined,
        () => log,
      );
    },
    readOutput: () => log,
    signal(signal) {
      child?.kill(signal);
    },
    kill: () => end('SIGKILL'),
    async stop() {
      child?.kill('SIGCONT');
      await end('SIGTERM');
      await rm(dataDir, { recursive: true, force: true });
      return log;
    },
  };
}

async function untilReady(origin: string, ended: () => number | undefined, log: () => string): Promise<void> {
  const deadlineMs = performance.now() + READY_MS;
  while (performance.now() < deadlineMs && ended() === undefined) {
    const reply = await fetch(`${origin}/readyz`).catch(() => undefined);
    if (reply?.status === 200) return;
    await delay(20);
  }
  throw new Error(`A node did not become ready: ${log()}`);
}

export interface RoundRobin {
  readonly origin: string;
  close(): void;
}

/** Each request goes to the next node; unreachable nodes are skipped, as proxies do. */
export async function startRoundRobin(nodes: readonly Pick<RealNode, 'port'>[]): Promise<RoundRobin> {
  const agent = new Agent({ keepAlive: true });
  let turn = 0;

  function pass(incoming: IncomingMessage, body: Buffer, reply: ServerResponse, triesLeft: number): void {
    const { port } = nodes[turn % nodes.length] ?? { port: 0 };
    turn += 1;
    const { method, url, headers } = incoming;
    const further = request({ host: HOST, port, method, path: url, headers, agent }, (answer) => {
      reply.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.on('error', () => reply.destroy()).pipe(reply);
    });
    further.on('error', (error: NodeJS.ErrnoException) => {
      if (reply.headersSent) reply.destroy();
      else if (error.code === 'ECONNREFUSED' && triesLeft > 0) pass(incoming, body, reply, triesLeft - 1);
      else reply.writeHead(502).end();
    });
    further.end(body);
  }

  const server = createServer((incoming, reply) => {
    const pieces: Buffer[] = [];
    incoming.on('data', (piece: Buffer) => pieces.push(piece));
    incoming.on('end', () => pass(incoming, Buffer.concat(pieces), reply, nodes.length));
  });
  await new Promise<void>((resolve) => server.listen(0, HOST, resolve));
  return {
    origin: `http://${HOST}:${(server.address() as AddressInfo).port}`,
    close() {
      agent.destroy();
      server.closeAllConnections();
      server.close();
    },
  };
}
