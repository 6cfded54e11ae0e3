/** Copies the data of a running GeoServer: complete, interrupted, missing and absent. */
import { readdirSync } from 'node:fs';
import { mkdtemp, writeFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type RemoteServer, startRemoteServer } from '../../../../test/support/remote-server.ts';
import { createCopiedData } from '../../../../test/support/source-directories/copied-data.ts';
import type { DirectoryFiles } from '../../../../test/support/source-directories/documents.ts';
import { listen, type MoveRun, runMoveIn } from '../../../../test/support/source-directories/run-move-in.ts';
import { CONTEXT, createStandIn, type StandInOptions } from '../../../../test/support/source-directories/stand-in.ts';
import { packDirectory, writeDirectory } from '../../../../test/support/source-directories/write-directory.ts';
import { useTemporaryFolder } from '../../../../test/support/temporary-folder.ts';
import { useTestServer } from '../../../../test/support/test-server.ts';

const server = useTestServer();
const folder = useTemporaryFolder('copy-url');
let target: string;
let files: DirectoryFiles;
beforeAll(async () => {
  target = await listen(server);
  files = await createCopiedData();
});

async function startStandIn(
  options: StandInOptions = {},
): Promise<{ readonly url: string; readonly remote: RemoteServer }> {
  const remote = await startRemoteServer(createStandIn(files, options));
  return { url: `http://127.0.0.1:${remote.port}${CONTEXT}`, remote };
}

async function readHash(): Promise<string> {
  return ((await server.get('/configuration')).json() as { readonly hash: string }).hash;
}

/** The downloads of a file. */
function listRequests({ asked }: RemoteServer, path: string): readonly string[] {
  return asked.filter((line) => line.includes(`/rest/resource/${path}?`));
}

/** Temporary files of this test only. */
async function useOwnTemporaryFolder(): Promise<string> {
  const temporary = await mkdtemp(join(folder, 'tmp-'));
  vi.stubEnv('TMPDIR', temporary);
  onTestFinished(() => void vi.unstubAllEnvs());
  return temporary;
}

function replaceFile(path: string, answer: (response: ServerResponse) => void): StandInOptions {
  return {
    intercept: (asked, response) => {
      if (!asked.endsWith(`/rest/resource/${path}`)) return false;
      answer(response);
      return true;
    },
  };
}

describe('--data copy from a running GeoServer', () => {
  it('copies the same files as from the directory and from a ZIP archive of it', async () => {
    const directory = await writeDirectory(await mkdtemp(join(folder, 'source-')), files);
    const archive = join(folder, 'source.zip');
    await writeFile(archive, packDirectory(files));
    const { url } = await startStandIn();
    const write = async (source: string): Promise<MoveRun> =>
      runMoveIn(undefined, [source, '--data', 'copy', '--output', 'x.zip', '--source-name', 'port']);

    const [local, packed, live] = [await write(directory), await write(archive), await write(url)];

    const bytes = (run: MoveRun) => run.written.get('x.zip')?.bytes ?? Buffer.alloc(0);
    expect(live.err).toBe('');
    expect(bytes(live).length).toBeGreaterThan(10_000);
    expect(bytes(live).equals(bytes(packed))).toBe(true);
    expect(bytes(live).equals(bytes(local))).toBe(true);
    expect(live.report.entries).toEqual(packed.report.entries);
  });

  it('is the default, downloads each file once, and plans nothing in a second run', async () => {
    const { url, remote } = await startStandIn();
    const before = await readHash();
    const temporary = await useOwnTemporaryFolder();

    const first = await runMoveIn(target, [url, '--yes']);
    const downloads = listRequests(remote, 'data/port/heights.tif').length;
    const wells = await server.get(
      '//geoserver/wfs?service=WFS&version=2.0.0&request=GetFeature&typeNames=port:wells&resultType=hits',
    );
    const second = await runMoveIn(target, [url, '--yes']);
    const undone = await server.request('POST', `/history/${first.report.change}/undo`);

    expect(first.err).toBe('');
    expect(first.report.entries.filter(({ outcome }) => outcome !== 'ignored')).toEqual([]);
    expect(first.out).toMatch(/^files {5}\d+ to copy, /m);
    expect(downloads).toBe(1);
    expect(wells.text).toContain('numberMatched="3"');
    expect(second.report.plan).toMatchObject({ create: 0, update: 0, delete: 0 });
    expect(undone.status, undone.text).toBe(200);
    expect(await readHash()).toBe(before);
    expect(readdirSync(temporary)).toEqual([]);
  });

  it('downloads only the data of the stores that --only selects', async () => {
    const { url, remote } = await startStandIn();

    const { err, report } = await runMoveIn(undefined, [
      url,
      '--output',
      'x.zip',
      '--only',
      '/workspaces/port/datastores/wells%20store',
    ]);

    expect(err).toBe('');
    expect(report.summary.imported).toMatchObject({ dataStore: 1 });
    expect(listRequests(remote, 'data/port/wells.shp')).toHaveLength(1);
    expect(listRequests(remote, 'data/port/heights.tif')).toEqual([]);
  });

  it.each<readonly [string, (response: ServerResponse) => void]>([
    [
      'ends early',
      (response) => {
        response.writeHead(200, { 'content-length': '1000', 'resource-type': 'resource' });
        response.write('II*', () => response.destroy());
      },
    ],
    ['is reset', (response) => response.socket?.resetAndDestroy()],
    ['has the status 503', (response) => response.writeHead(503).end()],
    ['requires other permissions', (response) => response.writeHead(403).end()],
  ])('applies nothing if a download %s', async (_, answer) => {
    const { url, remote } = await startStandIn(replaceFile('data/port/heights.tif', answer));
    const before = await readHash();
    const temporary = await useOwnTemporaryFolder();

    const { code, err, report } = await runMoveIn(target, [url, '--yes']);

    expect(code).toBe(1);
    expect(err).toContain('data/port/heights.tif');
    expect(report.error?.code).toMatch(/^source-(?:unreadable|forbidden)$/);
    expect(report.change).toBeNull();
    expect(listRequests(remote, 'data/port/heights.tif').length).toBeLessThanOrEqual(3);
    expect(await readHash()).toBe(before);
    expect(readdirSync(temporary)).toEqual([]);
  });

  it('continues after one interruption, with the complete file', async () => {
    let count = 0;
    const cut = replaceFile('data/port/heights.tif', (response) => {
      response.writeHead(200, { 'content-length': '1000', 'resource-type': 'resource' });
      response.write('x'.repeat(500), () => response.destroy());
    });
    const { url } = await startStandIn({
      intercept: (path, response) => {
        if (!path.endsWith('/heights.tif')) return false;
        count += 1;
        return count === 1 && cut.intercept?.(path, response);
      },
    });
    const { url: usual } = await startStandIn();
    const write = async (source: string) =>
      (await runMoveIn(undefined, [source, '--output', 'x.zip', '--source-name', 'port'])).written.get('x.zip')?.bytes;

    const [interrupted, complete] = [await write(url), await write(usual)];

    expect(count).toBe(2);
    expect(interrupted?.equals(complete ?? Buffer.alloc(0))).toBe(true);
  });

  it.each<readonly [string, (response: ServerResponse) => void, string]>([
    ['the status 404', (response) => response.writeHead(404).end(), "returns status 404 for 'data/port/heights.tif'"],
    [
      'the page of a proxy',
      (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Sign in'),
      "returns no file for 'data/port/heights.tif'",
    ],
  ])('imports a store without its data, and names it, if its file has %s', async (_, answer, text) => {
    const { url } = await startStandIn(replaceFile('data/port/heights.tif', answer));

    const { err, report } = await runMoveIn(target, [url, '--dry-run']);

    expect(err).toBe('');
    expect(report.entries).toContainEqual(
      expect.objectContaining({
        code: 'data-missing',
        source: 'workspaces/port/heights-store/coveragestore.xml',
        message: expect.stringContaining(text),
      }),
    );
  });

  it('requires files: a server with a catalog in a database and without files keeps its data', async () => {
    const { url } = await startStandIn({
      hasDatabase: true,
      intercept: (path, response) => {
        if (!path.endsWith('/rest/resource')) return false;
        response.writeHead(200, { 'content-type': 'application/json', 'resource-type': 'directory' });
        response.end('{"ResourceDirectory":{"name":""}}');
        return true;
      },
    });

    const refer = await runMoveIn(undefined, [url, '--output', 'x.zip']);
    const copy = await runMoveIn(undefined, [url, '--output', 'x.zip', '--data', 'copy']);

    expect(refer.err).toBe('');
    expect(refer.report.summary.imported).toMatchObject({ dataStore: 5, coverageStore: 3 });
    expect(copy.code).toBe(1);
    expect(copy.report.error?.code).toBe('option-invalid');
    expect(copy.err).toContain('The running GeoServer serves no files');
  });
});
