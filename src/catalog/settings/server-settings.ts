/** The settings of the server as a whole and of a workspace: what there is, and what each is without anybody's doing. */
import {
  choice,
  flag,
  integer,
  map,
  markUnsupported,
  type Setting,
  type Settings,
  section,
  text,
  texts,
  tree,
} from '../kinds/setting.ts';

export const contactSettings: Settings = {
  id: { kind: 'server', type: 'string' },
  address: text(),
  addressCity: text(),
  addressCountry: text(),
  addressDeliveryPoint: text(),
  addressElectronicMailAddress: text(),
  addressPostalCode: text(),
  addressState: text(),
  addressType: text(),
  contactEmail: text(),
  contactFacsimile: text(),
  contactOrganization: text(),
  contactPerson: text(),
  contactPosition: text(),
  contactVoice: text(),
  onlineResource: text(),
  welcome: markUnsupported(text(), 'no page shows it'),
};

const URL_EXPECTED = 'an http or https URL without user, query and fragment was expected';

function findUrlError(value: string): string | undefined {
  const url = URL.parse(value);
  const isPlain = url !== null && /^https?:$/.test(url.protocol) && `${url.origin}${url.pathname}` === url.href;
  // Braces are where other servers put in what a request says: links must not be made of that.
  return value === '' || (isPlain && !/[\s<>"{}|\\^`]/.test(value)) ? undefined : URL_EXPECTED;
}

const url: Setting = { kind: 'text', refuse: findUrlError };

const charset: Setting = {
  kind: 'text',
  default: 'UTF-8',
  refuse(value) {
    try {
      new TextDecoder(value);
      return undefined;
    } catch {
      return 'the name of a character encoding such as UTF-8 or ISO-8859-1 was expected';
    }
  },
};

/** More digits than any number has. */
const MAX_DECIMALS = 100;

const LISTS_OF_PAGES = 'there is no administration interface with such lists';

/** What the server and each workspace have of their own. */
export const publicationSettings: Settings = {
  contact: { kind: 'section', settings: contactSettings, isRemovable: true },
  title: markUnsupported(text(), 'services have titles of their own'),
  charset: markUnsupported(charset, 'documents are written in UTF-8'),
  numDecimals: integer(8, 0, MAX_DECIMALS),
  onlineResource: text(),
  proxyBaseUrl: url,
  schemaBaseUrl: markUnsupported(url, 'documents name the schemas where the standards have them'),
  verbose: markUnsupported(flag(false), 'documents are written in one way'),
  verboseExceptions: markUnsupported(flag(false), 'what goes on inside is told to the log alone'),
  metadata: markUnsupported(map, 'it is kept for whoever reads it here'),
  localWorkspaceIncludesPrefix: markUnsupported(
    flag(false),
    'the services of a workspace take names with and without it',
  ),
  showCreatedTimeColumnsInAdminList: markUnsupported(flag(false), LISTS_OF_PAGES),
  showModifiedTimeColumnsInAdminList: markUnsupported(flag(false), LISTS_OF_PAGES),
  showModifiedUserInAdminList: markUnsupported(flag(), LISTS_OF_PAGES),
  defaultLocale: markUnsupported(text(), 'documents are written in one language'),
  useHeadersProxyURL: markUnsupported(flag(), 'headers are believed from --trust-proxy alone'),
};

export const workspaceSettings: Settings = {
  ...publicationSettings,
  proxyBaseUrl: markUnsupported(url, 'links are the same for all workspaces'),
};

const fraction = (byDefault: number): Setting => ({
  kind: 'number',
  isWhole: false,
  least: 0,
  most: 1,
  default: byDefault,
});

const rasterSettings: Settings = {
  allowInterpolation: flag(false),
  recycling: flag(true),
  tilePriority: integer(5, 1, 10),
  tileThreads: integer(7),
  memoryCapacity: fraction(0.5),
  memoryThreshold: fraction(0.75),
  imageIOCache: flag(false),
  pngAcceleration: flag(false),
  jpegAcceleration: flag(false),
  allowNativeMosaic: flag(false),
  allowNativeWarp: flag(false),
  pngEncoderType: text(),
  jaiext: tree,
};

const coverageAccessSettings: Settings = {
  maxPoolSize: integer(5),
  corePoolSize: integer(5),
  keepAliveTime: integer(30_000),
  queueType: choice(['UNBOUNDED', 'DIRECT'], 'UNBOUNDED'),
  imageIOCacheThreshold: integer(10_240),
};

const OTHER_LIBRARIES = 'it tunes libraries that other servers have';

export const globalSettings: Settings = {
  settings: section({ id: { kind: 'server', type: 'string' }, ...publicationSettings }),
  jai: markUnsupported(section(rasterSettings), OTHER_LIBRARIES),
  coverageAccess: markUnsupported(section(coverageAccessSettings), OTHER_LIBRARIES),
  metadata: markUnsupported(map, 'it is kept for whoever reads it here'),
  updateSequence: { kind: 'server', type: 'integer' },
  featureTypeCacheSize: markUnsupported(integer(0), 'what is remembered of types is bounded by the server itself'),
  globalServices: flag(true),
  xmlPostRequestLogBufferSize: markUnsupported(integer(1024), 'bodies are never logged'),
  xmlExternalEntitiesEnabled: {
    kind: 'flag',
    refuse: (value) => (value ? 'false was expected: this server never reads external entities' : undefined),
  },
  entityResolutionAllowlist: markUnsupported(texts, 'nothing is fetched for a document'),
  lockProviderName: markUnsupported(text(), 'writes have one queue'),
  resourceErrorHandling: markUnsupported(
    choice(['OGC_EXCEPTION_REPORT', 'SKIP_MISCONFIGURED_LAYERS']),
    'capabilities list layers whose data cannot be had at the moment',
  ),
  webUIMode: markUnsupported(choice(['DEFAULT', 'REDIRECT', 'DO_NOT_REDIRECT']), LISTS_OF_PAGES),
  allowStoredQueriesPerWorkspace: markUnsupported(flag(), 'there is one stored query, that of the standard'),
  trailingSlashMatch: markUnsupported(flag(), 'slashes at the end are always forgiven'),
};

/** Where the contact stands in the settings of the server. */
export const CONTACT = 'settings.contact';
