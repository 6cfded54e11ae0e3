/** Decides for one tool: it is there, it could be installed, or it cannot be had and why. */
import type { PackageLists } from './package-lists.ts';
import type { Tool } from './tools.ts';

export type Preparation =
  | { readonly kind: 'found' }
  | { readonly kind: 'installed'; readonly packages: readonly string[] }
  | { readonly kind: 'missing'; readonly reason: string };

/** The system's packages, as far as we may use them. */
export interface PackageSystem {
  /** Why nothing may be installed here, or undefined when it may. */
  refusal(): string | undefined;
  /** Fetches the package lists; a complaint, when that failed, since the lists at hand may still do. */
  refresh(): Promise<string | undefined>;
  readonly lists: PackageLists;
  /** Installs packages without starting any service they bring. */
  install(packages: readonly string[]): Promise<void>;
}

export async function prepareTool(tool: Tool, system: PackageSystem): Promise<Preparation> {
  if (tool.find() !== undefined) return { kind: 'found' };
  const refusal = system.refusal();
  if (refusal !== undefined) return { kind: 'missing', reason: refusal };

  const complaint = await system.refresh();
  const aside = complaint === undefined ? '' : `; the package lists could not be refreshed: ${complaint}`;
  const packages = tool.packages(system.lists);
  if (packages.length === 0) return { kind: 'missing', reason: `no package of this system brings it${aside}` };
  try {
    await system.install(packages);
  } catch (error) {
    return { kind: 'missing', reason: `${error instanceof Error ? error.message : String(error)}${aside}` };
  }
  if (tool.find() !== undefined) return { kind: 'installed', packages };
  return { kind: 'missing', reason: `the packages ${packages.join(', ')} did not bring all of it` };
}
