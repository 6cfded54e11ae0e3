/** Every guide in docs/guides, run block by block in a shell beside a new server. */
import { readdirSync } from 'node:fs';
import { copyFile, cp, mkdir, readFile, rename, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { encodeFlatgeobuf, flatParcels, flatPlaces } from '../support/flatgeobuf-files.ts';
import { makeRoads } from '../support/geopackages.ts';
import { changedSurveyMapping, createArchive, surveyFiles } from '../support/mapping-samples.ts';
import { client, startOpenIdProvider } from '../support/openid-provider.ts';
import { startRangeServer } from '../support/range-server.ts';
import { worldImageZip, zipOfFiles } from '../support/raster-samples.ts';
import { startRemoteServer } from '../support/remote-server.ts';
import { createSampleDirectory } from '../support/source-directories/sample.ts';
import { CONTEXT, createStandIn } from '../support/source-directories/stand-in.ts';
import { writeDirectory } from '../support/source-directories/write-directory.ts';
import { useTemporaryFolder } from '../support/temporary-folder.ts';
import { geotiffBytes } from '../support/tiff-bytes.ts';
import { coloredTiles, createTownTiles, encodePmtiles, townMetadata, writeMbtiles } from '../support/tile-archives.ts';
import { pointShapefile, zipOf } from '../support/vector-samples.ts';
import { describeWithMariadb } from '../support/with-mariadb.ts';
import { describeWithTool } from '../support/with-tool.ts';
import { createInstalledEnvironment, expectGuideWorks } from './guide-runs.ts';
import { projectFolder } from './server-process.ts';
import { startServer } from './started-server.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { createComparison, WRITTEN_PASSWORD } from './written-commands.ts';

const guides = readdirSync(join(projectFolder, 'docs/guides'))
  .filter((name) => name.endsWith('.md'))
  .map((name) => `docs/guides/${name}`);

const proxyGuide = 'docs/guides/behind-an-authenticating-proxy.md';

const mysqlGuide = 'docs/guides/connect-mysql.md';

/** Guides that other tests run: one installs the package, the others need systemd, nginx and MariaDB. */
const runElsewhere: ReadonlySet<string> = new Set([
  'docs/guides/install.md',
  'docs/guides/systemd.md',
  proxyGuide,
  mysqlGuide,
]);

const samples = useTemporaryFolder('guides');

/** Each guide has a copy, because it may change its files. */
async function folderWithData(): Promise<string> {
  const folder = await temporaryFolder();
  await cp(samples, folder, { recursive: true });
  // The packages that a guide installs; `npm test` has them for generated clients.
  await symlink(join(projectFolder, 'test/clients/node_modules'), join(folder, 'node_modules'));
  return folder;
}

async function writeArchives(folder: string): Promise<void> {
  const metadata = { name: 'Relief', format: 'png', minzoom: '0', maxzoom: '1' };
  const tiles = createTownTiles((bytes) => gzipSync(bytes));
  await writeFile(
    join(folder, 'city.pmtiles'),
    encodePmtiles({ tiles, tileType: 1, isPacked: true, metadata: townMetadata }),
  );
  writeMbtiles(join(folder, 'relief.mbtiles'), { tiles: coloredTiles, metadata });
}

/** Writes sample data with the file names that the guides use; readers have their own data. */
async function writeSamples(folder: string): Promise<void> {
  const { prj: _withoutReference, ...rivers } = pointShapefile();
  await writeFile(join(folder, 'towns.zip'), zipOf({ towns: pointShapefile() }));
  await writeFile(join(folder, 'waters.zip'), zipOf({ lakes: pointShapefile(), rivers }));
  await writeFile(join(folder, 'dem.tif'), geotiffBytes(30, 20));
  await writeFile(join(folder, 'photo.zip'), worldImageZip());
  await writeFile(join(folder, 'tiles.zip'), zipOfFiles({ 'west.tif': geotiffBytes(30, 20) }));
  await writeFile(join(folder, 'dem.zip'), zipOfFiles({ 'dem.tif': geotiffBytes(30, 20) }));
  await copyFile(join(projectFolder, 'test/fixtures/rasters/ocean-4.nc'), join(folder, 'ocean.nc'));
  await copyFile(join(projectFolder, 'test/fixtures/geoparquet/areas-zstd.parquet'), join(folder, 'areas.parquet'));
  await copyFile(join(projectFolder, 'test/fixtures/geoparquet/native-point.parquet'), join(folder, 'spots.parquet'));
  await writeFile(join(folder, 'places.fgb'), await encodeFlatgeobuf(flatPlaces));
  await writeFile(join(folder, 'parcels.fgb'), await encodeFlatgeobuf(flatParcels));
  await writeArchives(folder);
  await writeFile(join(folder, 'definition.zip'), zipOfFiles({ 'indexer.xml': await shownIndexer() }));
  await writeFile(join(folder, 'scenes.zip'), zipOfFiles({ 'indexer.properties': await shownProperties() }));
  await writeFile(join(folder, 'survey.zip'), createArchive(surveyFiles));
  for (const [name, text] of Object.entries(surveyFiles)) {
    await mkdir(dirname(join(folder, 'shared', name)), { recursive: true });
    await writeFile(join(folder, 'shared', name), text);
  }
  await writeFile(join(folder, 'holes.appschema'), changedSurveyMapping);
  const { 'parts/sample.xsd': _missing, ...incomplete } = surveyFiles;
  await writeFile(join(folder, 'incomplete.zip'), createArchive(incomplete));
  const { path, source } = await makeRoads(folder);
  await source.close();
  await rename(path, join(folder, 'roads.gpkg'));
  await writeDirectory(join(folder, 'old-data'), createSampleDirectory());
}

beforeAll(() => writeSamples(samples));

/** Starts the identity provider of a guide; returns the variables that its readers set. */
async function startIssuer(): Promise<Readonly<Record<string, string>>> {
  const provider = await startOpenIdProvider('https://maps.example.com/geoserver/console/signin');
  onTestFinished(() => provider.close());
  provider.roles.set(client.id, ['boss']);
  const { issuer } = provider;
  return { ISSUER: issuer, TOKEN_ENDPOINT: `${issuer}/token`, CLIENT: client.id, SECRET: client.secret };
}

/** Starts the file server of a guide about remote files; returns the address of its file. */
async function startDataServer(name: string, bytes: Uint8Array): Promise<Readonly<Record<string, string>>> {
  const remote = await startRangeServer({ [`/data/${name}`]: { bytes, etag: '"1"' } });
  onTestFinished(() => remote.close());
  return { DATA: `http://127.0.0.1:${remote.port}/data/${name}` };
}

/** The file that the reader of a guide has on another server. */
async function startServerOfData(guide: string): Promise<Readonly<Record<string, string>>> {
  if (guide.includes('cloud-optimised')) return startDataServer('elevation.tif', geotiffBytes(30, 20));
  if (guide.includes('publish-flatgeobuf')) return startDataServer('places.fgb', await encodeFlatgeobuf(flatPlaces));
  if (!guide.includes('publish-geoparquet')) return {};
  return startDataServer('areas.parquet', await readFile(join(samples, 'areas.parquet')));
}

/** Starts a stand-in for the GeoServer of the guide; returns its address. */
async function startOldServer(): Promise<Readonly<Record<string, string>>> {
  const login = { user: 'admin', password: WRITTEN_PASSWORD };
  const { port } = await startRemoteServer(createStandIn(createSampleDirectory(), { login }));
  return { OLD: `http://127.0.0.1:${port}${CONTEXT}` };
}

/** The definition of a mosaic as its guide shows it. */
async function shownIndexer(): Promise<Buffer> {
  const guide = await readFile(join(projectFolder, 'docs/guides/build-a-mosaic.md'), 'utf8');
  return Buffer.from(/^```xml\n([\s\S]*?)^```$/m.exec(guide)?.[1] ?? '');
}

/** The definition of a mosaic of remote files as its guide shows it. */
async function shownProperties(): Promise<Buffer> {
  const guide = await readFile(join(projectFolder, 'docs/guides/cloud-optimised-geotiff.md'), 'utf8');
  return Buffer.from(/^```properties\n([\s\S]*?)^```$/m.exec(guide)?.[1] ?? '');
}

describe('The output in a guide', () => {
  const output = 'HTTP/1.1 200 OK\nvary: Accept\ngraticule-change: 12\n\n{"name":"acme","at":"noon"}';
  const firstMissing = (...shown: readonly string[]) => createComparison()(shown, output);

  test('a guide may omit lines, and parts of a line', () => {
    expect(firstMissing('HTTP/1.1 200 OK', '{"name":"acme",…}')).toBeUndefined();
  });

  test('the output is compared line by line, in order', () => {
    expect(firstMissing('HTTP/1.1 201 Created')).toBe('HTTP/1.1 201 Created');
    expect(firstMissing('{"name":"acme"')).toBe('{"name":"acme"');
    expect(firstMissing('vary: Accept', 'HTTP/1.1 200 OK')).toBe('HTTP/1.1 200 OK');
  });

  test('change numbers may differ if their differences match those of the server', () => {
    const isShown = createComparison();

    expect(isShown(['graticule-change: 5'], output)).toBeUndefined();
    expect(isShown(['etag: "6.json"'], 'etag: "13.json"')).toBeUndefined();
    expect(isShown(['etag: "6.json"'], 'etag: "14.json"')).toBe('etag: "6.json"');
  });
});

async function runGuide(
  guide: string,
  {
    flags = [],
    variables = {},
  }: { readonly flags?: readonly string[]; readonly variables?: Record<string, string> } = {},
): Promise<void> {
  // One guide shows failed deliveries of a webhook without a receiver.
  const expectedLog = [/delivery of events to a webhook failed/];
  const server = await startServer({ password: WRITTEN_PASSWORD, expectedLog, flags });
  const installed = await createInstalledEnvironment();
  const environment = {
    ...installed,
    ...variables,
    ...(guide.includes('openid') ? await startIssuer() : {}),
    ...(await startServerOfData(guide)),
    ...(guide.includes('moving-from-geoserver') ? await startOldServer() : {}),
  };
  await expectGuideWorks(guide, { url: server.url, folder: await folderWithData(), environment });
}

describeWithTool('nginx', 'A guide with nginx', () => {
  test(`the commands work and print the documented output: ${proxyGuide}`, () =>
    runGuide(proxyGuide, { flags: ['--trust-proxy', '127.0.0.1'] }));
});

describeWithMariadb('A guide with MariaDB', (mariadb) => {
  test(`the commands work and print the documented output: ${mysqlGuide}`, async () => {
    const guide = await readFile(join(projectFolder, mysqlGuide), 'utf8');
    await mariadb.query(/^```sql\n([\s\S]*?)^```$/m.exec(guide)?.[1] ?? '');
    const { host, port, database, user, password } = mariadb.connection;
    const variables = { DB_HOST: host, DB_PORT: String(port), DB_NAME: database, DB_USER: user, DB_PASSWORD: password };
    await runGuide(mysqlGuide, { variables });
  });
});

describeWithTool('curl', 'Guides', () => {
  test.each(guides.filter((guide) => !runElsewhere.has(guide)))(
    'the commands work and print the documented output: %s',
    (guide) => runGuide(guide),
  );

  test.each(guides)('the index of the documentation lists the guide: %s', async (guide) => {
    const index = await readFile(join(projectFolder, 'docs/README.md'), 'utf8');
    expect(index).toContain(`](${guide.replace(/^docs\//, '')})`);
  });
});
