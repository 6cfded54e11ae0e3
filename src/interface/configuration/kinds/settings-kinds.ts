/** Configuration kinds for the settings of the server, services, workspaces and logging. */

import { GRID_SETS } from '../../../catalog/kinds/grid-set.ts';
import type { Settings } from '../../../catalog/kinds/setting.ts';
import {
  globalSettingsKind,
  loggingSettingsKind,
  serviceSettingsKind,
  workspaceSettingsKind,
} from '../../../catalog/kinds/settings-records.ts';
import { loggingSettings, readLogging } from '../../../catalog/settings/logging-settings.ts';
import { globalSettings, workspaceSettings } from '../../../catalog/settings/server-settings.ts';
import { isServiceName, serviceNames, serviceSettings } from '../../../catalog/settings/service-settings.ts';
import type { SettingsView } from '../../../catalog/settings/settings.ts';
import { encodePath } from '../../changes/record-path.ts';
import { createSettingsDocument } from '../../settings/setting-document.ts';
import { createFieldMapping, type Fields, isObject } from '../model/fields.ts';
import {
  type ConfigurationKind,
  type FormerFields,
  mapPreparedRecords,
  mapRecords,
  type Operation,
  type ResourceAddress,
  type WantedResource,
} from '../model/kind.ts';
import { createDelete, createPut, selectFields } from '../model/operations.ts';
import { listNames } from '../model/references.ts';

interface SettingsMapping {
  readonly names: readonly string[];
  toFields(shown: SettingsView): Fields;
  /** The default settings. */
  readonly defaults: Fields;
  createPut(address: ResourceAddress, fields: Fields, former: FormerFields): Operation;
}

/** The same in all dialects. */
function createSettingsMapping(root: string, settings: Settings): SettingsMapping {
  const document = createSettingsDocument<SettingsView>(root, settings, { title: () => root, empty: 'object' });
  const described = createFieldMapping(document, []);
  return {
    names: described.names,
    toFields: (shown) => described.toFields(shown),
    defaults: described.toFields({ values: {}, version: 0 }),
    createPut: (address, fields, former) => {
      const wanted = clearRemoved(selectFields(fields, former.changed), selectFields(former.fields, former.changed));
      return createPut(address, { document: { [root]: wanted } });
    },
  };
}

/** Clears members missing from a section: sending a section changes only the members that it contains. */
function clearRemoved(wanted: Fields, former: Fields): Fields {
  const removed = Object.keys(former).filter((name) => !Object.hasOwn(wanted, name));
  return Object.fromEntries([
    ...Object.entries(wanted).map(([name, value]) => {
      const was = former[name];
      return [name, isObject(value) && isObject(was) && isSection(was) ? clearRemoved(value, was) : value] as const;
    }),
    ...removed.map((name) => [name, null] as const),
  ]);
}

/** Lists and entries are exported as a whole. */
function isSection(value: Fields): boolean {
  return Object.values(value).every((each) => !Array.isArray(each));
}

/** These settings always exist: defaults are not exported, and removal restores the defaults. */
function createSettingsRow(
  kind: string,
  patterns: readonly string[],
  every: ConfigurationKind['every'],
  settingsFor: (resource: Pick<ResourceAddress, 'names'>) => SettingsMapping,
  fieldNames: readonly string[],
): ConfigurationKind {
  const createPuts = (wanted: WantedResource, former: FormerFields): readonly Operation[] => [
    settingsFor(wanted).createPut(wanted, wanted.fields, former),
  ];
  return {
    kind,
    patterns,
    every,
    fieldNames,
    defaults: {},
    getDefaults: (resource) => settingsFor(resource).defaults,
    create: (wanted) =>
      createPuts(wanted, { fields: settingsFor(wanted).defaults, changed: new Set(Object.keys(wanted.fields)) }),
    change: createPuts,
    remove: (resource, former) => {
      const { defaults } = settingsFor(resource);
      return createPuts({ ...resource, fields: defaults }, { fields: former, changed: new Set(Object.keys(defaults)) });
    },
  };
}

const globalMapping = createSettingsMapping('global', globalSettings);

export const globalSettingsRow = createSettingsRow(
  globalSettingsKind.kind,
  ['/settings'],
  ({ services }) =>
    mapRecords(services.catalog.readAll(globalSettingsKind), (record) =>
      isUnchanged(record) ? undefined : { path: '/settings', fields: () => globalMapping.toFields(record) },
    ),
  () => globalMapping,
  globalMapping.names,
);

const loggingMapping = createSettingsMapping('logging', loggingSettings);

const loggingBase = createSettingsRow(
  loggingSettingsKind.kind,
  ['/logging'],
  ({ services }) =>
    mapRecords(services.catalog.readAll(loggingSettingsKind), (record) =>
      isUnchanged(record)
        ? undefined
        : {
            path: '/logging',
            fields: async () =>
              loggingMapping.toFields(await readLogging(services.catalog, services.inForce.startLevel)),
          },
    ),
  () => loggingMapping,
  loggingMapping.names,
);

export const loggingRow: ConfigurationKind = {
  ...loggingBase,
  // A log level sent with other settings may only repeat the current one, so it is set separately.
  create: (wanted) => {
    const { level, ...others } = wanted.fields;
    const parts: readonly Fields[] = [...(level === undefined || level === null ? [] : [{ level }]), others];
    return parts.map((fields) => {
      const changed = new Set(Object.keys(fields));
      return loggingMapping.createPut(wanted, fields, { fields: loggingMapping.defaults, changed });
    });
  },
};

const services = Object.fromEntries(
  serviceNames.map((name) => [name, createSettingsMapping(name, serviceSettings[name])]),
);
const fallbackMapping = createSettingsMapping('wms', serviceSettings.wms);

function getServiceMapping(service = ''): SettingsMapping {
  return (isServiceName(service) ? services[service] : undefined) ?? fallbackMapping;
}

const serviceFieldNames = [...new Set(Object.values(services).flatMap(({ names }) => names))];

const serviceSettingsBase = createSettingsRow(
  serviceSettingsKind.kind,
  ['/services/:service/settings', '/services/:service/workspaces/:workspace/settings'],
  ({ services: { catalog }, workspaces }) =>
    mapPreparedRecords(catalog.readAll(serviceSettingsKind), async () => {
      const known = await workspaces();
      return (record) => {
        const workspace = record.parent === null ? undefined : known.get(record.parent)?.name;
        const where = workspace === undefined ? [] : ['workspaces', workspace];
        return workspace === undefined && isUnchanged(record)
          ? undefined
          : {
              path: encodePath(['services', record.name, ...where, 'settings']),
              fields: () => getServiceMapping(record.name).toFields(record),
            };
      };
    }),
  ({ names }) => getServiceMapping(names['service']),
  serviceFieldNames,
);

export const serviceSettingsRow: ConfigurationKind = {
  ...serviceSettingsBase,
  references: ({ fields }) => listNames(fields[GRID_SETS]).map((name) => encodePath(['gridsets', name])),
  // A workspace may have its own settings.
  remove: (resource, former) =>
    resource.names['workspace'] === undefined ? serviceSettingsBase.remove(resource, former) : [createDelete(resource)],
};

const workspaceMapping = createSettingsMapping('settings', workspaceSettings);

export const workspaceSettingsRow: ConfigurationKind = {
  ...createSettingsRow(
    workspaceSettingsKind.kind,
    ['/workspaces/:workspace/settings'],
    ({ services: { catalog }, workspaces }) =>
      mapPreparedRecords(catalog.readAll(workspaceSettingsKind), async () => {
        const known = await workspaces();
        return (record) => ({
          path: encodePath(['workspaces', known.get(record.parent ?? '')?.name ?? '', 'settings']),
          fields: () => workspaceMapping.toFields(record),
        });
      }),
    () => workspaceMapping,
    workspaceMapping.names,
  ),
  remove: (address) => [createDelete(address)],
};

function isUnchanged({ values }: Pick<SettingsView, 'values'>): boolean {
  return Object.keys(values).length === 0;
}
