/** Stores of every type whose data can be copied, with one published resource for each. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeRoads } from '../geopackages.ts';
import { SURVEY, surveyFiles } from '../mapping-samples.ts';
import { lineSld } from '../styles.ts';
import { geotiffBytes, granuleBytes } from '../tiff-bytes.ts';
import { pointShapefile } from '../vector-samples.ts';
import {
  coverageStoreXml,
  type DirectoryFiles,
  dataStoreXml,
  layerXml,
  resourceXml,
  styleId,
  styleXml,
  workspaceFiles,
} from './documents.ts';

const WORKSPACE = 'port';

/** The layers, all in the workspace `port`, by the type of their store. */
export const copiedLayers = {
  shapefile: 'wells',
  'directory of shapefiles': 'pipes',
  GeoPackage: 'roads',
  'property files': 'spots',
  mapping: 'Borehole',
  GeoTIFF: 'heights',
  WorldImage: 'photo',
  ImageMosaic: 'tiles',
} as const;

export async function createCopiedData(): Promise<DirectoryFiles> {
  return {
    ...workspaceFiles(WORKSPACE, { uri: SURVEY }),
    'styles/blue.xml': styleXml({ name: 'blue' }),
    'styles/blue.sld': lineSld('blue', '#0000ff'),
    ...createFeatureStores(),
    ...createCoverageStores(),
    ...shapefile('data/port/wells', 3),
    ...shapefile('data/port/many/pipes', 2),
    ...shapefile('data/port/many/valves', 4),
    'data/port/many/readme.txt': 'not part of a shapefile',
    'data/port/roads.gpkg': await createGeopackage(),
    'data/port/spots/spots.properties': '_=id:Integer,geom:Point:srid=4326\nspots.1=7|POINT(1 2)\n',
    ...createMappingFiles(),
    'data/port/heights.tif': geotiffBytes(30, 20),
    'data/port/heights.tif.aux.xml': '<PAMDataset/>',
    ...createPhoto(),
    ...createMosaic(),
  };
}

function createFeatureStores(): DirectoryFiles {
  return {
    ...publish('wells', { url: 'file:data/port/wells.shp' }),
    ...publish('pipes', { url: 'file:data/port/many' }),
    ...publish('roads', { dbtype: 'geopkg', database: 'file:data/port/roads.gpkg' }),
    ...publish('spots', { directory: 'file:data/port/spots' }),
    ...publish('Borehole', { dbtype: 'app-schema', url: 'file:data/port/survey/maps/survey.appschema' }),
  };
}

function publish(name: string, parameters: Readonly<Record<string, string>>): DirectoryFiles {
  const folder = `workspaces/${WORKSPACE}/${name}-store`;
  return {
    [`${folder}/datastore.xml`]: dataStoreXml({ workspace: WORKSPACE, name: `${name} store`, parameters }),
    [`${folder}/${name}/featuretype.xml`]: resourceXml({ workspace: WORKSPACE, store: `${name} store`, name }),
    [`${folder}/${name}/layer.xml`]: layerXml({ workspace: WORKSPACE, name, style: ['id', styleId('blue')] }),
  };
}

function createCoverageStores(): DirectoryFiles {
  const store = (name: string, type: string, url: string): DirectoryFiles => ({
    [`workspaces/${WORKSPACE}/${name}-store/coveragestore.xml`]: coverageStoreXml(
      WORKSPACE,
      `${name}-store`,
      type,
      url,
    ),
    [`workspaces/${WORKSPACE}/${name}-store/${name}/coverage.xml`]: resourceXml({
      root: 'coverage',
      workspace: WORKSPACE,
      store: `${name}-store`,
      name,
      srs: 'EPSG:32633',
    }),
    [`workspaces/${WORKSPACE}/${name}-store/${name}/layer.xml`]: layerXml({
      workspace: WORKSPACE,
      name,
      type: 'RASTER',
      style: ['name', 'raster'],
    }),
  });
  return {
    ...store('heights', 'GeoTIFF', 'file:data/port/heights.tif'),
    ...store('photo', 'WorldImage', 'file:data/port/photo.png'),
    ...store('tiles', 'ImageMosaic', 'file:data/port/tiles/tiles.shp'),
  };
}

function shapefile(stem: string, count: number): DirectoryFiles {
  return Object.fromEntries(
    Object.entries(pointShapefile(count)).map(([ending, bytes]) => [`${stem}.${ending}`, Buffer.from(bytes ?? '')]),
  );
}

/** The mapping refers to schemas and tables in other directories. */
function createMappingFiles(): DirectoryFiles {
  return Object.fromEntries(
    Object.entries(surveyFiles).map(([name, text]) => [
      `data/port/survey/${name.endsWith('.xsd') ? 'schemas' : name.endsWith('.properties') ? 'tables' : 'maps'}/${name}`,
      text.replaceAll('<schemaUri>', '<schemaUri>../schemas/').replaceAll('file:./', 'file:../tables'),
    ]),
  );
}

function createPhoto(): DirectoryFiles {
  const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
  return {
    'data/port/photo.png': Buffer.from(png, 'base64'),
    'data/port/photo.pgw': '10\n0\n0\n-10\n500005\n4999995\n',
    'data/port/photo.prj':
      'PROJCS["WGS 84 / UTM zone 33N",GEOGCS["WGS 84",DATUM["WGS_1984",SPHEROID["WGS 84",6378137,298.257223563]],PRIMEM["Greenwich",0],UNIT["degree",0.0174532925199433]],PROJECTION["Transverse_Mercator"],PARAMETER["latitude_of_origin",0],PARAMETER["central_meridian",15],PARAMETER["scale_factor",0.9996],PARAMETER["false_easting",500000],PARAMETER["false_northing",0],UNIT["metre",1],AUTHORITY["EPSG","32633"]]',
  };
}

/** Two granules, and the index of another server. */
function createMosaic(): DirectoryFiles {
  const granule = (left: number) => granuleBytes({ left, top: 5_000_000, pixel: 10, epsg: 32633 });
  return {
    'data/port/tiles/one.tif': granule(500_000),
    'data/port/tiles/east/two.tif': granule(500_040),
    'data/port/tiles/sample_image.dat': 'an index of another server',
    'data/port/tiles/tiles.properties': 'Levels=10.0,10.0\nName=tiles\n',
    ...shapefile('data/port/tiles/tiles', 1),
  };
}

async function createGeopackage(): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'graticule-geopackage-'));
  try {
    const { path, source } = await makeRoads(folder, 'PRAGMA journal_mode = DELETE');
    await source.close();
    return await readFile(path);
  } finally {
    await rm(folder, { recursive: true });
  }
}
