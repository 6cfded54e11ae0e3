/** Lists the components of the server: its modules, the packages and the runtime. */

import type { BuildIdentity } from './build-identity.ts';
import { type InstalledPackage, readInstalledPackages } from './dependency-tree.ts';
import type { ServerModule } from './module-status.ts';
import { type AboutResource, formatBuildTimestamp } from './resource-filter.ts';

export interface ManifestOptions {
  readonly packageRoot: string;
  readonly identity: BuildIdentity;
  readonly modules: readonly ServerModule[];
  /** `process.versions`. */
  readonly runtime: Readonly<Record<string, string | undefined>>;
}

/** The licence of the modules of the server. */
const OWN_LICENSE = 'Apache-2.0';

/** Reads the packages once, because they do not change while the server runs. */
export function createManifestReader(options: ManifestOptions): () => Promise<readonly AboutResource[]> {
  let resources: Promise<readonly AboutResource[]> | undefined;
  return () => {
    resources ??= readManifest(options).catch((error: unknown) => {
      resources = undefined;
      throw error;
    });
    return resources;
  };
}

async function readManifest(options: ManifestOptions): Promise<readonly AboutResource[]> {
  const packages = await readInstalledPackages(options.packageRoot);
  const all = [
    ...options.modules.map((module) => toModuleResource(module, options.identity)),
    ...packages.map(toPackageResource),
    toRuntimeResource(options.runtime),
  ];
  return all.sort((a, b) => (a.name < b.name ? -1 : 1));
}

function toModuleResource({ module, name, kind, version }: ServerModule, identity: BuildIdentity): AboutResource {
  const { revision, builtAtMs } = identity;
  return {
    name: `${module}-${version}`,
    properties: {
      'Implementation-Title': name,
      Version: version,
      License: OWN_LICENSE,
      GeoServerModule: kind,
      'Git-Revision': revision,
      ...(builtAtMs === undefined ? {} : { 'Build-Timestamp': formatBuildTimestamp(builtAtMs) }),
    },
  };
}

function toPackageResource({ name, version, license, optional }: InstalledPackage): AboutResource {
  return {
    name: `${name}-${version}`,
    properties: {
      'Implementation-Title': name,
      Version: version,
      License: license,
      GeoServerModule: optional ? 'extension' : 'core',
    },
  };
}

/** The components of Node that are relevant for security notices. */
function toRuntimeResource({ node = 'unknown', v8, sqlite, openssl, uv }: ManifestOptions['runtime']): AboutResource {
  const inside = Object.entries({ V8: v8, SQLite: sqlite, OpenSSL: openssl, libuv: uv });
  const known = inside.filter((entry): entry is [string, string] => entry[1] !== undefined);
  return {
    name: `node-${node}`,
    properties: {
      'Implementation-Title': 'Node.js',
      Version: node,
      License: 'MIT',
      GeoServerModule: 'core',
      ...Object.fromEntries(known),
    },
  };
}
