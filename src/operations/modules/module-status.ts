/** The state of the server's parts at this moment. */
import { problem } from '../../lib/problem.ts';
import type { ModuleStatus, ServerModule } from './server-module.ts';

export interface ModuleStatuses {
  list(): Promise<readonly ModuleStatus[]>;
  /** By the short or the long name, in any case. */
  find(name: string): Promise<ModuleStatus>;
}

/** A part that hangs counts as one that does not work. */
const CHECK_TIMEOUT_MS = 2_000;

/** `report` hears why a part does not work. */
export function moduleStatuses(
  modules: readonly ServerModule[],
  report: (module: string, reason: unknown) => void,
): ModuleStatuses {
  return {
    list: () => Promise.all(modules.map((each) => statusOf(each, report))),
    async find(name) {
      const wanted = name.toLowerCase();
      const found = modules.find((each) => [each.module, each.name].some((known) => known.toLowerCase() === wanted));
      if (found === undefined) {
        throw problem('module-unknown', { name });
      }
      return statusOf(found, report);
    },
  };
}

async function statusOf(
  { check, ...module }: ServerModule,
  report: (module: string, reason: unknown) => void,
): Promise<ModuleStatus> {
  if (!module.enabled) {
    return { ...module, available: false, message: 'Switched off.' };
  }
  try {
    return { ...module, available: true, message: await withDeadline(check) };
  } catch (reason) {
    // The reason may name paths and addresses; the log is the place for those.
    report(module.module, reason);
    return { ...module, available: false, message: 'Does not work at the moment; the log has the reason.' };
  }
}

async function withDeadline(check: () => Promise<string>): Promise<string> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error('The check took too long')), CHECK_TIMEOUT_MS);
  try {
    return await Promise.race([check(), promise]);
  } finally {
    clearTimeout(timer);
  }
}
