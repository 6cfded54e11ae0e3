/** The settings of the server, of services, of workspaces and of the log in the configuration. */
import { loggingSettings, readLogging } from '../../catalog/settings/logging-settings.ts';
import { globalSettings, workspaceSettings } from '../../catalog/settings/server-settings.ts';
import { isServiceName, serviceNames, serviceSettings } from '../../catalog/settings/service-settings.ts';
import type { Settings } from '../../catalog/settings/setting.ts';
import type { SettingsView } from '../../catalog/settings/settings.ts';
import {
  globalSettingsKind,
  loggingSettingsKind,
  serviceSettingsKind,
  workspaceSettingsKind,
} from '../../catalog/settings/settings-records.ts';
import { pathOf } from '../record-address.ts';
import { settingsDocument } from '../settings/setting-document.ts';
import { describedFields, type Fields, isObject } from './fields.ts';
import {
  type ConfigurationKind,
  eachOf,
  eachWith,
  type FormerFields,
  type Operation,
  type WantedResource,
} from './kind.ts';
import { only } from './operations.ts';

interface DescribedSettings {
  readonly names: readonly string[];
  of(shown: SettingsView): Fields;
  /** What they are as long as nobody has changed them. */
  readonly defaults: Fields;
  put(path: string, fields: Fields, former: FormerFields): Operation;
}

/** The same in all dialects. */
function describedSettings(root: string, settings: Settings): DescribedSettings {
  const document = settingsDocument<SettingsView>(root, settings, { title: () => root, empty: 'object' });
  const described = describedFields(document, []);
  return {
    names: described.names,
    of: (shown) => described.of(shown),
    defaults: described.of({ values: {}, version: 0 }),
    put: (path, fields, former) => ({
      method: 'PUT',
      path,
      body: { [root]: clearing(only(fields, former.changed), only(former.fields, former.changed)) },
    }),
  };
}

/** What is no longer in a section is cleared: a section that is sent changes only what it has. */
function clearing(wanted: Fields, former: Fields): Fields {
  const gone = Object.keys(former).filter((name) => !Object.hasOwn(wanted, name));
  return Object.fromEntries([
    ...Object.entries(wanted).map(([name, value]) => {
      const was = former[name];
      return [name, isObject(value) && isObject(was) && isSection(was) ? clearing(value, was) : value] as const;
    }),
    ...gone.map((name) => [name, null] as const),
  ]);
}

/** Lists and entries are told as a whole. */
function isSection(value: Fields): boolean {
  return Object.values(value).every((each) => !Array.isArray(each));
}

/** There are always such settings: what nobody changed is not told, and what is removed is as at first. */
function lastingSettings(
  kind: string,
  patterns: readonly string[],
  every: ConfigurationKind['every'],
  settingsFor: (resource: Pick<WantedResource, 'names'>) => DescribedSettings,
  fieldNames: readonly string[],
): ConfigurationKind {
  const put = (wanted: WantedResource, former: FormerFields): readonly Operation[] => [
    settingsFor(wanted).put(wanted.path, wanted.fields, former),
  ];
  return {
    kind,
    patterns,
    every,
    fieldNames,
    defaults: {},
    defaultsFor: (resource) => settingsFor(resource).defaults,
    create: (wanted) =>
      put(wanted, { fields: settingsFor(wanted).defaults, changed: new Set(Object.keys(wanted.fields)) }),
    change: put,
    remove: (resource, former) => {
      const { defaults } = settingsFor(resource);
      return put({ ...resource, fields: defaults }, { fields: former, changed: new Set(Object.keys(defaults)) });
    },
  };
}

const ofServer = describedSettings('global', globalSettings);

export const globalSettingsRow = lastingSettings(
  globalSettingsKind.kind,
  ['/settings'],
  ({ services }) =>
    eachOf(services.catalog.readAll(globalSettingsKind), (kept) =>
      isUntouched(kept) ? undefined : { path: '/settings', fields: () => ofServer.of(kept) },
    ),
  () => ofServer,
  ofServer.names,
);

const logging = describedSettings('logging', loggingSettings);

const loggingOnly = lastingSettings(
  loggingSettingsKind.kind,
  ['/logging'],
  ({ services }) =>
    eachOf(services.catalog.readAll(loggingSettingsKind), (kept) =>
      isUntouched(kept)
        ? undefined
        : {
            path: '/logging',
            fields: async () => logging.of(await readLogging(services.catalog, services.inForce.startLevel)),
          },
    ),
  () => logging,
  logging.names,
);

export const loggingRow: ConfigurationKind = {
  ...loggingOnly,
  // A level that comes with other settings may be one that was only shown: it is set alone.
  create: (wanted) => {
    const { level, ...others } = wanted.fields;
    const parts: readonly Fields[] = [...(level === undefined || level === null ? [] : [{ level }]), others];
    return parts.map((fields) => {
      const changed = new Set(Object.keys(fields));
      return logging.put(wanted.path, fields, { fields: logging.defaults, changed });
    });
  },
};

const services = Object.fromEntries(serviceNames.map((name) => [name, describedSettings(name, serviceSettings[name])]));
const someService = describedSettings('wms', serviceSettings.wms);

function settingsOf(service = ''): DescribedSettings {
  return (isServiceName(service) ? services[service] : undefined) ?? someService;
}

const serviceFieldNames = [...new Set(Object.values(services).flatMap(({ names }) => names))];

const ofServices = lastingSettings(
  serviceSettingsKind.kind,
  ['/services/:service/settings', '/services/:service/workspaces/:workspace/settings'],
  ({ services: { catalog }, workspaces }) =>
    eachWith(catalog.readAll(serviceSettingsKind), async () => {
      const known = await workspaces();
      return (kept) => {
        const workspace = kept.parent === null ? undefined : known.get(kept.parent)?.name;
        const where = workspace === undefined ? [] : ['workspaces', workspace];
        return workspace === undefined && isUntouched(kept)
          ? undefined
          : {
              path: pathOf(['services', kept.name, ...where, 'settings']),
              fields: () => settingsOf(kept.name).of(kept),
            };
      };
    }),
  ({ names }) => settingsOf(names['service']),
  serviceFieldNames,
);

export const serviceSettingsRow: ConfigurationKind = {
  ...ofServices,
  // A workspace has settings of its own, or has none.
  remove: (resource, former) =>
    resource.names['workspace'] === undefined
      ? ofServices.remove(resource, former)
      : [{ method: 'DELETE', path: resource.path }],
};

const publication = describedSettings('settings', workspaceSettings);

export const workspaceSettingsRow: ConfigurationKind = {
  ...lastingSettings(
    workspaceSettingsKind.kind,
    ['/workspaces/:workspace/settings'],
    ({ services: { catalog }, workspaces }) =>
      eachWith(catalog.readAll(workspaceSettingsKind), async () => {
        const known = await workspaces();
        return (kept) => ({
          path: pathOf(['workspaces', known.get(kept.parent ?? '')?.name ?? '', 'settings']),
          fields: () => publication.of(kept),
        });
      }),
    () => publication,
    publication.names,
  ),
  remove: ({ path }) => [{ method: 'DELETE', path }],
};

function isUntouched({ values }: Pick<SettingsView, 'values'>): boolean {
  return Object.keys(values).length === 0;
}
