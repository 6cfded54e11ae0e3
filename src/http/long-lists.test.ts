import { once } from 'node:events';
import { get as getOverHttp, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { madeUpApp } from '../../test/support/made-up-app.ts';
import { ANYONE } from './auth/auth.ts';
import { createListWriter, type StreamedItems } from './documents/listing.ts';
import { createRouteBuilders } from './route-table/route-table.ts';

const COUNT = 20_000;

interface Town {
  readonly name: string;
}

const townListing = createListWriter<Town>('towns', {
  itemName: 'town',
  title: 'Towns',
  name: (town) => town.name,
  path: (town) => ['towns', town.name],
});

/** Serves towns from an array or from a streamed list. */
function townApp(towns: readonly Town[] | StreamedItems<Town>) {
  const { family, get } = createRouteBuilders<ReadonlySet<string>>();
  const table = family('Towns', { description: 'Made up.', formats: ['xml', 'json', 'html'], formatGroup: 'catalog' }, [
    get('/towns', 'List', { returns: townListing, role: ANYONE }, async () => ({ resource: towns })),
  ]);
  return madeUpApp('graticule', [table]);
}

function manyTowns(count = COUNT): readonly Town[] {
  return Array.from({ length: count }, (_, index) => ({ name: `town-${index}` }));
}

async function* coming(towns: readonly Town[]): AsyncGenerator<Town> {
  for (const town of towns) {
    yield town;
  }
}

describe('long list', () => {
  it.each(['json', 'xml', 'html'])('is the same in %s from an array and from a stream', async (format) => {
    const towns = manyTowns();
    const held = await townApp(towns).app.inject({ url: `/rest/towns.${format}` });
    const read = await townApp({ items: coming(towns), namesLikeFormats: [] }).app.inject({
      url: `/rest/towns.${format}`,
    });

    expect(held.statusCode).toBe(200);
    expect(held.headers['content-length']).toBeUndefined();
    expect(held.body.match(/town-19999/g)?.length).toBeGreaterThan(0);
    expect(read.body).toBe(held.body);
  });

  it('names and links every item', async () => {
    const reply = await townApp(manyTowns()).app.inject({ url: '/rest/towns.json', headers: { host: 'maps' } });

    const { towns } = reply.json() as { towns: { town: { name: string; href: string }[] } };
    expect(towns.town).toHaveLength(COUNT);
    expect(towns.town[COUNT - 1]).toEqual({ name: 'town-19999', href: 'http://maps/rest/towns/town-19999.json' });
  });

  it('distinguishes items whose names differ only in an extension, as a short list does', async () => {
    const towns = [...manyTowns(), { name: 'a' }, { name: 'a.json' }];
    const held = await townApp(towns).app.inject({ url: '/rest/towns.json' });
    const read = await townApp({ items: coming(towns), namesLikeFormats: ['a.json'] }).app.inject({
      url: '/rest/towns.json',
    });

    expect(held.body).toContain('/rest/towns/a/.json"');
    expect(read.body).toBe(held.body);
  });

  it('has no body for HEAD', async () => {
    const { app } = townApp(manyTowns());
    const url = await listening(app);

    const reply = await fetch(`${url}/rest/towns.json`, { method: 'HEAD' });

    expect([reply.status, await reply.text()]).toEqual([200, '']);
  });

  it('yields to other work while it is serialized', async () => {
    const { app } = townApp(manyTowns());
    let turns = 0;
    let isSent = false;

    const sent = app.inject({ url: '/rest/towns.json' }).then(() => {
      isSent = true;
    });
    while (!isSent) {
      await nextTurn();
      turns += 1;
    }
    await sent;

    expect(turns).toBeGreaterThan(10);
  });
});

describe('streamed list', () => {
  it('has a Content-Length if it is short', async () => {
    const reply = await townApp({ items: coming([{ name: 'a' }]), namesLikeFormats: [] }).app.inject({
      url: '/rest/towns.json',
    });

    expect(reply.headers['content-length']).toBe(String(reply.rawPayload.length));
    expect(reply.json()).toMatchObject({ towns: { town: [{ name: 'a' }] } });
  });

  it('is an empty list without items', async () => {
    const reply = await townApp({ items: coming([]), namesLikeFormats: [] }).app.inject({ url: '/rest/towns.xml' });

    expect(reply.body).toBe('<towns/>\n');
  });

  it('returns an error response if its beginning fails', async () => {
    const broken = townApp({ items: failingAfter(10), namesLikeFormats: [] });

    const reply = await broken.app.inject({ url: '/rest/towns.json' });

    expect(reply.statusCode).toBe(500);
  });

  it('aborts and logs the failure if its end fails', async () => {
    const { app, log } = townApp({ items: failingAfter(COUNT), namesLikeFormats: [] });
    const url = await listening(app);

    await expect(fetch(`${url}/rest/towns.json`).then((reply) => reply.text())).rejects.toThrow();

    const lines = log.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines).toContainEqual(expect.objectContaining({ msg: 'a response was aborted' }));
    expect(lines).toContainEqual(expect.objectContaining({ msg: 'request', status: 500 }));
  });

  it('is read only as fast as the client reads, and stops when the client disconnects', async () => {
    let read = 0;
    let isLetGo: () => void = () => {};
    const letGo = new Promise<void>((resolve) => {
      isLetGo = resolve;
    });
    async function* endless(): AsyncGenerator<Town> {
      try {
        for (;;) {
          read += 1;
          yield { name: `town-${read}-${'x'.repeat(100)}` };
        }
      } finally {
        isLetGo();
      }
    }
    const { app, log } = townApp({ items: endless(), namesLikeFormats: [] });
    const url = await listening(app);

    const call = getOverHttp(`${url}/rest/towns.json`);
    const [reply] = (await once(call, 'response')) as [IncomingMessage];
    reply.on('error', () => {});
    call.on('error', () => {});
    reply.destroy();
    await letGo;

    expect(read).toBeLessThan(1_000_000);
    await expect.poll(() => log.join('')).toContain('the client disconnected');
  });
});

describe('change of many records', () => {
  const ask = (count: number) => {
    const changed = Array.from({ length: count }, (_, index) => ({ id: `record-${index}`, path: null }));
    const { app } = madeUpApp('graticule', [], { changed });
    return app.inject({
      method: 'DELETE',
      url: '/rest/places/a',
      headers: { accept: 'application/vnd.graticule.change+json' },
    });
  };

  it('is sent in chunks', async () => {
    const reply = await ask(COUNT);

    expect([reply.statusCode, reply.headers['content-length']]).toEqual([200, undefined]);
    expect(reply.json()).toMatchObject({ sequence: null, items: { length: COUNT, [COUNT - 1]: { path: null } } });
  });

  it('is sent whole if it is short or empty', async () => {
    const [short, empty] = [await ask(2), await ask(0)];

    expect(short.body).toBe('{"sequence":null,"items":[{"id":"record-0","path":null},{"id":"record-1","path":null}]}');
    expect(empty.body).toBe('{"sequence":null,"items":[]}');
    expect(short.headers['content-length']).toBe(String(short.body.length));
  });
});

const opened: { close(): Promise<unknown> }[] = [];
afterEach(() => Promise.all(opened.splice(0).map((app) => app.close())));

async function listening(app: ReturnType<typeof madeUpApp>['app']): Promise<string> {
  opened.push(app);
  await app.listen({ host: '127.0.0.1', port: 0 });
  return `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
}

async function* failingAfter(count: number): AsyncGenerator<Town> {
  yield* coming(manyTowns(count));
  throw new Error('the disk is gone');
}
