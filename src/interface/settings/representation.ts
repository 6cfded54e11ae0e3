/** The documents for the settings of the server, workspaces and services. */

import type { SettingsDraft } from '../../catalog/kinds/setting.ts';
import { contactSettings, globalSettings, workspaceSettings } from '../../catalog/settings/server-settings.ts';
import {
  isServiceName,
  type ServiceName,
  serviceNames,
  serviceSettings,
} from '../../catalog/settings/service-settings.ts';
import type { ServiceSettingsView, SettingsView } from '../../catalog/settings/settings.ts';
import { type ResourceDocument, SMALL_DOCUMENT_BYTES } from '../../http/documents/document.ts';
import type { Field } from '../../http/documents/field.ts';
import { createFieldBuilders } from '../../http/documents/fields.ts';
import { problem } from '../../lib/problems/problem.ts';
import { excerpt } from '../../lib/text/excerpt.ts';
import type { Dialect } from '../common/dialects.ts';
import { createSettingsDocument, getEmptySection } from './setting-document.ts';

export function createGlobalDocument(dialect: Dialect): ResourceDocument<SettingsView, SettingsDraft> {
  return createSettingsDocument('global', globalSettings, { title: () => 'Settings', empty: getEmptySection(dialect) });
}

export function createContactDocument(dialect: Dialect): ResourceDocument<SettingsView, SettingsDraft> {
  return createSettingsDocument('contact', contactSettings, {
    title: () => 'Contact',
    empty: getEmptySection(dialect),
  });
}

export function createWorkspaceSettingsDocument(dialect: Dialect): ResourceDocument<SettingsView, SettingsDraft> {
  return createSettingsDocument('settings', workspaceSettings, {
    title: ({ workspace = '' }) => `Settings of ${workspace}`,
    empty: getEmptySection(dialect),
    first: { id: ignoredId, workspace: workspaceField },
    schemaName: 'workspaceSettings',
  });
}

/** Fields that clients read from the reference server and send back. */
const ignoredId: Field<SettingsView, never> = { required: false, schema: { type: 'string', readOnly: true } };

const { reference } = createFieldBuilders<SettingsView>();
const workspaceReference = reference(({ workspace }) =>
  workspace === undefined ? undefined : { name: workspace, path: ['workspaces', workspace] },
);
/** The path selects the workspace; the value in the document is ignored. */
const workspaceField: Field<SettingsView, never> = {
  ...(workspaceReference.write === undefined ? {} : { write: workspaceReference.write }),
  required: false,
  schema: { type: 'object', readOnly: true },
};

export interface ServiceDraft {
  readonly service: ServiceName;
  readonly draft: SettingsDraft;
}

/** One document type for all services: each has its own root and settings. */
export function createServiceDocument(dialect: Dialect): ResourceDocument<ServiceSettingsView, ServiceDraft> {
  const createDocument = (service: ServiceName) =>
    createSettingsDocument<ServiceSettingsView>(service, serviceSettings[service], {
      title: ({ workspace }) =>
        `Settings of ${service.toUpperCase()}${workspace === undefined ? '' : ` in ${workspace}`}`,
      empty: getEmptySection(dialect),
      first: { workspace: workspaceField },
    });
  const documents = {
    wms: createDocument('wms'),
    wfs: createDocument('wfs'),
    wcs: createDocument('wcs'),
    wmts: createDocument('wmts'),
  };
  return {
    root: 'wms',
    schemaName: 'serviceSettings',
    maxBytes: SMALL_DOCUMENT_BYTES,
    // Each service has dozens of settings, shown in its document; these are the common ones.
    schema: {
      type: 'object',
      description: 'The settings of a service, in a member with its name.',
      additionalProperties: true,
      properties: {
        wms: {
          type: 'object',
          additionalProperties: true,
          properties: { enabled: { type: 'boolean' }, title: { type: 'string', examples: ['Maps of the harbour'] } },
        },
      },
    },
    write: (settings) => documents[settings.service].write(settings),
    read(body, purpose, unknown) {
      const [service = ''] = [...body.members.keys()];
      if (!isServiceName(service)) {
        const found = service === '' ? 'no field' : `'${excerpt(service)}'`;
        throw problem('document-root', { expected: serviceNames.join("' or '"), found });
      }
      return { service, draft: documents[service].read(body, purpose, unknown) };
    },
  };
}
