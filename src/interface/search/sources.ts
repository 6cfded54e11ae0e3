/**
 * The resources that can be found. A caller finds what the listings return to it: the same rules that decide whether it
 * may call a listing decide here, and workspaces are filtered by the same permissions.
 */
import { listDataRules } from '../../catalog/data-rules/data-rules.ts';
import { listGridSetNames } from '../../catalog/grid-sets/grid-sets.ts';
import { layerGroupKind } from '../../catalog/kinds/layer-group.ts';
import { storeKinds } from '../../catalog/kinds/store-kinds.ts';
import { styleKind } from '../../catalog/kinds/style.ts';
import { listWebhooks } from '../../catalog/webhooks/webhooks.ts';
import { listWorkspaces } from '../../catalog/workspaces/workspaces.ts';
import { yieldIfDue } from '../../lib/async/yield-if-due.ts';
import { type Principal, ROLE_ADMINISTRATOR, WORKSPACE_ADMINISTRATOR } from '../../lib/identity/principal.ts';
import type { RecordBase, RecordKind } from '../../records/record.ts';
import { workspaceKind } from '../../records/workspace.ts';
import type { Permissions } from '../../security/access-rules/access.ts';
import type { InitialRules, RuleFamilyName } from '../../security/access-rules/rule-families.ts';
import { readRuleSet } from '../../security/access-rules/rule-set.ts';
import { listActiveProviders } from '../../security/auth-providers/auth-providers.ts';
import { listRoleNames } from '../../security/roles/roles.ts';
import { listUrlChecks } from '../../security/url-checks/url-checks.ts';
import { listGroupNames } from '../../security/users/groups.ts';
import { listUsers } from '../../security/users/users.ts';
import type { Services } from '../common/services.ts';
import type { createLayerNames } from './layer-names.ts';
import type { Candidate } from './matches.ts';

export interface SearchContext {
  readonly services: Services;
  readonly principal: Principal;
  readonly permissions: Permissions;
  readonly initialRules: InitialRules;
  readonly layerNames: ReturnType<typeof createLayerNames>;
  readonly text: string;
  /** Returns whether the caller may call the listing at this path, below the REST root. */
  readonly mayList: (segments: readonly string[], role: string) => Promise<boolean>;
}

type Offer = (candidate: Candidate) => void;
type Source = (context: SearchContext, offer: Offer) => Promise<void>;

/** In the order of the results of the same rank. A new kind is one entry here. */
export const sources: ReadonlyMap<string, Source> = new Map<string, Source>([
  ['workspace', readWorkspaces],
  ['layer', readLayers],
  ['layerGroup', createPlacedSource(layerGroupKind, 'layergroups')],
  ...storeKinds.map((kind) => [kind.kind, createPlacedSource(kind, kind.collection)] as const),
  ['style', createPlacedSource(styleKind, 'styles')],
  ...createServerSources([
    ['user', 'security/usergroup/users', 'security/usergroup/user', ({ security }) => listUsers(security, undefined)],
    [
      'group',
      'security/usergroup/groups',
      'security/usergroup/group',
      ({ catalog }) => toNamed(listGroupNames(catalog, undefined)),
    ],
    [
      'role',
      'security/roles',
      'security/roles/role',
      ({ catalog }) => toNamed(listRoleNames(catalog, { withSystemRoles: false })),
    ],
    ['urlCheck', 'urlchecks', 'urlchecks', ({ catalog }) => listUrlChecks(catalog, { orderedBy: 'name' })],
    ['authProvider', 'security/authproviders', 'security/authproviders', ({ catalog }) => listActiveProviders(catalog)],
    ['dataRule', 'security/acl/data', 'security/acl/data', ({ catalog }) => listDataRules(catalog)],
    ['webhook', 'webhooks', 'webhooks', ({ catalog }) => listWebhooks(catalog)],
    ['gridSet', 'gridsets', 'gridsets', ({ catalog }) => toNamed(listGridSetNames(catalog))],
  ]),
  ['layerRule', createRuleSource('layerRule', 'layers')],
  ['serviceRule', createRuleSource('serviceRule', 'services')],
  ['restRule', createRuleSource('restRule', 'rest')],
  ['change', readNumberedChange],
]);

async function readWorkspaces({ services, permissions }: SearchContext, offer: Offer): Promise<void> {
  for (const { name } of await listWorkspaces(services.catalog, permissions)) {
    offer({ kind: 'workspace', name, listSegments: () => ['workspaces', name] });
  }
}

async function readLayers({ services, permissions, layerNames }: SearchContext, offer: Offer): Promise<void> {
  for (const { name, workspace, title, folded } of await layerNames(services.catalog)) {
    offer({
      kind: 'layer',
      name,
      title,
      workspace,
      folded,
      isVisible: () => permissions.administers(workspace) || permissions.isListed({ workspace, layer: name }),
      listSegments: () => ['workspaces', workspace, 'layers', name],
    });
    const others = yieldIfDue();
    if (others !== undefined) await others;
  }
}

/** Resources of workspaces, and global ones if the kind has them. */
function createPlacedSource<R extends RecordBase & { readonly kind: string }>(
  kind: RecordKind<R>,
  collection: string,
): Source {
  return async ({ services, permissions, mayList }, offer) => {
    const { catalog } = services;
    const workspaces = await catalog.list(workspaceKind, null);
    const names = new Map(workspaces.map(({ id, name }) => [id, name]));
    const known = new Map<string | null, boolean>();
    const isListed = async (workspace: string | null): Promise<boolean> => {
      const segments = workspace === null ? [collection] : ['workspaces', workspace, collection];
      return (
        (workspace === null || permissions.administers(workspace)) && (await mayList(segments, WORKSPACE_ADMINISTRATOR))
      );
    };
    for await (const piece of catalog.readAll(kind)) {
      for (const { name, parent } of piece) {
        const workspace = parent === null ? null : names.get(parent);
        if (workspace === undefined) continue;
        const isVisible = known.get(workspace) ?? (await isListed(workspace));
        known.set(workspace, isVisible);
        const segments = () => (workspace === null ? [] : ['workspaces', workspace]);
        if (isVisible) {
          offer({ kind: kind.kind, name, workspace, listSegments: () => [...segments(), collection, name] });
        }
      }
      const others = yieldIfDue();
      if (others !== undefined) await others;
    }
  };
}

/** The kind, the path of its list, the path of one resource without its name, and the list. */
type ServerKind = readonly [
  kind: string,
  listing: string,
  parent: string,
  read: (services: Services) => Promise<readonly { readonly name: string }[]>,
];

/** Resources of the whole server. */
function createServerSources(kinds: readonly ServerKind[]): readonly (readonly [string, Source])[] {
  return kinds.map(([kind, listing, parent, read]) => [
    kind,
    async ({ services, mayList }, offer) => {
      if (!(await mayList(listing.split('/'), ROLE_ADMINISTRATOR))) return;
      for (const { name } of await read(services)) {
        offer({ kind, name, listSegments: () => [...parent.split('/'), name] });
      }
    },
  ]);
}

function createRuleSource(kind: string, family: RuleFamilyName): Source {
  const listing = ['security', 'acl', family];
  return async ({ services, initialRules, mayList }, offer) => {
    if (!(await mayList(listing, ROLE_ADMINISTRATOR))) return;
    const { rules } = await readRuleSet(services.catalog, family, initialRules);
    for (const { key, roles } of rules) {
      offer({ kind, name: key, title: [...roles].join(', '), listSegments: () => [...listing, key] });
    }
  };
}

async function toNamed(names: Promise<readonly string[]>): Promise<readonly { readonly name: string }[]> {
  return (await names).map((name) => ({ name }));
}

/** A number finds the change with that number. */
async function readNumberedChange({ services, text, mayList }: SearchContext, offer: Offer): Promise<void> {
  const sequence = /^\d{1,15}$/.test(text) ? Number(text) : 0;
  if (sequence === 0 || !(await mayList(['history'], ROLE_ADMINISTRATOR))) return;
  const [change] = await services.catalog.log.listEntries({ after: sequence - 1 }, 1);
  if (change?.sequence !== sequence) return;
  offer({ kind: 'change', name: text, title: change.what, listSegments: () => ['history', text] });
}
