/** A GeoTIFF file of another server. It has no companion files: looking for them would cost a request each. */
import { extname } from 'node:path';
import type { RangeChannel } from '../../remote/channel.ts';
import { getRemoteFileName } from '../../remote/remote-url.ts';
import type { RasterSource } from '../port/port.ts';
import { readGeoKeys } from './geo-keys.ts';
import { createGeotiffSource } from './geotiff-source.ts';
import { resolveKeyCrs } from './key-crs.ts';
import { openRemoteRasterFile } from './remote-raster-file.ts';
import { readTransform } from './tiff-transform.ts';

export function openRemoteGeotiff(url: string, channel: RangeChannel): RasterSource {
  const fileName = getRemoteFileName(url);
  return createGeotiffSource({
    name: fileName.slice(0, fileName.length - extname(fileName).length),
    openFile: () => openRemoteRasterFile(url, channel),
    readGeoreference: async (file, { image }) => {
      const keys = readGeoKeys(image.directory, file);
      return { transform: readTransform(image.directory, keys), crs: await resolveKeyCrs(keys) };
    },
  });
}
