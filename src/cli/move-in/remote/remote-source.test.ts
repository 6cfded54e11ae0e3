/** Listings of running sources, their limits, and files that are kept. */
import { readFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { startRemoteServer } from '../../../../test/support/remote-server.ts';
import { FileUnavailableError } from '../source/source.ts';
import { DownloadedFiles } from './downloaded-files.ts';
import { JobQueue } from './job-queue.ts';
import { KeptFiles } from './kept-files.ts';
import { listResources } from './list-resources.ts';
import { parseListing } from './parse-listing.ts';
import { SourceServer } from './source-server.ts';
import { openUrl } from './url-source.ts';

const deadlines = { stallMs: 60_000, requestMs: 60_000, downloadMs: 60_000 };

const toListing = (children: unknown) => Buffer.from(JSON.stringify({ ResourceDirectory: { children } }));

describe('a listing', () => {
  it('is a list of children, a single child, or empty', () => {
    const child = { name: 'a', link: { type: 'application/xml' } };
    const parsed = { name: 'a', canBeDirectory: false };

    expect(parseListing(toListing({ child: [child, { ...child, name: 'b' }] }))?.children).toHaveLength(2);
    expect(parseListing(toListing({ child }))).toEqual({ children: [parsed], ignored: 0 });
    expect(parseListing(toListing(''))).toEqual({ children: [], ignored: 0 });
    expect(parseListing(Buffer.from('{"ResourceDirectory":{}}'))).toEqual({ children: [], ignored: 0 });
  });

  it.each([
    [7, 'http://h/rest/resource/data/007', '007'],
    [1.5, 'http://h/rest/resource/1.50?format=json', '1.50'],
    [true, 'http://h/rest/resource/TRUE', 'TRUE'],
    [7, 'http://h/rest/resource/8', '7'],
    [7, 'http://h/%', '7'],
    [0, 'http://h/rest/resource/', '0'],
    [7, null, '7'],
  ])('has the name %j with the link %j as the text %j', (name, href, text) => {
    expect(parseListing(toListing({ child: { name, link: { href } } }))?.children).toEqual([
      { name: text, canBeDirectory: true },
    ]);
  });

  it.each(['', '[]', '{"a":1}', '<html>', 'null', '{"ResourceDirectory":null}', '{"ResourceDirectory":[]}'])(
    'is not %j',
    (text) => {
      expect(parseListing(Buffer.from(text))).toBeUndefined();
    },
  );
});

describe('a running source', () => {
  const reply = (response: ServerResponse, body: unknown) =>
    response
      .writeHead(200, { 'content-type': 'application/json', 'resource-type': 'directory' })
      .end(typeof body === 'string' ? body : JSON.stringify({ ResourceDirectory: { children: { child: body } } }));

  async function startListing(children: (url: string) => unknown) {
    const remote = await startRemoteServer(({ url = '' }, response) => reply(response, children(url)));
    return { remote, url: new URL(`http://127.0.0.1:${remote.port}/geoserver`) };
  }

  it('has a limited number of files', async () => {
    const { url } = await startListing(() => ['a', 'b', 'c'].map((name) => ({ name })));
    const server = new SourceServer({ url, login: undefined });
    const kept = new KeptFiles();

    await expect(listResources(server, kept, 100)).rejects.toThrow('The source has more than 100 files.');

    kept.close();
    await server.close();
  });

  it.each(['no answer', 'half of an answer'])('that sends %s is an error after the deadline', async (what) => {
    const remote = await startRemoteServer((_, response) => {
      if (what === 'half of an answer') response.writeHead(200).write('{');
    });
    const url = new URL(`http://127.0.0.1:${remote.port}/geoserver`);

    const opened = openUrl({ url, login: undefined }, { ...deadlines, stallMs: 50 });

    await expect(opened).rejects.toMatchObject({
      code: 'source-unreadable',
      message: `The source did not answer within 0.05 seconds: ${url.href}/rest/resource?format=json.`,
    });
  });

  it('that sends bytes forever is an error after the deadline of the request', async () => {
    const remote = await startRemoteServer((_, response) => {
      response.writeHead(200);
      const write = () => response.destroyed || response.write(' ', () => setImmediate(write));
      write();
    });
    const url = new URL(`http://127.0.0.1:${remote.port}/geoserver`);

    const opened = openUrl({ url, login: undefined }, { ...deadlines, requestMs: 100 });

    await expect(opened).rejects.toMatchObject({ code: 'source-unreadable' });
  });

  it('receives at most 4 requests at once', async () => {
    const waiting: ServerResponse[] = [];
    const counts: number[] = [];
    const remote = await startRemoteServer(({ url = '' }, response) => {
      if (!url.includes('/rest/resource')) response.writeHead(404).end();
      else if (url.includes('/resource?'))
        reply(
          response,
          Array.from({ length: 8 }, (_, index) => ({ name: `d${index}` })),
        );
      else if (waiting.push(response) === 4) {
        // A fifth request would arrive meanwhile.
        setImmediate(() => {
          counts.push(waiting.length);
          for (const each of waiting.splice(0)) reply(each, []);
        });
      }
    });
    const url = new URL(`http://127.0.0.1:${remote.port}/geoserver`);

    const source = await openUrl({ url, login: undefined });
    await source.close();

    expect(counts).toEqual([4, 4]);
    expect(await remote.connections()).toBeLessThanOrEqual(4);
  });
});

describe('data files of a running source', () => {
  /** Serves eight files; `answer` returns their contents. */
  async function startFiles(answer: (response: ServerResponse, index: number) => void) {
    const remote = await startRemoteServer(({ url = '' }, response) => {
      const index = Number(/\/f(\d)\.bin/.exec(url)?.[1] ?? -1);
      if (index >= 0) answer(response.writeHead(200, { 'resource-type': 'resource' }), index);
      else {
        const link = { type: 'application/octet-stream' };
        const child = Array.from({ length: 8 }, (_, each) => ({ name: `f${each}.bin`, link }));
        const isListing = url.includes('/resource?');
        response.writeHead(isListing ? 200 : 404, { 'resource-type': 'directory' });
        response.end(JSON.stringify({ ResourceDirectory: { children: { child } } }));
      }
    });
    return { remote, url: new URL(`http://127.0.0.1:${remote.port}/geoserver`) };
  }

  const names = Array.from({ length: 8 }, (_, index) => `f${index}.bin`);
  const readText = async (path: string | undefined) => (await readFile(path ?? '')).toString();

  it('are downloaded, at most 4 at once, and removed when the source is closed', async () => {
    const waiting: (() => void)[] = [];
    const counts: number[] = [];
    const { remote, url } = await startFiles((response, index) => {
      if (waiting.push(() => response.end(`content ${index}`)) < 4) return;
      // A fifth request would arrive meanwhile.
      setImmediate(() => {
        counts.push(waiting.length);
        for (const end of waiting.splice(0)) end();
      });
    });
    const source = await openUrl({ url, login: undefined });

    const paths = await Promise.all(names.map((name) => source.locate?.(name)));
    const again = await source.locate?.('f3.bin');
    const texts = await Promise.all(paths.map(readText));
    await source.close();

    expect(texts).toEqual(names.map((_, index) => `content ${index}`));
    expect(again).toBe(paths[3]);
    expect(counts).toEqual([4, 4]);
    expect(await remote.connections()).toBeLessThanOrEqual(4);
    await expect(readText(paths[0])).rejects.toThrow('ENOENT');
  });

  it('are an error after the deadline of a download, even if bytes arrive', async () => {
    const { url } = await startFiles((response) => {
      const write = () => response.destroyed || response.write(' ', () => setImmediate(write));
      write();
    });
    const source = await openUrl({ url, login: undefined }, { ...deadlines, downloadMs: 100 });

    await expect(source.locate?.('f0.bin')).rejects.toMatchObject({
      code: 'source-unreadable',
      message: expect.stringContaining('The source did not answer within 0.1 seconds: '),
    });
    await source.close();
  });

  it('are downloaded no further when the source is closed', async () => {
    const { promise: begun, resolve } = Promise.withResolvers<void>();
    const { remote, url } = await startFiles((response) => response.write('half', () => resolve()));
    const source = await openUrl({ url, login: undefined });

    const located = expect(source.locate?.('f0.bin')).rejects.toMatchObject({ code: 'cancelled' });
    await begun;
    await source.close();

    await located;
    expect(remote.asked.filter((line) => line.includes('f0.bin'))).toHaveLength(1);
  });

  it('have a limited size', async () => {
    const { url } = await startFiles((response) => response.end('12345678901'));
    const server = new SourceServer({ url, login: undefined });
    const kept = new KeptFiles();
    const downloads = new DownloadedFiles(server, kept, 10);

    await expect(downloads.locate('f0.bin')).rejects.toThrow(
      new FileUnavailableError("'f0.bin' has more than 10 bytes"),
    );

    await server.close();
    await downloads.close();
    kept.close();
  });
});

describe('kept files', () => {
  it('are read as they were kept, until they are too large', () => {
    const kept = new KeptFiles(10);

    expect(kept.keep('a', Buffer.from('12345'))).toBe(true);
    expect(kept.keep('empty', Buffer.alloc(0))).toBe(true);
    expect(kept.keep('b', Buffer.from('123456'))).toBe(false);
    expect(kept.keep('c', Buffer.from('67890'))).toBe(true);

    expect(
      [kept.read('a'), kept.read('c'), kept.read('empty'), kept.read('b')].map((bytes) => bytes?.toString()),
    ).toEqual(['12345', '67890', '', undefined]);
    kept.close();
  });
});

describe('a queue of jobs', () => {
  it('runs jobs that jobs add, and stops after a failure', async () => {
    const ran: number[] = [];
    const queue = new JobQueue();
    const add = (depth: number): void =>
      queue.add(async () => {
        ran.push(depth);
        if (depth === 3) throw new Error('deep enough');
        add(depth + 1);
      });
    add(0);

    await expect(queue.run(2)).rejects.toThrow('deep enough');
    expect(ran).toEqual([0, 1, 2, 3]);
  });
});
