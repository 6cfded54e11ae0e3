/** Settings of the server, of workspaces and of services, layer groups, templates and webhooks. */
import { secrets } from './credentials.ts';
import { part, type Rest } from './rest.ts';

export async function fillSettings({ send }: Rest): Promise<void> {
  const contact = { contactPerson: 'Zoë', contactEmail: 'zoe@example.com', addressCity: 'Orléans' };
  const settings = { title: 'Maps', numDecimals: 6, onlineResource: 'http://maps.example.com/', contact };
  const metadata = { entry: [{ '@key': 'quietOnNotFound', $: 'true' }] };
  await send('PUT', '/settings', JSON.stringify({ global: { settings, metadata, jai: { tileThreads: 2 } } }));
  await send('PUT', '/settings/contact', '<contact><contactPosition>Maps</contactPosition></contact>');
  // The location has no effect, and the level is the default.
  await send('PUT', '/logging', '{"logging":{"level":"DEFAULT_LOGGING","location":"logs/maps.log"}}');

  const local = { title: 'Acme', numDecimals: 4, contact: { contactOrganization: 'Acme & Co' } };
  await send('PUT', '/workspaces/acme/settings', JSON.stringify({ settings: local }));
  await send('PUT', '/workspaces/apart/settings', '{"settings":{"verbose":true}}');
  await send('DELETE', '/workspaces/apart/settings');

  const keywords = { string: ['maps', 'Karten'] };
  await send(
    'PUT',
    '/services/wms/settings',
    JSON.stringify({ wms: { title: 'Maps of all', keywords, maxBuffer: 30 } }),
  );
  await send('PUT', '/services/wfs/settings', '<wfs><title>Features</title><maxFeatures>5000</maxFeatures></wfs>');
  await send('PUT', '/services/wcs/settings', '{"wcs":{"abstrct":"Coverages","fees":"1 €"}}');
  await send('PUT', '/services/wmts/settings', '{"wmts":{"title":"Tiles"}}');
  await send('PUT', '/services/wms/workspaces/acme/settings', '{"wms":{"title":"Maps of acme","enabled":false}}');
  await send('PUT', '/services/wfs/workspaces/apart/settings', '{"wfs":{"title":"brief"}}');
  await send('DELETE', '/services/wfs/workspaces/apart/settings');
}

/** After the styles and the coverages, which the groups contain. */
export async function fillGroups({ send }: Rest): Promise<void> {
  const group = (path: string, document: object) => send('POST', path, JSON.stringify({ layerGroup: document }));
  await group('/layergroups', {
    name: 'Grundkarte',
    mode: 'NAMED',
    title: 'Base map',
    abstractTxt: 'All that is below',
    publishables: { published: [layer('acme:relief'), layer('acme:roads'), layer('acme:places')] },
    styles: { style: ['', { name: 'older' }, ''] },
    keywords: { string: ['base'] },
    bounds: { minx: -10, maxx: 30, miny: 35, maxy: 60, crs: 'EPSG:4326' },
    metadata: { entry: [{ '@key': 'made by', $: 'Zoë' }] },
    attribution: { title: 'Acme', href: 'http://acme.example.com/' },
    internationalTitle: { de: 'Grundkarte' },
    layerGroupStyles: {
      LayerGroupStyle: [
        { name: 'night', title: 'Night', layers: { published: [layer('acme:roads')] }, styles: { style: ['newer'] } },
      ],
    },
  });
  await group('/workspaces/acme/layergroups', {
    name: 'local group',
    mode: 'EO',
    rootLayer: { name: 'acme:photo' },
    rootLayerStyle: { name: 'raster' },
    publishables: { published: [layer('acme:rivers'), layer('acme:wmsLayer roads')] },
    queryDisabled: true,
  });
  await group('/layergroups', {
    name: 'nested',
    publishables: {
      published: [
        { '@type': 'layerGroup', name: 'Grundkarte' },
        layer('acme:wmtsLayer roads'),
        layer('Vermessung:trees'),
      ],
    },
    styles: { style: [{ name: 'night' }, '', ''] },
  });
  await send('PUT', '/layergroups/nested', '{"layerGroup":{"title":"A group in a group","advertised":false}}');
  await group('/layergroups', { name: 'brief', publishables: { published: [layer('acme:roads')] } });
  await send('DELETE', '/layergroups/brief');
}

export const templatePaths = [
  'templates/header.ftl',
  'templates/footer.ftl',
  'workspaces/acme/header.ftl',
  `workspaces/${part('städte und gemeinden')}/${part('Dächer')}/header.ftl`,
  'workspaces/acme/roads/roads/header.ftl',
  'workspaces/acme/relief/relief/header.ftl',
].map((path) => `/resource/${path}`);

export async function fillTemplates({ send }: Rest): Promise<void> {
  for (const path of templatePaths) await send('PUT', path, `<h1>${path}</h1>\n`, 'text/plain');
  await send('PUT', '/resource/templates/footer.ftl', 'replaced', 'text/plain');
  await send('PUT', '/resource/templates/brief.ftl', 'deleted', 'text/plain');
  await send('DELETE', '/resource/templates/brief.ftl');
}

export async function fillStoredQueries({ send }: Rest): Promise<void> {
  const filter =
    '<fes:Filter><fes:PropertyIsGreaterThan><fes:ValueReference>pop</fes:ValueReference><fes:Literal>${least}</fes:Literal></fes:PropertyIsGreaterThan></fes:Filter>';
  const namespaces = 'xmlns:wfs="http://www.opengis.net/wfs/2.0" xmlns:fes="http://www.opengis.net/fes/2.0"';
  const queries = [`<wfs:Query ${namespaces} typeNames="acme:towns">${filter}</wfs:Query>`];
  const parameters = [{ name: 'least', type: 'xs:int', title: 'Least population' }];
  for (const name of ['urn:example:big', 'brief']) {
    await send('POST', '/storedqueries', JSON.stringify({ storedQuery: { name, title: name, parameters, queries } }));
  }
  await send('PUT', '/storedqueries/urn:example:big', '{"storedQuery":{"isPrivate":true}}');
  await send('DELETE', '/storedqueries/brief');
}

export async function fillGridSets({ send }: Rest): Promise<void> {
  const swiss = { srs: { number: 2056 }, extent: { coords: [2_420_000, 1_030_000, 2_900_000, 1_350_000] } };
  const sets = [
    { name: 'town plan', ...swiss, alignTopLeft: true, resolutions: [100, 10, 1], scaleNames: ['a', 'b', 'c'] },
    { name: 'by scale', ...swiss, scaleDenominators: [100_000, 25_000], tileWidth: 512, tileHeight: 512 },
    { name: 'brief', ...swiss, levels: 4 },
  ];
  for (const gridSet of sets) await send('POST', '/gridsets', JSON.stringify({ gridSet }));
  await send('PUT', '/gridsets/by%20scale', JSON.stringify({ gridSet: { ...sets[1], description: 'Two scales' } }));
  await send('DELETE', '/gridsets/brief');
  const GeoServerLayer = {
    mimeFormats: ['image/png'],
    gridSubsets: [
      { gridSetName: 'town plan', zoomStop: 1, extent: { coords: [2_500_000, 1_100_000, 2_600_000, 1_200_000] } },
    ],
    metaWidthHeight: [2, 3],
    expireCacheList: [{ '@minZoom': '1', '@expiration': '60' }],
    parameterFilters: { regexParameterFilter: [{ key: 'CQL_FILTER', defaultValue: '', regex: 'a=\\d+' }] },
  };
  await send('PUT', '/tilelayers/acme:places', JSON.stringify({ GeoServerLayer }));
  await send('POST', '/tilelayers/acme:places', '<GeoServerLayer><gutter>5</gutter></GeoServerLayer>');
  await send('PUT', '/tilelayers/acme:roads', '{"GeoServerLayer":{"enabled":false}}');
  await send('DELETE', '/tilelayers/acme:roads');
  await send('PUT', '/services/wmts/settings', '{"wmts":{"gridSets":{"string":["town plan","EPSG:28992"]}}}');
}

/** Disabled, because a delivery changes the state that a read returns. */
export async function fillWebhooks({ send }: Rest): Promise<void> {
  const check = { name: 'hooks', regex: '^https://ci\\.example\\.com/.*$', enabled: true };
  await send('POST', '/urlchecks', JSON.stringify(check));
  const signed = { name: 'signed', kinds: ['workspace'], paths: ['/workspaces/acme'], secret: secrets.webhook };
  const url = 'https://ci.example.com/hook';
  for (const webhook of [{ ...signed, expand: true }, { name: 'plain' }, { name: 'brief' }]) {
    await send('POST', '/webhooks', JSON.stringify({ webhook: { ...webhook, url, enabled: false } }));
  }
  await send('PUT', '/webhooks/plain', '{"webhook":{"name":"später"}}');
  await send('DELETE', '/webhooks/brief');
}

function layer(name: string): object {
  return { '@type': 'layer', name };
}
