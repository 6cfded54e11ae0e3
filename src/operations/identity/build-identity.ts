/** Identifies the build of the server: version, source revision and build time. */
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { readGitHead } from './git-head.ts';

export interface BuildIdentity {
  readonly version: string;
  /** The revision of the source, or `unknown`. */
  readonly revision: string;
  readonly builtAtMs?: number;
}

export interface CodeLocation {
  /** The folder of the running code: the source, or the compiled code. */
  readonly codeRoot: string;
  /** The folder of `package.json`. */
  readonly packageRoot: string;
}

/** The file that the build writes next to the compiled code, because a published package has no `.git`. */
export const BUILD_FILE = 'build.json';

export const UNKNOWN_REVISION = 'unknown';

export async function readBuildIdentity(place: CodeLocation, version: string): Promise<BuildIdentity> {
  const source = (await readBuildFile(place.codeRoot)) ?? (await readWorkTree(place.packageRoot));
  return { version, ...source };
}

type Source = Omit<BuildIdentity, 'version'>;

async function readBuildFile(codeRoot: string): Promise<Source | undefined> {
  try {
    const text = await readFile(join(codeRoot, BUILD_FILE), 'utf8');
    const { revision, builtAt } = JSON.parse(text) as { revision?: unknown; builtAt?: unknown };
    const builtAtMs = Date.parse(String(builtAt));
    return {
      revision: typeof revision === 'string' ? revision : UNKNOWN_REVISION,
      ...(Number.isNaN(builtAtMs) ? {} : { builtAtMs }),
    };
  } catch {
    // Code that was not built has no such file, and a broken file must not prevent the start.
    return undefined;
  }
}

/** For a server that runs from source: the time of the checkout, or that of its files. */
async function readWorkTree(packageRoot: string): Promise<Source> {
  const head = await readGitHead(packageRoot);
  const files = await stat(join(packageRoot, 'package.json')).catch(() => undefined);
  const builtAtMs = head?.sinceMs ?? files?.mtimeMs;
  return {
    revision: head?.revision ?? UNKNOWN_REVISION,
    ...(builtAtMs === undefined ? {} : { builtAtMs }),
  };
}
