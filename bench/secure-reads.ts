/** Reads per second over TLS with HTTP/2, as a ratio to plain HTTP/1.1, with the clients of Node for both. */

import { readFileSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { type ClientHttp2Session, connect } from 'node:http2';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { percentile } from './percentile.ts';
import { authorization, type ServerChild } from './server-child.ts';

/** Each has one request in progress. */
const CLIENTS = 16;
const ROUND_MS = 1_500;
const ROUNDS = 7;

/** Returns the arguments of a server that uses TLS, and trusts its certificate from now on. */
export function prepareTls(): readonly string[] {
  const find = (part: string) => fileURLToPath(new URL(`../test/fixtures/tls/first.${part}.pem`, import.meta.url));
  setDefaultCACertificates([...getCACertificates(), readFileSync(find('cert'), 'utf8')]);
  return ['--tls-cert', find('cert'), '--tls-key', find('key')];
}

export interface SecureReads {
  readonly secure: ReadRate;
  readonly plain: ReadRate;
  /** The rate over TLS, as a share of the plain rate. */
  readonly ratio: number;
  /** The same by the processor time of the server, which the clients do not share. */
  readonly processorRatio: number;
}

export interface ReadRate {
  readonly perSecond: number;
  /** Microseconds of processor time of the server for each read. */
  readonly processorUs: number;
}

/** Rounds alternate, and each is compared with its neighbour, so that both see the same machine load. */
export async function measureSecureReads(plain: ServerChild, secure: ServerChild, path: string): Promise<SecureReads> {
  const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS });
  const sessions = Array.from({ length: CLIENTS }, () => connect(secure.origin));
  const readPlain = () => readOnce(`${plain.origin}${path}`, agent);
  const rounds: { readonly secure: ReadRate; readonly plain: ReadRate }[] = [];
  // The first round warms up both servers.
  for (let round = 0; round <= ROUNDS; round += 1) {
    const plainRate = await measureRate(plain, () => readPlain());
    const secureRate = await measureRate(secure, (client) => readStream(sessions[client], path));
    if (round > 0) rounds.push({ secure: secureRate, plain: plainRate });
  }
  for (const session of sessions) session.close();
  agent.destroy();
  const findMedian = (pick: (round: (typeof rounds)[number]) => number) => percentile(rounds.map(pick), 0.5);
  const findMedianRate = (name: 'secure' | 'plain'): ReadRate => ({
    perSecond: findMedian((round) => round[name].perSecond),
    processorUs: findMedian((round) => round[name].processorUs),
  });
  return {
    secure: findMedianRate('secure'),
    plain: findMedianRate('plain'),
    ratio: findMedian((round) => round.secure.perSecond / round.plain.perSecond),
    processorRatio: findMedian((round) => round.plain.processorUs / round.secure.processorUs),
  };
}

async function measureRate(server: ServerChild, read: (client: number) => Promise<void>): Promise<ReadRate> {
  const [startedAtMs, startedProcessorMs] = [performance.now(), await server.processorMs()];
  let count = 0;
  const run = async (client: number) => {
    while (performance.now() - startedAtMs < ROUND_MS) {
      await read(client);
      count += 1;
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, (_, client) => run(client)));
  const perSecond = (count * 1_000) / (performance.now() - startedAtMs);
  return { perSecond, processorUs: (((await server.processorMs()) - startedProcessorMs) * 1_000) / count };
}

function readOnce(url: string, agent: Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    get(url, { agent, headers: { authorization } }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${url} answered ${response.statusCode}`));
      response.on('end', resolve).resume();
    }).on('error', reject);
  });
}

function readStream(session: ClientHttp2Session | undefined, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    if (session === undefined) throw new Error('No session');
    const stream = session.request({ ':path': path, authorization });
    stream.on('response', (headers) => {
      if (headers[':status'] !== 200) reject(new Error(`${path} answered ${headers[':status']}`));
    });
    stream.on('end', resolve).on('error', reject).resume();
  });
}
