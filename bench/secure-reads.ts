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
  readonly securePerSecond: number;
  readonly plainPerSecond: number;
  readonly ratio: number;
}

/** Rounds alternate, and each is compared with its neighbour, so that both see the same machine load. */
export async function measureSecureReads(plain: ServerChild, secureOrigin: string, path: string): Promise<SecureReads> {
  const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS });
  const sessions = Array.from({ length: CLIENTS }, () => connect(secureOrigin));
  const readPlain = () => readOnce(`${plain.origin}${path}`, agent);
  const rounds: { readonly secure: number; readonly plain: number }[] = [];
  // The first round warms up both servers.
  for (let round = 0; round <= ROUNDS; round += 1) {
    const plainRate = await countPerSecond(() => readPlain());
    const secure = await countPerSecond((client) => readStream(sessions[client], path));
    if (round > 0) rounds.push({ secure, plain: plainRate });
  }
  for (const session of sessions) session.close();
  agent.destroy();
  return {
    securePerSecond: percentile(
      rounds.map(({ secure }) => secure),
      0.5,
    ),
    plainPerSecond: percentile(
      rounds.map((each) => each.plain),
      0.5,
    ),
    ratio: percentile(
      rounds.map((each) => each.secure / each.plain),
      0.5,
    ),
  };
}

async function countPerSecond(read: (client: number) => Promise<void>): Promise<number> {
  const startedAtMs = performance.now();
  let count = 0;
  const run = async (client: number) => {
    while (performance.now() - startedAtMs < ROUND_MS) {
      await read(client);
      count += 1;
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, (_, client) => run(client)));
  return (count * 1_000) / (performance.now() - startedAtMs);
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
