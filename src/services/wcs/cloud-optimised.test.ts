/** Cloud-optimised GeoTIFF as the output of WCS. */
import { beforeAll, describe, expect, it } from 'vitest';
import { putTiff } from '../../../test/support/raster-samples.ts';
import { useTestServer } from '../../../test/support/test-server.ts';
import { isTiff } from '../../raster/geotiff/tiff-directory.ts';

const COG = 'image/tiff;application=geotiff;profile=cloud-optimized';

describe('WCS', () => {
  const server = useTestServer();
  const ask = (query: string) => server.get(`//geoserver/wcs?service=WCS&${query}`, { as: null });

  beforeAll(async () => {
    await server.post('/workspaces', '<workspace><name>acme</name></workspace>');
    const uploaded = await putTiff(server, '/workspaces/acme/coveragestores/dem/file.geotiff?coverageName=dem');
    expect(uploaded.status, uploaded.text).toBe(201);
  });

  it.each([
    ['2.0.1', `coverageId=acme__dem&format=${encodeURIComponent(COG)}`, COG],
    ['2.0.1', 'coverageId=acme__dem&format=image/tiff;%20profile=cloud-optimized', COG],
    ['1.0.0', 'coverage=acme:dem&format=COG&crs=EPSG:32633&bbox=500000,4999000,500100,5000000&width=20&height=10', COG],
  ])('%s returns a cloud-optimised GeoTIFF for %s', async (version, query, contentType) => {
    const reply = await ask(`version=${version}&request=GetCoverage&${query}`);

    expect([reply.status, reply.headers['content-type']]).toEqual([200, contentType]);
    expect(isTiff(reply.bytes)).toBe(true);
    expect(reply.bytes.subarray(8, 100).toString('latin1')).toContain('LAYOUT=IFDS_BEFORE_DATA');
  });

  it('lists the format in the capabilities of all versions', async () => {
    const [newest, middle, oldest] = await Promise.all([
      ask('version=2.0.1&request=GetCapabilities'),
      ask('version=1.1.1&request=GetCapabilities'),
      ask('version=1.0.0&request=DescribeCoverage&coverage=acme:dem'),
    ]);

    expect(newest.text).toContain(`<wcs:formatSupported>${COG}</wcs:formatSupported>`);
    expect(middle.text).toContain(COG);
    expect(oldest.text).toContain('<wcs:formats>COG</wcs:formats>');
  });

  it('does not write strips of a plain GeoTIFF as tiles', async () => {
    const reply = await ask('version=2.0.1&request=GetCoverage&coverageId=acme__dem&format=image/tiff');

    expect(reply.bytes.subarray(8, 100).toString('latin1')).not.toContain('LAYOUT');
  });
});
