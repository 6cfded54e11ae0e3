/** The content of the server whose pages are pictured: everything that a page of the console shows, at fixed times. */
import { mkdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { feature } from 'topojson-client';
import { column, geometryColumn, wkt } from '../../test/support/feature-collections.ts';
import { createGeopackage } from '../../test/support/published-features.ts';
import type { TestServer } from '../../test/support/test-server.ts';
import { geotiffBytes } from '../../test/support/tiff-bytes.ts';

/** Sends a request as the administrator, a few minutes after the last one. */
export type Send = (method: string, path: string, body?: object | string | Buffer, type?: string) => Promise<string>;

const CSS = 'application/vnd.geoserver.geocss+css';

const countriesStyle = `/* Countries by population. */
* {
  stroke: #ffffff;
  stroke-width: 0.6;
}

[people < 10] { fill: #d6e6f4; }
[people >= 10 AND people < 60] { fill: #8fbbdc; }
[people >= 60] { fill: #2f74b3; }

[@scale < 80000000] {
  label: [name];
  font-family: 'DejaVu Sans';
  font-size: 11;
  font-fill: #24405c;
  halo-radius: 1.2;
  halo-color: #ffffff;
}
`;

const districtsStyle = `* {
  fill: #e8dcc4;
  stroke: #8a6d3b;
  stroke-width: 1;
  label: [name];
  font-family: 'DejaVu Sans';
}
`;

/** Fills an empty server. */
export async function fillServer(server: TestServer, send: Send): Promise<void> {
  await publishCountries(send);
  await publishCity(send);
  await publishSurvey(server, send);
  await addStores(send);
  await secure(send);
  await operate(send);
}

async function publishCountries(send: Send): Promise<void> {
  await send('POST', '/workspaces', { workspace: { name: 'world' } });
  const topology = createRequire(import.meta.url)('world-atlas/countries-110m.json') as Parameters<typeof feature>[0];
  const shapes = topology.objects['countries'];
  if (shapes === undefined) throw new Error('The atlas has no countries.');
  const collection = feature(topology, shapes) as unknown as { features: { properties: Record<string, unknown> }[] };
  collection.features.forEach(({ properties }, index) => {
    properties['people'] = (index * 37) % 120;
  });
  const path = '/workspaces/world/datastores/countries/file.geojson?target=gpkg&filename=countries.geojson';
  await send('PUT', path, JSON.stringify(collection), 'application/geo+json');
  await send('POST', '/workspaces/world/styles?name=population', countriesStyle, CSS);
  await send('PUT', '/workspaces/world/layers/countries', {
    layer: { defaultStyle: { name: 'population', workspace: 'world' } },
  });
  await send('PUT', '/workspaces/world/datastores/countries/featuretypes/countries', {
    featureType: {
      title: 'Countries of the world',
      abstract: 'Borders at a scale of 1:110 million, with made-up numbers of inhabitants.',
      keywords: { string: ['borders', 'population'] },
    },
  });
}

async function publishCity(send: Send): Promise<void> {
  await send('POST', '/workspaces', { workspace: { name: 'city' } });
  const names = ['Altstadt', 'Hafen', 'Nordend', 'Seefeld', 'Weststadt', 'Wiedikon'];
  const cell = (index: number) => {
    const [x, y] = [8.5 + (index % 3) * 0.02, 47.36 + Math.floor(index / 3) * 0.015];
    return wkt(`POLYGON ((${x} ${y}, ${x + 0.02} ${y}, ${x + 0.02} ${y + 0.015}, ${x} ${y + 0.015}, ${x} ${y}))`);
  };
  const trees = ['Linden', 'Maple', 'Oak', 'Plane'];
  const body = await createGeopackage([
    {
      name: 'districts',
      attributes: [geometryColumn('Polygon'), column('name', 'string'), column('inhabitants', 'integer')],
      rows: names.map((name, index) => [cell(index), name, 4_200 + index * 1_310]),
    },
    {
      name: 'trees',
      attributes: [geometryColumn('Point'), column('species', 'string'), column('planted', 'integer')],
      rows: Array.from({ length: 60 }, (_, index) => [
        wkt(`POINT (${8.503 + ((index * 7) % 55) / 1000} ${47.362 + ((index * 11) % 27) / 1000})`),
        trees[index % trees.length] ?? '',
        1950 + ((index * 13) % 70),
      ]),
    },
  ]);
  await send('PUT', '/workspaces/city/datastores/base_map/file.gpkg?configure=all', body, 'application/x-sqlite3');
  await send('POST', '/workspaces/city/styles?name=districts', districtsStyle, CSS);
  await send('PUT', '/workspaces/city/layers/districts', {
    layer: { defaultStyle: { name: 'districts', workspace: 'city' } },
  });
  for (const [name, title] of [
    ['districts', 'Districts'],
    ['trees', 'Trees in streets and parks'],
  ] as const) {
    await send('PUT', `/workspaces/city/datastores/base_map/featuretypes/${name}`, { featureType: { title } });
  }
  const published = ['districts', 'trees'].map((name) => ({ '@type': 'layer', name: `city:${name}` }));
  await send('POST', '/workspaces/city/layergroups', {
    layerGroup: { name: 'base', title: 'Base map of the city', publishables: { published } },
  });
  await send('POST', '/layergroups', {
    layerGroup: { name: 'overview', title: 'Overview', publishables: { published: published.slice(0, 1) } },
  });
}

async function publishSurvey(server: TestServer, send: Send): Promise<void> {
  await send('POST', '/workspaces', { workspace: { name: 'survey' } });
  const day = (month: number) => new Date(Date.UTC(2025, month, 1));
  const body = await createGeopackage([
    {
      name: 'stations',
      attributes: [
        geometryColumn('Point'),
        column('name', 'string'),
        column('level', 'integer'),
        column('seen', 'timestamp'),
      ],
      rows: [
        [wkt('POINT (7.45 46.95)'), 'Bern', 134, day(0)],
        [wkt('POINT (8.54 47.38)'), 'Zürich', 200, day(1)],
        [wkt('POINT (6.14 46.2)'), 'Genève', 372, day(2)],
        [wkt('POINT (9.37 47.42)'), 'St. Gallen', 670, day(3)],
      ],
    },
  ]);
  await send('PUT', '/workspaces/survey/datastores/levels/file.gpkg?configure=all', body, 'application/x-sqlite3');
  const dimensionInfo = { enabled: true, attribute: 'seen', presentation: 'LIST', units: 'ISO8601' };
  await send('PUT', '/workspaces/survey/datastores/levels/featuretypes/stations', {
    featureType: { title: 'Gauging stations', metadata: { entry: [{ '@key': 'time', dimensionInfo }] } },
  });
  const folder = join(server.dataDir, 'data', 'snow');
  await mkdir(folder, { recursive: true });
  for (const date of ['01', '02', '03', '04']) {
    await writeFile(join(folder, `snow_202501${date}.tif`), geotiffBytes(8, 8));
  }
  await writeFile(
    join(folder, 'indexer.properties'),
    'Schema=*the_geom:Polygon,location:String,day:java.util.Date\nPropertyCollectors=TimestampFileNameExtractorSPI[day](day)\nTimeAttribute=day\n',
  );
  await writeFile(join(folder, 'day.properties'), 'regex=[0-9]{8}\n');
  await send('PUT', '/workspaces/survey/coveragestores/snow/external.imagemosaic', 'file:data/snow', 'text/plain');
}

async function addStores(send: Send): Promise<void> {
  await send('POST', '/workspaces/city/datastores', {
    dataStore: {
      name: 'cadastre',
      type: 'PostGIS',
      enabled: false,
      description: 'Parcels and buildings',
      connectionParameters: {
        entry: Object.entries({
          ...{ dbtype: 'postgis', host: 'db.example.org', port: '5432', database: 'cadastre', schema: 'public' },
          ...{ user: 'reader', passwd: 'a password' },
        }).map(([key, value]) => ({ '@key': key, $: value })),
      },
    },
  });
  await send('POST', '/workspaces/city/styles?name=tree_points', '* { mark: symbol(circle); mark-size: 8; }', CSS);
  await send('POST', '/styles?name=outline', '* { stroke: #5b83ad; stroke-width: 2; }', CSS);
}

async function secure(send: Send): Promise<void> {
  for (const role of ['EDITORS', 'GARDENERS']) await send('POST', `/security/roles/role/${role}`);
  await send('POST', '/security/usergroup/group/planning');
  for (const [name, role] of [
    ['anna', 'EDITORS'],
    ['ben', 'GARDENERS'],
    ['carla', 'EDITORS'],
  ] as const) {
    await send('POST', '/security/usergroup/users', {
      user: { userName: name, password: `the password of ${name}`, enabled: name !== 'carla' },
    });
    await send('POST', `/security/roles/role/${role}/user/${name}`);
  }
  await send('POST', '/security/usergroup/user/anna/group/planning');
  await send('POST', '/security/roles/role/GARDENERS/group/planning');
  await send('POST', '/security/acl/layers', {
    'city.*.a': 'EDITORS',
    'city.trees.w': 'GARDENERS,EDITORS',
    'survey.*.r': 'EDITORS,ROLE_AUTHENTICATED',
  });
  await send('POST', '/security/acl/services', { 'wfs.Transaction': 'EDITORS' });
  await send('POST', '/security/acl/rest', { '/rest/workspaces/city/**:GET': 'GARDENERS' });
  await send('POST', '/security/acl/data', {
    dataRule: {
      ...{ name: 'old-trees', layer: 'city:trees', roles: ['GARDENERS'], rows: 'planted < 2000' },
      attributes: { planted: 'read' },
    },
  });
  await send('POST', '/security/authproviders', {
    authprovider: {
      name: 'directory',
      className: 'org.geoserver.security.auth.LdapAuthenticationProvider',
      serverURL: 'ldap://directory.example.org/dc=example,dc=org',
      userDnPattern: 'uid={0},ou=people',
    },
  });
  await send('POST', '/urlchecks', {
    regexUrlCheck: {
      name: 'open-data',
      description: 'Public maps of the canton',
      regex: '^https://data\\.example\\.org/.*$',
      enabled: true,
    },
  });
}

async function operate(send: Send): Promise<void> {
  await send('POST', '/webhooks', {
    webhook: {
      name: 'build-server',
      url: 'https://data.example.org/hooks/maps',
      secret: 'between us',
      paths: ['/workspaces/city'],
      enabled: false,
    },
  });
  await send('PUT', '/workspaces/city/datastores/base_map/featuretypes/trees', {
    featureType: { abstract: 'Trees that the city cares for.', maxFeatures: 5_000 },
  });
  await send('PUT', '/workspaces/city/styles/districts', districtsStyle.replace('#e8dcc4', '#dfe8c4'), CSS);
  await send('DELETE', '/styles/outline');
}
