/** The table of all differences between our own API and the wire format of the reference server. */
import type { CoverageDefaults } from '../../catalog/coverages/publish-coverage.ts';
import type { WireDialect } from '../../http/negotiate/wire-dialect.ts';
import type { ReportedComponents } from '../../operations/identity/version-report.ts';
import type { InitialRules } from '../../security/access-rules/rule-families.ts';

export type DialectName = 'graticule' | 'geoserver';

export interface Dialect extends WireDialect {
  readonly name: DialectName;
  /** Whether DELETE /workspaces/default removes the default workspace; otherwise 405. */
  readonly deletesDefaultWorkspace: boolean;
  /** Whether PUT /namespaces/{prefix} accepts another prefix, which also renames the workspace; otherwise 403. */
  readonly renamesNamespaces: boolean;
  /** The initial access rules. */
  readonly initialRules: InitialRules;
  /** Status of a response to added rules. */
  readonly addedRules: 200 | 201;
  /**
   * JSON of authentication providers: plain objects, or objects inside a member named after the configuration class.
   */
  readonly providerJson: 'plain' | 'by class';
  /** Status of DELETE for a provider that is not enabled: the specific one, or always 410. */
  readonly deletingInactiveProvider: 'as it is' | 'gone';
  /** Whether the list of roles includes built-in roles such as ROLE_ADMINISTRATOR. */
  readonly listsSystemRoles: boolean;
  /** Names of the three components in the version report, and the reported API level. */
  readonly components: ReportedComponents;
  /** Keys of the JSON list of URL checks: `urlchecks` and `urlcheck`, or as in XML. */
  readonly urlCheckListKeys: 'lower case' | 'camel case';
  readonly urlCheckOrder: 'name' | 'age';
  /** Value of `enabled` after a change of a URL check that omits it. */
  readonly urlCheckAbsentEnabled: 'keeps' | 'disables';
  /** Body of the response to the creation of a feature type. */
  readonly createdFeatureType: 'name' | 'nothing';
  /** The lat/lon box of a feature type after a client cleared it and until it is recomputed: none, or zeros. */
  readonly emptiedLatLonBox: 'none' | 'zeros';
  /** Response to an upload when the client requests no format. */
  readonly uploadText: 'report' | 'nothing';
  /** Response to a raster upload: a report, or the store document, also when the client requests no format. */
  readonly uploadedCoverages: 'report' | 'store';
  readonly coverageHabits: CoverageDefaults;
  /** Status for a mapping upload that creates no new store from a single file: 200, or 201 as for any upload. */
  readonly uploadedMapping: 'done' | 'created';
  /** Types that `all` selects in a mapping: with or without those of included files. */
  readonly allMappedTypes: 'with included' | 'of the main file';
  /** Whether each granule of a GML list has a bounding box in addition to its footprint. */
  readonly granuleBoxes: 'with bounds' | 'without bounds';
  /** Status of a mosaic upload and of a harvest. */
  readonly uploadedMosaic: 200 | 201;
  readonly harvested: 201 | 202;
  /** Status of the removal of an unknown granule. */
  readonly deletingUnknownGranule: 'refused' | 'done';
  /** Whether a new store or feature type uses `enabled` of its document, or is always enabled. */
  readonly createdEnabled: 'as sent' | 'always';
  /** Content of a deleted style: reused by a later style of the same file name, or renamed. */
  readonly orphanedStyleContent: 'kept' | 'set aside';
  /** Handling of an SLD over several layers when one of them is unknown. */
  readonly unknownStyledLayers: 'warned about' | 'refused';
  /** Whether PUT of a layer group accepts another name, which updates all references; otherwise 403. */
  readonly renamesLayerGroups: boolean;
  /** Location of a new layer group of a workspace: inside the workspace, or by name alone, which also resolves. */
  readonly layerGroupLocation: 'in its workspace' | 'by name alone';
  /** Whether /about/status/{module} returns a single document or a list of one. */
  readonly singleModule: 'document' | 'list';
  /** The direction of a positive y in the `Displacement` of a `Graphic` on maps. */
  readonly graphicDisplacement: 'up' | 'down';
  /** The root of documents about the size of the tile cache. */
  readonly quotaRoot: 'gwcQuotaConfiguration' | 'org.geowebcache.diskquota.DiskQuotaConfig';
  /** Response for an unknown path of the data directory: 404, or a document with the type `undefined`. */
  readonly missingFile: 'unknown' | 'of type undefined';
}

/** The defaults of the reference server. */
const referenceRules: InitialRules = {
  layers: [
    { key: '*.*.r', roles: ['*'] },
    { key: '*.*.w', roles: ['GROUP_ADMIN', 'ADMIN'] },
  ],
  services: [
    { key: 'wfs.CreateStoredQuery', roles: ['GROUP_ADMIN', 'ADMIN'] },
    { key: 'wfs.DropStoredQuery', roles: ['GROUP_ADMIN', 'ADMIN'] },
  ],
  rest: [
    { key: '/**:GET,HEAD,OPTIONS', roles: ['ROLE_ADMINISTRATOR'] },
    { key: '/**:POST,DELETE,PUT', roles: ['ROLE_ADMINISTRATOR'] },
  ],
};

export const dialects: Readonly<Record<DialectName, Dialect>> = {
  graticule: {
    name: 'graticule',
    defaultFormat: {
      catalog: 'xml',
      featureTypes: 'xml',
      granules: 'xml',
      accounts: 'xml',
      contents: 'html',
      about: 'xml',
      systemStatus: 'xml',
      securitySettings: 'xml',
      dataDirectory: 'xml',
      additions: 'json',
    },
    emptyJsonList: 'array',
    singleJsonItem: 'array',
    listingLinkType: 'application/xml',
    errorBodies: 'negotiated',
    statuses: {},
    deletesDefaultWorkspace: false,
    renamesNamespaces: true,
    initialRules: { layers: [], services: [], rest: [] },
    addedRules: 201,
    providerJson: 'plain',
    deletingInactiveProvider: 'as it is',
    listsSystemRoles: true,
    components: {
      server: { name: 'Graticule' },
      geospatial: { name: 'Graticule-Geospatial' },
      tiles: { name: 'Graticule-Tiles' },
    },
    urlCheckListKeys: 'lower case',
    urlCheckOrder: 'name',
    urlCheckAbsentEnabled: 'keeps',
    createdFeatureType: 'name',
    uploadText: 'report',
    uploadedMapping: 'done',
    allMappedTypes: 'with included',
    uploadedCoverages: 'report',
    granuleBoxes: 'without bounds',
    deletingUnknownGranule: 'refused',
    coverageHabits: { assumedSrs: null, dimensions: 'from the data' },
    uploadedMosaic: 200,
    harvested: 201,
    emptiedLatLonBox: 'none',
    createdEnabled: 'as sent',
    orphanedStyleContent: 'kept',
    unknownStyledLayers: 'warned about',
    renamesLayerGroups: true,
    layerGroupLocation: 'in its workspace',
    singleModule: 'document',
    graphicDisplacement: 'up',
    quotaRoot: 'gwcQuotaConfiguration',
    missingFile: 'unknown',
  },
  geoserver: {
    name: 'geoserver',
    defaultFormat: {
      catalog: 'json',
      featureTypes: 'html',
      granules: 'xml',
      accounts: 'xml',
      contents: 'html',
      about: 'html',
      systemStatus: 'json',
      securitySettings: 'json',
      dataDirectory: 'html',
      additions: 'json',
    },
    emptyJsonList: 'empty string',
    singleJsonItem: 'bare item',
    listingLinkType: 'application/atom+xml',
    errorBodies: 'plain text',
    statuses: {
      'namespace-not-empty': 401,
      'coverage-store-not-empty': 401,
      'name-emptied': 403,
      'style-global': 405,
      'layer-group-global': 405,
      'catalog-mode-missing': 404,
      'maintained-store-unknown': 400,
      'user-group-service-exists': 400,
      'user-group-service-fixed': 400,
    },
    deletesDefaultWorkspace: true,
    renamesNamespaces: false,
    initialRules: referenceRules,
    addedRules: 200,
    providerJson: 'by class',
    deletingInactiveProvider: 'gone',
    listsSystemRoles: false,
    // Clients parse these as dotted numbers and use the first as the server version.
    components: {
      server: { name: 'GeoServer', apiLevel: '2.26.2' },
      geospatial: { name: 'GeoTools', apiLevel: '32.2' },
      tiles: { name: 'GeoWebCache', apiLevel: '1.26.2' },
    },
    urlCheckListKeys: 'camel case',
    urlCheckOrder: 'age',
    urlCheckAbsentEnabled: 'disables',
    createdFeatureType: 'nothing',
    uploadText: 'nothing',
    uploadedMapping: 'created',
    allMappedTypes: 'of the main file',
    uploadedCoverages: 'store',
    granuleBoxes: 'with bounds',
    deletingUnknownGranule: 'done',
    coverageHabits: { assumedSrs: 'EPSG:4326', dimensions: 'unset' },
    uploadedMosaic: 201,
    harvested: 202,
    emptiedLatLonBox: 'zeros',
    createdEnabled: 'always',
    orphanedStyleContent: 'set aside',
    unknownStyledLayers: 'refused',
    renamesLayerGroups: false,
    layerGroupLocation: 'by name alone',
    singleModule: 'list',
    graphicDisplacement: 'down',
    quotaRoot: 'org.geowebcache.diskquota.DiskQuotaConfig',
    missingFile: 'of type undefined',
  },
};
