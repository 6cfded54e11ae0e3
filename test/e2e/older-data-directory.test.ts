/** This version opens, serves and changes the data directories of older versions. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { zipOfFiles } from '../support/raster-samples.ts';
import { CSS_TYPE, lineSe, lineSld, pictureSld, SLD_TYPE, ZIP_TYPE } from '../support/styles.ts';
import { geotiffBytes, granuleBytes } from '../support/tiff-bytes.ts';
import { pointShapefile, zipOf } from '../support/vector-samples.ts';
import { type Reply, replyTo } from './http-client.ts';
import { recordings, unpackDataDirectory } from './older-data-directories.ts';
import { overhear, overhearDatabase, overhearDirectory } from './overheard.ts';
import {
  answerTo,
  type Read,
  type Recording,
  withoutTileDefaults,
  withoutUnsetPaths,
  withoutUploadFolders,
} from './recorded-answers.ts';
import { ADMIN_PASSWORD, type StartedServer, type StartOptions, startServer } from './started-server.ts';

/** The LDAP directory of the provider does not exist, so every query logs a warning. */
const noDirectory = { expectedLog: [/"provider":"directory"/] };

const acme = '/workspaces/acme/datastores';

const rasters = '/workspaces/acme/coveragestores';
const remoteMaps = '/workspaces/acme/wmsstores/remote%20wmsstores';
const remoteTiles = '/workspaces/acme/wmtsstores/remote%20wmtsstores';

const changes: readonly (readonly [path: string, document: object])[] = [
  [`${rasters}/relief`, { coverageStore: { description: 'changed' } }],
  [`${rasters}/relief/coverages/relief`, { coverage: { title: 'changed' } }],
  [`${rasters}/water/coverages/water`, { coverage: { title: 'changed' } }],
  [remoteMaps, { wmsStore: { description: 'changed' } }],
  [`${remoteMaps}/wmslayers/wmsLayer%20roads`, { wmsLayer: { title: 'changed' } }],
  [remoteTiles, { wmtsStore: { description: 'changed' } }],
  [`${remoteTiles}/layers/wmtsLayer%20roads`, { wmtsLayer: { title: 'changed' } }],
  ['/layergroups/Grundkarte', { layerGroup: { title: 'changed' } }],
  ['/workspaces/acme/layergroups/local%20group', { layerGroup: { title: 'changed' } }],
  ['/settings', { global: { settings: { title: 'changed' } } }],
  ['/logging', { logging: { location: 'changed.log' } }],
  ['/workspaces/acme/settings', { settings: { title: 'changed' } }],
  ['/services/wms/settings', { wms: { title: 'changed' } }],
  ['/services/wms/workspaces/acme/settings', { wms: { title: 'changed' } }],
  ['/webhooks/signed', { webhook: { expand: false, kinds: ['layer'] } }],
];

/** The database of a store does not exist either. */
const noDatabase = { expectedLog: [/"store":"acme:database"/] };

/** Intentionally changed since then: the status no longer blames the client. */
const otherStatuses: Readonly<Record<string, number>> = { [`${acme}/database/featuretypes.json?list=available`]: 502 };

const areAllTested = process.env['ALL_DATA_DIRECTORIES'] !== undefined;

describe.each(recordings)('the data directory of version $version', (recording) => {
  // Starts without a password setting: the administrator has the stored password.
  const open = async (options: StartOptions = {}): Promise<StartedServer> =>
    startServer({ dataDir: await unpackDataDirectory(recording), password: null, ...noDatabase, ...options });

  it('serves every document, style, list and permission unchanged, also after a restart', async () => {
    const first = await open();
    // The first attempt to read the database, which does not exist, disables its store.
    const connecting = `${acme}/database/featuretypes.json?list=`;
    const harmless = { ...recording, reads: recording.reads.filter(({ path }) => !path.startsWith(connecting)) };
    expect(await answersNow(first, harmless)).toEqual(answersThen(harmless));
    expect((await first.stop()).code).toBe(0);

    const second = await startServer({ dataDir: first.dataDir, password: null, ...noDatabase });

    expect(await answersNow(second, recording)).toEqual(answersThen(recording));
  });

  // The oldest form of data needs the most care; all versions take some minutes.
  if (recording !== recordings[0] && !areAllTested) return;

  it('keeps the bind password of a directory', async () => {
    const directory = await overhearDirectory();
    const dataDir = await unpackDataDirectory(recording);
    moveServer(dataDir, 'directory', directory.port);
    const server = await startServer({ dataDir, password: null, ...noDirectory });

    await server.request('GET', '/workspaces.json', { as: 'stranger:unknown' });

    expect(directory.text()).toContain(recording.secrets.ldap);
  });

  /** In this order on one server: none changes what a later one reads. */
  const trials: readonly (readonly [statement: string, attempt: (server: StartedServer) => Promise<void>])[] = [
    [
      'accepts the stored passwords, and no others',
      async (server) => {
        const login = async (as: string) => (await server.request('GET', '/workspaces.json', { as })).status !== 401;

        // The second login uses the cache.
        for (const time of ['first', 'second']) {
          for (const [user, password] of Object.entries(recording.credentials)) {
            expect([user, time, await login(`${user}:${password}`)]).toEqual([user, time, true]);
          }
        }
        // A former password, a disabled user, a user without a password, and a deleted user.
        for (const as of [
          'fay:the first password of fay',
          'carl:the password of carl',
          'dora:',
          'eve:the password of eve',
        ]) {
          expect([as, await login(as)]).toEqual([as, false]);
        }
      },
    ],
    [
      'lets its users change their passwords',
      async (server) => {
        const changed = await server.request('PUT', '/security/self/password', {
          as: `ann:${recording.credentials['ann']}`,
          body: '{"newPassword":"a newer one"}',
        });

        expect(changed.status).toBe(200);
        expect((await server.request('GET', '/workspaces.json', { as: 'ann:a newer one' })).status).toBe(200);
        const former = await server.request('GET', '/workspaces.json', { as: `ann:${recording.credentials['ann']}` });
        expect(former.status).toBe(401);
      },
    ],
    [
      'keeps the password of a database',
      async (server) => {
        const database = await overhearDatabase();
        const connectionParameters = {
          dbtype: 'postgis',
          host: '127.0.0.1',
          port: database.port,
          database: 'maps',
          user: 'reader',
        };

        await change(server, 'PUT', `${acme}/database`, { dataStore: { connectionParameters } });
        await server.request('GET', `${acme}/database/featuretypes.json?list=all`);

        expect(database.text()).toContain(recording.secrets.postgis);
      },
    ],
    [
      'keeps the keystore password, which can be changed',
      async (server) => {
        const passwords = {
          oldMasterPassword: recording.secrets.keystore,
          newMasterPassword: 'a third keystore password',
        };

        await change(server, 'PUT', '/security/masterpw', passwords);

        expect(await read(server, '/security/masterpw.json')).toEqual({
          oldMasterPassword: 'a third keystore password',
        });
      },
    ],
    [
      'returns its styles in their original language and in others',
      async (server) => {
        const text = async (path: string, accept?: string) =>
          (await server.request('GET', path, accept === undefined ? {} : { headers: { accept } })).text;

        expect(await text('/styles/older.sld')).toBe(lineSld('older', '#00ff00'));
        expect(await text('/styles/newer.sld')).toBe(lineSe('newer', 'named'));
        expect(await text('/styles/fields.css')).toBe('* { stroke: navy; }\n[lanes > 2] { stroke-width: 3; }\n');
        expect(await text('/styles/older', 'application/vnd.ogc.se+xml')).toContain('version="1.1.0"');
        expect(await text('/styles/fields.sld')).toContain('<ogc:Literal>2</ogc:Literal>');
        expect(await text('/workspaces/apart/styles/nomad.css')).toBe('* { mark: symbol(circle); }');
      },
    ],
    [
      'returns a style with its images, which can be uploaded again',
      async (server) => {
        const archive = await download(server, '/styles/tree.zip');

        const again = await sendFile(server, 'POST', '/workspaces/apart/styles?name=again', ZIP_TYPE, archive);

        expect([again.status, again.headers['warning']]).toEqual([201, undefined]);
        const content = await server.request('GET', '/workspaces/apart/styles/again.sld');
        expect(content.text).toBe(pictureSld('tree', 'icons/tree.png'));
      },
    ],
    [
      'keeps the content of a deleted style, and not that of a purged one',
      async (server) => {
        await change(server, 'POST', '/styles', { style: { name: 'heir', filename: 'orphan.sld' } });
        await change(server, 'POST', '/styles', { style: { name: 'nothing', filename: 'purged.sld' } });

        expect((await server.request('GET', '/styles/heir.sld')).text).toBe(lineSld('left behind'));
        expect((await server.request('GET', '/styles/nothing.sld')).status).toBe(404);
      },
    ],
    [
      'does not restore a removed provider',
      async (server) => {
        expect((await server.request('DELETE', '/security/authproviders/former')).status).toBe(410);
        expect((await server.request('DELETE', '/security/authproviders/never')).status).toBe(404);
      },
    ],
    [
      'accepts a change with an old ETag',
      async (server) => {
        const then = recording.reads.find((each) => nameOf(each) === '/layers/acme:roads.json');
        const guarded = { body: '{"layer":{"opaque":true}}', headers: { 'if-match': then?.etag ?? '' } };

        expect((await server.request('PUT', '/layers/acme:roads', guarded)).status).toBe(200);
        expect((await server.request('PUT', '/layers/acme:roads', guarded)).status).toBe(412);
      },
    ],
    [
      'accepts new content for its styles',
      async (server) => {
        const blue = Buffer.from('* { stroke: blue; }');
        const line = Buffer.from(lineSld('a first content'));

        expect((await sendFile(server, 'PUT', '/styles/fields', CSS_TYPE, blue)).status).toBe(200);
        expect((await sendFile(server, 'PUT', '/styles/without%20content', SLD_TYPE, line)).status).toBe(200);

        expect((await server.request('GET', '/styles/fields.css')).text).toBe('* { stroke: blue; }');
        expect((await server.request('GET', '/styles/without%20content.sld')).text).toBe(lineSld('a first content'));
      },
    ],
    [
      'supports recomputing the bounds of its data in every location',
      async (server) => {
        const places: readonly [what: string, path: string, bounds: object][] = [
          ['a shapefile', `${acme}/roads/featuretypes/roads`, { minx: 20, maxx: 24, miny: 40, maxy: 44 }],
          ['one of many shapefiles', `${acme}/shapes/featuretypes/places`, { minx: 10, maxx: 12, miny: 50, maxy: 52 }],
          ['a GeoPackage', `${acme}/atlas/featuretypes/towns`, { minx: 652_000, maxx: 700_000, maxy: 6_862_000 }],
          ['an import', `${acme}/imported/featuretypes/stations`, { minx: 5, maxx: 8, miny: 5, maxy: 8 }],
          ['a file in a place of its own', `${acme}/rivers/featuretypes/rivers`, { minx: 10, maxx: 13 }],
          ['a folder in a place of its own', `${acme}/folder/featuretypes/big%20lakes`, { minx: 0, maxx: 2 }],
          [
            'a renamed workspace',
            '/workspaces/Vermessung/datastores/trees/featuretypes/trees',
            { minx: 1, maxx: 6, miny: 1, maxy: 6 },
          ],
          [
            'a moved store',
            `/workspaces/${encodeURIComponent('städte und gemeinden')}/datastores/${encodeURIComponent('Häuser')}/featuretypes/wanderer`,
            { minx: 0, maxx: 2, miny: 0, maxy: 1 },
          ],
        ];
        const wrong = { minx: 170, maxx: 171, miny: 1, maxy: 2 };

        for (const [what, path, nativeBoundingBox] of places) {
          await change(server, 'PUT', `${path}?recalculate=`, { featureType: { nativeBoundingBox: wrong } });
          expect(await read(server, `${path}.json`)).toMatchObject({ featureType: { nativeBoundingBox: wrong } });

          await change(server, 'PUT', `${path}?recalculate=nativebbox,latlonbbox`, { featureType: {} });

          expect(await read(server, `${path}.json`), what).toMatchObject({ featureType: { nativeBoundingBox } });
        }
      },
    ],
    [
      'accepts new files for an uploaded shapefile',
      async (server) => {
        const archive = zipOf({ roads: pointShapefile(2, [7, 8]) });

        expect((await sendFile(server, 'PUT', `${acme}/roads/file.shp`, ZIP_TYPE, archive)).status).toBe(201);

        expect(await read(server, `${acme}/roads/featuretypes/roads.json`)).toMatchObject({
          featureType: { nativeBoundingBox: { minx: 7, maxx: 8, miny: 8, maxy: 9 } },
        });
        expect(await read(server, '/layers/acme:roads.json')).toMatchObject({
          layer: { defaultStyle: { name: 'newer' } },
        });
      },
    ],
    [
      'accepts more rows for a GeoPackage with imported data',
      async (server) => {
        const archive = zipOf({ stations: pointShapefile(2, [30, 30]) });

        expect((await sendFile(server, 'PUT', `${acme}/imported/file.shp`, ZIP_TYPE, archive)).status).toBe(201);

        const path = `${acme}/imported/featuretypes/stations`;
        await change(server, 'PUT', `${path}?recalculate=nativebbox`, { featureType: {} });
        expect(await read(server, `${path}.json`)).toMatchObject({
          featureType: { nativeBoundingBox: { minx: 5, maxx: 31, miny: 5, maxy: 31 } },
        });
      },
    ],
    [
      'supports drawing a layer with another style',
      async (server) => {
        await change(server, 'PUT', '/layers/acme:roads', { layer: { defaultStyle: { name: 'forest' } } });
        await change(server, 'POST', '/layers/acme:roads/styles', { style: { name: 'fields' } });

        expect(await read(server, '/layers/acme:roads.json')).toMatchObject({
          layer: { defaultStyle: { name: 'forest' }, styles: { style: [{ name: 'older' }, { name: 'fields' }] } },
        });
      },
    ],
    [
      'supports deleting a workspace with its contents, and creating it again',
      async (server) => {
        expect((await server.request('DELETE', '/workspaces/acme')).status).toBe(403);

        expect((await server.request('DELETE', '/workspaces/acme?recurse=true')).status).toBe(200);

        expect((await server.request('GET', `${acme}/roads.json`)).status).toBe(404);
        expect((await server.request('GET', '/layers.json')).text).not.toContain('acme');
        await change(server, 'POST', '/workspaces', { workspace: { name: 'acme' } });
        expect(await read(server, `${acme}.json`)).toEqual({ dataStores: { dataStore: [] } });
        const archive = zipOf({ roads: pointShapefile() });
        expect((await sendFile(server, 'PUT', `${acme}/roads/file.shp`, ZIP_TYPE, archive)).status).toBe(201);
      },
    ],
  ];

  it('keeps its passwords, providers, ETags, styles and data, which can be used and changed', async () => {
    const server = await open({ expectedLog: [...noDatabase.expectedLog, ...noDirectory.expectedLog] });

    for (const [statement, attempt] of trials) {
      await attempt(server).catch((cause: unknown) => {
        throw new Error(`It no longer ${statement}.`, { cause });
      });
    }
  });

  it('supports renaming a workspace with its contents, and keeps all changes when the server stops', async () => {
    const first = await open();
    await change(first, 'PUT', '/workspaces/acme', { workspace: { name: 'apex' } });
    expect((await first.request('GET', '/workspaces/acme.json')).status).toBe(404);
    expect(await read(first, '/workspaces/default.json')).toMatchObject({ workspace: { name: 'apex' } });
    expect(await read(first, '/layers/apex:places.json')).toMatchObject({
      layer: {
        defaultStyle: { name: 'tree' },
        styles: { style: [{ name: 'point' }, { name: 'apex:local' }, { name: 'Grüne Wiese' }] },
      },
    });
    expect(await read(first, '/security/acl/layers.json')).toMatchObject({ 'apex.*.a': 'EDITOR' });
    expect((await first.request('GET', '/workspaces/apex/styles/local.sld')).text).toBe(lineSld('local'));
    expect(await typesIn(first, '/workspaces/apex/datastores/roads')).toEqual(['roads']);
    expect(await typesIn(first, '/workspaces/apex/datastores/rivers')).toEqual(['rivers']);
    await change(first, 'PUT', '/layers/apex:places', { layer: { defaultStyle: { name: 'older' } } });
    const path = '/workspaces/apex/datastores/roads';
    const archive = zipOf({ roads: pointShapefile(2, [7, 8]) });
    expect((await sendFile(first, 'PUT', `${path}/file.shp`, ZIP_TYPE, archive)).status).toBe(201);
    expect((await first.request('DELETE', '/workspaces/Vermessung?recurse=true')).status).toBe(200);
    expect((await first.request('DELETE', '/styles/forest?purge=true')).status).toBe(200);
    await change(first, 'POST', '/security/usergroup/users', { userName: 'new', password: 'a new password' });
    const seen = [
      `${path}.json`,
      `${path}/featuretypes/roads.json`,
      '/layers/apex:places.json',
      '/layers/apex:roads.xml',
    ];
    const everything = { ...recording, reads: [...recording.reads, ...seen.map((each) => ({ path: each }))] };
    const before = await answersNow(first, everything);
    expect((await first.stop()).code).toBe(0);

    const second = await startServer({ dataDir: first.dataDir, password: null, ...noDatabase });

    expect(await answersNow(second, everything)).toEqual(before);
    expect(await read(second, `${path}/featuretypes/roads.json`)).toMatchObject({
      featureType: { nativeBoundingBox: { minx: 7, maxx: 8 } },
    });
    expect((await second.request('GET', '/workspaces.json', { as: 'new:a new password' })).status).toBe(403);
  });
});

/** Version 0.1.0 has none of these records; later versions have the form of 0.2.0. */
describe.each(recordings.filter(({ version }) => version === '0.2.0' || (areAllTested && version !== '0.1.0')))(
  'the coverages, remote layers, groups, settings, templates and webhooks of version $version',
  (recording) => {
    const open = async (): Promise<StartedServer> =>
      startServer({ dataDir: await unpackDataDirectory(recording), password: null });

    it('support a change of each record, which a restart keeps', async () => {
      const first = await open();
      for (const [path, document] of changes) await change(first, 'PUT', path, document);
      const template = { headers: { 'content-type': 'text/plain' }, body: 'changed' };
      expect((await first.request('PUT', '/resource/workspaces/acme/header.ftl', template)).status).toBe(200);
      // The persisted schemas are deleted with their store.
      expect((await first.request('DELETE', '/workspaces/weather?recurse=true')).status).toBe(200);
      expect((await first.stop()).code).toBe(0);

      const second = await startServer({ dataDir: first.dataDir, password: null });

      for (const [path, document] of changes) expect(await read(second, `${path}.json`)).toMatchObject(document);
      expect((await second.request('GET', '/resource/workspaces/acme/header.ftl')).text).toBe('changed');
      expect((await second.request('GET', '/workspaces/weather.json')).status).toBe(404);
    });

    it('are drawn on maps, and accept new files for a coverage and more granules for a mosaic', async () => {
      const server = await open();
      const map = 'service=WMS&version=1.1.1&request=GetMap&srs=EPSG:4326&width=8&height=8&format=image/png&styles=';

      const photo = await download(server, `/../wms?${map}&layers=acme:photo&bbox=10,45,20,50`);
      const group = await download(server, `/../wms?${map}&layers=Grundkarte&bbox=10,35,30,55`);

      for (const image of [photo, group]) expect(image.subarray(1, 4).toString('latin1')).toBe('PNG');
      const third = zipOfFiles({ 'water20260301.tif': granuleBytes({ left: 12, top: 50, pixel: 0.25, epsg: 4326 }) });

      const replaced = await sendFile(
        server,
        'PUT',
        `${rasters}/relief/file.geotiff`,
        'image/tiff',
        geotiffBytes(9, 5),
      );
      const harvested = await sendFile(server, 'POST', `${rasters}/water/file.imagemosaic`, ZIP_TYPE, third);

      expect([replaced.status, harvested.status]).toEqual([201, 201]);
      expect(await read(server, `${rasters}/relief/coverages/relief.json`)).toMatchObject({
        coverage: { title: 'Relief', nativeBoundingBox: { minx: 500_000, maxx: 500_090 } },
      });
      expect(await read(server, `${rasters}/water/coverages/water/index/granules.json`)).toMatchObject({
        features: [
          { properties: { time: '2026-01-01T00:00:00.000Z' } },
          { properties: { time: '2026-02-01T00:00:00.000Z' } },
          { properties: { time: '2026-03-01T00:00:00.000Z' } },
        ],
      });
    });

    it('keep the password of a map server and the secret of a webhook', async () => {
      const mapServer = await overhear((socket, received) => {
        if (received.includes('\r\n\r\n')) socket.end('HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n');
      });
      const dataDir = await unpackDataDirectory(recording);
      moveServer(dataDir, 'remote wmsstores', mapServer.port);
      const expectedLog = [/"store":"acme:remote wmsstores"/];
      const server = await startServer({ dataDir, password: null, expectedLog });

      await server.request('GET', `${remoteMaps}/wmslayers.json?list=available`);

      const sent = Buffer.from(`reader:${recording.secrets.mapServer}`).toString('base64');
      expect(mapServer.text().toLowerCase()).toContain(`authorization: basic ${sent.toLowerCase()}`);

      const send = (secret: string | undefined) =>
        server.request('PUT', '/webhooks/signed', { body: JSON.stringify({ webhook: { secret } }) });

      const same = await send(recording.secrets.webhook);
      const other = await send('another secret');

      // A change with the stored secret has no effect.
      expect([same.status, same.headers['graticule-change']]).toEqual([200, undefined]);
      expect([other.status, other.headers['graticule-change']]).toEqual([200, expect.stringMatching(/^\d+$/)]);
    });
  },
);

/** Keyed by request, so that a difference names it. */
type Answers = Readonly<Record<string, unknown>>;

function nameOf({ path, accept, as }: Read): string {
  const how = accept === undefined ? '' : ` in ${accept}`;
  return `${decodeURIComponent(path)}${how}${as === undefined ? '' : ` as ${as ?? 'anonymous'}`}`;
}

function answersThen({ reads }: Recording): Answers {
  const answers = reads.map((each) => {
    const { path: _path, accept: _accept, as: _as, isMade: _isMade, ...answer } = each;
    return [nameOf(each), { ...answer, status: otherStatuses[each.path] ?? answer.status }];
  });
  return withoutTileDefaults(withoutUnsetPaths(withoutUploadFolders(Object.fromEntries(answers))));
}

async function answersNow(
  { client, url }: StartedServer,
  { reads, credentials }: { readonly reads: readonly Read[]; readonly credentials: Recording['credentials'] },
): Promise<Answers> {
  const answers: [string, unknown][] = [];
  for (const each of reads) answers.push([nameOf(each), await answerTo(client, url, each, credentials)]);
  return withoutTileDefaults(withoutUnsetPaths(withoutUploadFolders(Object.fromEntries(answers))));
}

async function read(server: StartedServer, path: string): Promise<unknown> {
  const reply = await server.request('GET', path);
  expect([path, reply.status]).toEqual([path, 200]);
  return reply.json();
}

/** The names of the data in a store, read from its files. */
async function typesIn(server: StartedServer, store: string): Promise<readonly string[]> {
  const { list } = (await read(server, `${store}/featuretypes.json?list=all`)) as { list: { string: string[] } };
  return list.string;
}

async function change(server: StartedServer, method: string, path: string, document: object): Promise<void> {
  const reply = await server.request(method, path, { body: JSON.stringify(document) });
  expect([path, reply.status]).toEqual([path, method === 'POST' ? 201 : 200]);
}

function sendFile(server: StartedServer, method: string, path: string, type: string, body: Buffer): Promise<Reply> {
  const request = server.client.open(method, path, { 'content-type': type, 'content-length': String(body.length) });
  const reply = replyTo(request);
  request.end(body);
  return reply;
}

async function download(server: StartedServer, path: string): Promise<Buffer> {
  const credentials = Buffer.from(`admin:${ADMIN_PASSWORD}`).toString('base64');
  const reply = await fetch(`${server.url}${path}`, { headers: { authorization: `Basic ${credentials}` } });
  expect(reply.status).toBe(200);
  return Buffer.from(await reply.arrayBuffer());
}

/**
 * Changes the database directly, because the server requires the password again before it sends it to another address.
 */
function moveServer(dataDir: string, name: string, port: number): void {
  const database = new DatabaseSync(join(dataDir, 'graticule.sqlite'));
  const moved = database
    .prepare("UPDATE records SET body = replace(body, '//127.0.0.1:1/', ?) WHERE name = ?")
    .run(`//127.0.0.1:${port}/`, name);
  database.close();
  expect(moved.changes).toBe(1);
}
