/** Layers for tests of the feature services, and helpers to request them. */
import { pointContent, shapefileBytes } from './shapefile-bytes.ts';
import type { Reply, RequestOptions, TestServer } from './test-server.ts';
import { pointShapefile, putZip, UTM33_PRJ, WGS84_PRJ, zipOf } from './vector-samples.ts';

export const FEATURES = '//geoserver/ogc/features/v1';

/** A workspace with layers of shapefiles, by name. */
export async function publishShapefiles(
  server: TestServer,
  workspace: string,
  shapefiles: Parameters<typeof zipOf>[0],
): Promise<void> {
  await server.post('/workspaces', JSON.stringify({ workspace: { name: workspace } }));
  for (const [name, bytes] of Object.entries(shapefiles)) {
    const reply = await putZip(
      server,
      `/workspaces/${workspace}/datastores/${name}/file.shp`,
      zipOf({ [name]: bytes }),
    );
    if (reply.status >= 300) {
      throw new Error(`${name} cannot be published: ${reply.status} ${reply.text}`);
    }
  }
}

/** Twenty-five points on a diagonal in degrees, and as many near the equator in meters. */
export const places = pointShapefile(25);
export const metres = pointShapefile(5, [500_000, 5_000_000], UTM33_PRJ);

/** Towns with difficult values: nulls, dates, and many scripts. */
export const towns = shapefileBytes({
  type: 1,
  bounds: [-0.1, 35.7, 139.7, 51.5],
  records: [pointContent(-0.1, 51.5), pointContent(139.7, 35.7), pointContent(13.4, 52.5)],
  prj: WGS84_PRJ,
  cpg: 'UTF-8',
  table: {
    fields: [
      { name: 'name', type: 'C', width: 20 },
      { name: 'people', type: 'N', width: 12 },
      { name: 'founded', type: 'D', width: 8 },
    ],
    rows: [
      { values: ['London', '     8900000', '00470101'] },
      { values: ['東京', '    14000000', '18680903'] },
      { values: ['Berlin', '            ', '12371028'] },
    ],
  },
});

/** Anonymous by default. */
export function ask(server: TestServer, path: string, options: RequestOptions = {}): Promise<Reply> {
  return server.get(`${FEATURES}${path}`, { as: null, ...options });
}

export interface FeatureCollectionJson {
  readonly features: readonly {
    readonly id: string;
    readonly geometry: { readonly coordinates: readonly unknown[] } | null;
    readonly properties: Readonly<Record<string, unknown>>;
  }[];
  readonly numberMatched?: number;
  readonly numberReturned: number;
  readonly links: readonly { readonly rel: string; readonly href: string; readonly type?: string }[];
}

export async function itemsAt(
  server: TestServer,
  path: string,
  options: RequestOptions = {},
): Promise<FeatureCollectionJson> {
  const reply = await ask(server, path, options);
  if (reply.status !== 200) {
    throw new Error(`${path} was answered with ${reply.status}: ${reply.text}`);
  }
  return reply.json() as FeatureCollectionJson;
}

/** The path of a link in a response, as accepted by `ask`. */
export function findLinkPath(links: FeatureCollectionJson['links'], rel: string): string | undefined {
  return links.find((link) => link.rel === rel)?.href.split('/ogc/features/v1')[1];
}
