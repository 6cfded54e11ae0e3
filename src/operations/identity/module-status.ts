/** The modules of the server and their current status. */
import { problem } from '../../lib/problems/problem.ts';
import type { CatalogSize } from '../../records/catalog.ts';

/** A module of the server with its current status. */
export interface ServerModule {
  /** The short name: `graticule-catalog`. */
  readonly module: string;
  /** The display name. */
  readonly name: string;
  /** The underlying component, if relevant. */
  readonly component: string;
  /** The server requires core modules; it works without an extension. */
  readonly kind: 'core' | 'extension';
  readonly version: string;
  readonly enabled: boolean;
  /**
   * Checks whether the module works and returns a message about the given state. An exception means that it does not
   * work, and only the log receives the reason; `troubles` are visible to the client.
   */
  readonly check: (context: StatusContext) => Promise<string | { readonly troubles: string }>;
}

export interface StatusContext {
  readonly catalog: CatalogSize;
  /** Whether the client can see this workspace. */
  readonly administers: (workspace: string) => boolean;
}

export interface ModuleStatus extends Omit<ServerModule, 'check'> {
  readonly available: boolean;
  readonly message: string;
}

export interface ModuleStatuses {
  list(context: StatusContext): Promise<readonly ModuleStatus[]>;
  /** Finds a module by short or display name, case-insensitively. */
  find(context: StatusContext, name: string): Promise<ModuleStatus>;
}

/** A check that exceeds this time counts as failed. */
const CHECK_TIMEOUT_MS = 2_000;

/** `report` receives the reason of a failed check. */
export function createModuleStatuses(
  modules: readonly ServerModule[],
  report: (module: string, reason: unknown) => void,
): ModuleStatuses {
  return {
    list: (context) => Promise.all(modules.map((each) => checkModule(context, each, report))),
    async find(context, name) {
      const wanted = name.toLowerCase();
      const found = modules.find((each) => [each.module, each.name].some((known) => known.toLowerCase() === wanted));
      if (found === undefined) {
        throw problem('module-unknown', { name });
      }
      return checkModule(context, found, report);
    },
  };
}

async function checkModule(
  context: StatusContext,
  { check, ...module }: ServerModule,
  report: (module: string, reason: unknown) => void,
): Promise<ModuleStatus> {
  if (!module.enabled) {
    return { ...module, available: false, message: 'Disabled.' };
  }
  try {
    const found = await withTimeout(() => check(context));
    return typeof found === 'string'
      ? { ...module, available: true, message: found }
      : { ...module, available: false, message: found.troubles };
  } catch (reason) {
    // The reason may contain paths and addresses, so it is only logged.
    report(module.module, reason);
    return { ...module, available: false, message: 'Unavailable. See the log for the reason.' };
  }
}

async function withTimeout<T>(check: () => Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error('The check timed out')), CHECK_TIMEOUT_MS);
  try {
    return await Promise.race([check(), promise]);
  } finally {
    clearTimeout(timer);
  }
}
