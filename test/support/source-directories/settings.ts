/** The settings of a data directory: server, workspace, services, tiles and grid sets. */
import { type DirectoryFiles, type Element, entries, groupId, layerId, writeXml } from './documents.ts';

const words = (name: string, ...texts: readonly string[]): Element => [name, texts.map((text) => ['string', text])];
const numbers = (name: string, item: string, ...values: readonly number[]): Element => [
  name,
  values.map((value) => [item, value]),
];

export function createSettingsFiles(): DirectoryFiles {
  return { ...createServerFiles(), ...createServiceFiles(), ...createTileFiles(), ...createUnsupportedSettings() };
}

function createServerFiles(): DirectoryFiles {
  return {
    'global.xml': writeXml([
      'global',
      [
        [
          'settings',
          [
            ['id', 'SettingsInfoImpl-1'],
            [
              'contact',
              [
                ['contactPerson', 'Ada'],
                ['contactEmail', 'ada@acme.example'],
              ],
            ],
            ['charset', 'UTF-8'],
            ['numDecimals', 6],
            ['onlineResource', 'https://acme.example'],
            ['verbose', false],
            ['proxyBaseUrl', 'https://maps.acme.example/geoserver'],
          ],
        ],
        ['jai', [['memoryCapacity', 0.5]]],
        ['updateSequence', 12],
        ['featureTypeCacheSize', 500],
        ['globalServices', true],
      ],
    ]),
    'logging.xml': writeXml([
      'logging',
      [
        ['level', 'PRODUCTION_LOGGING.properties'],
        ['stdOutLogging', false],
      ],
    ]),
    'workspaces/acme/settings.xml': writeXml([
      'settings',
      [
        ['workspace', [['id', 'x']]],
        ['contact', [['contactPerson', 'Bob']]],
        ['numDecimals', 3],
        ['title', 'Acme'],
      ],
    ]),
  };
}

function createServiceFiles(): DirectoryFiles {
  return {
    'wms.xml': writeXml([
      'wms',
      [
        ['id', 'WMSInfoImpl-1'],
        ['enabled', true],
        ['name', 'WMS'],
        ['title', 'Maps of Acme'],
        words('keywords', 'WMS', 'Acme'),
        ['citeCompliant', true],
        ['versions', [['org.geotools.util.Version', [['version', '1.1.1']]]]],
        entries('metadata', { svgRenderer: 'Batik' }),
        words('srs', '4326', '3857'),
        [
          'watermark',
          [
            ['enabled', false],
            ['position', 'BOT_RIGHT'],
            ['transparency', 0],
          ],
        ],
        ['interpolation', 'Bilinear'],
        ['maxBuffer', 50],
        ['maxRequestMemory', 65536],
      ],
    ]),
    'wfs.xml': writeXml([
      'wfs',
      [
        ['enabled', true],
        ['title', 'Web Feature Service'],
        ['maxFeatures', 1000000],
      ],
    ]),
    'workspaces/acme/wms.xml': writeXml([
      'wms',
      [
        ['enabled', false],
        ['title', 'Own maps'],
      ],
    ]),
    'wps.xml': writeXml(['wps', [['enabled', true]]]),
    'csw.xml': writeXml(['csw', [['enabled', false]]]),
  };
}

function createTileFiles(): DirectoryFiles {
  return {
    'gwc-gs.xml': writeXml([
      'GeoServerGWCConfig',
      [
        ['version', '1.1.0'],
        ['directWMSIntegrationEnabled', true],
        ['metaTilingX', 2],
        words('defaultCachingGridSetIds', 'EPSG:4326', 'local'),
      ],
    ]),
    'gwc/geowebcache.xml': writeXml([
      'gwcConfiguration',
      [
        [
          'gridSets',
          [
            [
              'gridSet',
              [
                ['name', 'local'],
                ['srs', [['number', 2056]]],
                ['extent', [numbers('coords', 'double', 2420000, 1030000, 2900000, 1350000)]],
                numbers('resolutions', 'double', 500, 100, 20),
                ['tileHeight', 256],
                ['tileWidth', 256],
              ],
            ],
            ['gridSet', [['name', 'empty']]],
          ],
        ],
      ],
    ]),
    'gwc/acme_towns/EPSG_4326/0/0.png': 'a cached tile',
    'gwc-layers/LayerInfoImpl-4c.xml': writeXml([
      'GeoServerTileLayer',
      [
        ['id', layerId('acme', 'towns')],
        ['enabled', true],
        ['name', 'acme:towns'],
        words('mimeFormats', 'image/png'),
        [
          'gridSubsets',
          [
            [
              'gridSubset',
              [
                ['gridSetName', 'local'],
                ['zoomStart', 0],
                ['zoomStop', 1],
              ],
            ],
          ],
        ],
        numbers('metaWidthHeight', 'int', 4, 4),
        ['expireCache', 60],
        [
          'parameterFilters',
          [
            [
              'styleParameterFilter',
              [
                ['key', 'STYLES'],
                ['defaultValue', ''],
              ],
            ],
          ],
        ],
        ['gutter', 10],
      ],
    ]),
    'gwc-layers/LayerGroupInfoImpl-6a.xml': writeXml([
      'GeoServerTileLayer',
      [
        ['id', groupId('base')],
        ['enabled', false],
        ['name', 'base'],
      ],
    ]),
    'gwc-layers/gone.xml': writeXml([
      'GeoServerTileLayer',
      [
        ['id', 'gone'],
        ['enabled', true],
        ['name', 'gone:gone'],
      ],
    ]),
  };
}

function createUnsupportedSettings(): DirectoryFiles {
  return {
    'user_projections/epsg.properties': '4326=GEOGCS["own"]\n910001=PROJCS["another"]\n',
    'user_projections/epsg_overrides.properties': '910002=PROJCS["unused"]\n',
    'palettes/safe.pal': 'a palette',
  };
}
