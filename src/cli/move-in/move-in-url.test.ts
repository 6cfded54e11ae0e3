/** Moves from a stand-in for a running GeoServer, with usual, missing and hostile answers. */

import { readdirSync } from 'node:fs';
import { mkdtemp, writeFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { type RemoteServer, startRemoteServer } from '../../../test/support/remote-server.ts';
import { type DirectoryFiles, groupXml, layerId } from '../../../test/support/source-directories/documents.ts';
import { createDanglingFiles, createUnsupportedFiles } from '../../../test/support/source-directories/faults.ts';
import { listen, type MoveRun, runMoveIn } from '../../../test/support/source-directories/run-move-in.ts';
import { createSampleDirectory } from '../../../test/support/source-directories/sample.ts';
import { CANARY, createSecurityFiles, storedPassword } from '../../../test/support/source-directories/security.ts';
import { createSettingsFiles } from '../../../test/support/source-directories/settings.ts';
import { CONTEXT, createStandIn, type StandInOptions } from '../../../test/support/source-directories/stand-in.ts';
import { packDirectory, writeDirectory } from '../../../test/support/source-directories/write-directory.ts';
import { useTemporaryFolder } from '../../../test/support/temporary-folder.ts';
import { useTestServer } from '../../../test/support/test-server.ts';
import { readArchivedDocument } from '../commands/archive.ts';

const server = useTestServer();
const folder = useTemporaryFolder('move-in-url');
let target: string;
beforeAll(async () => {
  target = await listen(server);
});

const login = { user: 'root', password: `${CANARY} source` };
const MASTER = `${CANARY} master`;

const everything: DirectoryFiles = {
  ...createSampleDirectory(),
  ...createSettingsFiles(),
  ...createSecurityFiles(MASTER),
  ...createUnsupportedFiles(),
  ...createDanglingFiles(),
  'workspaces/acme/archive/datastore.xml': String(
    createSampleDirectory()['workspaces/acme/archive/datastore.xml'],
  ).replace('plain:database secret', storedPassword),
  'wfs/query/urnexamplebig.xml': `<?xml version="1.0" encoding="UTF-8"?>
<wfs:StoredQueryDescription xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:fes="http://www.opengis.net/fes/2.0" xmlns:wfs="http://www.opengis.net/wfs/2.0" id="urn:example:big">
  <wfs:Title>Big places</wfs:Title>
  <wfs:Parameter name="least" type="xs:int"/>
  <wfs:QueryExpressionText isPrivate="false" language="urn:ogc:def:queryLanguage:OGC-WFS::WFS_QueryExpression" returnFeatureTypes="acme:towns">
    <wfs:Query typeNames="acme:towns"><fes:Filter><fes:PropertyIsGreaterThan><fes:ValueReference>rank</fes:ValueReference><fes:Literal>\${least}</fes:Literal></fes:PropertyIsGreaterThan></fes:Filter></wfs:Query>
  </wfs:QueryExpressionText>
</wfs:StoredQueryDescription>`,
  'workspaces/acme/wfs/query/other.xml':
    '<StoredQueryDescription id="other"><QueryExpressionText language="urn:other"/></StoredQueryDescription>',
  // The source has no file of the style `raster`, which every server has.
  'layergroups/rooted.xml': groupXml({
    name: 'rooted',
    mode: 'EO',
    members: [{ id: layerId('acme', 'towns') }],
    further: [
      ['rootLayer', [['id', layerId('acme', 'heights')]]],
      ['rootLayerStyle', [['name', 'raster']]],
    ],
  }),
};

interface StandIn {
  readonly remote: RemoteServer;
  readonly url: string;
}

async function startStandIn(files: DirectoryFiles, options: StandInOptions = {}): Promise<StandIn> {
  const remote = await startRemoteServer(createStandIn(files, options));
  return { remote, url: `http://127.0.0.1:${remote.port}${CONTEXT}` };
}

/** Runs the command with the login of the stand-in. */
async function moveIn(
  url: string,
  words: readonly string[] = ['--dry-run'],
  password = login.password,
): Promise<MoveRun> {
  const credentials = ['--source-user', login.user, '--source-password-file', 'pw'];
  return runMoveIn(target, [url, ...credentials, ...words], { files: { pw: `${password}\n` } });
}

interface Resource {
  readonly path: string;
}

function readResources({ written }: MoveRun): readonly Resource[] {
  const text = readArchivedDocument(written.get('x.zip')?.bytes ?? Buffer.alloc(0)) ?? '{"resources":[]}';
  return (JSON.parse(text) as { readonly resources: readonly Resource[] }).resources.toSorted((one, other) =>
    one.path < other.path ? -1 : 1,
  );
}

const output = ['--output', 'x.zip', '--source-name', 'same'];

describe('a running source', () => {
  it('gives the archive of a ZIP file of its directory, byte for byte, and the same report', async () => {
    const { url } = await startStandIn(everything, { login, masterPassword: MASTER });
    const file = join(folder, 'everything.zip');
    await writeFile(file, packDirectory(everything));

    const zip = await runMoveIn(target, [file, ...output, '--master-password-file', 'pw'], {
      files: { pw: MASTER },
    });
    const live = await moveIn(url, output);

    expect(live.err).toBe('');
    expect(live.written.get('x.zip')?.bytes.equals(zip.written.get('x.zip')?.bytes ?? Buffer.alloc(0))).toBe(true);
    expect(live.report.entries).toEqual(zip.report.entries);
    expect(live.report.source).toEqual({ kind: 'rest', version: '2.26.2', files: zip.report.source?.files });
    expect(zip.report.source).toMatchObject({ kind: 'zip', version: null });
  });

  it('is imported, and a second run plans nothing', async () => {
    const { url, remote } = await startStandIn(everything, { login, masterPassword: MASTER });

    const first = await moveIn(url, ['--yes']);
    const stored = await server.get('/storedqueries/urn%3Aexample%3Abig.json');
    const second = await moveIn(url, ['--yes']);
    const undone = await server.request('POST', `/history/${first.report.change}/undo`);

    expect(first.err).toBe('');
    expect(first.report.entries.filter(({ source }) => source.includes('rooted'))).toEqual([]);
    expect(first.report.summary.imported).toMatchObject({
      workspace: 4,
      layerGroup: 5,
      layer: 6,
      user: 7,
      tileLayer: 2,
    });
    expect(stored.json()).toMatchObject({
      storedQuery: {
        title: 'Big places',
        parameters: [{ name: 'least', type: 'xs:int' }],
        queries: [expect.stringContaining('xmlns:fes="http://www.opengis.net/fes/2.0"')],
      },
    });
    expect(first.report.entries).toContainEqual(
      expect.objectContaining({ code: 'query-language-unsupported', path: '/workspaces/acme/storedqueries/other' }),
    );
    expect(second.report.plan).toMatchObject({ create: 0, update: 0, delete: 0 });
    expect(undone.status).toBe(200);
    expect(remote.asked.every((line) => line.startsWith('GET '))).toBe(true);
    // Neither cached tiles nor logs are downloaded.
    expect(remote.asked.filter((line) => /gwc\/acme|logs/.test(line))).toEqual([]);
  });

  it('is read without its data with --data refer', async () => {
    const { url, remote } = await startStandIn(everything, { login, masterPassword: MASTER });

    const { err } = await moveIn(url, ['--dry-run', '--data', 'refer']);

    expect(err).toBe('');
    expect(remote.asked.filter((line) => /\.(?:tif|shp|dbf|gpkg)\?/.test(line))).toEqual([]);
  });

  it('reads names that the other server writes as numbers, and names with odd characters', async () => {
    const names = ['007', '1.5', 'a b', 'a+b', 'ü', '50%', 'x;y', 'q?r', 'h#i'];
    const styles = names.map((name) => [`styles/${name}/x.xml`, '<note/>'] as const);
    const { url } = await startStandIn({ ...createSampleDirectory(), ...Object.fromEntries(styles) });

    const { report, err } = await runMoveIn(target, [url, '--output', 'x.zip']);

    expect(err).toBe('');
    const found = report.entries.flatMap(({ source }) => /^styles\/(.*)\/x\.xml$/.exec(source)?.[1] ?? []);
    expect(found.toSorted()).toEqual(names.toSorted());
  });

  it('has the same resources if its catalog is in a database', async () => {
    const files = { ...createSampleDirectory(), ...createSettingsFiles(), ...createSecurityFiles(MASTER) };
    const usual = await startStandIn(files, { login, masterPassword: MASTER });
    const database = await startStandIn(files, { login, masterPassword: MASTER, hasDatabase: true });

    const [expected, read] = [await moveIn(usual.url, output), await moveIn(database.url, output)];

    expect(read.err).toBe('');
    expect(readResources(read)).toEqual(readResources(expected));
    expect(readResources(read).length).toBeGreaterThan(40);
    expect(database.remote.asked.some((line) => line.includes('/rest/layers/acme%3Atowns.xml'))).toBe(true);
  });

  it('is read from the database if the directory has files of an older catalog', async () => {
    const stale = createSampleDirectory();
    const { url } = await startStandIn(
      { ...stale, 'jdbcconfig/jdbcconfig.properties': '# on\nenabled=true\ninitdb=false\n' },
      {
        intercept: (path, response) => {
          const body = path.endsWith('/rest/workspaces.xml')
            ? '<workspaces><workspace><name>current</name></workspace></workspaces>'
            : path.endsWith('/rest/workspaces/current.xml')
              ? '<workspace><name>current</name></workspace>'
              : /\/rest\/.*(?:stores|styles|layergroups)\.xml$/.test(path) && !path.includes('/resource')
                ? '<list/>'
                : undefined;
          if (body === undefined) return false;
          response.writeHead(200, { 'content-type': 'application/xml' }).end(body);
          return true;
        },
      },
    );

    const { report, err } = await runMoveIn(target, [url, '--output', 'x.zip']);

    expect(err).toBe('');
    expect(report.summary.imported).toMatchObject({ workspace: 1 });
    expect(Object.keys(report.summary.imported)).not.toContain('featureType');
  });
});

describe('secrets of a running source', () => {
  it('appear in no report, output, archive, log or address', async () => {
    const { url, remote } = await startStandIn(everything, { login, masterPassword: MASTER });
    const before = server.log.length;

    const runs = [
      await moveIn(url),
      await moveIn(url, ['--dry-run', '--json']),
      await moveIn(url, output),
      await moveIn(url, ['--dry-run'], `${CANARY} wrong`),
      await moveIn(`${url.replace('127.0.0.1', `${login.user}:${CANARY}@127.0.0.1`)}`),
      await moveIn(`${url}?token=${CANARY}`),
    ];

    const texts = runs.flatMap(({ out, err, report }) => [out, err, JSON.stringify(report)]);
    const archive = JSON.stringify(readResources(runs[2] as MoveRun));
    for (const text of [...texts, archive, ...server.log.slice(before), ...remote.asked]) {
      expect(text).not.toContain(CANARY);
    }
    expect(runs.map(({ code }) => code)).toEqual([5, 5, 5, 1, 1, 1]);
    expect(archive).toContain('{"$env":"WORKSPACES_ACME_DATASTORES_ARCHIVE_PASSWD"}');
  });

  it('are sent to the origin of the source only', async () => {
    const other = await startRemoteServer((_, response) => response.end('{}'));
    const { url } = await startStandIn(createSampleDirectory(), {
      login,
      intercept: (path, response) => {
        if (!path.endsWith('/styles')) return false;
        response.writeHead(302, { location: `http://127.0.0.1:${other.port}/login?ticket=${CANARY}` }).end();
        return true;
      },
    });

    const { err, report } = await moveIn(url);

    expect(report.error?.code).toBe('source-redirect');
    expect(err).toContain(`to http://127.0.0.1:${other.port}/login.`);
    expect(err).not.toContain(CANARY);
    expect(other.asked).toEqual([]);
  });
});

describe('a source that cannot be read', () => {
  const answer = (status: number, type: string, body: string) => (_: string, response: ServerResponse) => {
    response.writeHead(status, { 'content-type': type }).end(body);
    return true;
  };

  it.each<readonly [string, StandInOptions['intercept'], string, string]>([
    ['of another product', answer(200, 'application/json', '{"a":1}'), 'source-not-geoserver', 'application/json'],
    ['with an HTML page', answer(200, 'text/html', '<html>Hello'), 'source-not-geoserver', "type 'text/html'"],
    ['without a REST interface', answer(404, 'text/html', ''), 'source-not-geoserver', 'returns status 404'],
    ['behind a broken proxy', answer(502, 'text/html', ''), 'source-unreadable', 'returns status 502'],
    ['without permission', answer(403, 'text/html', ''), 'source-forbidden', 'Use an administrator'],
  ])('is an error: a server %s', async (_, intercept, code, text) => {
    const { url } = await startStandIn({}, { ...(intercept && { intercept }) });

    const ran = await moveIn(url);

    expect(ran.code).toBe(1);
    expect(ran.report.error?.code).toBe(code);
    expect(ran.err).toMatch(/^graticule: [^\n]+\n$/);
    expect(ran.err).toContain(text);
    expect(ran.report.change).toBeNull();
  });

  it('names the option for a missing login, and the user for a wrong password', async () => {
    const { url } = await startStandIn(createSampleDirectory(), { login });

    const [missing, wrong] = [await runMoveIn(target, [url, '--dry-run']), await moveIn(url, ['--dry-run'], 'x')];

    expect([missing, wrong].map(({ report }) => report.error?.code)).toEqual(['source-forbidden', 'source-forbidden']);
    expect(missing.err).toContain('Use --source-user and --source-password-file');
    expect(wrong.err).toContain("rejects the user 'root' or the password");
  });

  it('names the address to which a server redirects', async () => {
    const { url } = await startStandIn(
      {},
      {
        intercept: (path, response) => {
          response.writeHead(301, { location: `https://maps.example${path}?format=json` }).end();
          return true;
        },
      },
    );

    expect((await moveIn(url)).err).toContain('Use https://maps.example/geoserver as SOURCE.');
  });

  it.each<readonly [string, (response: ServerResponse) => void]>([
    [
      'ends in the middle of a document',
      (response) => {
        response.writeHead(200, { 'content-length': '1000', 'resource-type': 'resource' });
        response.write('<style>', () => response.destroy());
      },
    ],
    ['resets each connection', (response) => response.socket?.resetAndDestroy()],
    [
      'returns a listing that is not JSON',
      (response) => response.setHeader('resource-type', 'directory').end('<html>'),
    ],
  ])('is an error: a server that %s', async (_, respond) => {
    const { url, remote } = await startStandIn(createSampleDirectory(), {
      intercept: (path, response) => {
        if (!path.endsWith('/styles/dots.xml')) return false;
        respond(response);
        return true;
      },
    });

    const { report } = await moveIn(url);

    expect(report.error).toMatchObject({
      code: 'source-unreadable',
      message: expect.stringContaining('styles/dots.xml'),
    });
    expect(remote.asked.filter((line) => line.includes('dots.xml')).length).toBeLessThanOrEqual(3);
  });

  it('skips a file that the server does not return, and names it', async () => {
    const { url } = await startStandIn(createSampleDirectory(), {
      intercept: (path, response) =>
        path.endsWith('/styles/simple.xml') && answer(500, 'text/plain', 'x')(path, response),
    });

    const { report } = await moveIn(url);

    expect(report.error).toBeNull();
    expect(report.entries).toContainEqual(
      expect.objectContaining({
        outcome: 'skipped',
        source: 'styles/simple.xml',
        code: 'file-unreadable',
        message: 'The source returns status 500 for it.',
      }),
    );
  });

  it('leaves no temporary file', async () => {
    const { url } = await startStandIn({}, { intercept: answer(500, 'text/plain', '') });
    const list = () => readdirSync(tmpdir()).filter((name) => name.startsWith('graticule-move-in-'));
    const before = list();

    await moveIn(url);

    expect(list().filter((name) => !before.includes(name))).toEqual([]);
  });

  it.each([
    [['ftp://old.example/geoserver'], 'Invalid SOURCE'],
    [['http://'], 'Invalid SOURCE'],
    [['http://old.example/geoserver', '--source-user', 'root'], 'belong together'],
    [['/nowhere', '--source-user', 'root'], 'requires the address of a running GeoServer'],
  ])('is an invalid option: %j', async (words, text) => {
    const { code, err, report } = await runMoveIn(target, [...words, '--dry-run']);

    expect(code).toBe(1);
    expect(err).toContain(text);
    expect(report.error?.code).toBe('option-invalid');
  });
});

describe('a hostile listing', () => {
  function startListing(list: (path: string) => readonly object[]): Promise<StandIn> {
    return startStandIn(
      {},
      {
        intercept: (path, response) => {
          const body = JSON.stringify({ ResourceDirectory: { children: { child: list(path) } } });
          response.writeHead(200, { 'content-type': 'application/json', 'resource-type': 'directory' }).end(body);
          return true;
        },
      },
    );
  }

  it('cannot lead out of the directory', async () => {
    const names = ['..', '.', '', 'a/b', '../../etc/passwd', 'a\\b', 'x\u0000y', null, 5, {}, 'x'.repeat(300)];
    const { url, remote } = await startStandIn(createSampleDirectory(), {
      intercept: (path, response) => {
        if (!path.endsWith('/rest/resource/styles')) return false;
        const child = names.map((name) => ({ name, link: { type: 'application/json', href: '/../../secret' } }));
        const body = JSON.stringify({ ResourceDirectory: { children: { child } } });
        response.writeHead(200, { 'content-type': 'application/json', 'resource-type': 'directory' }).end(body);
        return true;
      },
    });

    const { report, err } = await runMoveIn(target, [url, '--dry-run']);

    expect(err).toBe('');
    expect(report.entries).toContainEqual(
      expect.objectContaining({
        source: 'styles',
        code: 'path-outside-source',
        message: '10 names in the listing are invalid, such as a name with a slash.',
      }),
    );
    expect(remote.asked.filter((line) => /\.\.|passwd|secret/.test(line))).toEqual([]);
  });

  it('ends at a depth that no data directory has', async () => {
    const { url, remote } = await startListing(() => [{ name: 'again' }]);

    const { report } = await moveIn(url);

    expect(report.error).toMatchObject({
      code: 'source-unreadable',
      message: expect.stringContaining('more than 40 levels'),
    });
    expect(remote.asked.length).toBeLessThan(50);
  });

  it('ends at the size of a listing', async () => {
    const { url } = await startStandIn(
      {},
      {
        intercept: (_, response) => {
          response.writeHead(200, { 'content-type': 'application/json', 'resource-type': 'directory' });
          const write = (): void => {
            while (!response.destroyed && response.write(Buffer.alloc(1_048_576, ' ')));
            if (!response.destroyed) response.once('drain', write);
          };
          write();
          return true;
        },
      },
    );

    expect((await moveIn(url)).report.error?.code).toBe('source-not-geoserver');
  });
});

it('a directory gives the resources of the running source, with absolute paths of data', async () => {
  const source = await writeDirectory(await mkdtemp(join(folder, 'source-')), createSampleDirectory());
  const { url } = await startStandIn(createSampleDirectory());

  const [local, live] = [
    await runMoveIn(target, [source, ...output]),
    await runMoveIn(target, [url, ...output, '--data', 'refer']),
  ];

  const withoutPaths = (run: MoveRun) => JSON.stringify(readResources(run)).replaceAll(`file://${source}/`, 'file:');
  expect(withoutPaths(live)).toBe(withoutPaths(local));
});
