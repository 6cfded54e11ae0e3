/** The settings that have an effect on the server, and the defaults of those that have none. */
import type { Json } from '../../../lib/json/value.ts';
import type { XmlElement } from '../../../lib/xml/element.ts';
import { child, listChildElements } from '../../../lib/xml/elements.ts';
import { readElementText } from '../../../lib/xml/text.ts';
import { findText, type ReadValue, readFlag, readNumber, readText, readWords } from '../read/values.ts';

/** How a setting is read, and its default on the server. */
export interface Setting {
  readonly read: ReadValue;
  readonly default: Json;
}

export type SettingTable = Readonly<Record<string, Setting>>;

const text = (byDefault: string | null = null): Setting => ({ read: readText, default: byDefault });
const flag = (byDefault: boolean | null = null): Setting => ({ read: readFlag, default: byDefault });
const number = (byDefault: number | null = null): Setting => ({ read: readNumber, default: byDefault });
const words: Setting = { read: readWords, default: null };
const choice = (choices: readonly string[]): Setting => ({
  read: (element) => choices.find((each) => each === readElementText(element)),
  default: choices[0] ?? null,
});

const createCommon = (title: string): SettingTable => ({
  enabled: flag(true),
  title: text(title),
  abstrct: text(),
  accessConstraints: text('NONE'),
  fees: text('NONE'),
  keywords: words,
  onlineResource: text(),
});

const WATERMARK = { enabled: false, position: 'BOT_RIGHT', transparency: 0 } as const;

/** The URL of the picture has two names. */
const watermark: Setting = {
  read: (element) => {
    const url = findText(element, 'URL') ?? findText(element, 'url');
    return {
      enabled: findText(element, 'enabled') === 'true',
      position: findText(element, 'position') ?? WATERMARK.position,
      transparency: Number(findText(element, 'transparency') ?? 0) || 0,
      ...(url === undefined ? {} : { url }),
    };
  },
  default: WATERMARK,
};

export const serviceTables: Readonly<Record<string, SettingTable>> = {
  wms: {
    ...createCommon('Web Map Service'),
    watermark,
    interpolation: choice(['Nearest', 'Bilinear', 'Bicubic']),
    getFeatureInfoMimeTypeCheckingEnabled: flag(false),
    getFeatureInfoMimeTypes: words,
    getMapMimeTypeCheckingEnabled: flag(false),
    getMapMimeTypes: words,
    dynamicStylingDisabled: flag(false),
    maxBuffer: number(25),
    maxRequestMemory: number(0),
    maxRenderingTime: number(0),
    maxRequestedDimensionValues: number(),
    maxAllowedFrames: number(),
    srs: words,
    bboxForEachCRS: flag(),
    rootLayerTitle: text(),
    rootLayerAbstract: text(),
    remoteStyleMaxRequestTime: number(),
    remoteStyleTimeout: number(),
    exceptionOnInvalidDimension: flag(),
  },
  wfs: {
    ...createCommon('Web Feature Service'),
    serviceLevel: choice(['COMPLETE', 'BASIC', 'TRANSACTIONAL']),
    maxFeatures: number(1_000_000),
    featureBounding: flag(false),
    encodeFeatureMember: flag(false),
    hitsIgnoreMaxFeatures: flag(false),
    getFeatureOutputTypeCheckingEnabled: flag(false),
    getFeatureOutputTypes: words,
    srs: words,
  },
  wcs: {
    ...createCommon('Web Coverage Service'),
    maxInputMemory: number(0),
    maxOutputMemory: number(0),
    maxRequestedDimensionValues: number(),
    defaultDeflateCompressionLevel: number(),
    srs: words,
  },
  wmts: createCommon('Web Map Tile Service'),
};

/** Settings of services without effect, with the values that every installation has. */
export const serviceDefaults: Readonly<Record<string, readonly string[]>> = {
  name: ['WMS', 'WFS', 'WCS', 'WMTS'],
  citeCompliant: ['false'],
  schemaBaseURL: ['http://schemas.opengis.net'],
  verbose: ['false', 'true'],
  maintainer: ['http://geoserver.org/comm'],
  canonicalSchemaLocation: ['false', 'true'],
  disableStoredQueriesManagement: ['false', 'true'],
  featuresReprojectionDisabled: ['false'],
  transformFeatureInfoDisabled: ['false'],
  autoEscapeTemplateValues: ['false'],
  maxRenderingErrors: ['1000'],
  rootLayerEnabled: ['true'],
  defaultGroupStyleEnabled: ['true'],
  includeWFSRequestDumpFile: ['false', 'true'],
  allowGlobalQueries: ['true'],
  simpleConversionEnabled: ['false'],
  maxNumberOfFeaturesForPreview: ['50'],
  gmlPrefixing: ['false'],
  latLon: ['false'],
  overviewPolicy: ['IGNORE'],
  subsamplingEnabled: ['true'],
};

/** The settings of the server and of workspaces. */
export const publicationTable: SettingTable = {
  numDecimals: number(8),
  onlineResource: text(),
};

export const publicationDefaults: Readonly<Record<string, readonly string[]>> = {
  charset: ['UTF-8'],
  verbose: ['false', 'true'],
  verboseExceptions: ['false'],
  localWorkspaceIncludesPrefix: ['false'],
  showCreatedTimeColumnsInAdminList: ['false'],
  showModifiedTimeColumnsInAdminList: ['false'],
  showModifiedUserInAdminList: ['false'],
  useHeadersProxyURL: ['false'],
};

export const globalDefaults: Readonly<Record<string, readonly string[]>> = {
  featureTypeCacheSize: ['0'],
  xmlPostRequestLogBufferSize: ['1024'],
  xmlExternalEntitiesEnabled: ['false'],
  trailingSlashMatch: ['true'],
  webUIMode: ['DEFAULT'],
  allowStoredQueriesPerWorkspace: ['true'],
  resourceErrorHandling: ['SKIP_MISCONFIGURED_LAYERS', 'OGC_EXCEPTION_REPORT'],
};

/** Elements that configure libraries of the old server, or that every document has. */
const withoutMeaning: ReadonlySet<string> = new Set([
  'id',
  'updateSequence',
  'versions',
  'gml',
  'exceptionFormats',
  'jai',
  'coverageAccess',
  'workspace',
  'lockProviderName',
  'metadata',
  'dateCreated',
  'dateModified',
  'modifiedBy',
]);

/** The elements that are neither read nor at their default. */
export function listIgnored(
  root: XmlElement,
  known: readonly string[],
  defaults: Readonly<Record<string, readonly string[]>>,
): readonly string[] {
  return listChildElements(root)
    .filter(({ local }) => !known.includes(local) && !withoutMeaning.has(local))
    .filter((element) => {
      const isEmpty =
        element.children.length === 0 || (readElementText(element) === '' && listChildElements(element).length === 0);
      const usual = Object.hasOwn(defaults, element.local) ? defaults[element.local] : undefined;
      return !isEmpty && usual?.includes(readElementText(element)) !== true;
    })
    .map(({ local }) => local);
}

/** The values that the document sets, and whether one differs from the default of the server. */
export function readSettings(
  root: XmlElement,
  table: SettingTable,
): { readonly fields: Readonly<Record<string, Json>>; readonly isChanged: boolean } {
  const entries = Object.entries(table).flatMap(([name, { read }]): readonly (readonly [string, Json])[] => {
    const element = child(root, name);
    const value = element && read(element);
    return value === undefined ? [] : [[name, value]];
  });
  const isChanged = entries.some(([name, value]) => JSON.stringify(value) !== JSON.stringify(table[name]?.default));
  return { fields: Object.fromEntries(entries), isChanged };
}
