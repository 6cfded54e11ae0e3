/** Maps of a DEM with a color map and of an RGB picture, compared with MapServer on the same files. */
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findProgram } from '../test/support/find-program.ts';
import { byTurns, startAsking } from './asking.ts';
import { prepareMapServer, startMapServer } from './mapserver.ts';
import type { Bench } from './sections/section.ts';
import { authorization, type ServerChild, startServerChild } from './server-child.ts';

const run = promisify(execFile);
const DEM_SIZE = 2_000;
const RGB_SIZE = 4_000;
const MAX_RATIO = 0.8;

const stops = [
  { color: '#004000', quantity: -100 },
  { color: '#80c060', quantity: 300 },
  { color: '#c0a060', quantity: 700 },
  { color: '#ffffff', quantity: 1_100 },
];

const style = `<StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld"><NamedLayer><Name>heights</Name>
<UserStyle><FeatureTypeStyle><Rule><RasterSymbolizer><ColorMap>
${stops.map(({ color, quantity }) => `<ColorMapEntry color="${color}" quantity="${quantity}"/>`).join('')}
</ColorMap></RasterSymbolizer></Rule></FeatureTypeStyle></UserStyle></NamedLayer></StyledLayerDescriptor>`;

export async function benchRasters({ report, directory }: Pick<Bench, 'report' | 'directory'>): Promise<void> {
  const missing = await prepareMapServer((line) => process.stderr.write(`${line}\n`));
  if (missing !== undefined || findProgram(['gdal_translate']) === undefined) {
    report.skip('maps of rasters beside MapServer', missing ?? 'gdal_translate is missing');
    return;
  }
  const folder = await directory();
  const files = { dem: await writeDem(folder), rgb: await writeRgb(folder) };
  const server = await startServerChild(await directory());
  const mapServer = await startMapServer({
    shapefiles: [],
    rasters: [
      { layer: 'dem', path: files.dem, look: describeRanges() },
      { layer: 'rgb', path: files.rgb, look: '' },
    ],
  });
  const { ask, close } = startAsking(({ type }) => !type.includes('xml'));
  try {
    await send(server, 'POST', 'workspaces', JSON.stringify({ workspace: { name: 'rasters' } }));
    await send(server, 'POST', 'styles?name=heights', style);
    for (const [name, path] of Object.entries(files)) await publish(server, name, path);
    const getMap = (origin: string, layer: string, styles: string): string =>
      `${origin}?service=WMS&version=1.1.1&request=GetMap&srs=EPSG:4326&width=800&height=800&format=image/png` +
      `&layers=${layer}&styles=${styles}&bbox=10,48,12,50`;
    const ours = `${server.origin}/geoserver/wms`;
    const costs = await byTurns(ask, {
      dem: getMap(ours, 'rasters:dem', 'heights'),
      theirDem: getMap(mapServer.url, 'dem', ''),
      rgb: getMap(ours, 'rasters:rgb', 'raster'),
      theirRgb: getMap(mapServer.url, 'rgb', ''),
    });
    for (const [what, measured, baseline] of [
      [`a map of a DEM of ${DEM_SIZE} by ${DEM_SIZE} with a color map, p50`, costs.dem, costs.theirDem],
      [`a map of an RGB picture of ${RGB_SIZE} by ${RGB_SIZE}, p50`, costs.rgb, costs.theirRgb],
    ] as const) {
      report.add({
        what,
        measured: `${measured.toFixed(1)} ms`,
        baseline: `${baseline.toFixed(1)} ms (MapServer)`,
        ratio: (measured / baseline).toFixed(2),
        aim: `ratio at most ${MAX_RATIO}`,
        met: measured / baseline <= MAX_RATIO,
      });
    }
  } finally {
    close();
    await mapServer.stop();
    await server.stop();
  }
}

/** The color ramp of the style as classes of MapServer. */
function describeRanges(): string {
  const ranges = stops.slice(1).map(({ color, quantity }, index) => {
    const from = stops[index];
    return `STYLE COLORRANGE "${from?.color}" "${color}" DATARANGE ${from?.quantity} ${quantity} END`;
  });
  return `CLASS ${ranges.join(' ')} END`;
}

async function writeDem(folder: string): Promise<string> {
  const heights = new Float32Array(DEM_SIZE * DEM_SIZE);
  for (let row = 0, at = 0; row < DEM_SIZE; row += 1) {
    for (let column = 0; column < DEM_SIZE; column += 1, at += 1) {
      heights[at] = 500 + 400 * Math.sin(column / 90) * Math.cos(row / 130) + 200 * Math.sin((column + row) / 37);
    }
  }
  return writeTiff(folder, 'dem', { bytes: heights, size: DEM_SIZE, bands: 1, type: 'Float32' });
}

async function writeRgb(folder: string): Promise<string> {
  const pixels = new Uint8Array(RGB_SIZE * RGB_SIZE * 3);
  for (let row = 0, at = 0; row < RGB_SIZE; row += 1) {
    for (let column = 0; column < RGB_SIZE; column += 1, at += 3) {
      pixels[at] = 128 + 100 * Math.sin(column / 150);
      pixels[at + 1] = 128 + 100 * Math.cos(row / 210);
      pixels[at + 2] = (column * 31 + row * 17) >> 3;
    }
  }
  const path = await writeTiff(folder, 'rgb', { bytes: pixels, size: RGB_SIZE, bands: 3, type: 'Byte' });
  await run('gdaladdo', ['-q', '-r', 'average', path, '2', '4', '8', '16']);
  return path;
}

interface RawPixels {
  readonly bytes: ArrayBufferView;
  readonly size: number;
  readonly bands: number;
  readonly type: 'Float32' | 'Byte';
}

/** Two degrees by two degrees, from interleaved pixels. */
async function writeTiff(folder: string, name: string, { bytes, size, bands, type }: RawPixels): Promise<string> {
  const sampleBytes = type === 'Byte' ? 1 : 4;
  const described = Array.from({ length: bands }, (_, band) => {
    const color = bands === 3 ? `<ColorInterp>${['Red', 'Green', 'Blue'][band]}</ColorInterp>` : '';
    return `<VRTRasterBand dataType="${type}" band="${band + 1}" subClass="VRTRawRasterBand">${color}
      <SourceFilename relativeToVRT="1">${name}.raw</SourceFilename><ImageOffset>${band * sampleBytes}</ImageOffset>
      <PixelOffset>${bands * sampleBytes}</PixelOffset><LineOffset>${size * bands * sampleBytes}</LineOffset>
      </VRTRasterBand>`;
  });
  const [vrt, path] = [join(folder, `${name}.vrt`), join(folder, `${name}.tif`)];
  await writeFile(join(folder, `${name}.raw`), new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  await writeFile(
    vrt,
    `<VRTDataset rasterXSize="${size}" rasterYSize="${size}"><SRS>EPSG:4326</SRS>
    <GeoTransform>10,${2 / size},0,50,0,${-2 / size}</GeoTransform>${described.join('')}</VRTDataset>`,
  );
  await run('gdal_translate', ['-q', ...(bands === 3 ? ['-co', 'TILED=YES'] : []), vrt, path]);
  return path;
}

/** As an upload, so that the data is in the data directory. */
async function publish(server: ServerChild, name: string, path: string): Promise<void> {
  await send(server, 'PUT', `workspaces/rasters/coveragestores/${name}/file.geotiff`, await readFile(path));
}

async function send(
  server: ServerChild,
  method: 'POST' | 'PUT',
  path: string,
  body: string | Uint8Array<ArrayBuffer>,
): Promise<void> {
  const type =
    typeof body !== 'string' ? 'image/tiff' : body.startsWith('<') ? 'application/vnd.ogc.sld+xml' : 'application/json';
  const reply = await fetch(`${server.restUrl}/${path}`, {
    method,
    headers: { authorization, 'content-type': type },
    body,
  });
  if (reply.status !== 201) throw new Error(`${method} ${path} answered ${reply.status}: ${await reply.text()}`);
  await reply.arrayBuffer();
}
