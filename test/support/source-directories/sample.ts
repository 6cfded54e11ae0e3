/** A data directory with every kind of file, whose data this server can read; parts with faults are in `faults.ts`. */
import { lineSe, lineSld, pictureSld, tinyPng } from '../styles.ts';
import { geotiffBytes } from '../tiff-bytes.ts';
import { pointShapefile } from '../vector-samples.ts';
import {
  boxElements,
  coverageStoreXml,
  type DirectoryFiles,
  dataStoreXml,
  entries,
  groupId,
  groupXml,
  layerId,
  layerXml,
  resourceXml,
  styleId,
  styleXml,
  workspaceFiles,
  workspaceId,
  writeXml,
} from './documents.ts';

/** Two workspaces: `acme` with data of every readable kind, and the isolated `side.car`, whose folder has another name. */
export function createSampleDirectory(): DirectoryFiles {
  return {
    ...createCatalogFiles(),
    ...createStyleFiles(),
    ...createGroupFiles(),
    ...createDataFiles(),
    ...createOtherFiles(),
  };
}

function createCatalogFiles(): DirectoryFiles {
  const acme = 'workspaces/acme';
  const towns = { workspace: 'acme', store: 'towns', name: 'towns' } as const;
  const heights = { workspace: 'acme', store: 'heights', name: 'heights' } as const;
  return {
    'global.xml': writeXml([
      'global',
      [
        ['settings', [['id', 'SettingsInfoImpl-1']]],
        ['updateSequence', 12],
      ],
    ]),
    'workspaces/default.xml': writeXml([
      'workspace',
      [
        ['id', workspaceId('acme')],
        ['name', 'acme'],
      ],
    ]),
    ...workspaceFiles('acme'),
    ...workspaceFiles('side.car', { folder: 'sidecar', isolated: true }),
    [`${acme}/towns/datastore.xml`]: dataStoreXml({
      workspace: 'acme',
      name: 'towns',
      type: 'Shapefile',
      parameters: {
        url: 'file:data/towns/towns.shp',
        charset: 'UTF-8',
        namespace: 'http://acme.example/features',
        empty: '',
      },
    }),
    [`${acme}/towns/towns/featuretype.xml`]: resourceXml({
      ...towns,
      further: [
        ['metadata', [['entry', 'false', { key: 'cachingEnabled' }]]],
        ['maxFeatures', 100],
        ['numDecimals', 4],
        ['cqlFilter', 'rank > 0'],
        [
          'attributes',
          ['the_geom', 'name', 'rank', 'seen'].map((name) => [
            'attribute',
            [
              ['name', name],
              ['minOccurs', 0],
              ['maxOccurs', 1],
              ['nillable', true],
            ],
          ]),
        ],
      ],
    }),
    [`${acme}/towns/towns/layer.xml`]: layerXml({
      ...towns,
      style: ['id', styleId('dots')],
      styles: [styleId('line'), styleId('local', 'acme')],
      further: [
        ['path', '/'],
        ['queryable', true],
        ['opaque', false],
        ['enabled', true],
        ['advertised', true],
      ],
    }),
    [`${acme}/heights/coveragestore.xml`]: coverageStoreXml('acme', 'heights', 'GeoTIFF', 'file:data/heights.tif'),
    [`${acme}/heights/heights/coverage.xml`]: resourceXml({ ...heights, root: 'coverage', nativeName: 'any name' }),
    [`${acme}/heights/heights/layer.xml`]: layerXml({ ...heights, type: 'RASTER', style: ['name', 'raster'] }),
    'workspaces/sidecar/spots/datastore.xml': dataStoreXml({
      workspace: 'side.car',
      name: 'spots',
      parameters: { directory: 'file:data/spots' },
    }),
    'workspaces/sidecar/spots/spots/featuretype.xml': resourceXml({
      workspace: 'side.car',
      store: 'spots',
      name: 'spots',
    }),
    'workspaces/sidecar/spots/spots/layer.xml': layerXml({
      workspace: 'side.car',
      name: 'spots',
      style: ['id', styleId('point')],
    }),
  };
}

function createStyleFiles(): DirectoryFiles {
  return {
    'styles/point.xml': styleXml({ name: 'point' }),
    'styles/point.sld': lineSld('point', '#010203'),
    'styles/line.xml': styleXml({ name: 'line', filename: 'old_line.sld' }),
    'styles/old_line.sld': lineSe('line'),
    'styles/dots.xml': styleXml({ name: 'dots' }),
    'styles/dots.sld': pictureSld('dots', 'icons/dot.png'),
    'styles/icons/dot.png': tinyPng(),
    'styles/simple.xml': styleXml({ name: 'simple', format: 'css' }),
    'styles/simple.css': '* { stroke: #112233; }',
    'workspaces/acme/styles/local.xml': styleXml({ name: 'local', workspace: 'acme' }),
    'workspaces/acme/styles/local.sld': lineSld('local', '#00ff00'),
  };
}

function createGroupFiles(): DirectoryFiles {
  return {
    'layergroups/base.xml': groupXml({
      name: 'base',
      members: [
        { id: layerId('acme', 'towns'), style: styleId('line') },
        { id: layerId('acme', 'heights') },
        { type: 'layerGroup', id: groupId('near', 'acme') },
      ],
      further: [['keywords', [['string', 'everything']]]],
    }),
    'workspaces/acme/layergroups/near.xml': groupXml({
      name: 'near',
      workspace: 'acme',
      mode: 'NAMED',
      members: [{ id: layerId('acme', 'towns') }],
    }),
    // The members as older versions write them.
    'layergroups/older.xml': writeXml([
      'layerGroup',
      [
        ['id', groupId('older')],
        ['name', 'older'],
        ['layers', [['layer', [['id', layerId('side.car', 'spots')]]]]],
        ['styles', [['style', [['id', styleId('point')]]]]],
        ['bounds', boxElements([0, 0, 2, 2], 'EPSG:4326')],
      ],
    ]),
  };
}

/** The data that the stores name. */
export function createDataFiles(): DirectoryFiles {
  const { shp, shx, dbf, prj } = pointShapefile();
  return {
    'data/towns/towns.shp': shp ?? '',
    'data/towns/towns.shx': shx ?? '',
    'data/towns/towns.dbf': dbf ?? '',
    'data/towns/towns.prj': prj ?? '',
    'data/heights.tif': geotiffBytes(30, 20),
    'data/spots/spots.properties': '_=id:Integer,geom:Point:srid=4326\nspots.1=7|POINT(1 2)\n',
    'data/notes/readme.pdf': 'not read by any store',
  };
}

function createOtherFiles(): DirectoryFiles {
  return {
    'security/urlchecks.xml': writeXml([
      'checks',
      [
        [
          'regex',
          [
            ['name', 'maps'],
            ['description', 'Maps of the neighbours'],
            ['enabled', true],
            ['regex', '^https://maps[.]example/.*$'],
          ],
        ],
        ['enabled', true],
      ],
    ]),
    'workspaces/acme/towns/towns/content.ftl': '<p>${features?size}</p>',
    'logs/geoserver.log': 'a line',
    'demo/demoRequest.xml': '<a/>',
    'www/index.html': '<p>Hello</p>',
    'README.txt': 'Read me',
    'styles/dots.sld.bak': 'old',
    'workspaces/acme/notes.txt': 'a note',
    ...createMetadataFiles(),
  };
}

/** A type with dimensions and a virtual table in its metadata, in a disabled store. */
function createMetadataFiles(): DirectoryFiles {
  const folder = 'workspaces/acme/archive';
  return {
    [`${folder}/datastore.xml`]: dataStoreXml({
      workspace: 'acme',
      name: 'archive',
      type: 'PostGIS',
      enabled: false,
      parameters: {
        host: 'db.example',
        port: '5432',
        database: 'archive',
        schema: 'public',
        user: 'reader',
        passwd: 'plain:database secret',
        dbtype: 'postgisng',
      },
    }),
    [`${folder}/measured/featuretype.xml`]: resourceXml({
      workspace: 'acme',
      store: 'archive',
      name: 'measured',
      further: [
        entries('metadata', {
          cachingEnabled: 'false',
          time: [
            [
              'dimensionInfo',
              [
                ['enabled', true],
                ['attribute', 'seen'],
                ['presentation', 'LIST'],
                ['units', 'ISO8601'],
              ],
            ],
          ],
        }),
      ],
    }),
    [`${folder}/measured/layer.xml`]: layerXml({ workspace: 'acme', name: 'measured', style: ['id', styleId('line')] }),
  };
}
