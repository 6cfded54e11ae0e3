import { expect, it } from 'vitest';
import type { DirectoryFiles } from '../../../../test/support/source-directories/documents.ts';
import { createDanglingFiles, createUnsupportedFiles } from '../../../../test/support/source-directories/faults.ts';
import { createRareFiles } from '../../../../test/support/source-directories/rare.ts';
import { createSampleDirectory } from '../../../../test/support/source-directories/sample.ts';
import { createSecurityFiles } from '../../../../test/support/source-directories/security.ts';
import { createSettingsFiles } from '../../../../test/support/source-directories/settings.ts';
import { translateSource } from '../run/translate-source.ts';
import { openKeyRing } from '../security/key-ring.ts';
import type { Source } from '../source/source.ts';
import { Renames } from '../translate/renames.ts';
import { type EntryCode, entryCodes } from './codes.ts';
import type { ReportEntry } from './report.ts';

const everything: DirectoryFiles = {
  ...createSampleDirectory(),
  ...createSettingsFiles(),
  ...createSecurityFiles(),
  ...createUnsupportedFiles(),
  ...createDanglingFiles(),
  ...createRareFiles(),
};

/** Codes that only a running target or the copies of data cause; their tests name them. */
const ofTargets: readonly EntryCode[] = [
  'data-not-copied',
  'data-unavailable',
  'deletion-skipped',
  'style-content-invalid',
  'target-changed',
];

async function listEntries(only: readonly string[] = []): Promise<readonly ReportEntry[]> {
  const source: Source = {
    kind: 'directory',
    label: 'memory',
    version: null,
    files: Object.keys(everything).sort(),
    unvisited: [{ path: 'styles/locked', code: 'file-unreadable', reason: 'Listing it failed with EACCES.' }],
    directory: '/srv/data_dir',
    read: async (path, maxBytes) => {
      const content = Buffer.from(everything[path] as Buffer);
      return content.length > maxBytes ? undefined : content;
    },
    close: async () => undefined,
  };
  const { report } = await translateSource(source, await openKeyRing(source, undefined), {
    ...{ only, renames: new Renames(['style:odd name é=plain']), paths: [], databases: new Map(), secrets: new Map() },
    ...{ keepsPlaceholders: false, withSecrets: false, environment: {}, addsUrlChecks: false, opensRestRules: false },
    ...{ masterPassword: undefined, contextPath: '/geoserver', targetUrlChecks: [] },
    rejections: new Map([
      ['/styles/dots', { fields: new Map(), message: 'it is invalid' }],
      [
        '/layergroups/base',
        {
          fields: new Map([
            ['bounds', 'the CRS is unknown'],
            ['title', 'it is too long'],
          ]),
          crsFields: new Set(['bounds']),
        },
      ],
    ]),
  });
  return report.entries;
}

it('uses every code that needs no running target for a file of a data directory', async () => {
  const entries = [...(await listEntries()), ...(await listEntries(['/workspaces/acme']))];

  const found = new Set(entries.map(({ code }) => code));
  const unused = Object.keys(entryCodes).filter((code) => !found.has(code as EntryCode));
  expect(unused.sort()).toEqual([...ofTargets].sort());
});

it('describes each entry and its remedy in sentences', async () => {
  for (const { source, code, message, remedy } of await listEntries()) {
    expect(message, `${source} ${code}`).toMatch(/^['A-Z].*\.$/);
    expect(message, `${source} ${code}`).not.toMatch(/undefined|null|\[object|''/);
    if (remedy !== null) expect(remedy, `${source} ${code}`).toMatch(/^[A-Z]/);
  }
});
