/** The installed packages of this server: the production tree as Node resolves it. */
import { readFile, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';

export interface InstalledPackage {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  /** Whether the server works without it. */
  readonly optional: boolean;
}

interface PackageFile {
  readonly directory: string;
  readonly content: Readonly<Record<string, unknown>>;
}

/** Limit for licences and versions, which are short; longer values are not shown. */
const MAX_WORD_LENGTH = 200;

export async function readInstalledPackages(packageRoot: string): Promise<readonly InstalledPackage[]> {
  const found = new Map<string, InstalledPackage>();
  const root = await readPackage(packageRoot);
  let level: readonly Dependency[] = root === undefined ? [] : listServerDependencies(root);
  while (level.length > 0) {
    const packages = await Promise.all(level.map((wanted) => resolvePackage(wanted)));
    level = packages.flatMap((each, index) => {
      const optional = level[index]?.optional ?? false;
      const known = each && found.get(each.directory);
      // A package visited as optional is visited again when another package requires it.
      if (each === undefined || (known !== undefined && (optional || !known.optional))) {
        return [];
      }
      found.set(each.directory, toInstalledPackage(each, optional));
      return listDependencies(each, optional);
    });
  }
  return removeDuplicates([...found.values()]);
}

/** The same version may be installed in several places; it is required if one of them is. */
function removeDuplicates(packages: readonly InstalledPackage[]): readonly InstalledPackage[] {
  const copies = Map.groupBy(packages, ({ name, version }) => `${name}-${version}`);
  return [...copies]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([, same]) => same.find((each) => !each.optional) ?? same.slice(0, 1));
}

interface Dependency {
  readonly name: string;
  /** The folder of the package that requires it. */
  readonly from: string;
  readonly optional: boolean;
}

function listServerDependencies(root: PackageFile): readonly Dependency[] {
  const optional = new Set(listNames(root.content['optionalDependencies']));
  return listDependencies(root, false).map((wanted) => ({ ...wanted, optional: optional.has(wanted.name) }));
}

/**
 * Optional dependencies are mostly platform binaries that the package needs to work, so an installed one counts as
 * required.
 */
function listDependencies({ directory, content }: PackageFile, optional: boolean): readonly Dependency[] {
  const names = new Set([...listNames(content['dependencies']), ...listNames(content['optionalDependencies'])]);
  return [...names].map((name) => ({ name, from: directory, optional }));
}

function listNames(dependencies: unknown): readonly string[] {
  return typeof dependencies === 'object' && dependencies !== null ? Object.keys(dependencies) : [];
}

/** Looks in `node_modules` of every parent folder, as Node does; packages for other platforms are absent. */
async function resolvePackage({ name, from }: Dependency): Promise<PackageFile | undefined> {
  for (let directory = from; ; directory = dirname(directory)) {
    const found = await readPackage(join(directory, 'node_modules', name));
    if (found !== undefined || directory === dirname(directory)) {
      return found;
    }
  }
}

async function readPackage(place: string): Promise<PackageFile | undefined> {
  try {
    const directory = await realpath(place);
    const content: unknown = JSON.parse(await readFile(join(directory, 'package.json'), 'utf8'));
    return typeof content === 'object' && content !== null ? { directory, content: { ...content } } : undefined;
  } catch {
    return undefined;
  }
}

function toInstalledPackage({ content }: PackageFile, optional: boolean): InstalledPackage {
  return {
    name: readShortText(content['name']),
    version: readShortText(content['version']),
    license: readLicense(content),
    optional,
  };
}

/** An SPDX expression; old packages use an object or a list of objects. */
function readLicense(content: PackageFile['content']): string {
  const declared = [content['license'] ?? content['licenses']].flat();
  const names = declared.map((each) =>
    readShortText(typeof each === 'object' && each !== null && 'type' in each ? each.type : each),
  );
  return names.filter((each) => each !== 'unknown').join(' OR ') || 'unknown';
}

function readShortText(value: unknown): string {
  return typeof value === 'string' && value !== '' && value.length <= MAX_WORD_LENGTH ? value : 'unknown';
}
