/** Finds a PostgreSQL server with the PostGIS extension, which distributions install outside the PATH. */
import { execFileSync } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { join } from 'node:path';
import { isExecutable, pathFolders } from './find-program.ts';

const INSTALLATIONS = [
  '/usr/lib/postgresql/*/bin',
  '/usr/pgsql-*/bin',
  '/usr/local/pgsql/bin',
  '/opt/homebrew/opt/postgresql*/bin',
  '/usr/local/opt/postgresql*/bin',
];

/** The folder of the newest complete PostgreSQL installation, or of the one on the PATH. */
export function findPostgis(): string | undefined {
  return [...serverFolders(), ...pathFolders()].find((folder) => hasServer(folder) && hasExtension(folder));
}

/** The major versions of PostgreSQL servers installed by Debian packages, newest first. */
export function installedServerVersions(): readonly string[] {
  return serverFolders()
    .filter(hasServer)
    .flatMap((folder) => /^\/usr\/lib\/postgresql\/(\d+)\//.exec(folder)?.[1] ?? []);
}

function serverFolders(): readonly string[] {
  return globSync(INSTALLATIONS).sort((one, other) => other.localeCompare(one, 'en', { numeric: true }));
}

function hasServer(folder: string): boolean {
  return ['initdb', 'postgres', 'pg_config'].every((program) => isExecutable(join(folder, program)));
}

/** The control file and the library are in different packages, and either may be missing. */
function hasExtension(folder: string): boolean {
  const answer = execFileSync(join(folder, 'pg_config'), ['--sharedir', '--pkglibdir'], { encoding: 'utf8' });
  const [shared, libraries] = answer.trim().split('\n');
  if (shared === undefined || libraries === undefined) return false;
  return existsSync(join(shared, 'extension', 'postgis.control')) && globSync(join(libraries, 'postgis-*')).length > 0;
}
