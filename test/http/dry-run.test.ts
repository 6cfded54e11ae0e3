/** Every write can be tried: a dry run predicts the reply of the real one, and leaves everything as it was. */
import { readdir } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { inJson, passwordClass } from '../support/auth-providers.ts';
import { cascadedWords, withMapServer } from '../support/capabilities.ts';
import { everyRoute } from '../support/every-route.ts';
import { zipOfFiles } from '../support/raster-samples.ts';
import { stationArchive, WEATHER, withStations } from '../support/station-mapping.ts';
import { CSS_TYPE, lineSld, SLD_TYPE } from '../support/styles.ts';
import { type Reply, type RequestOptions, type TestServer, useTestServer } from '../support/test-server.ts';
import { addUser } from '../support/test-users.ts';
import { geotiffBytes, granuleBytes } from '../support/tiff-bytes.ts';
import { pointShapefile, zipOf } from '../support/vector-samples.ts';
import { watchChanges } from '../support/watch-changes.ts';

/** The method and path of a row of the route tables, the address asked for, and what is sent there. */
type Trial = readonly [row: string, path: string, sent?: RequestOptions];

const json = (value: unknown): RequestOptions => ({ type: 'json', body: JSON.stringify(value) });
const xml = (body: string): RequestOptions => ({ type: 'xml', body });
const zip = (body: Buffer): RequestOptions => ({ type: 'application/zip', body });

const granuleZip = (name: string, left = 10) =>
  zipOfFiles({ [name]: granuleBytes({ left, top: 50, pixel: 0.25, epsg: 4326 }) });
const tiff = (body: Buffer): RequestOptions => ({ type: 'image/tiff', body });

const svg: RequestOptions = { type: 'image/svg+xml', body: '<svg xmlns="http://www.w3.org/2000/svg"/>' };

const ws = '/workspaces/:workspace';
const store = `${ws}/datastores/:store`;
const types = `${store}/featuretypes`;
const rasters = `${ws}/coveragestores/:store`;
const coverages = `${rasters}/coverages`;
const serviceClass = 'org.geoserver.security.xml.XMLUserGroupService';
const style = (name: string) => json({ style: { name } });
/** A group `base` of layers and groups by name, with styles. */
const groupOf = (published: readonly string[], style: readonly string[] = []) => ({
  layerGroup: { name: 'base', publishables: { published }, styles: { style } },
});
const rule = (key: string, role = 'ROLE_X') => json({ [key]: role });

/** In this order each of them succeeds; those that must fail stand between them. */
const configuration = {
  format: 'graticule-configuration/1',
  resources: [{ kind: 'workspace', path: '/workspaces/told', fields: { isolated: true } }],
};

const trials: readonly Trial[] = [
  ['POST /workspaces', '/workspaces', json({ workspace: { name: 'dry' } })],
  ['POST /workspaces', '/workspaces', xml('<workspace><name>dry</name></workspace>')],
  ['POST /workspaces', '/workspaces?default=true', xml('<workspace><name>second</name></workspace>')],
  ['POST /workspaces', '/workspaces', json({ workspace: { name: 'a/b' } })],
  ['PUT /workspaces/default', '/workspaces/default', json({ workspace: { name: 'dry' } })],
  [`PUT ${ws}`, '/workspaces/second', json({ workspace: { name: 'other' } })],
  [`PUT ${ws}`, '/workspaces/nowhere', json({ workspace: { name: 'other' } })],
  ['POST /namespaces', '/namespaces', json({ namespace: { prefix: 'ns', uri: 'urn:ns' } })],
  ['PUT /namespaces/default', '/namespaces/default', json({ namespace: { prefix: 'ns' } })],
  ['PUT /namespaces/:namespace', '/namespaces/ns', json({ namespace: { uri: 'urn:another' } })],
  ['DELETE /namespaces/:namespace', '/namespaces/ns'],
  [`DELETE ${ws}`, '/workspaces/other'],

  [
    `POST ${ws}/datastores`,
    '/workspaces/dry/datastores',
    json({ dataStore: { name: 'empty', connectionParameters: { entry: [{ '@key': 'url', $: 'file:data/none' }] } } }),
  ],
  [`POST ${ws}/datastores`, '/workspaces/dry/datastores', json({ dataStore: { name: 'odd' } })],
  [`PUT ${store}`, '/workspaces/dry/datastores/empty', json({ dataStore: { description: 'changed' } })],
  [
    `PUT ${store}/:method.:format`,
    '/workspaces/dry/datastores/towns/file.shp',
    zip(zipOf({ towns: pointShapefile() })),
  ],
  [
    `PUT ${store}/:method.:format`,
    '/workspaces/dry/datastores/towns/file.shp',
    zip(zipOf({ towns: pointShapefile(5) })),
  ],
  [
    `PUT ${store}/:method.:format`,
    '/workspaces/dry/datastores/pack/file.shp?target=gpkg',
    zip(zipOf({ places: pointShapefile() })),
  ],
  [
    `PUT ${store}/:method.:format`,
    '/workspaces/dry/datastores/pack/file.shp',
    zip(zipOf({ places: pointShapefile(2) })),
  ],
  [`PUT ${store}/:method.:format`, '/workspaces/dry/datastores/bad/file.shp', zip(Buffer.from('no archive'))],
  [`PUT ${store}/reset`, '/workspaces/dry/datastores/towns/reset'],
  [`POST ${store}/reset`, '/workspaces/dry/datastores/towns/reset'],
  [
    `POST ${types}`,
    '/workspaces/dry/datastores/pack/featuretypes',
    json({
      featureType: {
        name: 'made',
        srs: 'EPSG:4326',
        attributes: {
          attribute: [
            { name: 'geom', binding: 'org.locationtech.jts.geom.Point' },
            { name: 'n', binding: 'java.lang.Integer' },
          ],
        },
      },
    }),
  ],
  [
    `POST ${types}`,
    '/workspaces/dry/datastores/towns/featuretypes',
    json({ featureType: { name: 'again', nativeName: 'towns' } }),
  ],
  [
    `PUT ${types}/:featuretype`,
    '/workspaces/dry/datastores/towns/featuretypes/again',
    json({ featureType: { title: 'A' } }),
  ],
  [`PUT ${types}/:featuretype/reset`, '/workspaces/dry/datastores/towns/featuretypes/again/reset'],
  [`POST ${types}/:featuretype/reset`, '/workspaces/dry/datastores/towns/featuretypes/again/reset'],
  [`DELETE ${types}/:featuretype`, '/workspaces/dry/datastores/towns/featuretypes/again'],
  [`DELETE ${types}/:featuretype`, '/workspaces/dry/datastores/towns/featuretypes/again?recurse=true'],
  [
    `POST ${ws}/featuretypes`,
    '/workspaces/dry/featuretypes',
    json({ featureType: { name: 'once-more', nativeName: 'towns', store: { name: 'dry:towns' } } }),
  ],
  [
    `PUT ${ws}/featuretypes/:featuretype`,
    '/workspaces/dry/featuretypes/towns?recalculate=nativebbox,latlonbbox',
    json({ featureType: { title: 'Towns' } }),
  ],
  [`PUT ${ws}/featuretypes/:featuretype/reset`, '/workspaces/dry/featuretypes/towns/reset'],
  [`POST ${ws}/featuretypes/:featuretype/reset`, '/workspaces/dry/featuretypes/towns/reset'],

  [
    `POST ${ws}/coveragestores`,
    '/workspaces/dry/coveragestores',
    json({ coverageStore: { name: 'nothing', type: 'GeoTIFF', url: 'file:data/none.tif' } }),
  ],
  [`POST ${ws}/coveragestores`, '/workspaces/dry/coveragestores', json({ coverageStore: { name: 'odd' } })],
  [`PUT ${rasters}`, '/workspaces/dry/coveragestores/nothing', json({ coverageStore: { description: 'changed' } })],
  [`PUT ${rasters}/:method.:format`, '/workspaces/dry/coveragestores/relief/file.geotiff', tiff(geotiffBytes(8, 6))],
  [`PUT ${rasters}/:method.:format`, '/workspaces/dry/coveragestores/relief/file.geotiff', tiff(geotiffBytes(9, 6))],
  [`PUT ${rasters}/:method.:format`, '/workspaces/dry/coveragestores/bad/file.geotiff', tiff(Buffer.from('none'))],
  [`PUT ${rasters}/reset`, '/workspaces/dry/coveragestores/relief/reset'],
  [`POST ${rasters}/reset`, '/workspaces/dry/coveragestores/relief/reset'],
  [
    `POST ${coverages}`,
    '/workspaces/dry/coveragestores/relief/coverages',
    json({ coverage: { name: 'hills', nativeCoverageName: 'relief' } }),
  ],
  [
    `PUT ${coverages}/:coverage`,
    '/workspaces/dry/coveragestores/relief/coverages/hills?calculate=nativebbox,latlonbbox,dimensions',
    json({ coverage: { title: 'Hills' } }),
  ],
  [`PUT ${coverages}/:coverage/reset`, '/workspaces/dry/coveragestores/relief/coverages/hills/reset'],
  [`POST ${coverages}/:coverage/reset`, '/workspaces/dry/coveragestores/relief/coverages/hills/reset'],
  [`DELETE ${coverages}/:coverage`, '/workspaces/dry/coveragestores/relief/coverages/hills'],
  [`DELETE ${coverages}/:coverage`, '/workspaces/dry/coveragestores/relief/coverages/hills?recurse=true'],
  [
    `POST ${ws}/coverages`,
    '/workspaces/dry/coverages',
    json({ coverage: { name: 'slopes', nativeName: 'relief', store: { name: 'dry:relief' } } }),
  ],
  [
    `PUT ${rasters}/:method.:format`,
    '/workspaces/dry/coveragestores/mosaic/file.imagemosaic',
    zip(granuleZip('a.tif')),
  ],
  [`PUT ${rasters}/:method.:format`, '/workspaces/dry/coveragestores/empty/file.imagemosaic', zip(granuleZip('a.txt'))],
  [
    `POST ${rasters}/:method.:format`,
    '/workspaces/dry/coveragestores/mosaic/file.imagemosaic?updateBBox=true',
    zip(granuleZip('b.tif', 20)),
  ],
  [
    `POST ${rasters}/:method.:format`,
    '/workspaces/dry/coveragestores/relief/file.imagemosaic',
    zip(granuleZip('c.tif')),
  ],
  [
    `DELETE ${coverages}/:coverage/index/granules/:granule`,
    '/workspaces/dry/coveragestores/mosaic/coverages/mosaic/index/granules/mosaic.1?purge=all&updateBBox=true',
  ],
  [
    `DELETE ${coverages}/:coverage/index/granules/:granule`,
    '/workspaces/dry/coveragestores/mosaic/coverages/mosaic/index/granules/mosaic.1',
  ],
  [
    `DELETE ${coverages}/:coverage/index/granules`,
    '/workspaces/dry/coveragestores/mosaic/coverages/mosaic/index/granules?filter=location%20LIKE%20%27%25.tif%27',
  ],
  [
    `PUT ${rasters}/:method.:format`,
    '/workspaces/dry/coveragestores/mosaic/file.imagemosaic',
    zip(granuleZip('d.tif')),
  ],
  [`DELETE ${rasters}`, '/workspaces/dry/coveragestores/mosaic?recurse=true&purge=metadata'],
  [`DELETE ${rasters}`, '/workspaces/dry/coveragestores/relief'],
  [`DELETE ${rasters}`, '/workspaces/dry/coveragestores/relief?recurse=true&purge=all'],

  ['POST /styles', '/styles?name=red', { type: SLD_TYPE, body: lineSld('red') }],
  ['POST /styles', '/styles', { type: CSS_TYPE, body: '* { stroke: teal; }' }],
  ['POST /styles', '/styles', json({ style: { name: 'entry', filename: 'entry.sld' } })],
  ['POST /styles', '/styles?name=bad', { type: SLD_TYPE, body: '<StyledLayerDescriptor/>' }],
  ['PUT /styles/:style', '/styles/red', { type: CSS_TYPE, body: '* { stroke: navy; }' }],
  ['PUT /styles/:style', '/styles/red', json({ style: { name: 'blue' } })],
  [`POST ${ws}/styles`, '/workspaces/dry/styles?name=local', { type: SLD_TYPE, body: lineSld('local') }],
  [`PUT ${ws}/styles/:style`, '/workspaces/dry/styles/local', { type: SLD_TYPE, body: lineSld('local', '#00ff00') }],

  ['PUT /layers/:layer', '/layers/dry:towns', json({ layer: { defaultStyle: { name: 'blue' } } })],
  ['PUT /layers/:layer', '/layers/dry:towns', json({ layer: { defaultStyle: { name: 'nothing' } } })],
  ['POST /layers/:layer/styles', '/layers/dry:towns/styles', style('entry')],
  [`PUT ${ws}/layers/:layer`, '/workspaces/dry/layers/towns', json({ layer: { enabled: false } })],
  [`POST ${ws}/layers/:layer/styles`, '/workspaces/dry/layers/towns/styles?default=true', style('local')],

  ['POST /layergroups', '/layergroups', json(groupOf(['dry:towns', 'dry:again-and-again']))],
  ['POST /layergroups', '/layergroups', json(groupOf(['dry:towns'], ['entry']))],
  ['POST /layergroups', '/layergroups', xml('<layerGroup><name>empty</name></layerGroup>')],
  [`POST ${ws}/layergroups`, '/workspaces/dry/layergroups', json(groupOf(['towns']))],
  [`POST ${ws}/layergroups`, '/workspaces/dry/layergroups', json(groupOf(['towns']))],
  ['PUT /layergroups/:layerGroup', '/layergroups/base', json(groupOf(['dry:towns', 'dry:base']))],
  ['PUT /layergroups/:layerGroup', '/layergroups/base', json(groupOf(['base']))],
  [`PUT ${ws}/layergroups/:layerGroup`, '/workspaces/dry/layergroups/base', json({ layerGroup: { name: 'core' } })],
  [`DELETE ${ws}/layergroups/:layerGroup`, '/workspaces/dry/layergroups/core'],
  [`DELETE ${ws}/layergroups/:layerGroup`, '/workspaces/dry/layergroups/core?recurse=true'],
  ['DELETE /layers/:layer', '/layers/dry:towns'],

  ['DELETE /styles/:style', '/styles/entry'],
  ['DELETE /styles/:style', '/styles/entry?recurse=true&purge=true'],
  [`DELETE ${ws}/styles/:style`, '/workspaces/dry/styles/local?recurse=true&purge=true'],
  [`DELETE ${ws}/layers/:layer`, '/workspaces/dry/layers/once-more'],
  [`DELETE ${ws}/featuretypes/:featuretype`, '/workspaces/dry/featuretypes/once-more'],
  ['DELETE /layergroups/:layerGroup', '/layergroups/base'],
  ['DELETE /layers/:layer', '/layers/dry:towns?recurse=true'],
  [`DELETE ${store}`, '/workspaces/dry/datastores/pack'],
  [`DELETE ${store}`, '/workspaces/dry/datastores/pack?recurse=true'],

  ['PUT /resource/*path', '/resource/styles/dot.svg', svg],
  ['PUT /resource/*path', '/resource/styles/dot.svg', svg],
  ['PUT /resource/*path', '/resource/styles/dot.png', svg],
  ['PUT /resource/*path', '/resource/styles/drawn.sld', { type: SLD_TYPE, body: lineSld('drawn') }],
  ['PUT /resource/*path', '/resource/styles/spot.svg?operation=copy', { type: 'text/plain', body: 'styles/dot.svg' }],
  ['PUT /resource/*path', '/resource/styles/mark.svg?operation=move', { type: 'text/plain', body: 'styles/dot.svg' }],
  ['DELETE /resource/*path', '/resource/styles/mark.svg'],
  ['DELETE /resource/*path', '/resource/styles/mark.svg'],
  ['PUT /resource/*path', '/resource/data/dry/run/a.txt', { type: 'text/plain', body: 'a' }],
  ['PUT /resource/*path', '/resource/data/dry/run/a.txt', { type: 'text/plain', body: 'b' }],
  ['PUT /resource/*path', '/resource/data/dry/run', { type: 'text/plain', body: 'b' }],
  [
    'PUT /resource/*path',
    '/resource/data/dry/b.txt?operation=copy',
    { type: 'text/plain', body: 'data/dry/run/a.txt' },
  ],
  ['PUT /resource/*path', '/resource/data/c/c.txt?operation=move', { type: 'text/plain', body: 'data/dry/run/a.txt' }],
  ['DELETE /resource/*path', '/resource/data/dry/run'],
  ['DELETE /resource/*path', '/resource/data/c/c.txt'],
  ['DELETE /resource/*path', '/resource/data/dry'],

  ['PUT /settings', '/settings', json({ global: { settings: { title: 'Dry' } } })],
  ['PUT /settings', '/settings', json({ global: { settings: { numDecimals: 'many' } } })],
  ['PUT /logging', '/logging', json({ logging: { level: 'VERBOSE_LOGGING', location: 'logs/a.log' } })],
  ['POST /reset', '/reset'],
  ['PUT /reset', '/reset'],
  ['POST /reload', '/reload'],
  ['PUT /reload', '/reload'],
  ['PUT /settings/contact', '/settings/contact', json({ contact: { contactPerson: 'Ann' } })],
  [`POST ${ws}/settings`, '/workspaces/dry/settings', json({ settings: { title: 'Dry' } })],
  [`POST ${ws}/settings`, '/workspaces/dry/settings', json({ settings: { title: 'Dry' } })],
  [`PUT ${ws}/settings`, '/workspaces/dry/settings', json({ settings: { charset: 'ISO-8859-1' } })],
  [`DELETE ${ws}/settings`, '/workspaces/dry/settings'],
  ['PUT /services/:service/settings', '/services/wms/settings', json({ wms: { title: 'Dry' } })],
  [
    'PUT /services/:service/workspaces/:workspace/settings',
    '/services/wfs/workspaces/dry/settings',
    json({ wfs: { maxFeatures: 10 } }),
  ],
  ['DELETE /services/:service/workspaces/:workspace/settings', '/services/wfs/workspaces/dry/settings'],

  [
    'POST /urlchecks',
    '/urlchecks',
    json({ regexUrlCheck: { name: 'icons', regex: '^http://icons/.*$', enabled: true } }),
  ],
  ['PUT /urlchecks/:urlCheck', '/urlchecks/icons', json({ regexUrlCheck: { description: 'ours' } })],
  ['POST /urlchecks/test', '/urlchecks/test', { type: 'text/plain', body: 'http://icons/a.png' }],
  ['POST /webhooks', '/webhooks', json({ webhook: { name: 'ci', url: 'http://icons/hook', enabled: false } })],
  ['POST /webhooks', '/webhooks', json({ webhook: { name: 'closed', url: 'http://elsewhere/hook' } })],
  ['PUT /webhooks/:webhook', '/webhooks/ci', json({ webhook: { kinds: ['workspace'], secret: 'hush' } })],
  ['DELETE /webhooks/:webhook', '/webhooks/ci'],
  ['DELETE /urlchecks/:urlCheck', '/urlchecks/icons'],
  ['POST /urlchecks', '/urlchecks', json({ regexUrlCheck: { name: 'test', regex: '^a$' } })],
  ['PUT /urlchecks/test', '/urlchecks/test', json({ regexUrlCheck: { description: 'mine' } })],
  ['DELETE /urlchecks/test', '/urlchecks/test'],

  ['POST /security/authproviders', '/security/authproviders', { type: 'json', body: inJson('more') }],
  [
    'PUT /security/authproviders/:providerName',
    '/security/authproviders/more?position=0',
    { type: 'json', body: inJson('more', { className: passwordClass, userGroupServiceName: 'default' }) },
  ],
  ['PUT /security/authproviders/order', '/security/authproviders/order', json({ order: ['default', 'more'] })],
  ['DELETE /security/authproviders/:providerName', '/security/authproviders/more'],
  ['DELETE /security/authproviders/:providerName', '/security/authproviders/more'],

  ['POST /security/authfilters', '/security/authfilters', json({ name: 'mine' })],
  ['PUT /security/authfilters/:filter', '/security/authfilters/basic', json({ name: 'basic' })],
  ['DELETE /security/authfilters/:filter', '/security/authfilters/basic'],
  ['POST /security/filterchain', '/security/filterchain', json({ filters: { name: 'mine' } })],
  ['PUT /security/filterchain/:chain', '/security/filterchain/rest', json({ filters: { disabled: true } })],
  ['DELETE /security/filterchain/:chain', '/security/filterchain/rest'],

  ['POST /security/usergroupservices', '/security/usergroupservices', json({ name: 'corp', className: serviceClass })],
  [
    'PUT /security/usergroupservices/:service',
    '/security/usergroupservices/corp',
    json({ name: 'corp', className: serviceClass }),
  ],
  ...['/security/usergroup', '/security/usergroup/service/:service'].flatMap((row): Trial[] => {
    const path = row.replace(':service', 'corp');
    return [
      [`POST ${row}/users`, `${path}/users`, json({ user: { userName: 'ann', password: 'ann’s own', enabled: true } })],
      [`POST ${row}/user/:user`, `${path}/user/ann`, json({ user: { enabled: false } })],
      [`POST ${row}/group/:group`, `${path}/group/mappers`],
      [`POST ${row}/user/:user/group/:group`, `${path}/user/ann/group/mappers`],
      [`DELETE ${row}/user/:user/group/:group`, `${path}/user/ann/group/mappers`],
      [`DELETE ${row}/group/:group`, `${path}/group/mappers`],
      [`DELETE ${row}/user/:user`, `${path}/user/ann`],
      [`DELETE ${row}/user/:user`, `${path}/user/ann`],
    ];
  }),
  ['DELETE /security/usergroupservices/:service', '/security/usergroupservices/corp'],
  ...['/security/roles', '/security/roles/service/:service'].flatMap((row): Trial[] => {
    const path = row.replace(':service', 'default');
    return [
      [`POST ${row}/role/:role`, `${path}/role/ROLE_DRY`],
      [`POST ${row}/role/:role/user/:holder`, `${path}/role/ROLE_DRY/user/admin`],
      [`POST ${row}/role/:role/group/:holder`, `${path}/role/ROLE_DRY/group/nobody`],
      [`DELETE ${row}/role/:role/user/:holder`, `${path}/role/ROLE_DRY/user/admin`],
      [`DELETE ${row}/role/:role/group/:holder`, `${path}/role/ROLE_DRY/group/nobody`],
      [`DELETE ${row}/role/:role`, `${path}/role/ROLE_DRY`],
    ];
  }),

  ['PUT /security/acl/catalog', '/security/acl/catalog', json({ mode: 'CHALLENGE' })],
  ['POST /security/acl/catalog/reload', '/security/acl/catalog/reload'],
  ['PUT /security/acl/catalog/reload', '/security/acl/catalog/reload'],
  ...(
    [
      ['layers', 'dry.*.r', 'layerRule'],
      ['services', 'wfs.GetFeature', 'serviceRule'],
      ['rest', '/about/**:GET', 'restRule'],
    ] as const
  ).flatMap(([family, key, variable]): Trial[] => [
    [`POST /security/acl/${family}`, `/security/acl/${family}`, rule(key)],
    [`POST /security/acl/${family}`, `/security/acl/${family}`, rule(key)],
    [`PUT /security/acl/${family}`, `/security/acl/${family}`, rule(key, 'ROLE_Y')],
    [`DELETE /security/acl/${family}/*${variable}`, `/security/acl/${family}/${key.replace(/^\//, '')}`],
    [`POST /security/acl/${family}`, `/security/acl/${family}`, rule(key)],
    [`DELETE /security/acl/${family}`, `/security/acl/${family}?rule=${encodeURIComponent(key)}`],
  ]),
  [`DELETE ${ws}`, '/workspaces/dry'],
  [`DELETE ${ws}`, '/workspaces/dry?recurse=true'],

  ['POST /configuration/apply', '/configuration/apply', json(configuration)],
  ['POST /configuration/diff', '/configuration/diff', json(configuration)],
  [
    'POST /batch',
    '/batch',
    json({
      operations: [
        { method: 'POST', path: '/workspaces', body: { workspace: { name: 'batched' } } },
        { method: 'DELETE', path: '/workspaces/batched' },
        { method: 'POST', path: '/workspaces', body: { workspace: { name: 'batched' } } },
      ],
    }),
  ],
  ['POST /batch', '/batch', json({ operations: [{ method: 'DELETE', path: '/workspaces/nowhere' }] })],
  ['POST /history/:sequence/undo', '/history/1/undo'],
  ['POST /history/:sequence/undo', '/history/999999/undo'],
  ['POST /history/:sequence/restore', '/history/0/restore'],
];

/** Those that need another map server, which answers at this address. */
function cascadedTrials(url: string): readonly Trial[] {
  const check = { regexUrlCheck: { name: 'here', regex: `^${url.replaceAll('.', '\\.')}.*$`, enabled: true } };
  return [
    ['POST /workspaces', '/workspaces', json({ workspace: { name: 'far' } })],
    ['POST /urlchecks', '/urlchecks', json(check)],
    ...cascadedWords.flatMap(({ stores, store: one, inStore, inWorkspace, layer }): readonly Trial[] => {
      const row = `${ws}/${stores}`;
      const path = `/workspaces/far/${stores}`;
      const inRow = `${row}/:store/${inStore}`;
      const inPath = `${path}/next/${inStore}`;
      return [
        [`POST ${row}`, path, json({ [one]: { name: 'next', capabilitiesURL: `${url}${stores}` } })],
        [`POST ${row}`, path, json({ [one]: { name: 'odd', capabilitiesURL: 'http://elsewhere.example/' } })],
        [`PUT ${row}/:store`, `${path}/next`, json({ [one]: { description: 'changed' } })],
        [`POST ${inRow}`, inPath, json({ [layer]: { name: 'roads' } })],
        [`POST ${inRow}`, inPath, json({ [layer]: { name: 'lakes' } })],
        [`PUT ${inRow}/:cascaded`, `${inPath}/roads`, json({ [layer]: { title: 'Ways' } })],
        [`DELETE ${inRow}/:cascaded`, `${inPath}/roads?recurse=true`],
        [
          `POST ${ws}/${inWorkspace}`,
          `/workspaces/far/${inWorkspace}`,
          json({ [layer]: { name: 'roads', store: 'next' } }),
        ],
        [
          `PUT ${ws}/${inWorkspace}/:cascaded`,
          `/workspaces/far/${inWorkspace}/roads`,
          json({ [layer]: { title: 'W' } }),
        ],
        [`DELETE ${ws}/${inWorkspace}/:cascaded`, `/workspaces/far/${inWorkspace}/roads`],
        [`DELETE ${ws}/${inWorkspace}/:cascaded`, `/workspaces/far/${inWorkspace}/roads?recurse=true`],
        [`DELETE ${row}/:store`, `${path}/next`],
      ];
    }),
    ['DELETE /urlchecks/:urlCheck', '/urlchecks/here'],
    [`DELETE ${ws}`, '/workspaces/far'],
  ];
}

/** With a mapping over the documents of a database, whose schemas are kept in the data directory. */
function documentTrials(dataStore: string, dataDir: string): readonly Trial[] {
  const archive = stationArchive({ dataStore, schemaStore: `file:${dataDir}/data/schemas` });
  const mappings = `${ws}/appschemastores/:store`;
  const path = '/workspaces/w/appschemastores/stations';
  return [
    ['POST /namespaces', '/namespaces', json({ namespace: { prefix: 'w', uri: WEATHER } })],
    [`PUT ${store}/:method.:format`, '/workspaces/w/datastores/stations/file.appschema?configure=none', zip(archive)],
    [`POST ${mappings}/rebuildMongoSchemas`, `${path}/rebuildMongoSchemas?max=1`],
    [`POST ${mappings}/cleanSchemas`, `${path}/cleanSchemas`],
    [`POST ${mappings}/rebuildMongoSchemas`, `${path}/rebuildMongoSchemas`],
    [
      `POST ${mappings}/datastores/:id/rebuildMongoSchemas`,
      `${path}/datastores/weather/rebuildMongoSchemas?ids=s2&schema=stations`,
    ],
    [`POST ${mappings}/datastores/:id/cleanSchemas`, `${path}/datastores/weather/cleanSchemas`],
    [`POST ${mappings}/datastores/:id/cleanSchemas`, `${path}/datastores/nowhere/cleanSchemas`],
    [`DELETE ${ws}`, '/workspaces/w?recurse=true'],
  ];
}

const dry = (path: string) => `${path}${path.includes('?') ? '&' : '?'}dryRun=true`;

/** All that a write could leave: a change, and files other than the database and what is laid out for reading. */
async function everythingIn(server: TestServer): Promise<unknown> {
  const names = await readdir(server.dataDir, { recursive: true });
  return {
    position: server.server.storage.position(),
    files: names.filter((name) => !/^(?:(?:graticule|granules)\.sqlite|server\.lock|files\b)/.test(name)).sort(),
  };
}

/** What a dry run predicts. */
function predicted({ status, text: told, headers }: Reply) {
  // What was only tried has no number and no time.
  const text = told
    .replace(/^\{"sequence":(?:null|\d+),"at":(?:null|"[^"]*"),/, '{')
    .replace(/^\{"change":(?:null|\d+),"results"/, '{"results"')
    .replace(/"change":(?:null|\d+),"summary"/, '"summary"');
  return { status, text, location: headers['location'], contentType: headers['content-type'] };
}

describe('a dry run', () => {
  const server = useTestServer();
  const done: { readonly trial: Trial; readonly tried: Reply; readonly real: Reply; readonly moved: number }[] = [];

  async function attempt(trial: Trial): Promise<void> {
    const [row, path, sent] = trial;
    const method = row.split(' ')[0] ?? '';
    const before = await everythingIn(server);
    const tried = await server.request(method, dry(path), sent);
    expect(await everythingIn(server), `what is left of ${method} ${dry(path)}`).toEqual(before);
    const position = server.server.storage.position();
    const real = await server.request(method, path, sent);
    done.push({ trial, tried, real, moved: server.server.storage.position() - position });
  }

  let waited: readonly string[] = [];

  beforeAll(async () => {
    waited = watchChanges(server.server.storage);
    for (const trial of trials) {
      await attempt(trial);
    }
    await withMapServer(async (url) => {
      for (const trial of cascadedTrials(url)) {
        await attempt(trial);
      }
    });
    await withStations(async (uri) => {
      for (const trial of documentTrials(uri, server.dataDir)) {
        await attempt(trial);
      }
    });
    // The last two need what only the server knows.
    const { password } = (await server.get('/security/masterpw.json')).json() as { password?: string };
    const current = password ?? (await server.get('/security/masterpw.xml')).text.replace(/<[^>]*>|\s/g, '');
    await attempt([
      'PUT /security/masterpw',
      '/security/masterpw',
      json({ oldMasterPassword: current, newMasterPassword: 'another one for tests' }),
    ]);
    await attempt([
      'PUT /security/self/password',
      '/security/self/password',
      json({ newPassword: 'another password' }),
    ]);
  });

  it('is possible for every write there is', () => {
    const writes = everyRoute().filter(({ method }) => method !== 'GET');

    expect([...new Set(done.map(({ trial }) => trial[0]))].sort()).toEqual(
      [...new Set(writes.map(({ method, route }) => `${method} ${route.path}`))].sort(),
    );
  });

  it('has the status, the body and the address that the real write has', () => {
    for (const { trial, tried, real } of done) {
      expect(predicted(tried), trial.slice(0, 2).join(' at ')).toEqual(predicted(real));
    }
  });

  it('succeeds and fails in this test, both', () => {
    const statuses = new Set(done.map(({ real }) => real.status));

    expect([...statuses].sort()).toEqual(expect.arrayContaining([200, 201, 400, 403, 404, 409]));
  });

  it('is as quick inside its change as the real one: nothing there waits for anything but the storage', () => {
    expect(waited).toEqual([]);
  });

  it('says what it is, and has neither a version nor a number', () => {
    for (const { trial, tried, real } of done) {
      expect(tried.headers, trial[1]).toMatchObject({ 'graticule-dry-run': 'true' });
      expect(tried.headers['etag'], trial[1]).toBeUndefined();
      expect(tried.headers['graticule-change'], trial[1]).toBeUndefined();
      expect(real.headers['graticule-dry-run'], trial[1]).toBeUndefined();
    }
  });

  it('is told from the real write, which makes one change at most and tells its number', () => {
    for (const { trial, real, moved } of done) {
      expect(moved, trial[1]).toBeLessThanOrEqual(1);
      const position = Number(real.headers['graticule-position']);
      expect(real.headers['graticule-change'], trial[1]).toBe(moved === 1 ? String(position) : undefined);
    }
  });
});

describe('the parameter dryRun', () => {
  const server = useTestServer();

  it.each(['GET', 'HEAD', 'OPTIONS'])('is refused on %s, which changes nothing anyway', async (method) => {
    expect((await server.request(method, '/workspaces.json?dryRun=true')).status).toBe(400);
  });

  it('is true or false, and nothing else', async () => {
    const create = (value: string) =>
      server.post(`/workspaces?dryRun=${value}`, JSON.stringify({ workspace: { name: `w-${value}` } }));

    expect((await create('perhaps')).status).toBe(400);
    expect((await create('1')).status).toBe(400);
    expect((await create('TRUE')).status).toBe(400);
    expect((await create('')).status).toBe(400);
    expect((await create('false')).headers['graticule-change']).toMatch(/^\d+$/);
    expect((await create('true')).headers['graticule-dry-run']).toBe('true');

    expect((await server.get('/workspaces/w-perhaps')).status).toBe(404);
    expect((await server.get('/workspaces/w-false')).status).toBe(200);
    expect((await server.get('/workspaces/w-true')).status).toBe(404);
  });

  it('is known however its letters are escaped', async () => {
    const reply = await server.post('/workspaces?dr%79Run=true', '{"workspace":{"name":"escaped"}}');

    expect([reply.status, reply.headers['graticule-dry-run']]).toEqual([201, 'true']);
    expect((await server.get('/workspaces/escaped')).status).toBe(404);
  });

  it('is told back whatever becomes of the request', async () => {
    const replies = [
      await server.post('/nowhere?dryRun=true', '{}'),
      await server.post('/workspaces?dryRun=true', '{}', { as: 'admin:wrong' }),
      await server.post('/workspaces?dryRun=true', '{}', { as: null }),
      await server.request('PATCH', '/workspaces?dryRun=true'),
    ];

    expect(replies.map(({ status }) => status)).toEqual([404, 401, 401, 405]);
    expect(replies.map(({ headers }) => headers['graticule-dry-run'])).toEqual(Array(4).fill('true'));
  });

  it('is minded in any letters, since who meant to try must not have done it', async () => {
    const create = (query: string) =>
      server.post(`/workspaces?${query}`, JSON.stringify({ workspace: { name: 'not-meant' } }));

    expect((await create('dryrun=true')).headers['graticule-dry-run']).toBe('true');
    expect((await create('DRYRUN=true')).headers['graticule-dry-run']).toBe('true');
    expect((await create('dryRun=false&dryRun=true')).status).toBe(400);

    expect((await server.get('/workspaces/not-meant')).status).toBe(404);
  });

  it('minds preconditions and rights like any other request', async () => {
    await server.post('/workspaces', '{"workspace":{"name":"kept"}}');

    const outdated = await server.put('/workspaces/kept?dryRun=true', '{"workspace":{"name":"x"}}', {
      headers: { 'if-match': '"1"' },
    });
    const stranger = await server.delete('/workspaces/kept?dryRun=true', { as: null });

    expect([outdated.status, stranger.status]).toEqual([412, 401]);
    expect(outdated.headers['graticule-dry-run']).toBe('true');
  });
});

describe('the change that a write makes', () => {
  const server = useTestServer();
  const change = 'application/vnd.graticule.change+json';

  it('is told to who asks for it, dry and real', async () => {
    const send = (query: string) =>
      server.post(`/workspaces${query}`, '{"workspace":{"name":"harbour"}}', { accept: change });

    const tried = await send('?dryRun=true');
    const real = await send('');

    const items = [
      {
        kind: 'workspace',
        id: expect.stringMatching(/^workspace-/),
        path: '/workspaces/harbour',
        action: 'create',
        before: null,
        after: { name: 'harbour', uri: 'http://harbour', isolated: false, metadata: {} },
      },
      expect.objectContaining({ kind: 'catalogSettings', path: null }),
    ];
    const what = { who: 'admin', what: 'create workspace harbour', undoes: null, items };
    expect([tried.status, tried.headers['content-type']]).toEqual([201, change]);
    expect(tried.json()).toEqual({ sequence: null, at: null, ...what });
    expect(real.json()).toEqual({
      sequence: Number(real.headers['graticule-change']),
      at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      ...what,
    });
    expect(real.headers['location']).toBe('http://localhost:80/geoserver/rest/workspaces/harbour');
  });

  it('has no items when nothing changes, and no number', async () => {
    const reply = await server.put('/workspaces/harbour', '{"workspace":{"name":"harbour"}}', { accept: change });

    expect(reply.json()).toEqual({
      sequence: null,
      at: null,
      who: 'admin',
      what: 'change workspace harbour',
      undoes: null,
      items: [],
    });
    expect(reply.headers['graticule-change']).toBeUndefined();
  });

  it('tells where everything in it is read', async () => {
    const upload = '/workspaces/harbour/datastores/quays/file.shp';
    const reply = await server.request('PUT', upload, {
      ...zip(zipOf({ 'main quay': pointShapefile() })),
      accept: change,
    });

    const { items } = reply.json() as { items: readonly { kind: string; path: string }[] };
    expect(items.map(({ kind, path }) => [kind, path])).toEqual([
      ['dataStore', '/workspaces/harbour/datastores/quays'],
      ['featureType', '/workspaces/harbour/datastores/quays/featuretypes/main%20quay'],
      ['layer', '/workspaces/harbour/layers/main%20quay'],
    ]);
    for (const { path } of items) {
      expect((await server.get(`${path}.json`)).status, path).toBe(200);
    }
  });

  it('shows no secret', async () => {
    const parameters = { dbtype: 'postgis', host: '127.0.0.1', database: 'd', user: 'u', passwd: 'hunter2' };
    const entry = Object.entries(parameters).map(([key, $]) => ({ '@key': key, $ }));

    const reply = await server.post(
      '/workspaces/harbour/datastores?dryRun=true',
      JSON.stringify({ dataStore: { name: 'db', connectionParameters: { entry } } }),
      { accept: change },
    );

    expect(reply.json()).toMatchObject({
      items: [{ path: '/workspaces/harbour/datastores/db', after: { sealedParameters: '(secret)' } }],
    });
    expect(reply.text).not.toContain('hunter2');
  });
});

describe('the change that the administrator of a workspace makes', () => {
  const server = useTestServer();
  const accept = 'application/vnd.graticule.change+json';
  let ann = '';

  interface Shown {
    readonly items: readonly { readonly kind: string; readonly path: string | null }[];
  }
  const shown = (reply: Reply) => (reply.json() as Shown).items.map(({ kind, path }) => [kind, path]);

  beforeAll(async () => {
    ann = await addUser(server, 'ann', 'ROLE_ACME');
    for (const name of ['acme', 'other']) {
      await server.post('/workspaces', json({ workspace: { name } }).body as string);
      const upload = `/workspaces/${name}/datastores/s/file.shp`;
      await server.request('PUT', upload, zip(zipOf({ towns: pointShapefile() })));
    }
    await server.post('/security/acl/layers', '{"acme.*.a":"ROLE_ACME","acme.towns.r":"ROLE_SECRET"}');
  });

  it('shows what lives in the workspace, and nothing of the rules that go along', async () => {
    const path = '/workspaces/acme/datastores/s/featuretypes';
    const rename = (query: string, how: RequestOptions) =>
      server.put(`${path}/towns${query}`, '{"featureType":{"name":"cities"}}', { accept, ...how });

    const toAll = await rename('?dryRun=true', {});
    const tried = await rename('?dryRun=true', { as: ann });
    const real = await rename('', { as: ann });

    expect(shown(toAll).map(([kind]) => kind)).toEqual(expect.arrayContaining(['featureType', 'accessRule']));
    expect(shown(tried)).toEqual([
      ['layer', '/workspaces/acme/layers/cities'],
      ['featureType', `${path}/cities`],
    ]);
    expect(shown(real)).toEqual(shown(tried));
    expect(Object.keys(real.json() as object)).toEqual(Object.keys(toAll.json() as object));
    expect(real.text).not.toContain('ROLE_SECRET');
    expect((await server.get('/security/acl/layers.json', { as: ann })).status).toBe(403);
  });

  it('shows nothing of global styles that rules let somebody write', async () => {
    const carto = await addUser(server, 'carto', 'ROLE_CARTOGRAPHER');
    await server.post('/security/acl/rest', JSON.stringify({ '/rest/styles/**:PUT': 'ROLE_CARTOGRAPHER' }));
    await server.post('/security/acl/layers', '{"*.*.a":"ROLE_CARTOGRAPHER"}');

    const reply = await server.put('/styles/point', '{"style":{"metadata":{"a":"b"}}}', { accept, as: carto });

    expect([reply.status, shown(reply)]).toEqual([200, []]);
  });

  it('shows what was removed, with all that was in it', async () => {
    const remove = (query: string) =>
      server.delete(`/workspaces/acme/datastores/s?recurse=true${query}`, { accept, as: ann });

    const tried = await remove('&dryRun=true');
    const real = await remove('');

    expect(
      shown(tried)
        .map(([kind]) => kind)
        .sort(),
    ).toEqual(['dataStore', 'featureType', 'layer']);
    expect(shown(real)).toEqual(shown(tried));
  });
});

describe('the position', () => {
  const server = useTestServer();

  it('is on every reply to who has logged in, errors included, and on no other', async () => {
    const created = await server.post('/workspaces', '{"workspace":{"name":"acme"}}');
    const position = created.headers['graticule-change'];

    const replies = [
      await server.get('/workspaces.json'),
      await server.get('/workspaces/none'),
      await server.get('/no'),
    ];

    expect(replies.map(({ headers }) => headers['graticule-position'])).toEqual([position, position, position]);
    expect((await server.get('/workspaces.json', { as: null })).headers['graticule-position']).toBeUndefined();
    expect((await server.get('/livez')).headers['graticule-position']).toBeUndefined();
  });
});
