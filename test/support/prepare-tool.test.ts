import { describe, expect, test } from 'vitest';
import { type PackageSystem, prepareTool } from './prepare-tool.ts';
import type { Tool } from './tools.ts';

interface Machine {
  readonly mayInstall: boolean;
  readonly offers: readonly string[];
  readonly refreshComplaint?: string;
  readonly installFailure?: string;
  readonly installBringsTool?: boolean;
}

/** A machine without the tool; `installed` records the requested packages. */
function machine({ mayInstall, offers, refreshComplaint, installFailure, installBringsTool = true }: Machine) {
  const installed: string[] = [];
  const tool: Tool = {
    title: 'Sextant',
    purpose: 'finding the way',
    neededBy: ['test/stars'],
    find: () => (installBringsTool && installed.length > 0 ? '/usr/bin/sextant' : undefined),
    packages: (lists) => lists.matching('^sextant$'),
    byHand: 'buy one',
  };
  const system: PackageSystem = {
    refusal: () => (mayInstall ? undefined : 'only root may install it'),
    refresh: async () => refreshComplaint,
    lists: { matching: () => offers, listDependencies: () => [] },
    async install(packages) {
      if (installFailure !== undefined) throw new Error(installFailure);
      installed.push(...packages);
    },
  };
  return { tool, system, installed };
}

describe('tool preparation', () => {
  test('changes nothing when the tool is installed', async () => {
    const { tool, system, installed } = machine({ mayInstall: true, offers: ['sextant'] });

    const outcome = await prepareTool({ ...tool, find: () => '/opt/sextant' }, system);

    expect(outcome).toEqual({ kind: 'found' });
    expect(installed).toEqual([]);
  });

  test('installs the tool when installation is allowed', async () => {
    const { tool, system } = machine({ mayInstall: true, offers: ['sextant'] });

    expect(await prepareTool(tool, system)).toEqual({ kind: 'installed', packages: ['sextant'] });
  });

  test('reports why installation is not allowed', async () => {
    const { tool, system, installed } = machine({ mayInstall: false, offers: ['sextant'] });

    expect(await prepareTool(tool, system)).toEqual({ kind: 'missing', reason: 'only root may install it' });
    expect(installed).toEqual([]);
  });

  test('installs from the existing package lists when they cannot be refreshed', async () => {
    const { tool, system } = machine({ mayInstall: true, offers: ['sextant'], refreshComplaint: 'no network' });

    expect(await prepareTool(tool, system)).toMatchObject({ kind: 'installed' });
  });

  test('reports that no package provides the tool, and that the lists may be outdated', async () => {
    const { tool, system } = machine({ mayInstall: true, offers: [], refreshComplaint: 'no network' });

    expect(await prepareTool(tool, system)).toEqual({
      kind: 'missing',
      reason: 'no package of this system brings it; the package lists could not be refreshed: no network',
    });
  });

  test('reports why the installation failed', async () => {
    const { tool, system } = machine({ mayInstall: true, offers: ['sextant'], installFailure: 'disk full' });

    expect(await prepareTool(tool, system)).toEqual({ kind: 'missing', reason: 'disk full' });
  });

  test('reports an installation that did not provide the tool', async () => {
    const { tool, system } = machine({ mayInstall: true, offers: ['sextant'], installBringsTool: false });

    expect(await prepareTool(tool, system)).toEqual({
      kind: 'missing',
      reason: 'the packages sextant did not bring all of it',
    });
  });
});
