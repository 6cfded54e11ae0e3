/** Runs `graticule move-in` as a function against a server that listens. */
import type { CommandEnvironment } from '../../../src/cli/client/command.ts';
import { runCommand } from '../../../src/cli/run.ts';
import { ADMIN_PASSWORD, type TestServer } from '../test-server.ts';

export interface ReportEntry {
  readonly outcome: string;
  readonly source: string;
  readonly kind: string | null;
  readonly path: string | null;
  readonly code: string;
  readonly message: string;
  readonly remedy: string | null;
}

export interface MoveReport {
  readonly format: string;
  readonly source: { readonly kind: string; readonly files: number } | null;
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly summary: { readonly imported: Readonly<Record<string, number>>; readonly skipped: number };
  readonly entries: readonly ReportEntry[];
  readonly plan: { readonly create: number; readonly update: number; readonly unchanged: number } | null;
  readonly change: number | null;
}

export interface MoveRun {
  readonly code: number;
  readonly out: string;
  readonly err: string;
  readonly report: MoveReport;
  /** The files that the command wrote, by name. */
  readonly written: ReadonlyMap<string, { readonly bytes: Buffer; readonly mode: number | undefined }>;
}

export interface Surroundings {
  readonly environment?: Readonly<Record<string, string>>;
  /** Files that options name. */
  readonly files?: Readonly<Record<string, string>>;
  /** The terminal. */
  readonly prompt?: () => Promise<string>;
}

/** The REST root of a server, which listens from now on. */
export async function listen({ server }: TestServer): Promise<string> {
  return `${await server.app.listen({ host: '127.0.0.1', port: 0 })}${server.restRoot}`;
}

/** Runs the command with a report file. Without a URL, the target is unreachable. */
export async function runMoveIn(
  url: string | undefined,
  words: readonly string[],
  { environment = {}, files = {}, prompt }: Surroundings = {},
): Promise<MoveRun> {
  const printed: string[] = [];
  const errors: string[] = [];
  const written = new Map<string, { bytes: Buffer; mode: number | undefined }>();
  const world: CommandEnvironment = {
    environment: {
      GRATICULE_URL: url ?? 'http://127.0.0.1:1/geoserver/rest',
      GRATICULE_PASSWORD: ADMIN_PASSWORD,
      ...environment,
    },
    print: (text) => printed.push(text),
    printError: (text) => errors.push(text),
    readFile: async (name) => Buffer.from(files[name] ?? ''),
    listFiles: async () => undefined,
    removeFile: async () => undefined,
    resolvePath: (name) => name,
    async writeFile(name, pieces, { mode } = {}) {
      const all: Uint8Array[] = [];
      for await (const piece of pieces) all.push(piece);
      written.set(name, { bytes: Buffer.concat(all), mode });
    },
    prompt,
    wait: async () => undefined,
  };
  const code = await runCommand(['move-in', ...words, '--report', 'report.json'], world);
  const report = written.get('report.json')?.bytes.toString() ?? '{"entries":[]}';
  return { code, out: printed.join(''), err: errors.join(''), report: JSON.parse(report) as MoveReport, written };
}
