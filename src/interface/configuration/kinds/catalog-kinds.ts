/** Configuration kinds for workspaces, styles, layer groups and URL checks. */
import { layerGroupKind } from '../../../catalog/kinds/layer-group.ts';
import { findLayerGroup } from '../../../catalog/layer-groups/layer-groups.ts';
import { getDefaultWorkspace } from '../../../catalog/workspaces/workspaces.ts';
import { workspaceKind } from '../../../records/workspace.ts';
import { serverPrincipal } from '../../../security/core/administrator.ts';
import { urlCheckKind } from '../../../security/url-checks/url-check.ts';
import { encodePath } from '../../changes/record-path.ts';
import { getLayerGroupPath } from '../../layer-groups/paths.ts';
import { layerGroupPage, toLayerGroupRepresentation } from '../../layer-groups/representation.ts';
import { urlCheckDocument } from '../../url-checks/representation.ts';
import { workspaceDocument } from '../../workspaces/representation.ts';
import { createFieldMapping, type Fields, formatCanonicalJson, type Json } from '../model/fields.ts';
import { type ConfigurationKind, mapPreparedRecords, mapRecords, type Operation } from '../model/kind.ts';
import { createPutOperations, createResourceOperations, selectFields, toCreateFields } from '../model/operations.ts';

const workspaceDefaults: Fields = { isolated: false, metadata: {} };
const workspaceFields = createFieldMapping(workspaceDocument, ['name'], workspaceDefaults);
const workspaceOperations = createResourceOperations(workspaceDocument.root);

/** The namespace is a separate REST resource, and a field here. */
export const workspaceRow: ConfigurationKind = {
  kind: workspaceKind.kind,
  patterns: ['/workspaces/:workspace'],
  fieldNames: [...workspaceFields.names, 'namespaceUri'],
  restNames: { uri: 'namespaceUri' },
  defaults: workspaceDefaults,
  every: ({ every }) =>
    mapRecords(every(workspaceKind), (workspace) => ({
      path: encodePath(['workspaces', workspace.name]),
      fields: () => ({ ...workspaceFields.toFields(workspace), namespaceUri: workspace.uri }),
    })),
  create: ({ names: { workspace = '' }, fields }) => {
    const { namespaceUri, ...rest } = toCreateFields(fields);
    const entry = { ...rest, name: workspace };
    // Created through its namespace, so that the given URI is validated instead of a generated one.
    return namespaceUri === undefined
      ? [{ method: 'POST', path: '/workspaces', body: { workspace: entry } }]
      : [
          {
            method: 'POST',
            path: '/namespaces',
            body: { namespace: toNamespaceFields(workspace, { ...rest, namespaceUri }) },
          },
          ...(Object.keys(rest).some((name) => name !== 'isolated' && !isDefault(name, rest[name]))
            ? [{ method: 'PUT', path: encodePath(['workspaces', workspace]), body: { workspace: rest } } as const]
            : []),
        ];
  },
  change: ({ path, names: { workspace = '' }, fields }, { changed }) => {
    const { namespaceUri, ...rest } = selectFields(fields, changed);
    const operations: Operation[] = [];
    if (namespaceUri !== undefined) {
      const namespace = toNamespaceFields(workspace, { namespaceUri, ...selectFields(rest, new Set(['isolated'])) });
      operations.push({ method: 'PUT', path: encodePath(['namespaces', workspace]), body: { namespace } });
    }
    if (Object.keys(rest).length > 0) {
      operations.push({ method: 'PUT', path, body: { workspace: rest } });
    }
    return operations;
  },
  remove: workspaceOperations.remove,
};

function isDefault(name: string, value: Json | undefined): boolean {
  return formatCanonicalJson(value ?? null) === formatCanonicalJson(workspaceDefaults[name] ?? null);
}

function toNamespaceFields(prefix: string, { namespaceUri = null, isolated }: Fields): Fields {
  return { prefix, uri: namespaceUri, ...(isolated === undefined ? {} : { isolated }) };
}

export const defaultWorkspaceRow: ConfigurationKind = {
  kind: 'defaultWorkspace',
  isPermanent: true,
  patterns: ['/workspaces/default'],
  fieldNames: ['name'],
  defaults: {},
  async *every({ services }) {
    const found = await getDefaultWorkspace(services.catalog).catch(() => undefined);
    yield found === undefined ? [] : [{ path: '/workspaces/default', fields: () => ({ name: found.workspace.name }) }];
  },
  ...createPutOperations(workspaceDocument.root),
  // Exists while there is at least one workspace.
  remove: () => [],
};

const checkDefaults: Fields = { description: null, enabled: false };
const checkFields = createFieldMapping(urlCheckDocument, ['name'], checkDefaults);

export const urlCheckRow: ConfigurationKind = {
  kind: urlCheckKind.kind,
  patterns: ['/urlchecks/:check'],
  fieldNames: checkFields.names,
  defaults: checkDefaults,
  every: ({ every }) =>
    mapRecords(every(urlCheckKind), (check) => ({
      path: encodePath(['urlchecks', check.name]),
      fields: () => checkFields.toFields(check),
    })),
  ...createResourceOperations(urlCheckDocument.root),
};

const groupDefaults: Fields = {
  queryDisabled: false,
  title: null,
  abstractTxt: null,
  enabled: true,
  advertised: true,
  metadata: {},
};
// Older clients use `layers` for the members; exports use `publishables`.
const groupFields = createFieldMapping(layerGroupPage, ['name', 'workspace', 'layers'], groupDefaults);

export const layerGroupRow: ConfigurationKind = {
  kind: layerGroupKind.kind,
  patterns: ['/layergroups/:group', '/workspaces/:workspace/layergroups/:group'],
  fieldNames: groupFields.names,
  defaults: groupDefaults,
  every: ({ services: { catalog, access }, every, workspaces }) =>
    mapPreparedRecords(every(layerGroupKind), async () => {
      const known = await workspaces();
      const viewer = { principal: serverPrincipal, permissions: await access.getPermissions(serverPrincipal) };
      return ({ name, parent }) => {
        const workspace = parent === null ? null : (known.get(parent)?.name ?? null);
        const place = workspace === null ? { name } : { name, workspace };
        return {
          path: encodePath(getLayerGroupPath(name, workspace)),
          fields: async () =>
            groupFields.toFields(await toLayerGroupRepresentation(await findLayerGroup(catalog, place, viewer))),
        };
      };
    }),
  ...createResourceOperations('layerGroup'),
};
