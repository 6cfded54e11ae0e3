/** Moves the data of stores together with the configuration, from directories and ZIP archives. */
import { appendFile, mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { copiedLayers, createCopiedData } from '../../../../test/support/source-directories/copied-data.ts';
import type { DirectoryFiles } from '../../../../test/support/source-directories/documents.ts';
import { listen, runMoveIn } from '../../../../test/support/source-directories/run-move-in.ts';
import { packDirectory, writeDirectory } from '../../../../test/support/source-directories/write-directory.ts';
import { useTemporaryFolder } from '../../../../test/support/temporary-folder.ts';
import { useTestServer } from '../../../../test/support/test-server.ts';
import { pointShapefile } from '../../../../test/support/vector-samples.ts';

const server = useTestServer();
const folder = useTemporaryFolder('copy-data');
let url: string;
let files: DirectoryFiles;
beforeAll(async () => {
  url = await listen(server);
  files = await createCopiedData();
});

async function createDirectory(): Promise<string> {
  return writeDirectory(await mkdtemp(join(folder, 'source-')), files);
}

async function readHash(): Promise<string> {
  return ((await server.get('/configuration')).json() as { readonly hash: string }).hash;
}

async function undo(change: number | null): Promise<void> {
  const undone = await server.request('POST', `/history/${change}/undo`);
  expect(undone.status, undone.text).toBe(200);
}

async function readFields(path: string): Promise<Readonly<Record<string, unknown>> | undefined> {
  const { resources } = (await server.get('/configuration')).json() as {
    readonly resources: readonly { readonly path: string; readonly fields: Readonly<Record<string, unknown>> }[];
  };
  return resources.find((resource) => resource.path === path)?.fields;
}

/** The number of features, or the media type of a map, of each layer. */
async function readLayers(): Promise<Readonly<Record<string, unknown>>> {
  const { GeoTIFF, WorldImage, ImageMosaic, ...features } = copiedLayers;
  const counts = Object.values(features).map(async (name) => {
    const query = `service=WFS&version=2.0.0&request=GetFeature&typeNames=port:${name}&resultType=hits`;
    const reply = await server.get(`//geoserver/wfs?${query}`);
    return [name, Number(/numberMatched="(\d+)"/.exec(reply.text)?.[1])] as const;
  });
  const maps = [GeoTIFF, WorldImage, ImageMosaic].map(async (name) => {
    const box = '500000,4999800,500300,5000000';
    const query = `service=WMS&version=1.1.1&request=GetMap&layers=port:${name}&styles=&srs=EPSG:32633&bbox=${box}&width=30&height=20&format=image/png`;
    return [name, (await server.get(`//geoserver/wms?${query}`)).headers['content-type']] as const;
  });
  return Object.fromEntries(await Promise.all([...counts, ...maps]));
}

const everyLayer = {
  wells: 3,
  pipes: 2,
  roads: 1,
  spots: 1,
  Borehole: 2,
  heights: 'image/png',
  photo: 'image/png',
  tiles: 'image/png',
};

describe('--data copy', () => {
  it('is the default for a ZIP archive: every layer is read from uploaded files, and a second run plans nothing', async () => {
    const archive = join(folder, 'source.zip');
    await writeFile(archive, packDirectory(files));
    const before = await readHash();

    const dry = await runMoveIn(url, [archive, '--dry-run']);
    const unchanged = await readHash();
    const first = await runMoveIn(url, [archive, '--yes']);
    const layers = await readLayers();
    const wells = await readFields('/workspaces/port/datastores/wells%20store');
    const second = await runMoveIn(url, [archive, '--yes']);
    await undo(first.report.change);

    expect(first.err).toBe('');
    expect(first.report.entries.filter(({ outcome }) => outcome !== 'ignored')).toEqual([]);
    expect(unchanged).toBe(before);
    expect(dry.report).toEqual({ ...first.report, change: null });
    expect(dry.out).toContain(`files     ${countFiles(first.out)} to copy, `);
    expect(layers).toEqual(everyLayer);
    expect(wells).toMatchObject({
      connectionParameters: { url: 'file:data/port/wells%20store/1/wells.shp' },
      files: ['dbf', 'prj', 'shp', 'shx'].map((ending) => ({ path: `wells.${ending}` })),
    });
    expect(second.report.plan).toMatchObject({ create: 0, update: 0, delete: 0 });
    expect(second.out).not.toContain('to copy');
    expect(await readHash()).toBe(before);
  });

  it('copies the files of a directory, and only those that changed later', async () => {
    const source = await createDirectory();

    const refer = await runMoveIn(url, [source, '--yes']);
    const copy = await runMoveIn(url, [source, '--yes', '--data', 'copy']);
    await writeFile(
      join(source, 'data/port/spots/spots.properties'),
      '_=id:Integer,geom:Point:srid=4326\ns.1=1|POINT(1 2)\ns.2=2|POINT(1 2)\n',
    );
    const changed = await runMoveIn(url, [source, '--yes', '--data', 'copy']);
    await rm(join(source, 'data'), { recursive: true });
    const layers = await readLayers();
    for (const { report } of [changed, copy, refer]) await undo(report.change);

    expect([refer.err, copy.err, changed.err]).toEqual(['', '', '']);
    expect(copy.report.plan).toMatchObject({ create: 0, update: 8, delete: 0 });
    expect(changed.report.plan).toMatchObject({ create: 0, update: 1, delete: 0 });
    expect(changed.out).toContain('files     1 to copy, ');
    expect(layers).toEqual({ ...everyLayer, spots: 2 });
  });

  it('continues an interrupted copy with the missing files', async () => {
    const source = await createDirectory();
    const wells = join(source, 'data/port/wells.shp');
    const own = Buffer.from(pointShapefile(3, [11, 51])['shp'] ?? '');
    await writeFile(wells, own);
    await writeFile(
      join(source, 'data/port/spots/spots.properties'),
      '_=id:Integer,geom:Point:srid=4326\none.1=1|POINT(3 3)\n',
    );
    const stopped = await runMoveIn(url, [source, '--data', 'copy'], {
      prompt: async () => {
        await appendFile(wells, 'x');
        return 'y';
      },
    });
    await truncate(wells, own.length);
    const before = await readHash();
    const again = await runMoveIn(url, [source, '--dry-run', '--data', 'copy']);

    expect(stopped.code).toBe(1);
    expect(stopped.err).toBe(
      "graticule: The file 'data/port/wells.shp' changed while it was copied. Nothing was applied. Run the command again when no program writes the data.\n",
    );
    expect(stopped.report).toMatchObject({ error: { code: 'source-changed' }, change: null });
    expect([stopped, again].map(({ out }) => countFiles(out))).toEqual([2, 1]);
    expect(await readHash()).toBe(before);
  });

  it('writes an archive with the files', async () => {
    const source = await createDirectory();

    const written = (await runMoveIn(url, [source, '--data', 'copy', '--output', 'x.zip'])).written.get('x.zip')?.bytes;
    const again = (await runMoveIn(url, [source, '--data', 'copy', '--output', 'x.zip'])).written.get('x.zip')?.bytes;
    const applied = await server.request('POST', '/configuration/apply', {
      body: written ?? '',
      type: 'application/zip',
    });
    const layers = await readLayers();
    await undo((applied.json() as { readonly change: number }).change);

    expect(applied.status, applied.text).toBe(200);
    expect(layers).toEqual(everyLayer);
    expect(again?.equals(written ?? Buffer.alloc(0))).toBe(true);
  });

  it('names data that is missing, unreadable or of another machine, and imports its store', async () => {
    const directory = await createDirectory();
    await rm(join(directory, 'data/port/heights.tif'));
    await writeFile(join(directory, 'data/port/roads.gpkg-wal'), 'pending changes');
    const store = (place: string) =>
      String(files['workspaces/port/wells-store/datastore.xml']).replace('file:data/port/wells.shp', place);
    await writeFile(join(directory, 'workspaces/port/wells-store/datastore.xml'), store('/nowhere/wells.shp'));
    const archive = join(folder, 'foreign.zip');
    await writeFile(
      archive,
      packDirectory({ ...files, 'workspaces/port/wells-store/datastore.xml': store('/etc/x.shp') }),
    );

    const reports = [
      await runMoveIn(url, [directory, '--dry-run', '--data', 'copy']),
      await runMoveIn(url, [archive, '--dry-run']),
    ].map(({ report }) => report.entries.filter(({ code }) => /^data-(?:missing|not)/.test(code)));

    expect(
      reports.map((entries) => entries.map(({ source, code, message }) => `${source} ${code} ${message}`)),
    ).toEqual([
      [
        "workspaces/port/heights-store/coveragestore.xml data-missing The source does not contain 'data/port/heights.tif'.",
        "workspaces/port/roads-store/datastore.xml data-not-copied Changes in 'data/port/roads.gpkg-wal' that are not yet in 'data/port/roads.gpkg' are not copied.",
        "workspaces/port/wells-store/datastore.xml data-missing '/nowhere/wells.shp' does not exist or has no data.",
      ],
      [
        "workspaces/port/wells-store/datastore.xml data-not-copied 'file:///etc/x.shp' is outside of the source and is not copied.",
      ],
    ]);
  });
});

function countFiles(out: string): number {
  return Number(/^files {5}(\d+) to copy/m.exec(out)?.[1] ?? 0);
}
