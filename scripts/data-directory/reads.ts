/** Everything readable: the links of the collections, and paths without links. */
import type { Read } from '../../test/e2e/recorded-answers.ts';
import { part, type Rest } from './rest.ts';
import { templatePaths } from './settings.ts';
import { cssStyles } from './styles.ts';

const collections = [
  '/workspaces',
  '/namespaces',
  '/styles',
  '/layers',
  '/layergroups',
  '/workspaces/acme/layergroups',
  '/urlchecks',
  '/security/usergroupservices',
  '/workspaces/default',
  '/namespaces/default',
  '/workspaces/acme/styles',
  '/workspaces/apart/styles',
  '/workspaces/Vermessung/styles',
];

/** In both formats; these have no links. */
const unlinked = [
  '/security/masterpw',
  '/security/acl/catalog',
  '/security/acl/layers',
  '/security/acl/services',
  '/security/acl/rest',
  '/security/acl/data',
  '/security/acl/data/staff',
  '/security/authproviders',
  ...['default', 'corp', 'directory', 'spare', 'former'].map((name) => `/security/authproviders/${name}`),
  ...['', '/service/corp'].flatMap((service) => [
    `/security/usergroup${service}/users`,
    `/security/usergroup${service}/groups`,
  ]),
  ...['admin', 'ann', 'bob', 'carl', 'dora', 'eve', 'fay', 'Zoë'].map(
    (name) => `/security/usergroup/user/${part(name)}`,
  ),
  ...['ann', 'Zoë', 'carl'].map((name) => `/security/usergroup/user/${part(name)}/groups`),
  '/security/usergroup/group/editors/users',
  '/security/usergroup/service/corp/user/gus',
  '/security/usergroup/service/corp/group/staff/users',
  '/security/roles',
  ...['ann', 'bob', 'fay', 'Zoë', 'admin'].map((name) => `/security/roles/user/${part(name)}`),
  ...['editors', 'Gäste', 'staff', 'passing'].map((name) => `/security/roles/group/${part(name)}`),
  '/workspaces/surveys',
  '/workspaces/doomed',
  '/workspaces/acme/datastores/gone',
  '/workspaces/acme/datastores/default',
  '/workspaces/acme/datastores/wanderer',
  '/workspaces/acme/featuretypes',
  '/workspaces/acme/featuretypes/places',
  '/workspaces/acme/layers',
  '/workspaces/acme/layers/places',
  '/layers/places',
  '/layers/acme:canals',
  '/styles/orphan',
  '/styles/purged',
  '/styles/former',
  '/styles/nomad',
  '/workspaces/acme/coverages',
  '/workspaces/acme/coveragestores/faded',
  '/workspaces/acme/coveragestores/water/coverages/water/index',
  '/workspaces/acme/coveragestores/water/coverages/water/index/granules',
  '/workspaces/acme/wmslayers',
  '/workspaces/acme/wmtslayers',
  '/layergroups/brief',
  ...['urn%3Aexample%3Abig', 'brief'].map((id) => `/storedqueries/${id}`),
  ...['town%20plan', 'by%20scale', 'brief', 'EPSG:2056'].map((name) => `/gridsets/${name}`),
  ...['places', 'roads'].map((name) => `/tilelayers/acme:${name}`),
  '/workspaces/acme/tilelayers/places',
  '/settings',
  '/settings/contact',
  '/logging',
  '/workspaces/acme/settings',
  '/workspaces/apart/settings',
  ...['wms', 'wfs', 'wcs', 'wmts'].map((service) => `/services/${service}/settings`),
  '/services/wms/workspaces/acme/settings',
  '/services/wfs/workspaces/apart/settings',
];

const onlyInJson = ['', '/signed', `/${part('später')}`, '/brief', '/signed/deliveries'].map(
  (path) => `/webhooks${path}`,
);

export async function everyRead(rest: Rest): Promise<readonly Read[]> {
  const linked = await follow(rest, collections);
  const documents = [...linked, ...unlinked].flatMap((path) => [{ path: `${path}.json` }, { path: `${path}.xml` }]);
  const webhooks = onlyInJson.map((path) => ({ path: `${path}.json` }));
  const templates = [...templatePaths, '/resource/templates/brief.ftl'].map((path) => ({ path }));
  return [...documents, ...webhooks, ...templates, ...contentsOf(linked), ...listsOf(linked), ...asOthers()];
}

async function follow(rest: Rest, from: readonly string[]): Promise<readonly string[]> {
  const found = new Set<string>();
  const waiting = [...from];
  for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
    if (found.has(path)) continue;
    found.add(path);
    const text = JSON.stringify(await rest.json(`${path}.json`));
    for (const [, href = ''] of text.matchAll(/"(http[^"]*)\.json"/g)) {
      const link = href.startsWith(rest.url) ? href.slice(rest.url.length) : '';
      if (link !== '') waiting.push(link);
    }
  }
  return [...found].toSorted();
}

/** The contents of styles: as uploaded, and converted. */
function contentsOf(paths: readonly string[]): readonly Read[] {
  const styles = paths.filter((path) => /\/styles\/[^/]+$/.test(path));
  const isCss = (path: string) => cssStyles.some((name) => path.endsWith(`/${part(name)}`));
  return styles.flatMap((path): readonly Read[] => [
    { path: `${path}.sld`, ...(isCss(path) ? { isMade: true } : {}) },
    { path: `${path}.css` },
    { path: `${path}.zip`, isMade: true },
    { path: `${path}.png`, isMade: true },
    { path, accept: 'application/vnd.ogc.sld+xml', isMade: true },
    { path, accept: 'application/vnd.ogc.se+xml', isMade: true },
  ]);
}

/** The contents of stores, published or not; the databases are not reachable. */
function listsOf(paths: readonly string[]): readonly Read[] {
  const types = paths.filter((path) => path.endsWith('/featuretypes'));
  return types.flatMap((path) =>
    ['available', 'available_with_geom', 'all'].map((list) => ({ path: `${path}.json?list=${list}` })),
  );
}

/** Reads by users other than the administrator, and anonymous reads. */
function asOthers(): readonly Read[] {
  const paths = ['/workspaces', '/layers', '/styles', '/urlchecks', '/workspaces/acme', '/layers/acme:places'];
  const inJson = [...paths, '/workspaces/apart', '/security/acl/layers'].map((path) => `${path}.json`);
  return ['ann', 'bob', 'Zoë', 'fay', 'gus', null].flatMap((as) => inJson.map((path) => ({ path, as })));
}
