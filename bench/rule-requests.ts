/** Compares two requests in short alternating rounds, so that both see the same machine load. */
import autocannon from 'autocannon';
import { percentile } from './percentile.ts';
import { authorization, type ServerChild } from './server-child.ts';

const ROUNDS = 9;

/** Enough for the steps of 10 ms in which processor time is known. */
const REQUESTS = 4_000;
const CONNECTIONS = 8;

export interface Request {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface ComparedCost {
  readonly oursMicroseconds: number;
  readonly otherMicroseconds: number;
  readonly ratio: number;
}

/** For small replies, many at once: processor time of the server, which depends less on other load of the machine. */
export function compareRequests(server: ServerChild, ours: Request, other: Request): Promise<ComparedCost> {
  return compareRounds(ours, other, async ({ url, headers }) => {
    const beforeMs = await server.processorMs();
    const result = await autocannon({ url, headers: { ...headers }, connections: CONNECTIONS, amount: REQUESTS });
    if (result.non2xx > 0 || result.errors > 0) throw new Error(`${url} answered ${result.non2xx} times with an error`);
    return (((await server.processorMs()) - beforeMs) * 1_000) / REQUESTS;
  });
}

/** For large replies, one after the other. */
export function compareTimes(ours: Request, other: Request): Promise<ComparedCost> {
  return compareRounds(ours, other, async ({ url, headers }) => {
    const start = performance.now();
    const reply = await fetch(url, { headers });
    await reply.arrayBuffer();
    if (!reply.ok) throw new Error(`${url} answered ${reply.status}`);
    return (performance.now() - start) * 1_000;
  });
}

/** All figures are medians; the ratio is that of single rounds. */
async function compareRounds(
  ours: Request,
  other: Request,
  measure: (request: Request) => Promise<number>,
): Promise<ComparedCost> {
  await measure(ours);
  await measure(other);
  const rounds: ComparedCost[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const [oursMicroseconds, otherMicroseconds] = [await measure(ours), await measure(other)];
    rounds.push({ oursMicroseconds, otherMicroseconds, ratio: oursMicroseconds / otherMicroseconds });
  }
  const median = (of: keyof ComparedCost) =>
    percentile(
      rounds.map((each) => each[of]),
      0.5,
    );
  return {
    oursMicroseconds: median('oursMicroseconds'),
    otherMicroseconds: median('otherMicroseconds'),
    ratio: median('ratio'),
  };
}

/** Sends a document as the administrator, and returns that of the reply if it has one. */
export async function sendDocument(server: ServerChild, path: string, document?: object): Promise<unknown> {
  const reply = await fetch(`${server.restUrl}${path}`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json', accept: 'application/json' },
    ...(document === undefined ? {} : { body: JSON.stringify(document) }),
  });
  const text = await reply.text();
  if (!reply.ok) throw new Error(`POST ${path} answered ${reply.status}: ${text}`);
  return text.startsWith('{') ? JSON.parse(text) : undefined;
}
