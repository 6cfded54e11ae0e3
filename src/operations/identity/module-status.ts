/** The parts of the server, and their state at this moment. */
import { problem } from '../../lib/problems/problem.ts';
import type { CatalogSize } from '../../records/catalog.ts';

/** A part of the server that an administrator can look up: what it is, and whether it works right now. */
export interface ServerModule {
  /** The short name: `graticule-catalog`. */
  readonly module: string;
  /** What people call it. */
  readonly name: string;
  /** What it does it with, where that is worth a name. */
  readonly component: string;
  /** Nothing works without a core part; everything else works without an extension. */
  readonly kind: 'core' | 'extension';
  readonly version: string;
  readonly enabled: boolean;
  /**
   * Looks whether the part works, and says what it found in the state at hand. Throwing means that it does not, for reasons
   * that only the log may have; `troubles` are for whoever asks.
   */
  readonly check: (asked: StatusContext) => Promise<string | { readonly troubles: string }>;
}

export interface StatusContext {
  readonly catalog: CatalogSize;
  /** Whether whoever asks may be told of what is in this workspace. */
  readonly administers: (workspace: string) => boolean;
}

export interface ModuleStatus extends Omit<ServerModule, 'check'> {
  readonly available: boolean;
  readonly message: string;
}

export interface ModuleStatuses {
  list(asked: StatusContext): Promise<readonly ModuleStatus[]>;
  /** By the short or the long name, in any case. */
  find(asked: StatusContext, name: string): Promise<ModuleStatus>;
}

/** A part that hangs counts as one that does not work. */
const CHECK_TIMEOUT_MS = 2_000;

/** `report` hears why a part does not work. */
export function createModuleStatuses(
  modules: readonly ServerModule[],
  report: (module: string, reason: unknown) => void,
): ModuleStatuses {
  return {
    list: (asked) => Promise.all(modules.map((each) => checkModule(asked, each, report))),
    async find(asked, name) {
      const wanted = name.toLowerCase();
      const found = modules.find((each) => [each.module, each.name].some((known) => known.toLowerCase() === wanted));
      if (found === undefined) {
        throw problem('module-unknown', { name });
      }
      return checkModule(asked, found, report);
    },
  };
}

async function checkModule(
  asked: StatusContext,
  { check, ...module }: ServerModule,
  report: (module: string, reason: unknown) => void,
): Promise<ModuleStatus> {
  if (!module.enabled) {
    return { ...module, available: false, message: 'Switched off.' };
  }
  try {
    const found = await withTimeout(() => check(asked));
    return typeof found === 'string'
      ? { ...module, available: true, message: found }
      : { ...module, available: false, message: found.troubles };
  } catch (reason) {
    // The reason may name paths and addresses; the log is the place for those.
    report(module.module, reason);
    return { ...module, available: false, message: 'Does not work at the moment; the log has the reason.' };
  }
}

async function withTimeout<T>(check: () => Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error('The check took too long')), CHECK_TIMEOUT_MS);
  try {
    return await Promise.race([check(), promise]);
  } finally {
    clearTimeout(timer);
  }
}
