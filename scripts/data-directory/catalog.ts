/** Workspaces, stores, feature types and layers: created, changed, renamed, moved, replaced and deleted. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  openAsWriter,
  openGeopackage,
  pointAttribute,
  pointBlob,
  valueAttribute,
} from '../../test/support/geopackages.ts';
import {
  pointShapefile,
  polygonShapefile,
  UTM33_PRJ,
  writeShapefiles,
  zipOf,
} from '../../test/support/vector-samples.ts';
import { createType } from '../../test/support/vector-writing.ts';
import { secrets } from './credentials.ts';
import { part, type Rest } from './rest.ts';

const ZIP = 'application/zip';
const acme = '/workspaces/acme/datastores';
const towns = `/workspaces/${part('städte und gemeinden')}/datastores`;

/** Files that are not uploaded: they are in the data directory before stores name them. */
export async function placeFiles(dataDir: string): Promise<void> {
  await writeShapefiles(join(dataDir, 'data', 'shared'), { rivers: pointShapefile(4), lakes: polygonShapefile() });
}

export async function fillWorkspaces({ send }: Rest): Promise<void> {
  await send('POST', '/workspaces', '<workspace><name>acme</name></workspace>');
  await send('POST', '/workspaces', '{"workspace":{"name":"städte und gemeinden","metadata":{"since":"2026"}}}');
  await send('POST', '/workspaces', '{"workspace":{"name":"surveys"}}');
  await send('POST', '/workspaces', '{"workspace":{"name":"doomed"}}');
  await send('POST', '/workspaces', '{"workspace":{"name":"my.ws"}}');
  await send(
    'POST',
    '/namespaces',
    '<namespace><prefix>地図</prefix><uri>http://maps.example.com/地図</uri></namespace>',
  );
  await send('PUT', '/namespaces/acme', '{"namespace":{"uri":"http://acme.example.com/"}}');
  const shared = { prefix: 'apart', uri: 'http://acme.example.com/', isolated: true };
  await send('POST', '/namespaces', JSON.stringify({ namespace: shared }));
  await send('PUT', '/workspaces/default', '{"workspace":{"name":"surveys"}}');
  await send('PUT', '/workspaces/default', '{"workspace":{"name":"acme"}}');
}

export async function fillStores({ send }: Rest): Promise<void> {
  await send('PUT', `${acme}/roads/file.shp`, zipOf({ roads: pointShapefile(3) }), ZIP);
  await send('PUT', `${acme}/roads/file.shp`, zipOf({ roads: pointShapefile(5, [20, 40]) }), ZIP);

  const many = {
    places: pointShapefile(3),
    fields: polygonShapefile(),
    points33: pointShapefile(2, [4e5, 5e6], UTM33_PRJ),
  };
  await send('PUT', `${acme}/shapes/file.shp?configure=all`, zipOf(many), ZIP);
  await send('PUT', `${acme}/atlas/file.gpkg?configure=all`, await atlas(), 'application/geopackage+sqlite3');
  await send('PUT', `${acme}/imported/file.shp?target=gpkg`, zipOf({ stations: pointShapefile(4, [5, 5]) }), ZIP);

  await send(
    'POST',
    acme,
    store('rivers', { url: 'file:data/shared/rivers.shp' }, { description: 'In a place of its own' }),
  );
  await send('POST', `${acme}/rivers/featuretypes`, '<featureType><name>rivers</name></featureType>');
  await send('PUT', `${acme}/folder/external.shp?configure=none`, 'data/shared', 'text/plain');
  await send('POST', `${acme}/folder/featuretypes`, '{"featureType":{"name":"big lakes","nativeName":"lakes"}}');

  await send('POST', acme, store('pack', { dbtype: 'geopkg', database: 'file:data/pack.gpkg' }));
  const attribute = [
    { name: 'geom', binding: 'org.locationtech.jts.geom.LineString' },
    { name: 'said', binding: 'java.lang.String' },
  ];
  const created = { name: 'annotations', srs: 'EPSG:25833', attributes: { attribute } };
  await send('POST', `${acme}/pack/featuretypes`, JSON.stringify({ featureType: created }));

  const database = { dbtype: 'postgis', host: '127.0.0.1', port: 1, database: 'maps', user: 'reader' };
  await send('POST', acme, store('database', { ...database, passwd: secrets.postgis }));
  await send('PUT', `${acme}/database`, '{"dataStore":{"description":"Not reachable","disableOnConnFailure":true}}');
  const off = { enabled: false, metadata: { entry: { '@key': 'reason', $: 'not yet' } } };
  await send('POST', acme, store('off', { ...database, schema: 'öffentlich', passwd: 'another one' }, off));
  await send('PUT', `${acme}/atlas`, '{"dataStore":{"_default":true}}');

  // Deleted objects are in the history.
  await send('PUT', `${acme}/gone/file.shp`, zipOf({ gone: pointShapefile() }), ZIP);
  await send('DELETE', `${acme}/gone?recurse=true`);
  await send('PUT', '/workspaces/doomed/datastores/all/file.shp', zipOf({ doomed: pointShapefile() }), ZIP);
  await send('DELETE', '/workspaces/doomed?recurse=true');

  // Workspaces and stores that are renamed after an upload.
  await send('PUT', '/workspaces/surveys/datastores/trees/file.shp', zipOf({ trees: pointShapefile(6, [1, 1]) }), ZIP);
  await send('PUT', '/workspaces/surveys', '{"workspace":{"name":"Vermessung"}}');
  await send('PUT', `${acme}/wanderer/file.shp`, zipOf({ wanderer: polygonShapefile() }), ZIP);
  await send('PUT', `${acme}/wanderer`, '{"dataStore":{"name":"Häuser","workspace":{"name":"städte und gemeinden"}}}');
  await send('PUT', `${towns}/orte/file.shp?filename=${part('Städte.shp')}`, zipOf({ Städte: pointShapefile(2) }), ZIP);
}

export async function fillTypes({ send }: Rest): Promise<void> {
  await send('PUT', `${acme}/shapes/featuretypes/places`, JSON.stringify({ featureType: everything }));
  await send(
    'PUT',
    `${acme}/shapes/featuretypes/fields`,
    '{"featureType":{"enabled":false,"title":"Off","name":"meadows"}}',
  );
  const declared =
    '<featureType><srs>EPSG:25833</srs><projectionPolicy>REPROJECT_TO_DECLARED</projectionPolicy></featureType>';
  await send('PUT', `${acme}/shapes/featuretypes/points33?recalculate=nativebbox,latlonbbox`, declared);
  await send(
    'PUT',
    `${acme}/atlas/featuretypes/canals`,
    '{"featureType":{"advertised":false,"keywords":{"string":["wet"]}}}',
  );
  await send('POST', `${acme}/atlas/featuretypes`, '{"featureType":{"name":"towns again","nativeName":"towns"}}');
  await send('POST', `${acme}/atlas/featuretypes`, '{"featureType":{"name":"brief","nativeName":"towns"}}');
  await send('DELETE', `${acme}/atlas/featuretypes/brief?recurse=true`);
}

/** After the styles, which layers reference. */
export async function fillLayers({ send }: Rest): Promise<void> {
  const places = {
    defaultStyle: { name: 'tree' },
    styles: { style: [{ name: 'point' }, { name: 'local', workspace: 'acme' }, { name: 'Grüne Wiese' }] },
    path: '/base/places',
    queryable: false,
    opaque: true,
  };
  await send('PUT', '/layers/acme:places', JSON.stringify({ layer: places }));
  await send('PUT', '/layers/acme:meadows', '{"layer":{"defaultStyle":{"name":"acme:local"},"enabled":false}}');
  await send('PUT', '/layers/acme:roads', '<layer><defaultStyle><name>newer</name></defaultStyle></layer>');
  await send('POST', '/layers/acme:roads/styles', '{"style":{"name":"older"}}');
  await send('POST', '/layers/acme:borders/styles?default=true', '<style><name>fields</name></style>');
  await send(
    'PUT',
    '/layers/Vermessung:trees',
    '{"layer":{"defaultStyle":{"name":"Vermessung:bäume"},"advertised":false}}',
  );
  await send('DELETE', '/layers/acme:canals');
}

function store(name: string, connectionParameters: object, more: object = {}): string {
  return JSON.stringify({ dataStore: { name, ...more, connectionParameters } });
}

/** A GeoPackage with three tables. */
async function atlas(): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'graticule-atlas-'));
  try {
    const path = join(folder, 'atlas.gpkg');
    const source = await openGeopackage(path);
    const name = valueAttribute('name', 'string', 40);
    await createType(source, { name: 'towns', attributes: [pointAttribute, name, valueAttribute('people', 'long')] });
    await createType(source, { name: 'canals', attributes: [{ ...pointAttribute, type: 'LineString' }, name] });
    await createType(source, { name: 'borders', attributes: [{ ...pointAttribute, type: 'MultiPolygon' }, name] });
    await source.close();
    const database = openAsWriter(path);
    const insert = database.prepare('INSERT INTO towns (geom, name, people) VALUES (?, ?, ?)');
    insert.run(pointBlob(700_000, 6_600_000), 'Orléans', 116_000);
    insert.run(pointBlob(652_000, 6_862_000), 'Paris', 2_100_000);
    database.close();
    return await readFile(path);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** All fields that a client can set on a feature type. */
const everything = {
  alias: 'places to be',
  title: 'Places',
  description: 'For people',
  abstract: 'About places',
  keywords: { string: ['one', 'two\\@language=de\\;'] },
  metadataLinks: {
    metadataLink: [
      {
        type: 'text/html',
        metadataType: 'ISO19115:2003',
        content: 'http://x.example.com/1',
        about: 'http://x.example.com/',
      },
    ],
  },
  dataLinks: { dataLink: [{ type: 'text/csv', content: 'http://x.example.com/data' }] },
  metadata: {
    entry: [
      { '@key': 'cachingEnabled', $: 'true' },
      {
        '@key': 'time',
        dimensionInfo: {
          enabled: true,
          attribute: 'seen',
          presentation: 'DISCRETE_INTERVAL',
          resolution: 86_400_000,
          units: 'ISO8601',
          defaultValue: { strategy: 'FIXED', referenceValue: '2026-01-02T00:00:00Z' },
          acceptableInterval: 'P1D',
        },
      },
      {
        '@key': 'elevation',
        dimensionInfo: {
          enabled: true,
          attribute: 'height',
          presentation: 'LIST',
          units: 'EPSG:5030',
          unitSymbol: 'm',
        },
      },
      { '@key': 'other', '@class': 'tree', a: { b: ['1', { '@c': 'd', $: '02' }], empty: '' } },
    ],
  },
  serviceConfiguration: true,
  disabledServices: { string: ['WFS', 'WMS'] },
  simpleConversionEnabled: true,
  internationalTitle: { en: 'Places', 'pt-BR': 'Lugares' },
  internationalAbstract: { de: 'Über Orte <&>' },
  cqlFilter: "name LIKE '%a%'",
  maxFeatures: 10,
  numDecimals: 3,
  padWithZeros: true,
  forcedDecimal: true,
  responseSRS: { string: ['4326', '3857'] },
  overridingServiceSRS: true,
  skipNumberMatched: true,
  circularArcPresent: true,
  linearizationTolerance: 0.25,
  encodeMeasures: true,
  attributes: {
    attribute: [
      {
        name: 'height',
        minOccurs: 0,
        maxOccurs: 1,
        nillable: true,
        binding: 'java.lang.Double',
        range: { min: 1, max: 2.5 },
        source: 'rank',
        description: 'How high',
      },
      { name: 'the_geom', minOccurs: 0, maxOccurs: 1, nillable: true, binding: 'org.locationtech.jts.geom.Point' },
      {
        name: 'name',
        minOccurs: 1,
        maxOccurs: 1,
        nillable: false,
        binding: 'java.lang.String',
        length: 20,
        options: { string: ['1', 'b'] },
      },
      { name: 'seen', minOccurs: 0, maxOccurs: 1, nillable: true, binding: 'java.util.Date', length: 8 },
    ],
  },
};
