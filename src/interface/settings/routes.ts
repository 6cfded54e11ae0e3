/** Routes for the settings of the server, of workspaces and of the map services. */
import { collectProxyWarnings } from '../../catalog/settings/proxy-base-url.ts';
import { isServiceName } from '../../catalog/settings/service-settings.ts';
import {
  changeContact,
  changeGlobalSettings,
  changeServiceSettings,
  changeWorkspaceSettings,
  createWorkspaceSettings,
  deleteServiceSettings,
  deleteWorkspaceSettings,
  readContact,
  readGlobalSettings,
  readServiceSettings,
  readWorkspaceSettings,
} from '../../catalog/settings/settings.ts';
import type { RouteTable } from '../../http/routes/route.ts';
import { WORKSPACE_ADMINISTRATOR } from '../../lib/identity/principal.ts';
import { problem } from '../../lib/problems/problem.ts';
import type { Dialect } from '../common/dialects.ts';
import { del, family, get, post, put, type Services } from '../common/services.ts';
import {
  createContactDocument,
  createGlobalDocument,
  createServiceDocument,
  createWorkspaceSettingsDocument,
  type ServiceDraft,
} from './representation.ts';

const role = WORKSPACE_ADMINISTRATOR;
const inWorkspace = '/workspaces/:workspace/settings';
const ofService = '/services/:service/settings';
const ofServiceInWorkspace = '/services/:service/workspaces/:workspace/settings';

export function settingsRoutes(dialect: Dialect): RouteTable<Services> {
  return family(
    'Settings',
    {
      description:
        'Settings of the server, of workspaces and of services. See docs/settings.md for the settings that have an effect.',
      formats: ['xml', 'json', 'html'],
      formatGroup: 'catalog',
    },
    [...createServerRows(dialect), ...createWorkspaceRows(dialect), ...createServiceRows(dialect)],
  );
}

function createServerRows(dialect: Dialect) {
  const global = createGlobalDocument(dialect);
  const contact = createContactDocument(dialect);
  return [
    get('/settings', 'Read the settings', { returns: global, versioned: true }, async ({ services }) => {
      const resource = await readGlobalSettings(services.catalog);
      return { resource, version: resource.version };
    }),

    put('/settings', 'Change the settings', { accepts: global }, async (call) => {
      const { services, principal, body: draft, precondition } = call;
      const { warnings } = await changeGlobalSettings(services.catalog, principal, { draft, precondition });
      await services.inForce.applySettings();
      return { warnings: [...collectProxyWarnings(draft, services.inForce), ...warnings] };
    }),

    get(
      '/settings/contact',
      'Read the contact',
      { returns: contact, versioned: true, problems: ['contact-missing'] },
      async ({ services }) => {
        const resource = await readContact(services.catalog);
        return { resource, version: resource.version };
      },
    ),

    put(
      '/settings/contact',
      'Change the contact',
      { accepts: contact },
      ({ services, principal, body: draft, precondition }) =>
        changeContact(services.catalog, principal, { draft, precondition }),
    ),
  ];
}

function createWorkspaceRows(dialect: Dialect) {
  const local = createWorkspaceSettingsDocument(dialect);
  return [
    get(
      inWorkspace,
      'Read the settings of a workspace',
      { returns: local, versioned: true, role, problems: ['workspace-unknown'] },
      async ({ services, params }) => {
        const resource = await readWorkspaceSettings(services.catalog, params.workspace);
        return { resource, version: resource.version };
      },
    ),

    post(
      inWorkspace,
      'Create the settings of a workspace',
      { accepts: local, role, problems: ['workspace-unknown', 'workspace-settings-exist'] },
      async ({ services, principal, params, body }) => {
        const made = await createWorkspaceSettings(services.catalog, principal, params.workspace, body);
        const { workspace, warnings } = made;
        return { location: ['workspaces', workspace, 'settings'], text: workspace, warnings };
      },
    ),

    put(
      inWorkspace,
      'Change or create the settings of a workspace',
      { accepts: local, role, problems: ['workspace-unknown'] },
      ({ services, principal, params, body: draft, precondition }) =>
        changeWorkspaceSettings(services.catalog, principal, params.workspace, { draft, precondition }),
    ),

    del(
      inWorkspace,
      'Delete the settings of a workspace',
      { role, problems: ['workspace-unknown', 'workspace-settings-missing'] },
      ({ services, principal, params, precondition }) =>
        deleteWorkspaceSettings(services.catalog, principal, params.workspace, precondition),
    ),
  ];
}

function createServiceRows(dialect: Dialect) {
  const service = createServiceDocument(dialect);
  return [
    get(
      ofService,
      'Read the settings of a service',
      { returns: service, versioned: true, problems: ['service-unknown'] },
      async ({ services, params }) => {
        const resource = await readServiceSettings(services.catalog, params);
        return { resource, version: resource.version };
      },
    ),

    put(
      ofService,
      'Change the settings of a service',
      { accepts: service, problems: ['service-unknown'] },
      ({ services, principal, params, body, precondition }) =>
        changeServiceSettings(services.catalog, principal, params, { draft: getDraft(params, body), precondition }),
    ),

    get(
      ofServiceInWorkspace,
      'Read the settings of a service in a workspace',
      {
        returns: service,
        versioned: true,
        role,
        problems: ['service-unknown', 'workspace-unknown', 'service-settings-missing'],
      },
      async ({ services, params }) => {
        const resource = await readServiceSettings(services.catalog, params);
        return { resource, version: resource.version };
      },
    ),

    put(
      ofServiceInWorkspace,
      'Change or create the settings of a service in a workspace',
      { accepts: service, role, problems: ['service-unknown', 'workspace-unknown'] },
      ({ services, principal, params, body, precondition }) =>
        changeServiceSettings(services.catalog, principal, params, { draft: getDraft(params, body), precondition }),
    ),

    del(
      ofServiceInWorkspace,
      'Delete the settings of a service in a workspace',
      { role, problems: ['service-unknown', 'workspace-unknown', 'service-settings-missing'] },
      ({ services, principal, params, precondition }) =>
        deleteServiceSettings(services.catalog, principal, params, precondition),
    ),
  ];
}

/** The path selects the service; a document for another service is rejected. */
function getDraft({ service }: { readonly service: string }, body: ServiceDraft): ServiceDraft['draft'] {
  if (isServiceName(service) && body.service !== service) {
    throw problem('document-root', { expected: service, found: `'${body.service}'` });
  }
  return body.draft;
}
