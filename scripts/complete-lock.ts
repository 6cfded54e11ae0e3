/**
 * Completes package-lock.json after `npm install` from a registry mirror that lacks packages of other platforms. npm
 * omits optional packages it could not find from the lock, and `npm ci` then rejects the lock as out of sync. The
 * entries added here match those of a full registry, as far as they can be derived from the names.
 */
import { readFileSync, writeFileSync } from 'node:fs';

interface LockEntry {
  readonly version?: string;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const systems = ['android', 'darwin', 'freebsd', 'linux', 'netbsd', 'openbsd', 'openharmony', 'sunos', 'win32'];
const processors = ['arm', 'arm64', 'ia32', 'loong64', 'ppc64', 'riscv64', 's390x', 'wasm32', 'x64'];

function platformOf(name: string): { os?: string[]; cpu?: string[]; libc?: string[] } {
  const words = name.split(/[/-]/);
  const os = systems.find((each) => words.includes(each));
  const cpu = processors.find((each) => words.includes(each));
  return {
    ...(cpu === undefined ? {} : { cpu: [cpu] }),
    ...(words.includes('musl') ? { libc: ['musl'] } : {}),
    ...(os === undefined ? {} : { os: [os] }),
  };
}

function missingEntries(packages: Readonly<Record<string, LockEntry>>): Record<string, LockEntry> {
  const missing: Record<string, LockEntry> = {};
  for (const [place, entry] of Object.entries(packages)) {
    for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
      const known = packages[`node_modules/${name}`] ?? packages[`${place}/node_modules/${name}`];
      if (known === undefined) {
        missing[`node_modules/${name}`] = {
          version,
          ...(entry.dev ? { dev: true } : {}),
          optional: true,
          ...platformOf(name),
        };
      }
    }
  }
  return missing;
}

const file = new URL('../package-lock.json', import.meta.url);
const lock: { packages: Record<string, LockEntry> } = JSON.parse(readFileSync(file, 'utf8'));
const missing = missingEntries(lock.packages);
const all = Object.entries({ ...lock.packages, ...missing });
lock.packages = Object.fromEntries(all.sort(([a], [b]) => a.localeCompare(b, 'en')));
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
process.stdout.write(`Added ${Object.keys(missing).length} entries to package-lock.json.\n`);
