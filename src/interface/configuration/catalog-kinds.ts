/** Workspaces, styles, layer groups and URL checks in the configuration. */
import { layerGroupKind } from '../../catalog/layer-groups/layer-group.ts';
import { findLayerGroup } from '../../catalog/layer-groups/layer-groups.ts';
import { getDefaultWorkspace } from '../../catalog/workspaces/workspaces.ts';
import { workspaceKind } from '../../records/workspace.ts';
import { serverPrincipal } from '../../security/administrator.ts';
import { urlCheckKind } from '../../security/url-checks/url-check.ts';
import { layerGroupPath } from '../layer-groups/paths.ts';
import { layerGroupPage, shownLayerGroup } from '../layer-groups/representation.ts';
import { pathOf } from '../record-address.ts';
import { urlCheckDocument } from '../url-checks/representation.ts';
import { workspaceDocument } from '../workspaces/representation.ts';
import { canonicalText, describedFields, type Fields, type Json } from './fields.ts';
import { type ConfigurationKind, eachOf, eachWith, type Operation } from './kind.ts';
import { given, only, placeWriting, resourceWriting } from './operations.ts';

const workspaceDefaults: Fields = { isolated: false, metadata: {} };
const workspaceFields = describedFields(workspaceDocument, ['name'], workspaceDefaults);
const workspaceWriting = resourceWriting(workspaceDocument.root);

/** The namespace is a resource of its own for REST, and here a field. */
export const workspaceRow: ConfigurationKind = {
  kind: workspaceKind.kind,
  patterns: ['/workspaces/:workspace'],
  fieldNames: [...workspaceFields.names, 'namespaceUri'],
  restNames: { uri: 'namespaceUri' },
  defaults: workspaceDefaults,
  every: ({ every }) =>
    eachOf(every(workspaceKind), (workspace) => ({
      path: pathOf(['workspaces', workspace.name]),
      fields: () => ({ ...workspaceFields.of(workspace), namespaceUri: workspace.uri }),
    })),
  create: ({ names: { workspace = '' }, fields }) => {
    const { namespaceUri, ...rest } = given(fields);
    const entry = { ...rest, name: workspace };
    // Made as a namespace, its URI is looked at before one is made up for it.
    return namespaceUri === undefined
      ? [{ method: 'POST', path: '/workspaces', body: { workspace: entry } }]
      : [
          {
            method: 'POST',
            path: '/namespaces',
            body: { namespace: namespaceOf(workspace, { ...rest, namespaceUri }) },
          },
          ...(Object.keys(rest).some((name) => name !== 'isolated' && !isDefault(name, rest[name]))
            ? [{ method: 'PUT', path: pathOf(['workspaces', workspace]), body: { workspace: rest } } as const]
            : []),
        ];
  },
  change: ({ path, names: { workspace = '' }, fields }, { changed }) => {
    const { namespaceUri, ...rest } = only(fields, changed);
    const operations: Operation[] = [];
    if (namespaceUri !== undefined) {
      const namespace = namespaceOf(workspace, { namespaceUri, ...only(rest, new Set(['isolated'])) });
      operations.push({ method: 'PUT', path: pathOf(['namespaces', workspace]), body: { namespace } });
    }
    if (Object.keys(rest).length > 0) {
      operations.push({ method: 'PUT', path, body: { workspace: rest } });
    }
    return operations;
  },
  remove: workspaceWriting.remove,
};

function isDefault(name: string, value: Json | undefined): boolean {
  return canonicalText(value ?? null) === canonicalText(workspaceDefaults[name] ?? null);
}

function namespaceOf(prefix: string, { namespaceUri = null, isolated }: Fields): Fields {
  return { prefix, uri: namespaceUri, ...(isolated === undefined ? {} : { isolated }) };
}

export const defaultWorkspaceRow: ConfigurationKind = {
  kind: 'defaultWorkspace',
  isLasting: true,
  patterns: ['/workspaces/default'],
  fieldNames: ['name'],
  defaults: {},
  async *every({ services }) {
    const found = await getDefaultWorkspace(services.catalog).catch(() => undefined);
    yield found === undefined ? [] : [{ path: '/workspaces/default', fields: () => ({ name: found.workspace.name }) }];
  },
  ...placeWriting(workspaceDocument.root),
  // There is one as long as there are workspaces: it goes with the last.
  remove: () => [],
};

const checkDefaults: Fields = { description: null, enabled: false };
const checkFields = describedFields(urlCheckDocument, ['name'], checkDefaults);

export const urlCheckRow: ConfigurationKind = {
  kind: urlCheckKind.kind,
  patterns: ['/urlchecks/:check'],
  fieldNames: checkFields.names,
  defaults: checkDefaults,
  every: ({ every }) =>
    eachOf(every(urlCheckKind), (check) => ({
      path: pathOf(['urlchecks', check.name]),
      fields: () => checkFields.of(check),
    })),
  ...resourceWriting(urlCheckDocument.root),
};

const groupDefaults: Fields = {
  queryDisabled: false,
  title: null,
  abstractTxt: null,
  enabled: true,
  advertised: true,
  metadata: {},
};
// Older clients name what it holds by `layers`; it is told by `publishables`.
const groupFields = describedFields(layerGroupPage, ['name', 'workspace', 'layers'], groupDefaults);

export const layerGroupRow: ConfigurationKind = {
  kind: layerGroupKind.kind,
  patterns: ['/layergroups/:group', '/workspaces/:workspace/layergroups/:group'],
  fieldNames: groupFields.names,
  defaults: groupDefaults,
  every: ({ services: { catalog, access }, every, workspaces }) =>
    eachWith(every(layerGroupKind), async () => {
      const known = await workspaces();
      const viewer = { principal: serverPrincipal, permissions: await access.getPermissions(serverPrincipal) };
      return ({ name, parent }) => {
        const workspace = parent === null ? null : (known.get(parent)?.name ?? null);
        const place = workspace === null ? { name } : { name, workspace };
        return {
          path: pathOf(layerGroupPath(name, workspace)),
          fields: async () => groupFields.of(await shownLayerGroup(await findLayerGroup(catalog, place, viewer))),
        };
      };
    }),
  ...resourceWriting('layerGroup'),
};
