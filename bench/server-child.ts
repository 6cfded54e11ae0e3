/** The real server, started as users start it, on a separate data directory. */
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { type Child, startChild } from './child.ts';

export const PASSWORD = 'a password for measuring';

export const authorization = `Basic ${Buffer.from(`admin:${PASSWORD}`).toString('base64')}`;

export interface ServerChild extends Child {
  /** The origin of the server, without a path. */
  readonly origin: string;
  readonly restUrl: string;
}

/** The same flags as `npm start`. */
const nodeOptions = ['--max-semi-space-size=8'];

export interface ServerOptions {
  /** Measures its event loop turns (`longestTurn`). */
  readonly isWatched?: boolean;
  /** Further command-line arguments. */
  readonly args?: readonly string[];
}

export async function startServerChild(
  dataDir: string,
  environment: Readonly<Record<string, string>> = {},
  { isWatched = false, args: more = [] }: ServerOptions = {},
): Promise<ServerChild> {
  const port = await freePort();
  const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));
  const origin = `${more.includes('--tls-cert') ? 'https' : 'http'}://127.0.0.1:${port}`;
  const watch = isWatched ? ['--import', new URL('./turn-watch.ts', import.meta.url).href] : [];
  const args = [...nodeOptions, ...watch, main, '--data-dir', dataDir, '--port', String(port), ...more];
  const child = await startChild(args, `${origin}/readyz`, { GRATICULE_ADMIN_PASSWORD: PASSWORD, ...environment });
  return { ...child, origin, restUrl: `${origin}/geoserver/rest` };
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 0;
}
