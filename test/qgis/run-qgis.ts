/** Runs scripts with the Python of QGIS, and compares layers that it reads. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { tools } from '../support/tools.ts';

const run = promisify(execFile);

export interface AskedLayer {
  readonly provider: 'WFS' | 'OAPIF' | 'ogr';
  readonly uri: string;
  /** The filter expression of a layer, which QGIS sends to the server as far as it can. */
  readonly subset?: string;
  readonly expression?: string;
  readonly box?: readonly number[];
  /** The CRS of printed geometries; by default the CRS of the layer. */
  readonly crs?: string;
}

export interface FoundFeature {
  readonly properties: Readonly<Record<string, unknown>>;
  readonly geometry: { readonly type: string; readonly coordinates: unknown } | null;
}

export interface FoundLayer {
  readonly complaint?: string;
  readonly crs: string;
  readonly count: number;
  readonly features: readonly FoundFeature[];
}

/** Starting QGIS takes seconds, so one process gets all layers; `folder` is its home. */
export async function runQgis<Found>(folder: string, script: string, asked: readonly object[]): Promise<Found[]> {
  const env = { ...process.env, QT_QPA_PLATFORM: 'offscreen', HOME: folder, XDG_RUNTIME_DIR: folder };
  const args = [join(import.meta.dirname, script), JSON.stringify(asked)];
  const { stdout } = await run(tools.qgis.find() ?? 'python3', args, { env, maxBuffer: 100_000_000 });
  return JSON.parse(stdout) as Found[];
}

/** Reads layers with all features. */
export async function readLayers(folder: string, layers: readonly AskedLayer[]): Promise<readonly FoundLayer[]> {
  const found = await runQgis<FoundLayer>(folder, 'read_layers.py', layers);
  expect(found.map(({ complaint }) => complaint)).toEqual(layers.map(() => undefined));
  return found;
}

/**
 * Some providers expose ids as columns, and names that are invalid in XML are escaped. In GML, QGIS reads booleans as
 * text and empty text as null.
 */
export function comparable({ properties, geometry }: FoundFeature): unknown {
  const kept = Object.entries(properties)
    .filter(([name]) => !['fid', 'gml_id', 'id'].includes(name))
    .map(([name, value]) => [
      name.replaceAll('_x0020_', ' '),
      typeof value === 'boolean' ? String(value) : value === '' ? null : value,
    ]);
  return { geometry: geometry?.type.replace('Multi', ''), properties: Object.fromEntries(kept) };
}

/** Tolerance of some centimeters, since both sides convert coordinates separately. */
export function expectSamePlaces(
  found: readonly FoundFeature[] | undefined,
  expected: readonly FoundFeature[] | undefined,
): void {
  const numbers = (features: readonly FoundFeature[] | undefined): readonly number[] =>
    features?.flatMap(({ geometry }) => [geometry?.coordinates ?? []].flat(10) as number[]) ?? [];
  const [ours, theirs] = [numbers(found), numbers(expected)];
  expect(ours).toHaveLength(theirs.length);
  for (const [index, number] of ours.entries()) expect(number).toBeCloseTo(theirs[index] ?? Number.NaN, 5);
}
