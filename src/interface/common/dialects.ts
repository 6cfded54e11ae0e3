/** The one table of everything that differs between our own interface and the reference server's wire habits. */
import type { CoverageDefaults } from '../../catalog/coverages/publish-coverage.ts';
import type { WireDialect } from '../../http/negotiate/wire-dialect.ts';
import type { ReportedComponents } from '../../operations/identity/version-report.ts';
import type { InitialRules } from '../../security/access-rules/rule-families.ts';

export type DialectName = 'graticule' | 'geoserver';

export interface Dialect extends WireDialect {
  readonly name: DialectName;
  /** Whether DELETE /workspaces/default removes the default workspace; otherwise 405. */
  readonly deletesDefaultWorkspace: boolean;
  /** Whether PUT /namespaces/{prefix} may carry another prefix, which renames the workspace too; otherwise 403. */
  readonly renamesNamespaces: boolean;
  /** The access rules of a server whose rules nobody has changed yet. */
  readonly initialRules: InitialRules;
  /** The status of rules that were added. */
  readonly addedRules: 200 | 201;
  /** JSON of authentication providers: plain objects, or objects inside a member named after the configuration class. */
  readonly providerJson: 'plain' | 'by class';
  /** What DELETE of a provider that is not enabled ends in: whatever is true of it, or always 410. */
  readonly deletingInactiveProvider: 'as it is' | 'gone';
  /** Whether the list of roles shows the server's own (ROLE_ADMINISTRATOR and the like). */
  readonly listsSystemRoles: boolean;
  /** What the version report calls the three components, and the level of the interface it says we speak. */
  readonly components: ReportedComponents;
  /** The keys of the JSON list of URL checks: `urlchecks` and `urlcheck`, or as in XML. */
  readonly urlCheckListKeys: 'lower case' | 'camel case';
  readonly urlCheckOrder: 'name' | 'age';
  /** What a change of a URL check that does not speak of `enabled` does to it. */
  readonly urlCheckAbsentEnabled: 'keeps' | 'disables';
  /** The text that the creation of a feature type is answered with. */
  readonly createdFeatureType: 'name' | 'nothing';
  /** What a feature type has whose lat/lon box a client emptied, until it is computed anew: no box, or one of zeros. */
  readonly emptiedLatLonBox: 'none' | 'zeros';
  /** What an upload is answered with for clients that name no format. */
  readonly uploadText: 'report' | 'nothing';
  /** What an upload of rasters is answered with: a report, or the document of the store, also where no format is named. */
  readonly uploadedCoverages: 'report' | 'store';
  readonly coverageHabits: CoverageDefaults;
  /** What a mapping is answered with that makes no new store of a single file: 200, or 201 as any upload is. */
  readonly uploadedMapping: 'done' | 'created';
  /** Which of the types of a mapping are all: those of the files that the main one includes too, or not. */
  readonly allMappedTypes: 'with included' | 'of the main file';
  /** Whether each granule of a list in GML has a box of its own beside its footprint. */
  readonly granuleBoxes: 'with bounds' | 'without bounds';
  /** The status of a mosaic that was uploaded, and of a harvest. */
  readonly uploadedMosaic: 200 | 201;
  readonly harvested: 201 | 202;
  /** What the removal of a granule that is not there ends in. */
  readonly deletingUnknownGranule: 'refused' | 'done';
  /** Whether a new store or feature type is enabled as its document says, or in any case. */
  readonly createdEnabled: 'as sent' | 'always';
  /** What becomes of the content of a deleted style: a later one of the same file name finds it, or it gets another name. */
  readonly orphanedStyleContent: 'kept' | 'set aside';
  /** What comes of an SLD over several layers, one of which is not there. */
  readonly unknownStyledLayers: 'warned about' | 'refused';
  /** What the document of a layer says of its path when nobody has given it one. */
  readonly unsetLayerPath: '/' | 'left out';
  /** Whether PUT of a layer group may carry another name, which everything that uses it follows; otherwise 403. */
  readonly renamesLayerGroups: boolean;
  /** The Location of a new layer group of a workspace: there, or by its name alone, which finds it as well. */
  readonly layerGroupLocation: 'in its workspace' | 'by name alone';
  /** Whether one module of /about/status is answered as a document of its own, or as a list of one. */
  readonly singleModule: 'document' | 'list';
  /** What is told of a path of the data directory where nothing is: that, or its type `undefined`. */
  readonly missingFile: 'unknown' | 'of type undefined';
}

/** What the reference server comes with. */
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
    unsetLayerPath: '/',
    renamesLayerGroups: true,
    layerGroupLocation: 'in its workspace',
    singleModule: 'document',
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
    // Clients read these as dotted numbers, and take the first for the server's.
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
    unsetLayerPath: 'left out',
    renamesLayerGroups: false,
    layerGroupLocation: 'by name alone',
    singleModule: 'list',
    missingFile: 'of type undefined',
  },
};
