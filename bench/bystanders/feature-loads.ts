/** Loads of large maps and long exports. */
import { join } from 'node:path';
import { parcelsStore, publish, SHAPEFILE, WORKSPACE, writeParcels } from '../feature-data.ts';
import { type Bench, LARGE, thousands } from '../sections/section.ts';
import { type ServerChild, startServerChild } from '../server-child.ts';
import { serverOptions } from './catalog-loads.ts';
import type { LoadGroup, OpenGroup } from './group.ts';
import { describeReply, sendLoad } from './load.ts';

const EXPORTED = 1_000_000;
const EXPORT_TIMEOUT_MS = 120_000;
const DRAWN = 'drawn';

export const exportFormats: Readonly<Record<string, string>> = {
  geojson: 'application/json',
  gml: 'application/gml+xml; version=3.2',
  csv: 'csv',
  shapefile: 'SHAPE-ZIP',
  geopackage: 'geopackage',
};

const exportCases = Object.keys(exportFormats).map((format) => `export-${format}`);

export const featureLoads: LoadGroup = { names: ['map-polygons', ...exportCases], open: openFeatureLoads };

async function openFeatureLoads(bench: Bench): Promise<OpenGroup> {
  const dataDir = join(await bench.directory(), 'data-directory');
  const server = await startServerChild(dataDir, {}, serverOptions(bench));
  const [drawn, exported] = [bench.scaled(LARGE), bench.scaled(EXPORTED)];
  await writeParcels(dataDir, drawn, DRAWN);
  await writeParcels(dataDir, exported);
  await publish(server, [parcelsStore(DRAWN), parcelsStore()]);
  const map = {
    name: 'map-polygons',
    what: `a map of ${thousands(drawn)} polygons is drawn, three times`,
    // The first map after a start also loads the code of the service.
    prepare: async () => {
      await sendLoad({ url: mapUrl(server, DRAWN, 10), isAnonymous: true });
    },
    run: async () => {
      const replies: string[] = [];
      for (const width of [2_000, 2_001, 2_002]) {
        replies.push(describeReply(await sendLoad({ url: mapUrl(server, DRAWN, width), isAnonymous: true })));
      }
      return replies.join('; ');
    },
  };
  const exports = Object.keys(exportFormats).map((format) => ({
    name: `export-${format}`,
    what: `${thousands(exported)} features are exported (${format})`,
    run: async () =>
      describeReply(
        await sendLoad({
          url: exportUrl(server, SHAPEFILE, format),
          isAnonymous: true,
          timeoutMs: EXPORT_TIMEOUT_MS,
        }),
      ),
  }));
  return { server, cases: [map, ...exports] };
}

export function mapUrl(server: ServerChild, layer: string, width: number): string {
  const parameters = {
    ...{ service: 'WMS', version: '1.1.1', request: 'GetMap', layers: `${WORKSPACE}:${layer}`, styles: '' },
    ...{ srs: 'EPSG:4326', bbox: '-80,-80,80,80', width: String(width), height: '2000', format: 'image/png' },
  };
  return `${server.origin}/geoserver/wms?${new URLSearchParams(parameters)}`;
}

export function exportUrl(server: ServerChild, layer: string, format: string): string {
  const parameters = {
    ...{ service: 'WFS', version: '2.0.0', request: 'GetFeature', typeNames: `${WORKSPACE}:${layer}` },
    outputFormat: exportFormats[format] ?? format,
  };
  return `${server.origin}/geoserver/wfs?${new URLSearchParams(parameters)}`;
}
