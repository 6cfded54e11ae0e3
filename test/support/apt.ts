/** Debian and Ubuntu packages: queries the lists, and installs non-interactively when run as root. */
import { execFile, execFileSync } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { findProgram } from './find-program.ts';
import type { PackageLists } from './package-lists.ts';
import type { PackageSystem } from './prepare-tool.ts';
import { withoutStartingServices } from './without-starting-services.ts';

const LOCK_DEADLINE_MS = 300_000;
const LOCK_RETRY_MS = 2_000;
const OUTPUT_LIMIT_BYTES = 64 * 1024 * 1024;
const OPTIONS = ['-y', '-q', '-o', 'Acquire::Retries=3', '-o', 'Acquire::http::Timeout=30', '-o', 'Dpkg::Use-Pty=0'];

/** The messages are searched and printed, so they must not be translated. */
const environment = (): NodeJS.ProcessEnv => ({ ...process.env, LC_ALL: 'C', DEBIAN_FRONTEND: 'noninteractive' });

const lists: PackageLists = {
  matching: (pattern) => ask(['search', '--names-only', pattern]).map((line) => line.split(' ')[0] ?? ''),
  listDependencies: (name) => ask(['depends', name]).flatMap((line) => /^\s*Depends: (\S+)/.exec(line)?.[1] ?? []),
};

/** One refresh serves all tools of a run. */
export function aptPackages(announce: (line: string) => void): PackageSystem {
  let refreshed: Promise<string | undefined> | undefined;
  return {
    refusal() {
      if (findProgram(['apt-get']) === undefined) return 'this system has no apt-get to install it with';
      if (process.getuid?.() !== 0) return 'only root may install it';
      return undefined;
    },
    refresh() {
      refreshed ??= change(['update', '-o', 'APT::Update::Error-Mode=any']).then(() => undefined, lastComplaint);
      return refreshed;
    },
    lists,
    async install(packages) {
      announce(`installing ${packages.join(', ')}; this can take a few minutes`);
      await withoutStartingServices(() => change(['install', '--no-install-recommends', ...packages]));
    },
  };
}

function ask(query: readonly string[]): readonly string[] {
  try {
    return execFileSync('apt-cache', query, {
      encoding: 'utf8',
      env: environment(),
      stdio: ['ignore', 'pipe', 'ignore'],
    })
      .split('\n')
      .filter((line) => line !== '');
  } catch {
    return []; // apt-cache fails for an unknown package.
  }
}

/** Another installation may hold the lock; `DPkg::Lock::Timeout` does not cover the lists, so retry here. */
async function change(command: readonly string[]): Promise<void> {
  const deadline = Date.now() + LOCK_DEADLINE_MS;
  for (;;) {
    try {
      await promisify(execFile)('apt-get', [...OPTIONS, ...command], {
        env: environment(),
        maxBuffer: OUTPUT_LIMIT_BYTES,
      });
      return;
    } catch (error) {
      if (!/Could not get lock|Unable to lock|frontend lock/.test(output(error)) || Date.now() > deadline) {
        throw new Error(`apt-get ${command[0]} failed: ${lastComplaint(error)}`, { cause: error });
      }
      await delay(LOCK_RETRY_MS);
    }
  }
}

function output(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return 'stderr' in error && typeof error.stderr === 'string' ? error.stderr : error.message;
}

function lastComplaint(error: unknown): string {
  const lines = output(error).trim().split('\n');
  return lines.findLast((line) => line.startsWith('E: ')) ?? lines.at(-1) ?? 'for no stated reason';
}
