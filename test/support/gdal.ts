/** GDAL as a reference: runs its programs and parses their output. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The `ogrinfo` description of the only layer of a file. */
export interface OgrSummary {
  readonly layer: string;
  /** For example `3D Measured Polygon`. */
  readonly geometry: string;
  readonly count: number;
  readonly extent: readonly [minX: number, minY: number, maxX: number, maxY: number] | undefined;
  /** For example EPSG:4326; undefined without a code. */
  readonly crsCode: string | undefined;
  readonly fields: readonly OgrField[];
}

export interface OgrField {
  readonly name: string;
  /** For example `Integer64`. */
  readonly type: string;
}

/** Runs a GDAL program and returns its output. */
export async function runGdal(
  program: string,
  args: readonly string[],
  options: { readonly input?: string; readonly env?: Readonly<Record<string, string>> } = {},
): Promise<string> {
  const running = run(program, args, {
    maxBuffer: 256 * 1024 * 1024,
    env: { ...process.env, ...options.env },
  });
  if (options.input !== undefined) running.child.stdin?.end(options.input);
  return (await running).stdout;
}

/** Runs `ogrinfo` for its summary, in the form that all versions print. */
export async function ogrSummary(path: string, env: Readonly<Record<string, string>> = {}): Promise<OgrSummary> {
  const text = await runGdal('ogrinfo', ['-so', '-al', path], { env });
  const extent = /^Extent: \(([^,]+), ([^)]+)\) - \(([^,]+), ([^)]+)\)/m.exec(text)?.slice(1).map(Number);
  const [minX, minY, maxX, maxY] = extent ?? [];
  const afterCrs = text.slice(text.indexOf('Layer SRS WKT:'));
  const code = /^ {4}ID\["(\w+)",(\d+)\]\]$/m.exec(afterCrs);
  return {
    layer: matched(text, /^Layer name: (.*)$/m),
    geometry: matched(text, /^Geometry: (.*)$/m),
    count: Number(matched(text, /^Feature Count: (\d+)$/m)),
    extent:
      minX === undefined || minY === undefined || maxX === undefined || maxY === undefined
        ? undefined
        : [minX, minY, maxX, maxY],
    crsCode: code === null ? undefined : `${code[1]}:${code[2]}`,
    fields: [...afterCrs.matchAll(/^(\S.*?): (\w+) \(\d+\.\d+\)/gm)].map(([, name = '', type = '']) => ({
      name,
      type,
    })),
  };
}

/** All features of a file as GeoJSON, at full precision. */
export async function ogrFeatures(
  path: string,
  env: Readonly<Record<string, string>> = {},
): Promise<readonly OgrFeature[]> {
  const args = [
    '-f',
    'GeoJSON',
    '/vsistdout/',
    path,
    '-lco',
    'COORDINATE_PRECISION=17',
    '-lco',
    'SIGNIFICANT_FIGURES=17',
  ];
  const collection = JSON.parse(await runGdal('ogr2ogr', args, { env })) as {
    readonly features: readonly OgrFeature[];
  };
  return collection.features;
}

export interface OgrFeature {
  readonly properties: Readonly<Record<string, unknown>>;
  readonly geometry: { readonly type: string; readonly coordinates: unknown } | null;
}

function matched(text: string, pattern: RegExp): string {
  const found = pattern.exec(text)?.[1];
  if (found === undefined) throw new Error(`ogrinfo did not print ${pattern}:\n${text}`);
  return found;
}
