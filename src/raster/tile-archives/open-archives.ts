/** Opens files with tiles of images as raster sources. */
import { basename, extname } from 'node:path';
import type { RangeChannel } from '../../remote/channel.ts';
import { getRemoteFileName } from '../../remote/remote-url.ts';
import { openMbtiles } from '../../vector/tile-archives/mbtiles.ts';
import { openPmtiles } from '../../vector/tile-archives/pmtiles/pmtiles.ts';
import { openRemoteRasterFile } from '../geotiff/remote-raster-file.ts';
import type { RasterSource } from '../port/port.ts';
import { openRasterFile } from '../port/raster-file.ts';
import { getStem } from '../support/companions.ts';
import { createTileArchiveSource } from './tile-archive-source.ts';

export function openMbtilesRaster(path: string): RasterSource {
  return createTileArchiveSource({
    name: getStem(path),
    fileName: basename(path),
    openArchive: () => openMbtiles(path),
  });
}

export function openPmtilesRaster(path: string): RasterSource {
  return createTileArchiveSource({
    name: getStem(path),
    fileName: basename(path),
    openArchive: () => openPmtiles(openRasterFile(path)),
  });
}

export function openRemotePmtilesRaster(url: string, channel: RangeChannel): RasterSource {
  const fileName = getRemoteFileName(url);
  return createTileArchiveSource({
    name: fileName.slice(0, fileName.length - extname(fileName).length),
    fileName,
    openArchive: () => openPmtiles(openRemoteRasterFile(url, channel)),
  });
}
