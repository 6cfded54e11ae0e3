/** Writes published resources with their layers. */
import type { Json, JsonObject } from '../../../lib/json/value.ts';
import { createPath, isList, isObject, type Resource, splitPath } from '../archive/exported-configuration.ts';
import {
  createId,
  createReference,
  findWorkspacePath,
  getName,
  type Leaving,
  omitFields,
  optional,
} from './leaving.ts';
import { createStyleReference } from './style-references.ts';

interface ResourceKind {
  readonly file: string;
  readonly layerType: string;
  readonly storeClass: string;
}

const kinds: Readonly<Record<string, ResourceKind>> = {
  featureType: { file: 'featuretype.xml', layerType: 'VECTOR', storeClass: 'dataStore' },
  coverage: { file: 'coverage.xml', layerType: 'RASTER', storeClass: 'coverageStore' },
  wmsLayer: { file: 'wmslayer.xml', layerType: 'WMS', storeClass: 'wmsStore' },
  wmtsLayer: { file: 'wmtslayer.xml', layerType: 'WMTS', storeClass: 'wmtsStore' },
};

export async function writeResources(leaving: Leaving): Promise<void> {
  const resources = leaving.list(...Object.keys(kinds));
  const layers = new Map<string, Resource>();
  for (const resource of resources) {
    await writeResource(leaving, resource);
    const workspacePath = findWorkspacePath(resource.path) ?? '';
    layers.set(`${workspacePath}${createPath('layers', getName(resource))}`, resource);
  }
  for (const layer of leaving.list('layer')) writeLayer(leaving, layer, layers.get(layer.path));
}

async function writeResource(leaving: Leaving, resource: Resource): Promise<void> {
  const row = kinds[resource.kind];
  const storePath = resource.path.split('/').slice(0, -2).join('/');
  const storeFolder = leaving.folders.get(storePath);
  const workspacePath = findWorkspacePath(resource.path) ?? '';
  if (row === undefined || storeFolder === undefined) {
    leaving.reportMissing(resource, 'store');
    return;
  }
  const name = getName(resource);
  const folder = `${storeFolder}/${leaving.chooseName(storeFolder, name, resource.path)}`;
  leaving.folders.set(resource.path, folder);
  const { fields } = resource;
  const isCoverage = resource.kind === 'coverage';
  leaving.addDocument(resource, `${folder}/${row.file}`, resource.kind, {
    id: createId('ResourceInfoImpl', resource.path),
    name,
    nativeName: fields['nativeName'] ?? name,
    namespace: createReference('NamespaceInfoImpl', workspacePath),
    store: { '@class': row.storeClass, ...createReference('StoreInfoImpl', storePath) },
    ...omitFields(fields, 'nativeName'),
    ...(isCoverage ? await readCoverageFacts(leaving, resource, storePath) : {}),
  });
}

/** GeoServer stores the grid of a coverage, which this server reads from the data. */
async function readCoverageFacts(leaving: Leaving, resource: Resource, storePath: string): Promise<JsonObject> {
  const nativeFormat = leaving.find(storePath)?.fields['type'] ?? null;
  const nativeCoverageName = resource.fields['nativeName'] ?? null;
  const reply = await leaving.server
    .send({ path: resource.path, headers: { accept: 'application/json' } })
    .then(async (found): Promise<unknown> => JSON.parse(await found.text()))
    .catch(() => undefined);
  const { coverage } = (typeof reply === 'object' && reply !== null ? reply : {}) as { coverage?: Json };
  const { grid, nativeCRS } = isObject(coverage) ? coverage : {};
  if (grid === undefined) {
    leaving.report.add('data-not-copied', resource, 'The grid is missing, because the data cannot be read.', {
      remedy: 'Reload the band definitions and boxes of the coverage in GeoServer.',
    });
  }
  return { nativeFormat, nativeCoverageName, ...optional('grid', grid), ...optional('nativeCRS', nativeCRS) };
}

function writeLayer(leaving: Leaving, layer: Resource, resource: Resource | undefined): void {
  const folder = resource && leaving.folders.get(resource.path);
  const row = resource && kinds[resource.kind];
  if (resource === undefined || folder === undefined || row === undefined) {
    leaving.reportMissing(layer, 'feature type or coverage');
    return;
  }
  const { defaultStyle = null, styles } = layer.fields;
  const given = isObject(styles) ? styles['style'] : undefined;
  const further = isList(given) ? given : [];
  leaving.addDocument(layer, `${folder}/layer.xml`, 'layer', {
    name: getName(layer),
    id: createId('LayerInfoImpl', layer.path),
    type: row.layerType,
    defaultStyle: createStyleReference(leaving, layer, defaultStyle),
    ...(further.length === 0
      ? {}
      : {
          styles: {
            '@class': 'linked-hash-set',
            style: further.map((style) => createStyleReference(leaving, layer, style)),
          },
        }),
    resource: { '@class': resource.kind, ...createReference('ResourceInfoImpl', resource.path) },
    ...omitFields(layer.fields, 'defaultStyle', 'styles'),
  });
}

/** The configuration path of a layer or group that a document names: `topp:roads`, or `base` for a global group. */
export function findPublishedPath(type: 'layer' | 'layerGroup', name: string): string {
  const separator = name.indexOf(':');
  const collection = type === 'layer' ? 'layers' : 'layergroups';
  if (separator < 0) return createPath(collection, name);
  return createPath('workspaces', name.slice(0, separator), collection, name.slice(separator + 1));
}

/** The names of the workspace and the layer, for files of tiles. */
export function formatLayerName(path: string): string {
  const segments = splitPath(path);
  const name = segments.at(-1) ?? '';
  return segments[0] === 'workspaces' ? `${segments[1] ?? ''}:${name}` : name;
}
