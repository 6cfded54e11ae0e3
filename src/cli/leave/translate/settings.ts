/** Writes the settings of the server, of workspaces, of services and of logging. */
import type { Json, JsonObject } from '../../../lib/json/value.ts';
import { createPath, isList, isObject, type Resource, splitPath } from '../archive/exported-configuration.ts';
import { createId, findWorkspacePath, type Leaving, omitFields, workspaceReference } from './leaving.ts';

/** Settings of WMTS that GeoServer keeps with those of its tile cache. */
const tileSettings = [
  'cacheLayersByDefault',
  'mimeFormats',
  'metaTilingX',
  'metaTilingY',
  'gutter',
  'directWMSIntegrationEnabled',
  'gridSets',
];

/** Settings of WMTS that GeoServer has for single layers only. */
const layerSettings = ['expireCache', 'expireClients'];

/** The document with the settings of the server. */
const ROOT = 'global';

export function writeSettings(leaving: Leaving): void {
  const [server] = leaving.list('globalSettings');
  const id = createId('SettingsInfoImpl', '/settings');
  // Without the file, nothing tells that the directory has a configuration.
  if (server === undefined) leaving.addFile(`${ROOT}.xml`, ROOT, { settings: { id } });
  else {
    const { settings = {} } = server.fields;
    leaving.addDocument(server, `${ROOT}.xml`, ROOT, {
      ...omitFields(server.fields, 'settings'),
      settings: { id, ...(isObject(settings) ? settings : {}) },
    });
  }
  for (const logging of leaving.list('loggingSettings')) {
    leaving.addDocument(logging, 'logging.xml', 'logging', logging.fields);
  }
  for (const settings of leaving.list('workspaceSettings')) writeWorkspaceSettings(leaving, settings);
  for (const settings of leaving.list('serviceSettings')) writeServiceSettings(leaving, settings);
}

function writeWorkspaceSettings(leaving: Leaving, settings: Resource): void {
  const workspacePath = findWorkspacePath(settings.path) ?? '';
  const folder = leaving.folders.get(workspacePath);
  if (folder === undefined) {
    leaving.reportMissing(settings, 'workspace');
    return;
  }
  leaving.addDocument(settings, `${folder}/settings.xml`, 'settings', {
    id: createId('SettingsInfoImpl', settings.path),
    workspace: workspaceReference(workspacePath),
    ...settings.fields,
  });
}

function writeServiceSettings(leaving: Leaving, settings: Resource): void {
  const [, service = '', area, workspace = ''] = splitPath(settings.path);
  const workspacePath = area === 'workspaces' ? createPath('workspaces', workspace) : undefined;
  const folder = workspacePath === undefined ? undefined : leaving.folders.get(workspacePath);
  if (workspacePath !== undefined && folder === undefined) {
    leaving.reportMissing(settings, 'workspace');
    return;
  }
  const isTiled = service === 'wmts';
  leaving.addDocument(settings, `${folder === undefined ? '' : `${folder}/`}${service}.xml`, service, {
    id: createId('ServiceInfoImpl', settings.path),
    ...(workspacePath === undefined ? {} : { workspace: workspaceReference(workspacePath) }),
    ...(isTiled ? omitFields(settings.fields, ...tileSettings, ...layerSettings) : settings.fields),
    ...writeGmlSettings(settings.fields),
  });
  if (isTiled && workspacePath === undefined) writeTileDefaults(leaving, settings);
}

/** Entries of maps have the key first: here the version of GML. */
function writeGmlSettings({ gml }: JsonObject): JsonObject {
  const entries = isObject(gml) ? gml['entry'] : undefined;
  if (!isList(entries)) return {};
  return {
    gml: {
      entry: entries.filter(isObject).map(({ version = null, ...value }) => ({ version, ...value })),
    },
  };
}

function writeTileDefaults(leaving: Leaving, settings: Resource): void {
  const { fields } = settings;
  const defaults: JsonObject = Object.fromEntries(
    ['directWMSIntegrationEnabled', 'cacheLayersByDefault', 'metaTilingX', 'metaTilingY', 'gutter'].map((name) => [
      name,
      fields[name] ?? null,
    ]),
  );
  const formats = listTexts(fields['mimeFormats']);
  leaving.addFile('gwc-gs.xml', 'GeoServerGWCConfig', {
    version: '1.1.0',
    ...defaults,
    ...(listTexts(fields['gridSets']).length === 0
      ? {}
      : { defaultCachingGridSetIds: { string: listTexts(fields['gridSets']) } }),
    ...(formats.length === 0
      ? {}
      : Object.fromEntries(
          ['defaultCoverageCacheFormats', 'defaultVectorCacheFormats', 'defaultOtherCacheFormats'].map((name) => [
            name,
            { string: formats },
          ]),
        )),
  });
  for (const name of layerSettings) {
    if ((fields[name] ?? 0) === 0) continue;
    leaving.report.add('setting-ignored', settings, `GeoServer has no default of '${name}' for all layers.`, {
      remedy: 'Set it in the tile settings of the layers.',
    });
  }
}

function listTexts(value: Json | undefined): readonly string[] {
  const list = isObject(value) ? (value['string'] ?? null) : (value ?? null);
  return (isList(list) ? list : [list]).filter((each) => typeof each === 'string');
}
