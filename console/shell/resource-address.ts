/** The page of a resource: from its REST path to an address of the console. */
import { routes } from '../routes.ts';
import { matchRoute } from './match-route.ts';

const stores = 'datastores|coveragestores|wmsstores|wmtsstores';

/** Patterns of REST paths, and the address for their encoded names. Only addresses with a page are used. */
const patterns: readonly (readonly [RegExp, (...names: readonly string[]) => string])[] = [
  [/^\/workspaces\/([^/]+)$/, (workspace) => `workspaces/${workspace}`],
  [/^\/workspaces\/([^/]+)\/layers\/([^/]+)$/, (workspace, layer) => `w/${workspace}/layers/${layer}`],
  [
    new RegExp(`^/workspaces/([^/]+)/(?:${stores})/[^/]+/[^/]+/([^/]+)$`),
    (workspace, resource) => `w/${workspace}/layers/${resource}`,
  ],
  [new RegExp(`^/workspaces/([^/]+)/(?:${stores})/([^/]+)$`), (workspace, store) => `w/${workspace}/stores/${store}`],
  [/^\/workspaces\/([^/]+)\/layergroups\/([^/]+)$/, (workspace, group) => `w/${workspace}/groups/${group}`],
  [/^\/layergroups\/([^/]+)$/, (group) => `groups/${group}`],
  [/^\/workspaces\/([^/]+)\/styles\/([^/]+)$/, (workspace, style) => `w/${workspace}/styles/${style}`],
  [/^\/styles\/([^/]+)$/, (style) => `styles/${style}`],
  [/^\/history\/(\d+)$/, (sequence) => `operations/history/${sequence}`],
  [/^\/webhooks\/([^/]+)$/, (webhook) => `operations/webhooks?name=${webhook}`],
  [/^\/security\/usergroup\/(?:service\/[^/]+\/)?user\/([^/]+)$/, (user) => `security/users/${user}`],
  [/^\/security\/usergroup\/(?:service\/[^/]+\/)?group\/([^/]+)$/, (group) => `security/groups/${group}`],
  [/^\/security\/roles\/role\/([^/]+)$/, (role) => `security/roles?role=${role}`],
  [/^\/security\/acl\/(data|services|rest)\b/, (tab) => `security/access?tab=${tab}`],
  [/^\/security\/acl/, () => 'security/access'],
  [/^\/security\/authproviders/, () => 'security/sign-in'],
  [/^\/urlchecks/, () => 'security/url-checks'],
  [/^\/gridsets/, () => 'operations/tiles'],
  [/^\/workspaces\/([^/]+)/, (workspace) => `w/${workspace}/layers`],
];

/** Undefined if no page shows the resource. */
export function findAddress(path: string): string | undefined {
  for (const [pattern, build] of patterns) {
    const match = pattern.exec(path);
    const address = match === null ? undefined : build(...match.slice(1));
    if (address !== undefined && matchRoute(routes, address.replace(/\?.*/, '')) !== undefined) return address;
  }
  return undefined;
}
