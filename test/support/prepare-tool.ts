/** Decides for one tool: installed, installable, or unavailable with the reason. */
import type { PackageLists } from './package-lists.ts';
import type { Tool } from './tools.ts';

export type Preparation =
  | { readonly kind: 'found' }
  | { readonly kind: 'installed'; readonly packages: readonly string[] }
  | { readonly kind: 'missing'; readonly reason: string };

/** The package manager, as far as it may be used. */
export interface PackageSystem {
  /** Why installation is not allowed; undefined if it is. */
  refusal(): string | undefined;
  /** Refreshes the package lists; returns an error on failure, since the existing lists may suffice. */
  refresh(): Promise<string | undefined>;
  readonly lists: PackageLists;
  /** Installs packages without starting their services. */
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
