/** The raster drivers of this server. Each loads its reader on first use. */
import { extname } from 'node:path';
import type { RangeChannel } from '../remote/channel.ts';
import { parseRemoteUrl } from '../remote/remote-url.ts';
import type { RasterDriver } from './port/driver.ts';
import type { RasterSource } from './port/port.ts';

export const geotiffDriver: RasterDriver = {
  type: 'GeoTIFF',
  format: 'geotiff',
  extensions: ['tif', 'tiff', 'geotiff', 'gtiff'],
  open: async (path) => (await import('./geotiff/geotiff-source.ts')).openGeotiff(path),
  openRemote: async (url, channel) => (await import('./geotiff/remote-geotiff.ts')).openRemoteGeotiff(url, channel),
};

export const worldImageDriver: RasterDriver = {
  type: 'WorldImage',
  format: 'worldimage',
  extensions: ['png', 'jpg', 'jpeg', 'tif', 'tiff'],
  open: async (path) => (await import('./world-image/world-image-source.ts')).openWorldImage(path),
};

export const netcdfDriver: RasterDriver = {
  type: 'NetCDF',
  format: 'netcdf',
  extensions: ['nc', 'nc4', 'netcdf', 'cdf'],
  open: async (path) => (await import('./netcdf/netcdf-source.ts')).openNetcdf(path),
};

export const mbtilesDriver: RasterDriver = {
  type: 'MBTiles',
  format: 'mbtiles',
  extensions: ['mbtiles'],
  open: async (path) => (await import('./tile-archives/open-archives.ts')).openMbtilesRaster(path),
};

export const pmtilesDriver: RasterDriver = {
  type: 'PMTiles',
  format: 'pmtiles',
  extensions: ['pmtiles'],
  open: async (path) => (await import('./tile-archives/open-archives.ts')).openPmtilesRaster(path),
  openRemote: async (url, channel) =>
    (await import('./tile-archives/open-archives.ts')).openRemotePmtilesRaster(url, channel),
};

/** The types of stores with tiles of images. */
export const tileArchiveTypes: ReadonlySet<string> = new Set([mbtilesDriver.type, pmtilesDriver.type]);

/** The first driver that supports an extension opens files of unknown type. */
export const rasterDrivers: readonly RasterDriver[] = [
  geotiffDriver,
  worldImageDriver,
  netcdfDriver,
  mbtilesDriver,
  pmtilesDriver,
];

/** Returns the driver of a file by its extension; undefined if no driver has it. */
export function findDriverForFile(path: string): RasterDriver | undefined {
  const ending = extname(path).slice(1).toLowerCase();
  return rasterDrivers.find(({ extensions }) => extensions.includes(ending));
}

/** Opens a file of this server, or one of another server through the channel of the task. */
export async function openRasterSource(
  { type, path }: { readonly type: string; readonly path: string },
  channel: RangeChannel | undefined,
): Promise<RasterSource> {
  const driver = rasterDrivers.find((each) => each.type === type);
  if (driver === undefined) throw new Error(`Unknown raster driver '${type}'.`);
  const url = parseRemoteUrl(path);
  if (url === undefined) return driver.open(path);
  if (driver.openRemote === undefined || channel === undefined)
    throw new Error(`The raster driver '${type}' was called with a URL.`);
  return driver.openRemote(url, channel);
}
