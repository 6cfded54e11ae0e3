/** Coverage stores of each type and their coverages: uploaded, replaced, in place, harvested, changed and deleted. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { worldImageZip, zipOfFiles } from '../../test/support/raster-samples.ts';
import { geotiffBytes, granuleBytes } from '../../test/support/tiff-bytes.ts';
import { part, type Rest } from './rest.ts';

const ZIP = 'application/zip';
const TIFF = 'image/tiff';
const stores = '/workspaces/acme/coveragestores';
const corner = { left: 10, top: 50, pixel: 0.25, epsg: 4326 };

/** The time of each granule is in its name. */
const timeIndexer = {
  'indexer.properties': Buffer.from(
    [
      'Schema=*the_geom:Polygon,location:String,time:java.util.Date',
      'PropertyCollectors=TimestampFileNameExtractorSPI[timeregex](time)',
      'TimeAttribute=time',
    ].join('\n'),
  ),
  'timeregex.properties': Buffer.from('regex=[0-9]{8}'),
};

/** A file that is not uploaded: it is in the data directory before a store names it. */
export async function placeRasters(dataDir: string): Promise<void> {
  const folder = join(dataDir, 'data', 'rasters');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'heights.tif'), geotiffBytes(4, 3));
}

export async function fillRasters({ send }: Rest): Promise<void> {
  await send('PUT', `${stores}/relief/file.geotiff`, geotiffBytes(8, 6), TIFF);
  await send('PUT', `${stores}/relief/file.geotiff`, geotiffBytes(6, 4), TIFF);
  await send('PUT', `${stores}/relief/coverages/relief`, JSON.stringify({ coverage: relief }));
  await send('PUT', `${stores}/photo/file.worldimage`, worldImageZip(), ZIP);

  const heights = { name: 'heights', url: 'file:data/rasters/heights.tif', description: 'In its own folder' };
  await send('POST', stores, JSON.stringify({ coverageStore: heights }));
  await send(
    'POST',
    `${stores}/heights/coverages`,
    '<coverage><name>Höhen</name><nativeName>heights</nativeName></coverage>',
  );
  await send('PUT', `${stores}/heights`, '{"coverageStore":{"enabled":false}}');

  const first = { 'water20260101.tif': granuleBytes(corner) };
  const second = { 'water20260201.tif': granuleBytes({ ...corner, left: 11 }) };
  await send('PUT', `${stores}/water/file.imagemosaic`, zipOfFiles({ ...timeIndexer, ...first }), ZIP);
  await send('POST', `${stores}/water/file.imagemosaic`, zipOfFiles(second), ZIP);

  const moved = `/workspaces/${part('städte und gemeinden')}/coveragestores`;
  await send('PUT', `${moved}/dach/file.geotiff`, geotiffBytes(3, 3), TIFF);
  await send('PUT', `${moved}/dach`, '{"coverageStore":{"name":"Dächer"}}');

  await send('PUT', `${stores}/faded/file.geotiff`, geotiffBytes(2, 2), TIFF);
  await send('DELETE', `${stores}/faded?recurse=true`);
}

const relief = {
  title: 'Relief',
  abstract: 'Heights above the sea',
  keywords: { string: ['high', 'low'] },
  enabled: true,
  advertised: false,
  supportedFormats: { string: ['GeoTIFF', 'PNG'] },
  interpolationMethods: { string: ['bilinear'] },
  defaultInterpolationMethod: 'bilinear',
  requestSRS: { string: ['EPSG:32633', 'EPSG:4326'] },
  responseSRS: { string: ['EPSG:32633'] },
  dimensions: {
    coverageDimension: [
      { name: 'height', description: 'Height', unit: 'm', range: { min: 0, max: 250 }, nullValues: { double: [250] } },
    ],
  },
  parameters: { entry: [{ string: ['InputTransparentColor', '#000000'] }] },
  metadata: { entry: [{ '@key': 'source', $: 'survey' }] },
  metadataLinks: {
    metadataLink: [{ type: 'text/html', metadataType: 'ISO19115:2003', content: 'http://x.example.com/relief' }],
  },
};
