/** Derives the path of a record from its kind and name and from those of its ancestors. */
import { resourceKinds } from '../../catalog/kinds/resource-kinds.ts';
import { storeKinds } from '../../catalog/kinds/store-kinds.ts';
import { LAYOUTS } from '../../catalog/kinds/template.ts';
import { DEFAULT_SERVICE } from '../../security/users/user-group-service.ts';

/** The kind and name of a record, preceded by those of its ancestors. */
export type RecordPath = readonly { readonly kind: string; readonly name: string }[];

/** The path without an extension; null for records that have no path of their own. */
export function findRestPath(place: RecordPath): string | null {
  const segments = findRestSegments(place);
  return segments && encodePath(segments);
}

/** A path encoded as in a request line. */
export function encodePath(segments: readonly string[]): string {
  let path = '';
  for (const segment of segments) {
    path += `/${isPlain(segment) ? segment : encodeURIComponent(segment)}`;
  }
  return path;
}

/** Most names need no encoding, and this check is cheaper than encoding. */
function isPlain(segment: string): boolean {
  return /^[\w.~!*'()-]*$/.test(segment);
}

function findRestSegments(place: RecordPath): readonly string[] | null {
  const kinds = place.map(({ kind }) => kind);
  const [first = '', second = '', third = ''] = place.map(({ name }) => name);
  switch (kinds.join('/')) {
    case 'workspace':
      return ['workspaces', first];
    case 'style':
      return ['styles', first];
    case 'workspace/style':
      return ['workspaces', first, 'styles', second];
    case 'globalSettings':
      return ['settings'];
    case 'loggingSettings':
      return ['logging'];
    case 'workspace/workspaceSettings':
      return ['workspaces', first, 'settings'];
    case 'serviceSettings':
      return ['services', first, 'settings'];
    case 'workspace/serviceSettings':
      return ['services', second, 'workspaces', first, 'settings'];
    case 'layerGroup':
      return ['layergroups', first];
    case 'workspace/layerGroup':
      return ['workspaces', first, 'layergroups', second];
    case 'urlCheck':
      return ['urlchecks', first];
    case 'layerGroup/tileLayer':
      return ['tilelayers', first];
    case 'workspace/layerGroup/tileLayer':
      return ['workspaces', first, 'tilelayers', second];
    case 'gridSet':
      return ['gridsets', first];
    case 'storedQuery':
      return ['storedqueries', first];
    case 'workspace/storedQuery':
      return ['workspaces', first, 'storedqueries', second];
    case 'webhook':
      return ['webhooks', first];
    case 'authProvider':
      return ['security', 'authproviders', first];
    case 'userGroupService':
      return ['security', 'usergroupservices', first];
    case 'userGroupService/user':
    case 'userGroupService/group':
      return [
        'security',
        'usergroup',
        ...(first === DEFAULT_SERVICE ? [] : ['service', first]),
        kinds[1] ?? '',
        second,
      ];
    case 'apiToken':
      return ['security', 'tokens', first];
    case 'role':
      return ['security', 'roles', 'role', first];
    case 'authProviderOrder':
      return ['security', 'authproviders', 'order'];
    case 'ruleSet':
    case 'ruleSet/accessRule':
      return ['security', 'acl', first];
    case 'dataRule':
      return ['security', 'acl', 'data', first];
    case 'accessSettings':
      return ['security', 'acl', 'catalog'];
    case 'catalogSettings':
      return ['workspaces', 'default'];
    case 'template':
      return ['resource', ...(first.startsWith(LAYOUTS) ? first.split('/') : ['templates', first])];
  }
  if (kinds.at(-1) === 'template') {
    return ['resource', 'workspaces', ...place.map(({ name }) => name)];
  }
  const store = storeKinds.find(({ kind }) => kind === kinds[1]);
  if (kinds[0] !== 'workspace' || store === undefined) {
    return null;
  }
  const storeSegments = ['workspaces', first, store.collection, second];
  const resource = resourceKinds.find(({ kind }) => kind === kinds[2]);
  if (kinds.length === 2) {
    return storeSegments;
  }
  if (resource === undefined) {
    return null;
  }
  const isLayer = kinds.length === 4 && kinds[3] === 'layer';
  const name = place[3]?.name ?? '';
  if (kinds.at(-1) === 'tileLayer') {
    return ['workspaces', first, 'tilelayers', name];
  }
  return isLayer ? ['workspaces', first, 'layers', name] : [...storeSegments, resource.collection, third];
}
