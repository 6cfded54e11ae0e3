/** Loads of filters and graphics that are small to send and slow to evaluate, on every type of store. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { Client } from 'pg';
import { findPostgis } from '../../test/support/find-postgis.ts';
import { findProgram } from '../../test/support/find-program.ts';
import { boreholes, createArchive, files, mapping, schemas } from '../../test/support/mapping-samples.ts';
import { startDocumentServer } from '../../test/support/services/document-server.ts';
import { startMongod } from '../../test/support/services/mongod.ts';
import { startPostgis } from '../../test/support/services/postgis.ts';
import {
  pointContent,
  type ShapefileBytes,
  shapefileBytes,
  writeShapefile,
} from '../../test/support/shapefile-bytes.ts';
import { WGS84_PRJ } from '../../test/support/vector-samples.ts';
import type { Bench } from '../sections/section.ts';
import { authorization, type ServerChild, startServerChild } from '../server-child.ts';
import { serverOptions } from './catalog-loads.ts';
import type { LoadCase, LoadGroup, OpenGroup } from './group.ts';
import { describeReply, sendLoad } from './load.ts';

const POINTS = 200;
const ZIGZAG_VERTICES = 1_000;
const LIKE_ROWS = 3_600;
const LIKES = 9_900;
const FILTER_TIMEOUT_MS = 30_000;
const WORKSPACE = 'hostile';
const FORM = 'application/x-www-form-urlencoded';

/** A point layer for filter requests. */
interface FilteredLayer {
  readonly driver: string;
  readonly layer: string;
  readonly geometry: string;
  readonly text: string;
  /** A layer with more rows for text filters, if available. */
  readonly longLayer?: string;
}

const drivers = ['shapefile', 'geopackage', 'properties', 'postgis', 'wfs', 'app-schema', 'documents'];

export const filterLoads: LoadGroup = {
  names: [...drivers.flatMap((driver) => [`zigzag-${driver}`, `likes-${driver}`]), 'svg-bomb', 'svg-limit'],
  open: openFilterLoads,
};

async function openFilterLoads(bench: Bench): Promise<OpenGroup> {
  const dataDir = join(await bench.directory(), 'data-directory');
  const server = await startServerChild(dataDir, {}, serverOptions(bench));
  const closing: (() => Promise<void>)[] = [];
  const isWanted = (driver: string): boolean => bench.isChosen(`zigzag-${driver}`) || bench.isChosen(`likes-${driver}`);
  const layers: FilteredLayer[] = [];
  await send(server, 'POST', '/workspaces', { workspace: { name: WORKSPACE } });
  layers.push(await publishShapefile(server, dataDir));
  if (isWanted('geopackage')) layers.push(await publishGeopackage(server, dataDir));
  if (isWanted('properties')) layers.push(await publishProperties(server, dataDir));
  if (isWanted('wfs')) layers.push(await publishWfs(server));
  if (isWanted('app-schema')) layers.push(await publishMapping(server));
  for (const [driver, publish] of [
    ['postgis', publishPostgis],
    ['documents', publishDocuments],
  ] as const) {
    if (!isWanted(driver)) continue;
    const published = await publish(server);
    if (typeof published === 'string') bench.report.skip(`zigzag and likes on ${driver}`, published);
    else {
      layers.push(published.layer);
      closing.push(published.stop);
    }
  }
  // The first requests after a start also load the code of the services.
  const warmUp = { layers: `${WORKSPACE}:points`, styles: '', cql_filter: "name = 'none'" };
  await sendMap(server, warmUp);
  await sendFeatures(server, warmUp.layers, warmUp.cql_filter);
  const cases = [...layers.flatMap((layer) => createCases(server, bench, layer)), svgBomb(server), svgLimit(server)];
  return {
    server,
    cases,
    async close() {
      for (const stop of closing) await stop();
    },
  };
}

function createCases(
  server: ServerChild,
  bench: Bench,
  { driver, layer, geometry, text, longLayer }: FilteredLayer,
): LoadCase[] {
  const zigzag = `INTERSECTS(${geometry}, ${zigzagLine(bench.scaled(ZIGZAG_VERTICES))})`;
  const likes = Array.from({ length: bench.scaled(LIKES) }, (_, index) => `${text} LIKE '%a${index}%b'`).join(' OR ');
  const filtered = async (filter: string, layer: string): Promise<string> =>
    `map ${await sendMap(server, { layers: layer, styles: '', cql_filter: filter })}; features ${await sendFeatures(server, layer, filter)}`;
  return [
    {
      name: `zigzag-${driver}`,
      what: `a zigzag of ${bench.scaled(ZIGZAG_VERTICES)} vertices filters ${POINTS} points (${driver})`,
      run: () => filtered(zigzag, layer),
    },
    {
      name: `likes-${driver}`,
      what: `${bench.scaled(LIKES)} LIKEs filter ${longLayer === undefined ? POINTS : LIKE_ROWS} rows (${driver})`,
      run: () => filtered(likes, longLayer ?? layer),
    },
  ];
}

/** A line whose segments nearly all cross each other, over all points. */
function zigzagLine(vertices: number): string {
  const pairs = Array.from({ length: vertices }, (_, index) => {
    const x = ((index * 7_919) % vertices) / vertices;
    return `${(x * 20).toFixed(3)} ${index % 2 === 0 ? 0 : 10}`;
  });
  return `LINESTRING(${pairs.join(', ')})`;
}

/** Remote graphics are not loaded, so the style contains the graphic. */
function svgCase(server: ServerChild, name: string, what: string, graphic: { svg: string; size: number }): LoadCase {
  const content = Buffer.from(graphic.svg).toString('base64');
  const sld = `<StyledLayerDescriptor version="1.1.0" xmlns="http://www.opengis.net/sld" xmlns:se="http://www.opengis.net/se"><NamedLayer><se:Name>${WORKSPACE}:points</se:Name><UserStyle><se:FeatureTypeStyle><se:Rule><se:PointSymbolizer><se:Graphic><se:ExternalGraphic><se:InlineContent encoding="base64">${content}</se:InlineContent><se:Format>image/svg+xml</se:Format></se:ExternalGraphic><se:Size>${graphic.size}</se:Size></se:Graphic></se:PointSymbolizer></se:Rule></se:FeatureTypeStyle></UserStyle></NamedLayer></StyledLayerDescriptor>`;
  return {
    name,
    what,
    run: async () => `map ${await sendMap(server, { layers: `${WORKSPACE}:points`, styles: '', sld_body: sld })}`,
  };
}

function svgBomb(server: ServerChild): LoadCase {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="2000" height="2000"><filter id="f"><feTurbulence baseFrequency="0.05" numOctaves="255"/></filter><rect width="2000" height="2000" filter="url(#f)"/></svg>`;
  return svgCase(server, 'svg-bomb', 'a graphic with a filter of 255 octaves is sent', { svg, size: 2_000 });
}

/** A graphic at the cost limit of drawing, for each point. */
function svgLimit(server: ServerChild): LoadCase {
  const shape = '<rect width="100" height="100" fill="url(#g)"/>';
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="100" height="100"><radialGradient id="g"><stop stop-color="red" stop-opacity=".5"/><stop offset="1"/></radialGradient>${shape.repeat(900)}</svg>`;
  return svgCase(server, 'svg-limit', 'a graphic of the highest cost that is drawn', { svg, size: 360 });
}

async function sendMap(server: ServerChild, more: Readonly<Record<string, string>>): Promise<string> {
  const body = new URLSearchParams({
    ...{ service: 'WMS', version: '1.1.1', request: 'GetMap', srs: 'EPSG:4326', bbox: '0,0,20,10' },
    ...{ width: '800', height: '400', format: 'image/png', ...more },
  }).toString();
  return sendForm(`${server.origin}/geoserver/wms`, body);
}

async function sendFeatures(server: ServerChild, layer: string, filter: string): Promise<string> {
  const body = new URLSearchParams({
    ...{ service: 'WFS', version: '2.0.0', request: 'GetFeature', typeNames: layer, cql_filter: filter },
  }).toString();
  return sendForm(`${server.origin}/geoserver/wfs`, body);
}

async function sendForm(url: string, body: string): Promise<string> {
  const load = { method: 'POST', url, type: FORM, body, isAnonymous: true, timeoutMs: FILTER_TIMEOUT_MS };
  return describeReply(await sendLoad(load));
}

function pointAt(index: number): readonly [number, number] {
  return [((index * 37) % 200) / 10, ((index * 53) % 100) / 10];
}

async function send(server: ServerChild, method: string, path: string, sent: object | Buffer): Promise<void> {
  const isArchive = Buffer.isBuffer(sent);
  const headers = { authorization, 'content-type': isArchive ? 'application/zip' : 'application/json' };
  const body = isArchive ? new Uint8Array(sent) : JSON.stringify(sent);
  const reply = await fetch(`${server.restUrl}${path}`, { method, headers, body });
  if (!reply.ok) throw new Error(`${method} ${path} answered ${reply.status}: ${await reply.text()}`);
}

async function publish(
  server: ServerChild,
  store: string,
  parameters: Readonly<Record<string, string>>,
  type: { readonly name: string; readonly nativeName: string },
): Promise<string> {
  const path = `/workspaces/${WORKSPACE}/datastores`;
  await send(server, 'POST', path, { dataStore: { name: store, connectionParameters: parameters } });
  await send(server, 'POST', `${path}/${store}/featuretypes`, { featureType: type });
  return `${WORKSPACE}:${type.name}`;
}

async function publishShapefile(server: ServerChild, dataDir: string): Promise<FilteredLayer> {
  const folder = join(dataDir, 'data', 'shapes');
  await mkdir(folder, { recursive: true });
  await writeShapefile(folder, 'points', pointFile(POINTS));
  await writeShapefile(folder, 'rows', pointFile(LIKE_ROWS));
  const layer = await publish(server, 'shapes', { url: 'file:data/shapes/' }, { name: 'points', nativeName: 'points' });
  const types = `/workspaces/${WORKSPACE}/datastores/shapes/featuretypes`;
  await send(server, 'POST', types, { featureType: { name: 'rows' } });
  return { driver: 'shapefile', layer, geometry: 'the_geom', text: 'name', longLayer: `${WORKSPACE}:rows` };
}

function pointFile(count: number): ShapefileBytes {
  const numbers = Array.from({ length: count }, (_, index) => index);
  return shapefileBytes({
    type: 1,
    bounds: [0, 0, 20, 10],
    records: numbers.map((index) => pointContent(...pointAt(index))),
    prj: WGS84_PRJ,
    table: {
      fields: [{ name: 'name', type: 'C', width: 40 }],
      rows: numbers.map((index) => ({ values: [`a place with the number ${index} and a name`] })),
    },
  });
}

/** The shapefile exported by the server itself. */
async function publishGeopackage(server: ServerChild, dataDir: string): Promise<FilteredLayer> {
  const exported = await fetch(
    `${server.origin}/geoserver/wfs?service=WFS&version=2.0.0&request=GetFeature&typeNames=${WORKSPACE}:points&outputFormat=geopackage`,
  );
  await writeFile(join(dataDir, 'data', 'points.gpkg'), Buffer.from(await exported.arrayBuffer()));
  const parameters = { dbtype: 'geopkg', database: 'file:data/points.gpkg' };
  const layer = await publish(server, 'package', parameters, { name: 'packed', nativeName: 'points' });
  return { driver: 'geopackage', layer, geometry: 'the_geom', text: 'name' };
}

async function publishProperties(server: ServerChild, dataDir: string): Promise<FilteredLayer> {
  await mkdir(join(dataDir, 'data', 'properties'), { recursive: true });
  await writeFile(
    join(dataDir, 'data', 'properties', 'listed.properties'),
    propertyLines('listed', 'name:String', (index) => `a name ${index}`),
  );
  const parameters = { directory: 'file:data/properties/' };
  const layer = await publish(server, 'properties', parameters, { name: 'listed', nativeName: 'listed' });
  return { driver: 'properties', layer, geometry: 'place', text: 'name' };
}

function propertyLines(type: string, columns: string, values: (index: number) => string): string {
  const rows = Array.from(
    { length: POINTS },
    (_, index) => `${type}.${index}=${values(index)}|POINT(${pointAt(index).join(' ')})\n`,
  );
  return `_=${columns},*place:Point:srid=4326\n${rows.join('')}`;
}

/** The WFS of the server itself, requested over HTTP as a remote one. */
async function publishWfs(server: ServerChild): Promise<FilteredLayer> {
  const regex = `^${server.origin.replaceAll('.', '\\.')}/.*$`;
  await send(server, 'POST', '/urlchecks', { regexUrlCheck: { name: 'itself', enabled: true, regex } });
  const url = `${server.origin}/geoserver/wfs?service=WFS&version=1.1.0&request=GetCapabilities`;
  const parameters = { 'WFSDataStoreFactory:GET_CAPABILITIES_URL': url };
  const nativeName = `${WORKSPACE}_points`;
  const layer = await publish(server, 'cascaded', parameters, { name: 'remote', nativeName });
  return { driver: 'wfs', layer, geometry: 'the_geom', text: 'name' };
}

async function publishMapping(server: ServerChild): Promise<FilteredLayer> {
  const holes = propertyLines(
    'holes',
    'code:String,title:String,metres:Double,company:String',
    (index) => `A${index}|a hole ${index}|120.5|Deep Ltd`,
  );
  const archive = createArchive({
    'survey.appschema': mapping({ stores: files, types: [boreholes] }),
    ...schemas,
    'holes.properties': holes,
  });
  await send(server, 'PUT', `/workspaces/${WORKSPACE}/datastores/survey/file.appschema?configure=all`, archive);
  return {
    driver: 'app-schema',
    layer: `${WORKSPACE}:Borehole`,
    geometry: 's:place',
    text: '"s:drilled/s:Event/s:by"',
  };
}

interface PublishedService {
  readonly layer: FilteredLayer;
  stop(): Promise<void>;
}

async function publishPostgis(server: ServerChild): Promise<PublishedService | string> {
  const programs = findPostgis();
  if (programs === undefined) return 'PostGIS is missing';
  const postgis = await startPostgis(programs);
  const { connection, template } = postgis.details;
  const { host, port, user, password } = connection;
  const client = new Client({ host, port, user, password, database: template });
  await client.connect();
  await client.query('CREATE TABLE points (id serial PRIMARY KEY, name text, geom geometry(Point, 4326))');
  const rows = Array.from({ length: POINTS }, (_, index) => {
    const [x, y] = pointAt(index);
    return `('a name ${index}', ST_SetSRID(ST_MakePoint(${x}, ${y}), 4326))`;
  });
  await client.query(`INSERT INTO points (name, geom) VALUES ${rows.join(', ')}`);
  await client.end();
  const parameters = { dbtype: 'postgis', host, port: String(port), user, passwd: password, database: template };
  const layer = await publish(server, 'tables', parameters, { name: 'table', nativeName: 'points' });
  return { layer: { driver: 'postgis', layer, geometry: 'geom', text: 'name' }, stop: () => postgis.stop() };
}

async function publishDocuments(server: ServerChild): Promise<PublishedService> {
  const database = await startDocuments();
  const { uri } = database;
  const client = new MongoClient(uri);
  const documents = Array.from({ length: POINTS }, (_, index) => ({
    name: `a name ${index}`,
    place: { type: 'Point', coordinates: pointAt(index) },
  }));
  await client.db().collection<object>('points').insertMany(documents);
  await client.close();
  const parameters = { data_store: uri, schema_store: uri };
  const layer = await publish(server, 'documents', parameters, { name: 'documents', nativeName: 'points' });
  return { layer: { driver: 'documents', layer, geometry: 'place', text: 'name' }, stop: database.stop };
}

/** Without MongoDB, the small document server of the tests has the data. */
async function startDocuments(): Promise<{ readonly uri: string; stop(): Promise<void> }> {
  const program = findProgram(['mongod']);
  if (program === undefined) {
    const documents = await startDocumentServer();
    return { uri: documents.uri('bench'), stop: () => documents.close() };
  }
  const mongod = await startMongod(program);
  return { uri: `${mongod.details.url}bench`, stop: () => mongod.stop() };
}
