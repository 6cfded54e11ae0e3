import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { describeInDirectory, itInDirectory } from '../../../test/support/shared-storage.ts';
import {
  CSS_TYPE,
  createStylePackage,
  lineSld,
  pictureSld,
  SLD_TYPE,
  send,
  tinyPng,
  ZIP_TYPE,
} from '../../../test/support/styles.ts';
import { startTestServer, useTestServer } from '../../../test/support/test-server.ts';
import { hashBytes } from '../../storage/blobs/port.ts';

const hashOf = (content: string | Buffer) => hashBytes(Buffer.from(content));

describe('style ETag', () => {
  const server = useTestServer();
  const tagOf = async (path: string) => (await server.get(path)).headers['etag'] ?? '';

  it('changes with the entry and with the content, in every format for programs', async () => {
    await send(server, 'POST', '/styles?name=tagged', SLD_TYPE, lineSld('a'));
    const forms = ['.xml', '.json', '.sld', '.zip', '.png'];
    const first = await Promise.all(forms.map((form) => tagOf(`/styles/tagged${form}`)));
    await send(server, 'PUT', '/styles/tagged', SLD_TYPE, lineSld('b'));
    const second = await Promise.all(forms.map((form) => tagOf(`/styles/tagged${form}`)));
    await server.put('/styles/tagged', '{"style":{"metadata":{"a":"b"}}}');
    const third = await Promise.all(forms.map((form) => tagOf(`/styles/tagged${form}`)));

    expect(new Set([...first, ...second, ...third]).size).toBe(3 * forms.length);
    // The page also lists layers, which have their own versions.
    expect(await tagOf('/styles/tagged.html')).toBe('');
  });

  it('supports conditional reads', async () => {
    for (const form of ['.json', '.sld', '.png']) {
      const etag = await tagOf(`/styles/line${form}`);

      const reply = await server.get(`/styles/line${form}`, { headers: { 'if-none-match': etag } });
      expect([reply.status, reply.text]).toEqual([304, '']);
      expect((await server.get(`/styles/line${form}`, { headers: { 'if-match': '"1.sld"' } })).status).toBe(412);
    }
  });

  it('guards the content and the entry against concurrent changes', async () => {
    await send(server, 'POST', '/styles?name=guarded', SLD_TYPE, lineSld('a'));
    const etag = await tagOf('/styles/guarded.sld');
    const headers = { 'if-match': etag };

    expect((await send(server, 'PUT', '/styles/guarded', SLD_TYPE, lineSld('b'), { headers })).status).toBe(200);
    expect((await send(server, 'PUT', '/styles/guarded', SLD_TYPE, lineSld('c'), { headers })).status).toBe(412);
    expect((await server.put('/styles/guarded', '{"style":{"name":"x"}}', { headers })).status).toBe(412);
    expect((await server.delete('/styles/guarded', { headers })).status).toBe(412);
    expect(
      (await send(server, 'PUT', '/styles/guarded', SLD_TYPE, lineSld('d'), { headers: { 'if-none-match': '*' } }))
        .status,
    ).toBe(412);
    expect((await server.get('/styles/guarded.sld')).text).toBe(lineSld('b'));
  });

  it('is unchanged when the same content is sent again', async () => {
    await send(server, 'POST', '/styles?name=same', SLD_TYPE, lineSld('a'));
    const etag = await tagOf('/styles/same.sld');

    await send(server, 'PUT', '/styles/same', SLD_TYPE, lineSld('a'));

    expect(await tagOf('/styles/same.sld')).toBe(etag);
  });
});

describe('style history', () => {
  const server = useTestServer();

  it('keeps every version of the content', async () => {
    await send(server, 'POST', '/styles?name=h', SLD_TYPE, lineSld('first'));
    await send(server, 'PUT', '/styles/h', SLD_TYPE, lineSld('second'));
    await server.delete('/styles/h');

    for (const content of ['first', 'second']) {
      expect(await readKept(server.dataDir, hashOf(lineSld(content)))).toBe(lineSld(content));
    }
  });

  itInDirectory('reports purged contents and images, except those that other styles use', async () => {
    const [first, second, third] = [lineSld('p1'), lineSld('p2'), '* { stroke: red; }'];
    const used = lineSld('used');
    await send(server, 'POST', '/styles?name=other', SLD_TYPE, used);
    await send(server, 'POST', '/styles?name=p', SLD_TYPE, first);
    await send(server, 'PUT', '/styles/p', SLD_TYPE, used);
    const packed = pictureSld('p', 'icon.png');
    await send(server, 'PUT', '/styles/p', ZIP_TYPE, createStylePackage({ 'p.sld': packed, 'icon.png': tinyPng(7) }));
    await send(server, 'PUT', '/styles/p', ZIP_TYPE, createStylePackage({ 'p.sld': second }));
    await send(server, 'PUT', '/styles/p', CSS_TYPE, third);
    await server.put('/styles/p', '{"style":{"name":"renamed","filename":"renamed.css"}}');

    expect((await server.delete('/styles/renamed?purge=true')).status).toBe(200);

    const { storage } = server.server;
    const items = (await storage.listChanges(0, 1_000)).flatMap((entry) => entry.items);
    const reported = new Set(
      items.flatMap(({ before, after }) => [before, after].map((state) => state?.body['content'])),
    );
    for (const content of [first, packed, tinyPng(7), second, third]) {
      const hash = hashOf(content);
      expect(reported).toContain(hash);
      await expect(readKept(server.dataDir, hash)).rejects.toThrow('ENOENT');
      expect(await readKept(server.dataDir, `${hash}.purged`)).toBe('');
    }
    expect((await server.get('/styles/other.sld')).text).toBe(used);
  });

  it('keeps the contents of a style after a rejected purge and a dry run', async () => {
    await send(server, 'POST', '/styles?name=kept', SLD_TYPE, lineSld('k1'));
    await send(server, 'PUT', '/styles/kept', SLD_TYPE, lineSld('k2'));

    const stale = { headers: { 'if-match': '"0.json"' } };
    expect((await server.delete('/styles/kept?purge=true', stale)).status).toBe(412);
    expect((await server.delete('/styles/kept?purge=true&dryRun=true')).status).toBe(200);

    for (const content of ['k1', 'k2']) {
      expect(await readKept(server.dataDir, hashOf(lineSld(content)))).toBe(lineSld(content));
    }
  });
});

describeInDirectory('a style whose content was lost from the disk', () => {
  const server = useTestServer();

  it('reports the loss in every format, and is restored when it is sent again', async () => {
    const content = lineSld('lost');
    await send(server, 'POST', '/styles?name=lost', SLD_TYPE, content);
    const hash = hashBytes(Buffer.from(content));
    await rm(join(server.dataDir, 'blobs', hash.slice(0, 2), hash));

    for (const form of ['.sld', '.zip', '.png']) {
      const reply = await server.get(`/styles/lost${form}`, { accept: 'application/problem+json' });
      expect([reply.status, reply.text]).toEqual([404, expect.stringContaining('style-content-lost')]);
    }
    expect((await server.get('/styles/lost.json')).status).toBe(200);
    await send(server, 'PUT', '/styles/lost', SLD_TYPE, content);
    expect((await server.get('/styles/lost.sld')).text).toBe(content);
  });
});

describe('a server that crashed between a change and its purge', () => {
  it('purges unused files at the next start, and nothing else', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'graticule-styles-'));
    onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
    const first = await startTestServer({ dataDir });
    await send(first, 'POST', '/styles?name=h', SLD_TYPE, lineSld('former'));
    await send(first, 'PUT', '/styles/h', SLD_TYPE, lineSld('present'));
    await first.close();
    const [former, present] = [lineSld('former'), lineSld('present')].map((text) => hashBytes(Buffer.from(text)));
    await mkdir(join(dataDir, 'purges'));
    for (const hash of [former, present]) await writeFile(join(dataDir, 'purges', `${hash}.note`), '');

    const second = await startTestServer({ dataDir });
    onTestFinished(() => second.close());

    await expect(readKept(dataDir, former ?? '')).rejects.toThrow('ENOENT');
    expect((await second.get('/styles/h.sld')).text).toBe(lineSld('present'));
    expect(await readdir(join(dataDir, 'purges'))).toEqual([]);
  });
});

describe('concurrent writers of one style', () => {
  const server = useTestServer();

  it('never mix the entry of one with the content of another', async () => {
    await send(server, 'POST', '/styles?name=busy', SLD_TYPE, lineSld('0'));
    const contents = Array.from({ length: 20 }, (_, index) =>
      index % 2 === 0
        ? ([SLD_TYPE, lineSld(String(index))] as const)
        : (['application/vnd.ogc.se+xml', newer(index)] as const),
    );

    const writes = contents.map(([type, content]) => send(server, 'PUT', '/styles/busy', type, content));
    const reads = Array.from({ length: 20 }, () => server.get('/styles/busy.sld'));
    const replies = await Promise.all([...writes, ...reads]);

    expect(replies.map(({ status }) => status)).toEqual(Array.from({ length: 40 }, () => 200));
    for (const { text, headers } of replies.slice(20)) {
      expect(text).toContain(headers['content-type'] === SLD_TYPE ? 'version="1.0.0"' : 'version="1.1.0"');
    }
    const content = await server.get('/styles/busy.sld');
    const entry = await server.get('/styles/busy.xml');
    expect(entry.text).toContain(
      `<version>${/StyledLayerDescriptor version="(.*?)"/.exec(content.text)?.[1]}</version>`,
    );
    expect(contents.map(([, each]) => each)).toContain(content.text);
  });

  it('create it once, and one of them succeeds', async () => {
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        send(server, 'POST', '/styles?name=race', SLD_TYPE, lineSld(String(index))),
      ),
    );

    expect(replies.map(({ status }) => status).toSorted()).toEqual([201, ...Array.from({ length: 9 }, () => 403)]);
    const winner = replies.findIndex(({ status }) => status === 201);
    expect((await server.get('/styles/race.sld')).text).toBe(lineSld(String(winner)));
  });
});

describe('a data directory without built-in styles', () => {
  it('gets them at the next start and keeps changes to the others', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'graticule-styles-'));
    onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
    const first = await startTestServer({ dataDir });
    await send(first, 'PUT', '/styles/point', SLD_TYPE, lineSld('mine'));
    await first.server.storage.write({ who: 'test', what: 'as an older version left it' }, async (transaction) => {
      const line = await transaction.find('style', null, 'line');
      await transaction.remove(line?.id ?? '');
    });
    await first.close();

    const second = await startTestServer({ dataDir });
    onTestFinished(() => second.close());

    expect((await second.get('/styles/line.sld')).text).toContain('Blue line');
    expect((await second.get('/styles/point.sld')).text).toBe(lineSld('mine'));
  });
});

function newer(index: number): string {
  return `<StyledLayerDescriptor version="1.1.0" xmlns="http://www.opengis.net/sld" xmlns:se="http://www.opengis.net/se"><NamedLayer><se:Name>${index}</se:Name></NamedLayer></StyledLayerDescriptor>`;
}

function readKept(dataDir: string, hash: string): Promise<string> {
  return readFile(join(dataDir, 'blobs', hash.slice(0, 2), hash), 'utf8');
}
