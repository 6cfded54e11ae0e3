import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { madeUpApp } from '../../test/support/made-up-app.ts';
import { ANYONE } from './auth/auth.ts';
import { createListWriter } from './documents/listing.ts';
import { createRouteBuilders } from './route-table/route-table.ts';

const opened: { close(): unknown }[] = [];
afterEach(() => Promise.all(opened.splice(0).map((each) => each.close())));

/** More than the system buffers for a client that reads nothing. */
const HUGE = 'x'.repeat(50_000_000);

async function* endless(): AsyncGenerator<{ readonly name: string }> {
  for (;;) {
    yield { name: HUGE.slice(0, 1_000) };
  }
}

/** Serves `/shout` with a huge text, `/endless` with an infinite one, and `/say/:word` with the result of `say`. */
async function talkingApp(say: (word: string) => Promise<string>, sendTimeoutMs?: number) {
  const { family, get, getContent } = createRouteBuilders<ReadonlySet<string>>();
  const words = createListWriter<{ readonly name: string }>('words', {
    itemName: 'word',
    title: 'Words',
    name: ({ name }) => name,
    path: ({ name }) => ['say', name],
  });
  const plain = { mediaType: 'text/plain', role: ANYONE } as const;
  const table = family('Words', { description: 'Made up.', formats: ['json'], formatGroup: 'catalog' }, [
    getContent('/shout', 'Read', plain, async () => HUGE),
    getContent('/say/:word', 'Read', plain, async ({ params }) => say(params.word)),
    get('/endless', 'List', { returns: words, role: ANYONE }, async () => ({
      resource: { items: endless(), namesLikeFormats: [] },
    })),
  ]);
  const { app, log } = madeUpApp('graticule', [table], sendTimeoutMs === undefined ? {} : { sendTimeoutMs });
  opened.push(app);
  await app.listen({ host: '127.0.0.1', port: 0 });
  return { app, log, port: (app.server.address() as AddressInfo).port };
}

/** Opens a connection and sends all requests without waiting. */
function askFor(port: number, ...paths: readonly string[]): Socket {
  const client = connect(port, '127.0.0.1');
  opened.push({ close: () => client.destroy() });
  client.on('error', () => {});
  client.write(
    paths
      .map((path, index) => {
        const connection = index === paths.length - 1 ? 'close' : 'keep-alive';
        return `GET /rest${path} HTTP/1.1\r\nhost: a\r\nconnection: ${connection}\r\n\r\n`;
      })
      .join(''),
  );
  return client;
}

const silent = async () => '';

describe('client that reads nothing of its response', () => {
  it.each(['/shout', '/endless'])('is disconnected in the middle of %s', async (path) => {
    const { log, port } = await talkingApp(silent, 50);

    const client = askFor(port, path).pause();
    await once(client, 'connect');

    await expect.poll(() => log.join('')).toContain('the client disconnected');
  });

  it('stays connected while the server computes', async () => {
    const { port } = await talkingApp(async (word) => {
      // Longer than the send timeout.
      await new Promise((resolve) => setTimeout(resolve, 200));
      return word;
    }, 50);

    expect(await text(askFor(port, '/say/first', '/say/second'))).toMatch(/first.*second$/s);
  });
});

describe('client that reads slowly', () => {
  it('gets the whole response although the server is closing', async () => {
    const { app, port } = await talkingApp(silent);

    const client = connect(port, '127.0.0.1');
    opened.push({ close: () => client.destroy() });
    client.write('GET /rest/shout HTTP/1.1\r\nhost: a\r\n\r\n');
    await once(client, 'readable');
    const ended = app.close();
    const reply = await text(client);
    await ended;

    expect(reply.slice(reply.indexOf('\r\n\r\n') + 4).length).toBe(HUGE.length);
  });
});

describe('pipelined requests', () => {
  it('are answered in order, one at a time', async () => {
    let running = 0;
    let most = 0;
    const { port } = await talkingApp(async (word) => {
      running += 1;
      most = Math.max(most, running);
      await nextTurn();
      await nextTurn();
      running -= 1;
      return `<${word}>`;
    });
    const requested = Array.from({ length: 20 }, (_, index) => `word-${index}`);

    const replies = await text(askFor(port, ...requested.map((word) => `/say/${word}`)));

    expect(replies.match(/<word-\d+>/g)).toEqual(requested.map((word) => `<${word}>`));
    expect(most).toBe(1);
  });

  it('are not started if the client disconnects first', async () => {
    const started: string[] = [];
    const { promise: answered, resolve: answer } = Promise.withResolvers<string>();
    const { log, port } = await talkingApp((word) => {
      started.push(word);
      return answered;
    });

    const client = askFor(port, '/say/first', '/say/second');
    await expect.poll(() => started).toEqual(['first']);
    client.destroy();
    await expect.poll(() => log.filter((line) => line.includes('the client disconnected'))).toHaveLength(2);
    answer('');
    await nextTurn();

    expect(started).toEqual(['first']);
  });
});
