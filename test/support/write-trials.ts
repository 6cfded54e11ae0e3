import { readFileSync } from 'node:fs';
import { hashBytes } from '../../src/storage/blobs/port.ts';
import { inJson, passwordClass } from './auth-providers.ts';
import { cascadedWords } from './capabilities.ts';
import { zipOfFiles } from './raster-samples.ts';
import { packDirectory } from './source-directories/write-directory.ts';
import { stationArchive, WEATHER } from './station-mapping.ts';
import { storedQuery } from './stored-queries.ts';
import { CSS_TYPE, lineSld, SLD_TYPE } from './styles.ts';
import type { Reply, RequestOptions } from './test-server.ts';
import { geotiffBytes, granuleBytes } from './tiff-bytes.ts';
import { pointShapefile, zipOf } from './vector-samples.ts';

/** The method and path of a route, the requested path, and the body. */
export type Trial = readonly [row: string, path: string, sent?: RequestOptions];

export const json = (value: unknown): RequestOptions => ({ type: 'json', body: JSON.stringify(value) });
const xml = (body: string): RequestOptions => ({ type: 'xml', body });
export const zip = (body: Buffer): RequestOptions => ({ type: 'application/zip', body });

const granuleZip = (name: string, left = 10) =>
  zipOfFiles({ [name]: granuleBytes({ left, top: 50, pixel: 0.25, epsg: 4326 }) });
const tiff = (body: Buffer): RequestOptions => ({ type: 'image/tiff', body });

const svg: RequestOptions = { type: 'image/svg+xml', body: '<svg xmlns="http://www.w3.org/2000/svg"/>' };

const fontBytes = readFileSync(
  new URL(import.meta.resolve('@expo-google-fonts/cousine/400Regular/Cousine_400Regular.ttf')),
);

const ws = '/workspaces/:workspace';
const store = `${ws}/datastores/:store`;
const types = `${store}/featuretypes`;
const rasters = `${ws}/coveragestores/:store`;
const coverages = `${rasters}/coverages`;
const serviceClass = 'org.geoserver.security.xml.XMLUserGroupService';
const style = (name: string) => json({ style: { name } });
/** A group `base` of layers and groups by name, with styles. */
const createGroup = (published: readonly string[], style: readonly string[] = []) => ({
  layerGroup: { name: 'base', publishables: { published }, styles: { style } },
});
const tileLayer = { GeoServerLayer: { gutter: 2, gridSubsets: [{ gridSetName: 'EPSG:4326' }] } };
const gridSet = { srs: { number: 2056 }, extent: { coords: [0, 0, 1000, 1000] }, resolutions: [2, 1] };
const rule = (key: string, role = 'ROLE_X') => json({ [key]: role });

/** In this order each request succeeds; requests that must fail are in between. */
/** The hash of the text `sent`. */
const SENT_HASH = hashBytes(Buffer.from('sent'));

const configuration = {
  format: 'graticule-configuration/1',
  resources: [{ kind: 'workspace', path: '/workspaces/reported', fields: { isolated: true } }],
};

export const trials: readonly Trial[] = [
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

  ['PUT /tilelayers/:tileLayer', '/tilelayers/dry:towns', json(tileLayer)],
  ['POST /tilelayers/:tileLayer', '/tilelayers/dry:towns', json({ GeoServerLayer: { gutter: 101 } })],
  ['POST /tilelayers/:tileLayer', '/tilelayers/dry:towns', json({ GeoServerLayer: { enabled: false } })],
  ['DELETE /tilelayers/:tileLayer', '/tilelayers/dry:towns'],
  [`PUT ${ws}/tilelayers/:tileLayer`, '/workspaces/dry/tilelayers/towns', json(tileLayer)],
  [`POST ${ws}/tilelayers/:tileLayer`, '/workspaces/dry/tilelayers/towns', json(tileLayer)],
  [`DELETE ${ws}/tilelayers/:tileLayer`, '/workspaces/dry/tilelayers/towns'],
  // Exports have random ids and run after their request; their tests have successful ones.
  ['POST /tileexports', '/tileexports', json({ tileExport: { layer: 'dry:nothing', zoomStop: 1 } })],
  ['POST /tileexports', '/tileexports', json({ tileExport: { layer: 'dry:towns', zoomStop: 99 } })],
  [`POST ${ws}/tileexports`, '/workspaces/dry/tileexports', json({ tileExport: { layer: 'nothing', zoomStop: 1 } })],
  ...['/tileexports', `${ws}/tileexports`].flatMap((collection): readonly Trial[] => {
    const path = `${collection.replace(':workspace', 'dry')}/none`;
    return [
      [`POST ${collection}/:tileExport/cancel`, `${path}/cancel`],
      [`POST ${collection}/:tileExport/restart`, `${path}/restart`],
      [`DELETE ${collection}/:tileExport`, path],
    ];
  }),
  ['POST /layergroups', '/layergroups', json(createGroup(['dry:towns', 'dry:again-and-again']))],
  ['POST /layergroups', '/layergroups', json(createGroup(['dry:towns'], ['entry']))],
  ['POST /layergroups', '/layergroups', xml('<layerGroup><name>empty</name></layerGroup>')],
  [`POST ${ws}/layergroups`, '/workspaces/dry/layergroups', json(createGroup(['towns']))],
  [`POST ${ws}/layergroups`, '/workspaces/dry/layergroups', json(createGroup(['towns']))],
  ['PUT /layergroups/:layerGroup', '/layergroups/base', json(createGroup(['dry:towns', 'dry:base']))],
  ['PUT /layergroups/:layerGroup', '/layergroups/base', json(createGroup(['base']))],
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

  ['POST /fonts', '/fonts?name=posted.ttf', { type: 'font/ttf', body: fontBytes }],
  ['PUT /fonts/:font', '/fonts/trial.ttf', { type: 'font/ttf', body: fontBytes }],
  ['PUT /fonts/:font', '/fonts/trial.ttf', { type: 'font/ttf', body: 'no font' }],
  ['DELETE /fonts/:font', '/fonts/trial.ttf'],
  ['DELETE /fonts/:font', '/fonts/trial.ttf'],
  ...templateTrials('', ''),
  ...templateTrials(ws, '/workspaces/dry'),
  ...templateTrials(store, '/workspaces/dry/datastores/towns'),
  ...templateTrials(`${types}/:featuretype`, '/workspaces/dry/datastores/towns/featuretypes/towns'),
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
  [
    'POST /security/acl/data',
    '/security/acl/data',
    json({ dataRule: { name: 'staff', layer: 'dry:roads', roles: ['FIELD'], rows: 'owner = ${user.name}' } }),
  ],
  ['PUT /security/acl/data/:dataRule', '/security/acl/data/staff', json({ dataRule: { enabled: false } })],
  ['DELETE /security/acl/data/:dataRule', '/security/acl/data/staff'],
  ['POST /gridsets', '/gridsets', json({ gridSet: { name: 'dry', ...gridSet } })],
  ['PUT /gridsets/:gridSet', '/gridsets/dry', json({ gridSet: { ...gridSet, resolutions: [4, 2] } })],
  ['PUT /gridsets/:gridSet', '/gridsets/new', json({ gridSet })],
  ['DELETE /gridsets/:gridSet', '/gridsets/dry'],
  ['POST /storedqueries', '/storedqueries', json(storedQuery('dry'))],
  ['PUT /storedqueries/:storedQuery', '/storedqueries/dry', json({ storedQuery: { title: 'Dry' } })],
  ['PUT /storedqueries/:storedQuery', '/storedqueries/dry', json({ storedQuery: { parameters: [] } })],
  ['DELETE /storedqueries/:storedQuery', '/storedqueries/dry'],
  [`POST ${ws}/storedqueries`, '/workspaces/dry/storedqueries', json(storedQuery('urn:dry:1'))],
  [
    `PUT ${ws}/storedqueries/:storedQuery`,
    '/workspaces/dry/storedqueries/urn:dry:1',
    json({ storedQuery: { isPrivate: true } }),
  ],
  [`DELETE ${ws}/storedqueries/:storedQuery`, '/workspaces/dry/storedqueries/urn:dry:1'],
  ['POST /webhooks', '/webhooks', json({ webhook: { name: 'ci', url: 'http://icons/hook', enabled: false } })],
  ['POST /webhooks', '/webhooks', json({ webhook: { name: 'closed', url: 'http://elsewhere/hook' } })],
  ['PUT /webhooks/:webhook', '/webhooks/ci', json({ webhook: { kinds: ['workspace'], secret: 'hush' } })],
  ['DELETE /webhooks/:webhook', '/webhooks/ci'],
  ['DELETE /urlchecks/:urlCheck', '/urlchecks/icons'],
  ['POST /urlchecks', '/urlchecks', json({ regexUrlCheck: { name: 'test', regex: '^a$' } })],
  ['PUT /urlchecks/test', '/urlchecks/test', json({ regexUrlCheck: { description: 'mine' } })],
  ['DELETE /urlchecks/test', '/urlchecks/test'],

  [
    'POST /security/self/tokens',
    '/security/self/tokens',
    json({ token: { name: 'ci', scopes: { services: ['ftp'] } } }),
  ],
  ['POST /security/tokens', '/security/tokens', json({ token: { name: 'ci', user: 'unknown' } })],
  ['DELETE /security/self/tokens/:token', '/security/self/tokens/unknown'],
  ['DELETE /security/tokens/:token', '/security/tokens/unknown'],
  ['DELETE /security/tokens', '/security/tokens?user=unknown'],
  ['DELETE /locks/:lock', '/locks/unknown'],

  ['POST /security/authproviders', '/security/authproviders', { type: 'json', body: inJson('more') }],
  [
    'PUT /security/authproviders/:providerName',
    '/security/authproviders/more?position=0',
    { type: 'json', body: inJson('more', { className: passwordClass, userGroupServiceName: 'default' }) },
  ],
  ['POST /security/authproviders/test', '/security/authproviders/test', json({ authprovider: { name: 'default' } })],
  [
    'POST /security/signin/:providerName',
    '/security/signin/unknown',
    json({ code: 'c', codeVerifier: 'v', redirectUri: 'http://localhost:80/geoserver/console/signin' }),
  ],
  ['POST /security/authproviders', '/security/authproviders', { type: 'json', body: inJson('test') }],
  [
    'PUT /security/authproviders/test',
    '/security/authproviders/test?position=0',
    { type: 'json', body: inJson('test') },
  ],
  ['DELETE /security/authproviders/test', '/security/authproviders/test'],
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
      [`POST ${row}/role/:role/group/:holder`, `${path}/role/ROLE_DRY/group/missing`],
      [`DELETE ${row}/role/:role/user/:holder`, `${path}/role/ROLE_DRY/user/admin`],
      [`DELETE ${row}/role/:role/group/:holder`, `${path}/role/ROLE_DRY/group/missing`],
      [`DELETE ${row}/role/:role`, `${path}/role/ROLE_DRY`],
    ];
  }),

  ['POST /security/keystore/data-key', '/security/keystore/data-key'],
  ['POST /security/keystore/secrets', '/security/keystore/secrets'],
  ['POST /security/keystore/server-key', '/security/keystore/server-key'],
  ['POST /security/keystore/finish', '/security/keystore/finish'],
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
    'POST /configuration/translate',
    '/configuration/translate',
    { type: 'application/zip', body: packDirectory({ 'global.xml': '<global/>' }) },
  ],
  ['POST /configuration/files/missing', '/configuration/files/missing', json({ sha256: [SENT_HASH] })],
  ['PUT /configuration/files/:sha256', `/configuration/files/${SENT_HASH}`, { body: 'sent' }],
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

/** Requests that need a remote map server at this URL. */
export function cascadedTrials(url: string): readonly Trial[] {
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

/** Requests with a mapping over documents, whose schemas are in the data directory. */
export function documentTrials(dataStore: string, dataDir: string): readonly Trial[] {
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

export const dry = (path: string) => `${path}${path.includes('?') ? '&' : '?'}dryRun=true`;

export /** The predictions of a dry run. */
function predicted({ status, text: body, headers }: Reply) {
  // A dry run has no number and no time.
  const text = body
    .replace(/^\{"sequence":(?:null|\d+),"at":(?:null|"[^"]*"),/, '{')
    .replace(/^\{"change":(?:null|\d+),"results"/, '{"results"')
    .replace(/"change":(?:null|\d+),"summary"/, '"summary"');
  return { status, text, location: headers['location'], contentType: headers['content-type'] };
}

function templateTrials(row: string, owner: string): readonly Trial[] {
  const path = `${owner}/templates/trial.ftl`;
  return [
    [`PUT ${row}/templates/:template`, path, { type: 'text/plain', body: '${fid}' }],
    [`PUT ${row}/templates/:template`, path, { type: 'text/plain', body: '<#include "x">' }],
    [`DELETE ${row}/templates/:template`, path],
    [`DELETE ${row}/templates/:template`, path],
  ];
}
