/** Writes tile settings of layers and groups, and grid sets. */
import type { Json, JsonObject } from '../../../lib/json/value.ts';
import { createPath, isList, isObject, type Resource, splitPath } from '../archive/exported-configuration.ts';
import { createId, getName, type Leaving } from './leaving.ts';
import { formatLayerName } from './resources.ts';

/** What a layer without these settings has on this server; GeoServer would serve no tiles without them. */
const defaults: JsonObject = {
  mimeFormats: ['image/png', 'image/jpeg'],
  gridSubsets: [{ gridSetName: 'EPSG:900913' }, { gridSetName: 'EPSG:4326' }],
  metaWidthHeight: [4, 4],
};

export function writeTiles(leaving: Leaving): void {
  for (const layer of leaving.list('tileLayer')) writeTileLayer(leaving, layer);
  writeGridSets(leaving);
}

function writeTileLayer(leaving: Leaving, tileLayer: Resource): void {
  const owner = findOwner(leaving, tileLayer.path);
  if (owner === undefined) {
    leaving.reportMissing(tileLayer, 'layer or group');
    return;
  }
  const missing = Object.keys(defaults).filter((name) => (tileLayer.fields[name] ?? null) === null);
  if (missing.length > 0) {
    const message = `The defaults of this server are written for ${missing.join(', ')}.`;
    leaving.report.add('tile-defaults-written', tileLayer, message);
  }
  const fields = { ...tileLayer.fields, ...Object.fromEntries(missing.map((name) => [name, defaults[name] ?? null])) };
  const type = owner.kind === 'layer' ? 'LayerInfoImpl' : 'LayerGroupInfoImpl';
  const id = createId(type, owner.path);
  leaving.addDocument(tileLayer, `gwc-layers/${id}.xml`, 'GeoServerLayer', {
    id,
    name: formatLayerName(owner.path),
    ...writeFields({ enabled: true, inMemoryCached: true, ...omitNulls(fields) }),
  });
}

/** The layer or group that the settings belong to. */
function findOwner(leaving: Leaving, path: string): Resource | undefined {
  const segments = splitPath(path);
  const [home, name = ''] = [segments.slice(0, -2), segments.at(-1)];
  const owner =
    leaving.find(createPath(...home, 'layers', name)) ?? leaving.find(createPath(...home, 'layergroups', name));
  return owner;
}

function omitNulls(fields: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}

/** Lists have elements named after the type of their items. */
function writeFields({ mimeFormats, gridSubsets, metaWidthHeight, ...fields }: JsonObject): JsonObject {
  const { expireCacheList, expireClientsList, parameterFilters, ...plain } = fields;
  return {
    mimeFormats: { string: mimeFormats ?? null },
    gridSubsets: { gridSubset: isList(gridSubsets) ? gridSubsets.map(writeSubset) : [] },
    metaWidthHeight: { int: metaWidthHeight ?? null },
    ...plain,
    ...writeRules('expireCacheList', expireCacheList),
    ...writeRules('expireClientsList', expireClientsList),
    ...(isObject(parameterFilters) ? { parameterFilters: writeFilters(parameterFilters) } : {}),
  };
}

function writeRules(name: string, rules: Json | undefined): JsonObject {
  return isList(rules) ? { [name]: { expirationRule: rules } } : {};
}

function writeSubset(subset: Json): Json {
  if (!isObject(subset)) return subset;
  const { extent, ...fields } = subset;
  return { ...fields, ...(isObject(extent) ? { extent: writeExtent(extent) } : {}) };
}

function writeExtent({ coords = null }: JsonObject): JsonObject {
  return { coords: { double: coords } };
}

const valueElements: Readonly<Record<string, string>> = {
  stringParameterFilter: 'string',
  floatParameterFilter: 'float',
  integerParameterFilter: 'int',
};

function writeFilters(filters: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(filters).map(([name, given]) => {
      const items = isList(given) ? given : [given];
      return [name, items.map((item) => writeFilter(name, item))];
    }),
  );
}

function writeFilter(name: string, filter: Json): Json {
  if (!isObject(filter)) return filter;
  const { values, ...fields } = filter;
  const element = valueElements[name] ?? 'string';
  return { ...fields, ...(isList(values) ? { values: { [element]: values } } : {}) };
}

function writeGridSets(leaving: Leaving): void {
  const gridSets = leaving.list('gridSet');
  if (gridSets.length === 0) return;
  leaving.addFile('gwc/geowebcache.xml', 'gwcConfiguration', {
    '@xmlns': 'http://geowebcache.org/schema/1.26.0',
    version: '1.26.0',
    gridSets: { gridSet: gridSets.map((gridSet) => writeGridSet(gridSet)) },
  });
  for (const { kind } of gridSets) leaving.report.countExported(kind);
}

function writeGridSet(gridSet: Resource): JsonObject {
  const { extent, resolutions, scaleDenominators, scaleNames, tileMatrices, levels, ...fields } = omitNulls(
    gridSet.fields,
  );
  return {
    name: getName(gridSet),
    ...fields,
    ...(isObject(extent) ? { extent: writeExtent(extent) } : {}),
    ...(resolutions === undefined ? {} : { resolutions: { double: resolutions } }),
    ...(scaleDenominators === undefined ? {} : { scaleDenominators: { double: scaleDenominators } }),
    ...(scaleNames === undefined ? {} : { scaleNames: { string: scaleNames } }),
    ...(levels === undefined ? {} : { levels }),
    ...(tileMatrices === undefined ? {} : { tileMatrices }),
  };
}
