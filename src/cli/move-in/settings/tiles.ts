/** Translates grid sets, and the tile settings of layers and groups. */
import type { Json } from '../../../lib/json/value.ts';
import type { XmlElement } from '../../../lib/xml/element.ts';
import { attribute, child, listChildElements, listChildren } from '../../../lib/xml/elements.ts';
import { readElementText } from '../../../lib/xml/text.ts';
import { createPath } from '../archive/archive.ts';
import { findText, type ReadValue, readFlag, readNumber, readText } from '../read/values.ts';
import type { Subject } from '../report/report.ts';
import type { Move } from '../translate/move.ts';
import { readId } from '../translate/move.ts';
import { readFields } from '../translate/resource-fields.ts';

const GRID_FILE = 'gwc/geowebcache.xml';

const readNumbers: ReadValue = (element) => {
  const numbers = listChildElements(element).map((each) => Number(readElementText(each)));
  return numbers.length > 0 && numbers.every(Number.isFinite) ? numbers : undefined;
};

const readTexts: ReadValue = (element) => {
  const texts = listChildElements(element)
    .map(readElementText)
    .filter((text) => text !== '');
  return texts.length === 0 ? undefined : texts;
};

const readExtent: ReadValue = (element) => {
  const coords = child(element, 'coords');
  const numbers = coords && readNumbers(coords);
  return numbers === undefined ? undefined : { coords: numbers };
};

const gridReaders: Readonly<Record<string, ReadValue>> = {
  description: readText,
  srs: (element) => {
    const number = child(element, 'number');
    const value = number && readNumber(number);
    return value === undefined ? undefined : { number: value };
  },
  extent: readExtent,
  alignTopLeft: readFlag,
  resolutions: readNumbers,
  scaleDenominators: readNumbers,
  levels: readNumber,
  metersPerUnit: readNumber,
  pixelSize: readNumber,
  scaleNames: readTexts,
  tileHeight: readNumber,
  tileWidth: readNumber,
  yCoordinateFirst: readFlag,
};

/** Parts of the document that configure the old server itself. */
const withoutMeaning: ReadonlySet<string> = new Set([
  'gridSets',
  'version',
  'backendTimeout',
  'cacheBypassAllowed',
  'runtimeStatsEnabled',
  'serviceInformation',
  'lockProvider',
  'fullWMS',
]);

/** Layers of the document itself, storages of tiles, and others. */
function reportIgnoredParts({ report }: Move, root: XmlElement): void {
  for (const part of listChildElements(root)) {
    if (withoutMeaning.has(part.local) || part.children.length === 0) continue;
    const subject = { source: `${GRID_FILE}#${part.local}` };
    report.add('tile-settings-ignored', subject, `The part '${part.local}' of the document has no effect.`);
  }
}

/** Files with limits of the tile cache. */
const quotaFiles = ['gwc/geowebcache-diskquota.xml', 'gwc/geowebcache-diskquota-jdbc.xml'];

async function reportDiskQuota({ documents, report, files }: Move): Promise<void> {
  const [main = '', database = ''] = quotaFiles;
  const root = await documents.read(main, ['gwcQuotaConfiguration']);
  if (root !== undefined && findText(root, 'enabled')?.toLowerCase() === 'true') {
    const quota = child(root, 'globalQuota');
    const size = quota === undefined ? '' : ` of ${findText(quota, 'value') ?? ''} ${findText(quota, 'units') ?? ''}`;
    const remedy = 'Set tileCacheMb of the WMTS settings.';
    report.add('tile-settings-ignored', { source: main }, `The disk quota${size} is not imported.`, remedy);
  } else if (root !== undefined) {
    report.add('not-configuration', { source: main }, 'The disk quota is disabled.');
  }
  if (!files.has(database)) return;
  files.account(database);
  report.add('not-configuration', { source: database }, 'It stores the use of disk space on the old server.');
}

export async function translateGridSets(move: Move): Promise<void> {
  await reportDiskQuota(move);
  const root = await move.documents.read(GRID_FILE, ['gwcConfiguration'], 'gridSet');
  if (root !== undefined) reportIgnoredParts(move, root);
  const sets = root && child(root, 'gridSets');
  for (const set of sets === undefined ? [] : listChildren(sets, 'gridSet')) {
    const name = findText(set, 'name');
    const source = `${GRID_FILE}#${name ?? ''}`;
    if (name === undefined) {
      move.report.add('grid-set-unsupported', { source, kind: 'gridSet' }, 'The grid set has no name.');
      continue;
    }
    const path = createPath('gridsets', name);
    const subject = { source, kind: 'gridSet', path };
    const fields = readFields(set, gridReaders, move.report, subject);
    const hasScales = ['resolutions', 'scaleDenominators', 'levels'].some((field) => fields.has(field));
    if (!fields.has('srs') || !fields.has('extent') || !hasScales) {
      const message = 'The grid set has no CRS, no extent or no levels.';
      move.report.add('grid-set-unsupported', subject, message, 'Create the grid set on the target.');
      continue;
    }
    // Resolutions take precedence, and the other forms follow from them.
    if (fields.has('resolutions')) fields.delete('scaleDenominators');
    if (fields.has('resolutions') || fields.has('scaleDenominators')) fields.delete('levels');
    move.archive.add('gridSet', path, Object.fromEntries(fields), { source });
  }
}

const levels = ['zoomStart', 'zoomStop', 'minCachedLevel', 'maxCachedLevel'];

const readSubsets: ReadValue = (element) => {
  const subsets = listChildren(element, 'gridSubset').map((subset) => {
    const fields = new Map<string, Json>();
    const name = findText(subset, 'gridSetName');
    if (name !== undefined) fields.set('gridSetName', name);
    const extentElement = child(subset, 'extent');
    const extent = extentElement && readExtent(extentElement);
    if (extent !== undefined) fields.set('extent', extent);
    for (const level of levels) {
      const number = Number(findText(subset, level) ?? Number.NaN);
      if (Number.isFinite(number)) fields.set(level, number);
    }
    return Object.fromEntries(fields);
  });
  return subsets.length === 0 ? undefined : subsets;
};

const readRules: ReadValue = (element) => {
  const rules = listChildren(element, 'expirationRule').map((rule) => ({
    '@minZoom': attribute(rule, 'minZoom') ?? '0',
    '@expiration': attribute(rule, 'expiration') ?? '0',
  }));
  return rules.length === 0 ? undefined : rules;
};

/** Parts of tile settings without effect, with the values that every layer has. */
const ignoredParts: Readonly<Record<string, readonly string[]>> = {
  inMemoryCached: ['true'],
  autoCacheStyles: ['true', 'false'],
};

const knownParts: ReadonlySet<string> = new Set(['id', 'name']);

function reportIgnoredSettings({ report }: Move, root: XmlElement, subject: Subject): void {
  const filters = child(root, 'parameterFilters');
  const unknown = listChildElements(root).filter((part) => {
    if (Object.hasOwn(ignoredParts, part.local)) {
      return readElementText(part) !== '' && !ignoredParts[part.local]?.includes(readElementText(part));
    }
    return part.children.length > 0 && !knownParts.has(part.local) && !Object.hasOwn(tileReaders, part.local);
  });
  const others = (filters === undefined ? [] : listChildElements(filters)).filter(
    (filter) => readFilter(filter) === undefined,
  );
  for (const { local } of [...unknown, ...others]) {
    const place = { ...subject, source: `${subject.source}#${local}` };
    report.add('tile-settings-ignored', place, `The setting '${local}' of the tiles has no effect.`);
  }
}

/** Old documents state that all styles are cached without a filter for them. */
function addStyleFilter(root: XmlElement, fields: Map<string, Json>): void {
  if (findText(root, 'autoCacheStyles') !== 'true') return;
  const filters = fields.get('parameterFilters');
  const known = typeof filters === 'object' && filters !== null && !Array.isArray(filters) ? filters : {};
  if ('styleParameterFilter' in known) return;
  fields.set('parameterFilters', { ...known, styleParameterFilter: { key: 'STYLES', defaultValue: '' } });
}

/** The filters by the names of their elements; several of one name form a list. */
const readFilters: ReadValue = (element) => {
  const filters = new Map<string, Json[]>();
  for (const filter of listChildElements(element)) {
    const fields = readFilter(filter);
    if (fields !== undefined) filters.set(filter.local, [...(filters.get(filter.local) ?? []), fields]);
  }
  if (filters.size === 0) return undefined;
  return Object.fromEntries([...filters].map(([name, list]) => [name, list.length === 1 ? (list[0] ?? null) : list]));
};

function readFilter(filter: XmlElement): Json | undefined {
  const key = findText(filter, 'key') ?? (filter.local === 'styleParameterFilter' ? 'STYLES' : undefined);
  if (key === undefined) return undefined;
  const base = { key, defaultValue: findText(filter, 'defaultValue') ?? '' };
  const valuesElement = child(filter, 'values');
  const normalize = child(filter, 'normalize');
  const letters =
    normalize === undefined || listChildElements(normalize).length === 0
      ? {}
      : { normalize: { case: findText(normalize, 'case') ?? 'NONE', locale: findText(normalize, 'locale') ?? '' } };
  switch (filter.local) {
    case 'styleParameterFilter': {
      const allowed = child(filter, 'allowedStyles');
      const styles = allowed && readTexts(allowed);
      return { ...base, ...(styles === undefined ? {} : { allowedStyles: styles }) };
    }
    case 'stringParameterFilter':
      return { ...base, ...letters, values: valuesElement === undefined ? [] : (readTexts(valuesElement) ?? []) };
    case 'regexParameterFilter':
      return { ...base, ...letters, regex: findText(filter, 'regex') ?? '' };
    case 'floatParameterFilter':
    case 'integerParameterFilter': {
      const threshold = Number(findText(filter, 'threshold') ?? 0) || 0;
      return { ...base, threshold, values: valuesElement === undefined ? [] : (readNumbers(valuesElement) ?? []) };
    }
    default:
      return undefined;
  }
}

const tileReaders: Readonly<Record<string, ReadValue>> = {
  enabled: readFlag,
  inMemoryCached: readFlag,
  mimeFormats: readTexts,
  gridSubsets: readSubsets,
  metaWidthHeight: readNumbers,
  expireCache: readNumber,
  expireCacheList: readRules,
  expireClients: readNumber,
  expireClientsList: readRules,
  parameterFilters: readFilters,
  gutter: readNumber,
};

export async function translateTileLayers(move: Move): Promise<void> {
  for (const file of move.files.listFiles('gwc-layers')) {
    if (!file.endsWith('.xml')) continue;
    const source = `gwc-layers/${file}`;
    const root = await move.documents.read(source, ['GeoServerTileLayer', 'GeoServerLayer'], 'tileLayer');
    if (root === undefined) continue;
    const name = findText(root, 'name');
    const reference = { id: readId(root), name };
    const owner = move.index.findLayer(reference, 'layer', null) ?? move.index.findLayer(reference, 'layerGroup', null);
    if (owner === undefined) {
      const message = `The layer '${name ?? reference.id ?? ''}' of the tile settings is not imported.`;
      move.report.add('parent-skipped', { source, kind: 'tileLayer' }, message);
      continue;
    }
    const home = owner.workspace === null ? [] : ['workspaces', owner.workspace.target];
    const path = createPath(...home, 'tilelayers', owner.target);
    const subject = { source, kind: 'tileLayer', path };
    const fields = readFields(root, tileReaders, move.report, subject);
    addStyleFilter(root, fields);
    reportIgnoredSettings(move, root, subject);
    move.archive.add('tileLayer', path, Object.fromEntries(fields), { source });
  }
}
