/** Compares two requests in short alternating rounds, so that both see the same machine load. */
import { percentile } from './percentile.ts';
import { authorization, type ServerChild } from './server-child.ts';
import { requestsPerSecond } from './throughput.ts';

const ROUNDS = 9;
const SECONDS = 1;

export interface Request {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface ComparedCost {
  readonly oursMicroseconds: number;
  readonly otherMicroseconds: number;
  readonly ratio: number;
}

/** For small replies, many at once. */
export function compareRequests(ours: Request, other: Request): Promise<ComparedCost> {
  return compareRounds(ours, other, async ({ url, headers }) => 1e6 / (await requestsPerSecond(url, headers, SECONDS)));
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
