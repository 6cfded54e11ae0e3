/** Configuration kinds for workspaces, styles, layer groups and URL checks. */
import { layerGroupKind } from '../../../catalog/kinds/layer-group.ts';
import { findLayerGroup } from '../../../catalog/layer-groups/layer-groups.ts';
import { getDefaultWorkspace } from '../../../catalog/workspaces/workspaces.ts';
import { defineCommand } from '../../../http/routes/define-command.ts';
import { workspaceKind } from '../../../records/workspace.ts';
import { serverPrincipal } from '../../../security/core/administrator.ts';
import { urlCheckKind } from '../../../security/url-checks/url-check.ts';
import { encodePath } from '../../changes/record-path.ts';
import { getLayerGroupPath } from '../../layer-groups/paths.ts';
import { layerGroupPage, toLayerGroupRepresentation } from '../../layer-groups/representation.ts';
import { urlCheckDocument } from '../../url-checks/representation.ts';
import { workspaceDocument } from '../../workspaces/representation.ts';
import { createFieldMapping, type Fields, formatCanonicalJson, type Json } from '../model/fields.ts';
import {
  type ConfigurationKind,
  mapPreparedRecords,
  mapRecords,
  type Operation,
  type WantedResource,
} from '../model/kind.ts';
import {
  createDelete,
  createPutOperations,
  createResourceOperations,
  selectFields,
  toCreateFields,
} from '../model/operations.ts';
import { listNames, listReferencedPaths } from '../model/references.ts';
import { settleGroupFields } from './settle-fields.ts';

const workspaceDefaults: Fields = { isolated: false, metadata: {} };
const workspaceFields = createFieldMapping(workspaceDocument, ['name'], workspaceDefaults);

const createWorkspace = defineCommand('POST', '/workspaces');
const changeWorkspace = defineCommand('PUT', '/workspaces/:workspace');
const createNamespace = defineCommand('POST', '/namespaces');
const changeNamespace = defineCommand('PUT', '/namespaces/:namespace');

/** The namespace is a separate REST resource, and a field here. */
export const workspaceRow: ConfigurationKind = {
  kind: workspaceKind.kind,
  patterns: ['/workspaces/:workspace'],
  fieldNames: [...workspaceFields.names, 'namespaceUri'],
  restNames: { uri: 'namespaceUri' },
  defaults: workspaceDefaults,
  uniqueNames: ({ fields: { namespaceUri } }) => (namespaceUri === undefined ? [] : [`namespace ${namespaceUri}`]),
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
      ? [createWorkspace({}, { document: { workspace: entry } })]
      : [
          createNamespace({}, { document: { namespace: toNamespaceFields(workspace, { ...rest, namespaceUri }) } }),
          ...(Object.keys(rest).some((name) => name !== 'isolated' && !isDefault(name, rest[name]))
            ? [changeWorkspace({ workspace }, { document: { workspace: rest } })]
            : []),
        ];
  },
  change: ({ names: { workspace = '' }, fields }, { changed }) => {
    const { namespaceUri, ...rest } = selectFields(fields, changed);
    const operations: Operation[] = [];
    if (namespaceUri !== undefined) {
      const namespace = toNamespaceFields(workspace, { namespaceUri, ...selectFields(rest, new Set(['isolated'])) });
      operations.push(changeNamespace({ namespace: workspace }, { document: { namespace } }));
    }
    if (Object.keys(rest).length > 0) {
      operations.push(changeWorkspace({ workspace }, { document: { workspace: rest } }));
    }
    return operations;
  },
  remove: (address) => [createDelete(address)],
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
  references: ({ fields: { name } }) => listNames(name).map((each) => encodePath(['workspaces', each])),
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
  patterns: ['/urlchecks/:urlCheck'],
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

/** The members with their styles, and the styles of the group, which name both. */
function listGroupReferences({ fields, ...address }: WantedResource): readonly string[] {
  const {
    publishables = null,
    rootLayer = null,
    rootLayerStyle = null,
    styles = null,
    layerGroupStyles = null,
  } = fields;
  return [
    ...listReferencedPaths([publishables, rootLayer, layerGroupStyles], ['layers', 'layergroups'], address),
    ...listReferencedPaths([rootLayerStyle, styles, layerGroupStyles], ['styles'], address),
  ];
}

export const layerGroupRow: ConfigurationKind = {
  kind: layerGroupKind.kind,
  patterns: ['/layergroups/:layerGroup', '/workspaces/:workspace/layergroups/:layerGroup'],
  fieldNames: groupFields.names,
  defaults: groupDefaults,
  settle: settleGroupFields,
  references: listGroupReferences,
  refersToOwnKind: true,
  uniqueNames: ({ names: { workspace, layerGroup } }) =>
    workspace === undefined ? [] : [`layer ${workspace}:${layerGroup}`],
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
