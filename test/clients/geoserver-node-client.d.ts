/** Minimal types for `geoserver-node-client`, which has none: the methods and results these tests use. */
declare module 'geoserver-node-client' {
  type Call = (...given: readonly unknown[]) => Promise<unknown>;
  type Part<Name extends string> = Readonly<Record<Name, Call>>;

  export class GeoServerRestClient {
    constructor(url: string, user: string, password: string);
    readonly about: Part<'getVersion' | 'exists'>;
    readonly datastores: Part<
      | 'getDataStores'
      | 'getCoverageStores'
      | 'getWmsStores'
      | 'getWmtsStores'
      | 'getStores'
      | 'getDataStore'
      | 'getCoverageStore'
      | 'getWmsStore'
      | 'getWmtsStore'
      | 'getStore'
      | 'createGeotiffFromFile'
      | 'createGeotiffFromStream'
      | 'createPostgisStore'
      | 'createImageMosaicStore'
      | 'createWmsStore'
      | 'createWmtsStore'
      | 'createWfsStore'
      | 'createGpkgStore'
      | 'deleteDataStore'
      | 'deleteCoverageStore'
    >;
    readonly imagemosaics: Part<'getGranules' | 'harvestGranules' | 'addGranuleByServerFile' | 'deleteSingleGranule'>;
    readonly layers: Part<
      | 'get'
      | 'modifyAttribution'
      | 'getAll'
      | 'getLayers'
      | 'getWmsLayer'
      | 'getWmtsLayer'
      | 'publishFeatureTypeDefaultDataStore'
      | 'publishFeatureType'
      | 'getFeatureType'
      | 'publishWmsLayer'
      | 'publishDbRaster'
      | 'deleteFeatureType'
      | 'enableTimeCoverage'
      | 'enableTimeFeatureType'
      | 'getCoverage'
      | 'renameCoverageBands'
    >;
    readonly layergroups: Part<'create' | 'get' | 'update'>;
    readonly namespaces: Part<'getAll' | 'create' | 'get' | 'delete'>;
    readonly resetReload: Part<'reset' | 'reload'>;
    readonly security: Part<'getAllUsers' | 'createUser' | 'updateUser' | 'associateUserRole'>;
    readonly settings: Part<
      'getSettings' | 'updateSettings' | 'updateProxyBaseUrl' | 'getContactInformation' | 'updateContactInformation'
    >;
    readonly styles: Part<
      | 'getDefaults'
      | 'getInWorkspace'
      | 'getAllWorkspaceStyles'
      | 'getAll'
      | 'publish'
      | 'delete'
      | 'assignStyleToLayer'
      | 'getStyleInformation'
    >;
    readonly workspaces: Part<'getAll' | 'get' | 'create' | 'delete'>;
  }
}
