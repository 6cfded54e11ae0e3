/** Sends HTTP requests to services, as one client or many, and measures the response times. */
import { Agent, get } from 'node:http';
import { percentile } from './percentile.ts';

/** The milliseconds until the last byte of a response. */
export type Ask = (url: string) => Promise<number>;

export const CLIENTS = 8;
export const ROUNDS = 15;
export const WARM_UP = 5;
const TURNS_A_CLIENT = 30;

export interface Asking {
  readonly ask: Ask;
  close(): void;
}

/** Map servers report errors with the status 200, so the caller checks the response. */
export function startAsking(isGood: (reply: { readonly type: string; readonly bytes: number }) => boolean): Asking {
  const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS });
  const ask: Ask = (url) =>
    new Promise((resolve, reject) => {
      const startedAt = performance.now();
      get(url, { agent }, (reply) => {
        let bytes = 0;
        reply.on('data', (piece: Buffer) => {
          bytes += piece.length;
        });
        reply.once('error', reject);
        reply.once('end', () => {
          const type = reply.headers['content-type'] ?? '';
          if (reply.statusCode === 200 && isGood({ type, bytes })) resolve(performance.now() - startedAt);
          else reject(new Error(`${url} answered ${reply.statusCode} with ${bytes} bytes of ${type}`));
        });
      }).once('error', reject);
    });
  return { ask, close: () => agent.destroy() };
}

/** In alternation, so that other load of the machine affects all equally; medians after a warm-up. */
export async function byTurns<Name extends string>(
  ask: Ask,
  urls: Readonly<Record<Name, string>>,
  rounds = ROUNDS,
): Promise<Readonly<Record<Name, number>>> {
  const entries = Object.entries<string>(urls);
  const times = new Map(entries.map(([name]) => [name, [] as number[]]));
  for (let round = 0; round < WARM_UP + rounds; round += 1) {
    for (const [name, url] of entries) {
      const ms = await ask(url);
      if (round >= WARM_UP) times.get(name)?.push(ms);
    }
  }
  const medians = entries.map(([name]) => [name, percentile(times.get(name) ?? [], 0.5)]);
  return Object.fromEntries(medians) as Record<Name, number>;
}

/** Each client requests a separate region. */
export async function inParallel(ask: Ask, url: (corner: number) => string): Promise<readonly number[]> {
  const client = async (_: unknown, index: number): Promise<readonly number[]> => {
    const times: number[] = [];
    for (let turn = 0; turn < TURNS_A_CLIENT; turn += 1) times.push(await ask(url(-60 + 15 * index + (turn % 5))));
    return times;
  };
  return (await Promise.all(Array.from({ length: CLIENTS }, client))).flat();
}
