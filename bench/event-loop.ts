/** How long others wait while somebody sends much: the p99 of a small GET alone, and beside each kind of large request. */
import { Agent, request } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { percentile } from './percentile.ts';
import { authorization, type ServerChild } from './server-child.ts';
import { documentOf } from './sld-parsing.ts';

/** A client that looks at a page, not one that wants to know how much is possible. */
const PAUSE_MS = 2;
const QUIET_GETS = 500;
const LARGE_STYLE_BYTES = 9_400_000;
const STYLE_BYTES = 1_000_000;
const STYLE_UPLOADS = 7;

export interface Waiting {
  readonly what: string;
  readonly p99Ms: number;
  readonly longestMs: number;
  /** How long the large request itself took. */
  readonly tookMs: number;
}

export interface EventLoopDelay {
  /** The p99 of the same GET with nothing beside it. */
  readonly quietP99Ms: number;
  readonly beside: readonly Waiting[];
  /** Uploading a style of 1 MB, the median after the first. */
  readonly megabyteStyleMs: number;
}

const SLD = 'application/vnd.ogc.sld+xml';

export async function measureEventLoopDelay(server: ServerChild): Promise<EventLoopDelay> {
  const agent = new Agent({ keepAlive: true });
  const send = (method: string, path: string, type?: string, body?: string | Buffer) =>
    call(server, agent, method, path, type, body);
  const get = () => send('GET', '/workspaces.json');
  const timed = async (work: () => Promise<unknown>) => {
    const startedAt = performance.now();
    await work();
    return performance.now() - startedAt;
  };

  const quiet: number[] = [];
  await send('POST', '/styles?name=first', SLD, documentOf(STYLE_BYTES));
  for (let index = 0; index < QUIET_GETS; index += 1) {
    quiet.push(await timed(get));
    await wait(PAUSE_MS);
  }

  const beside = async (what: string, work: () => Promise<unknown>): Promise<Waiting> => {
    const waits: number[] = [];
    let isDone = false;
    const large = timed(work).finally(() => {
      isDone = true;
    });
    while (!isDone) {
      waits.push(await timed(get));
      await wait(PAUSE_MS);
    }
    return { what, p99Ms: percentile(waits, 0.99), longestMs: Math.max(...waits), tookMs: await large };
  };

  const large = documentOf(LARGE_STYLE_BYTES);
  const measured = [
    await beside('an SLD of 9.4 MB is uploaded', () => send('POST', '/styles?name=large', SLD, large)),
    await beside('it is asked for in the other version', () => send('GET', '/styles/large', undefined, undefined)),
    await beside('its legend is drawn', () => send('GET', '/styles/large.png')),
    await beside('an XML document of 1 MB with 250,000 elements is sent', () =>
      send('POST', '/workspaces', 'application/xml', `<workspace>${'<a/>'.repeat(250_000)}</workspace>`),
    ),
    await beside('a JSON document of 1 MB with 300,000 values is sent', () =>
      send('POST', '/workspaces', 'application/json', `{"workspace":{"a":[${'1,'.repeat(299_999)}1]}}`),
    ),
  ];

  const uploads: number[] = [];
  const megabyte = documentOf(STYLE_BYTES);
  for (let index = 0; index < STYLE_UPLOADS; index += 1) {
    uploads.push(await timed(() => send('POST', `/styles?name=megabyte-${index}`, SLD, megabyte)));
  }
  agent.destroy();
  return {
    quietP99Ms: percentile(quiet, 0.99),
    beside: measured,
    megabyteStyleMs: percentile(uploads, 0.5),
  };
}

function call(
  server: ServerChild,
  agent: Agent,
  method: string,
  path: string,
  type?: string,
  body?: string | Buffer,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const accept = path === '/styles/large' ? { accept: 'application/vnd.ogc.se+xml' } : {};
    const headers = { authorization, ...accept, ...(type === undefined ? {} : { 'content-type': type }) };
    const sent = request(`${server.restUrl}${path}`, { method, agent, headers }, (reply) => {
      reply.resume();
      reply.once('end', () => resolve(reply.statusCode ?? 0));
    });
    sent.once('error', reject);
    sent.end(body);
  });
}
